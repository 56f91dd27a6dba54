"""Keys of a joint that hold one number per coordinate: guess, rate, offset, limits, stiffness, damping."""

from dataclasses import dataclass
from typing import Any

from closedchain.description.document import FrozenMap, Place
from closedchain.description.kinds import ANY, NUMBER_SCHEMA, Fields, Range, read_vector
from closedchain.description.leaves import range_of, unit_along
from closedchain.description.names import shown, suggest
from closedchain.description.reading import WRONG, Reader
from closedchain.description.values import make_value
from closedchain.elements.joint_efforts import joint_efforts
from closedchain.elements.joints import JointType, joint_types


def form_of(name: Any, planar: bool) -> JointType | None:
    """The joint type of that name as it stands in a planar or spatial mechanism, None where there is none."""
    member = joint_types.get(name) if isinstance(name, str) else None
    return member.form(planar) if member else None


def has_quaternion(form: JointType) -> bool:
    """Whether a joint's coordinates hold a quaternion (then rates are fewer)."""
    return len(form.coordinates) != len(form.rates)


@dataclass(frozen=True)
class PerCoordinate:
    """A number for joints of one coordinate, a list or a table by name for others.

    unit: of an angle and of a length, "rad or m". of: "coordinates" (none with a quaternion), "rates", or "guess" (a
    quaternion or a rotation vector).
    """

    unit: str
    of: str
    default: float | None = None
    range: Range = ANY

    def _layouts(self, form: JointType) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Possible lists: labels and units of their entries."""
        rates = tuple(unit_along(self.unit, unit) for unit in form.units)
        if not has_quaternion(form):
            return [(form.rates, rates)]
        if self.of == "coordinates":
            return [((), ())]
        if self.of == "rates":
            return [(form.rates, rates)]
        lengths = len(form.coordinates) - 4
        return [(form.coordinates, ("m",) * lengths + ("1",) * 4), (form.rates, rates)]

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Values, one per entry."""
        form = form_of(fields.get("type"), reader.planar)
        if form is None:
            return WRONG
        layouts = self._layouts(form)
        if not layouts[0][0]:
            what = (
                "has no coordinate"
                if not form.coordinates
                else "has a quaternion as coordinates, to which nothing is added"
            )
            return reader.note(place, f"a {form.name} joint {what}.", f"Remove {place.path.rpartition('.')[2]}.")
        labels, units = layouts[0]
        if isinstance(raw, FrozenMap) and len(labels) > 1:
            return self._by_name(raw, labels, units, place, reader)
        if isinstance(raw, tuple):
            labels, units = next((entry for entry in layouts if len(entry[0]) == len(raw)), layouts[0])
            if len(raw) != len(labels):
                wanted = " or ".join(str(len(entry[0])) for entry in layouts)
                return reader.note(place, f"{len(raw)} numbers are given.", f"A {form.name} joint takes {wanted} here.")
        elif len(labels) > 1:
            listed = ", ".join(labels)
            return reader.note(
                place,
                f"{shown(raw)} does not fit.",
                f"A {form.name} joint takes a list of {len(labels)} here: {listed}.",
            )
        return read_vector(raw, (len(labels),), units, place, reader, self.range, bare=True)

    def _by_name(self, raw: Any, labels: tuple[str, ...], units: tuple[str, ...], place: Place, reader: Reader) -> Any:
        for name in raw:
            if name not in labels:
                reader.note(
                    place / name, f"{name} is not a coordinate of this joint.", suggest(name, labels, "coordinate")
                )
        missing = [label for label in labels if label not in raw]
        if missing:
            return reader.note(place, f"{', '.join(missing)} is missing.", "Give every coordinate of the joint.")
        values = tuple(
            read_vector(raw[label], (1,), (unit,), place / label, reader, self.range, bare=True)
            for label, unit in zip(labels, units)
        )
        return WRONG if WRONG in values else tuple(value[0] for value in values)

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """Values of the default, one per coordinate."""
        form = form_of(fields.get("type"), reader.planar)
        if self.default is None or form is None:
            return None
        labels, units = self._layouts(form)[0]
        places = [place] if len(labels) == 1 else [place / k for k in range(len(labels))]
        return tuple(make_value(self.default, unit, at.path, at.address) for unit, at in zip(units, places))

    def schema(self, planar: bool) -> dict[str, Any]:
        """A number, a list or an object."""
        return {
            "anyOf": [
                NUMBER_SCHEMA,
                {"type": "array", "items": NUMBER_SCHEMA},
                {"type": "object", "additionalProperties": NUMBER_SCHEMA},
            ]
        }


def Effort(name: str) -> PerCoordinate:
    """The kind of a joint's key that is one parameter of a joint effort (a spring's stiffness), 0 where the file is
    silent."""
    (parameter,) = joint_efforts[name].parameters
    return PerCoordinate(parameter.unit, "rates", 0.0, range_of(parameter))


@dataclass(frozen=True)
class Limits:
    """[lo, hi]; for joints of several coordinates a list of such pairs, or a table by coordinate (others unlimited)."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """(lo, hi) or None per rate."""
        form = form_of(fields.get("type"), reader.planar)
        if form is None:
            return WRONG
        if not form.rates or has_quaternion(form):
            what = "no coordinate" if not form.rates else "a quaternion as coordinates"
            return reader.note(place, f"a {form.name} joint has {what}, which cannot be limited.", "Remove limits.")
        if len(form.rates) == 1:
            pair = self._pair(raw, form.units[0], place, reader)
            return WRONG if pair is WRONG else (pair,)
        if isinstance(raw, FrozenMap):
            return self._by_name(raw, form, place, reader)
        if not isinstance(raw, tuple) or len(raw) != len(form.rates) or not any(isinstance(e, tuple) for e in raw):
            listed = ", ".join(form.rates)
            return reader.note(
                place,
                f"{shown(raw)} does not fit.",
                f"Write one [lo, hi] for each of {listed}, or {{ {form.rates[0]} = [lo, hi] }}.",
            )
        pairs = tuple(
            self._pair(entry, unit, place / k, reader) for k, (entry, unit) in enumerate(zip(raw, form.units))
        )
        return WRONG if WRONG in pairs else pairs

    def _pair(self, raw: Any, unit: str, place: Place, reader: Reader) -> Any:
        if not isinstance(raw, tuple) or len(raw) != 2:
            return reader.note(place, f"{shown(raw)} is not two numbers.", "Write [lo, hi].")
        pair = read_vector(raw, (2,), (unit,), place, reader)
        if pair is not WRONG:
            reader.pairs.append((place, pair))
        return pair

    def _by_name(self, raw: Any, form: JointType, place: Place, reader: Reader) -> Any:
        for name in raw:
            if name not in form.rates:
                reader.note(
                    place / name, f"{name} is not a coordinate of this joint.", suggest(name, form.rates, "coordinate")
                )
        pairs = tuple(
            self._pair(raw[name], unit, place / name, reader) if name in raw else None
            for name, unit in zip(form.rates, form.units)
        )
        return WRONG if WRONG in pairs else pairs

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """None."""
        return None

    def schema(self, planar: bool) -> dict[str, Any]:
        """A pair, or several."""
        pair = {"type": "array", "items": NUMBER_SCHEMA, "minItems": 2, "maxItems": 2}
        return {"anyOf": [pair, {"type": "array", "items": pair}, {"type": "object", "additionalProperties": pair}]}
