"""What a leaf of elements/ asks for (Parameter, VectorParameter, Switch) as a kind that reads it from the file."""

import math
from dataclasses import dataclass, replace
from typing import Any

from closedchain.description.document import Place
from closedchain.description.kinds import NUMBER_SCHEMA, Fields, Flag, Number, Range, Word, list_schema, read_vector
from closedchain.description.reading import Key, Kind, Reader
from closedchain.description.values import Value, make_value
from closedchain.elements.family import Parameter, Switch, VectorParameter


def key_of(parameter: Any, *, required: bool | None = None) -> Key:
    """The key that a leaf's parameter stands for; `required` overrules its own word."""
    own = getattr(parameter, "default", None) is None and not getattr(parameter, "optional", False)
    return Key(parameter.name, _kind(parameter), parameter.meaning, own if required is None else required)


def _kind(parameter: Any) -> Kind:
    if isinstance(parameter, Switch):
        return Flag(parameter.default)
    if isinstance(parameter, VectorParameter):
        return LeafVector(parameter)
    assert isinstance(parameter, Parameter)
    if parameter.choices:
        default = parameter.default if isinstance(parameter.default, str) else None
        return Word(lambda: parameter.choices, default, parameter.name)
    default = parameter.default
    if isinstance(default, str) or (default is not None and not math.isfinite(default)):
        default = None
    number = Number(parameter.unit, range_of(parameter), parameter.timed, default)
    if " or " in parameter.unit:
        return AlongCoordinate(number)
    return Structural(number) if parameter.structural else number


def range_of(parameter: Parameter | VectorParameter) -> Range:
    """Allowed numbers of a leaf's parameter."""
    return Range(parameter.lower, parameter.upper, parameter.open_lower, parameter.open_upper)


def unit_along(unit: str, coordinate: str) -> str:
    """Of a unit "N m/rad or N/m" the one that goes with a coordinate in "rad" or "m"; "" (any) where that is not
    known."""
    angle, _, length = unit.partition(" or ")
    return {"rad": angle, "m": length or angle}.get(coordinate, "")


@dataclass(frozen=True)
class AlongCoordinate:
    """A number whose unit is written "N m/rad or N/m": for angles and for lengths; the joint in the same table decides.

    It looks at the fields `unit` (of a controlled coordinate) or `joint` (of a force along a joint).
    """

    number: Number

    def _chosen(self, fields: Fields) -> Number:
        joint = fields.get("joint")
        unit = fields.get("unit") or getattr(joint, "unit", "")
        return replace(self.number, unit=unit_along(self.number.unit, unit))

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Value."""
        return self._chosen(fields).read(raw, place, reader, fields)

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """The default as a Value."""
        return self._chosen(fields).absent(place, reader, fields)

    def schema(self, planar: bool) -> dict[str, Any]:
        """A number or a text."""
        return NUMBER_SCHEMA


@dataclass(frozen=True)
class Structural:
    """A number that shapes a formula (an exponent): its Value has the role "structural" and its number, even of an
    expression."""

    number: Number

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Value."""
        value = self.number.read(raw, place, reader, fields)
        if not isinstance(value, Value):
            return value
        return replace(value, role="structural", number=reader.numbers.of(value))

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """The default as a Value."""
        value = self.number.absent(place, reader, fields)
        return replace(value, role="structural") if isinstance(value, Value) else value

    def schema(self, planar: bool) -> dict[str, Any]:
        """A number or a text."""
        return NUMBER_SCHEMA


@dataclass(frozen=True)
class LeafVector:
    """The numbers of a VectorParameter, fewer of them in a planar mechanism."""

    parameter: VectorParameter

    def _units(self, planar: bool) -> tuple[str, ...]:
        units = self.parameter.units
        return tuple(units[k] for k in self.parameter.in_plane) if planar else units

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Values; in the plane only those that a planar mechanism has."""
        units, sizes = self._units(reader.planar), self.parameter.sizes(reader.planar)
        return read_vector(raw, sizes, units, place, reader, range_of(self.parameter), self.parameter.timed, bare=True)

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """Values of the default."""
        if self.parameter.default is None:
            return None
        picked = self.parameter.in_plane if reader.planar else range(len(self.parameter.units))
        units = self._units(reader.planar)
        places = [place] if len(units) == 1 else [place / k for k in range(len(units))]
        return tuple(
            make_value(self.parameter.default[k], unit, at.path, at.address)
            for k, unit, at in zip(picked, units, places)
        )

    def schema(self, planar: bool) -> dict[str, Any]:
        """A list of numbers (one alone may stand without brackets)."""
        sizes = self.parameter.sizes(planar)
        return list_schema(sizes, bare=1 in sizes) if sizes else NUMBER_SCHEMA
