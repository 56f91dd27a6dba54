"""References by name: "body.point", "joint.coordinate", bodies; they resolve to the longest existing name."""

from dataclasses import dataclass
from typing import Any

from closedchain.description.bodies import Body, Location
from closedchain.description.document import Place
from closedchain.description.kinds import Fields, Plain
from closedchain.description.names import shown, suggest
from closedchain.description.reading import WRONG, Reader


@dataclass(frozen=True)
class At:
    """A point of a body: the body's name and the point."""

    body: str
    point: Location

    @property
    def text(self) -> str:
        """As users write it: "body.point"."""
        return f"{self.body}.{self.point.name}"


@dataclass(frozen=True)
class CoordinateReference:
    """A coordinate of a joint: the joint's name and the coordinate's ("" for the single one of a simple joint).

    index: its position among the joint's rates; unit: "rad" or "m".
    """

    joint: str
    coordinate: str
    index: int
    unit: str

    @property
    def text(self) -> str:
        """As users write it: "joint" or "joint.coordinate"."""
        return f"{self.joint}.{self.coordinate}" if self.coordinate else self.joint


def split_reference(text: str, names: Any) -> tuple[str, str] | None:
    """The longest existing name at the start of a dotted text, and what follows it."""
    parts = text.split(".")
    for count in range(len(parts), 0, -1):
        name = ".".join(parts[:count])
        if name in names:
            return name, ".".join(parts[count:])
    return None


def resolve_point(text: Any, place: Place, reader: Reader) -> At | Any:
    """The point that a reference "body.point" names."""
    if not isinstance(text, str):
        return reader.note(place, f"{shown(text)} is not a point.", 'Write "body.point".')
    parts = text.split(".")
    first: Body | None = None
    for count in range(len(parts) - 1, 0, -1):
        body = reader.bodies.get(".".join(parts[:count]))
        if body is None:
            continue
        first = first or body
        point = body.points.get(".".join(parts[count:]))
        if point is not None:
            return At(body.name, point)
    if first is not None:
        rest = text.removeprefix(first.name + ".")
        if (first.name, rest) in reader.broken_points:
            return WRONG
        return reader.note(
            place,
            f"body {first.name} has no point {rest!r}.",
            suggest(rest, first.points, "point"),
        )
    if text in reader.bodies:
        return reader.note(
            place, f"{text!r} is a body, not a point of it.", f'Write "{text}.origin" or another of its points.'
        )
    found = split_reference(text, reader.broken_bodies)
    if found:
        return WRONG
    name = parts[0] if len(parts) > 1 else text
    return reader.note(place, f"{text!r} names a body that does not exist.", suggest(name, reader.bodies, "body"))


@dataclass(frozen=True)
class PointReference(Plain):
    """ "body.point" """

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The At."""
        return resolve_point(raw, place, reader)

    def schema(self, planar: bool) -> dict[str, Any]:
        """Text with a dot."""
        return {"type": "string", "pattern": r"^.+\..+$"}


@dataclass(frozen=True)
class PointPair(Plain):
    """["body.point", "body.point"]"""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The two At."""
        if not isinstance(raw, tuple) or len(raw) != 2:
            return reader.note(place, f"{shown(raw)} is not two points.", 'Write ["body.point", "body.point"].')
        ends = tuple(resolve_point(entry, place / k, reader) for k, entry in enumerate(raw))
        return WRONG if WRONG in ends else ends

    def schema(self, planar: bool) -> dict[str, Any]:
        """Two texts."""
        return {"type": "array", "items": PointReference().schema(planar), "minItems": 2, "maxItems": 2}


@dataclass(frozen=True)
class BodyReference(Plain):
    """The name of a body."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The name."""
        if isinstance(raw, str) and raw in reader.bodies:
            return raw
        if isinstance(raw, str) and raw in reader.broken_bodies:
            return WRONG
        found = split_reference(raw, reader.bodies) if isinstance(raw, str) else None
        if found:
            return reader.note(place, f"{raw!r} names a point; here belongs a body.", f'Write "{found[0]}".')
        return reader.note(place, f"{shown(raw)} is not a body.", suggest(str(raw), reader.bodies, "body"))

    def schema(self, planar: bool) -> dict[str, Any]:
        """Text."""
        return {"type": "string"}


def resolve_coordinate(text: Any, place: Place, reader: Reader) -> CoordinateReference | Any:
    """The coordinate that "joint" or "joint.coordinate" names."""
    if not isinstance(text, str):
        return reader.note(place, f"{shown(text)} is not a joint.", 'Write "joint" or "joint.coordinate".')
    found = split_reference(text, reader.joints)
    if found is None:
        if split_reference(text, reader.broken_joints):
            return WRONG
        return reader.note(
            place, f"{text!r} names a joint that does not exist.", suggest(text.split(".")[0], reader.joints, "joint")
        )
    name, part = found
    kind = reader.joints[name].form
    scalars = {label: k for k, label in enumerate(kind.rates) if label in kind.coordinates}
    if not part and len(kind.rates) == 1:
        return CoordinateReference(name, kind.rates[0], 0, kind.units[0])
    if part in scalars and part:
        return CoordinateReference(name, part, scalars[part], kind.units[scalars[part]])
    if not kind.rates:
        return reader.note(
            place, f"{text!r}: the {kind.name} joint {name} has no coordinate.", "Name a joint that moves."
        )
    if len(kind.rates) == 1:
        return reader.note(
            place, f"{text!r}: the {kind.name} joint {name} has one coordinate without a name.", f'Write "{name}".'
        )
    if not scalars:
        return reader.note(
            place,
            f"{text!r}: the coordinates of the {kind.name} joint {name} are a quaternion.",
            "They cannot stand alone here.",
        )
    listed = ", ".join(f'"{name}.{label}"' for label in scalars)
    what = f"has no coordinate {part!r} here" if part else f"has {len(kind.rates)} coordinates"
    return reader.note(place, f"{text!r}: the {kind.name} joint {name} {what}.", f"Write one of {listed}.")


@dataclass(frozen=True)
class Coordinate(Plain):
    """ "joint" or "joint.coordinate" """

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The CoordinateReference."""
        return resolve_coordinate(raw, place, reader)

    def schema(self, planar: bool) -> dict[str, Any]:
        """Text."""
        return {"type": "string"}
