"""Bodies: mass, inertia and the points and frames they carry."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from closedchain.description.chain_frames import ChainFrame
from closedchain.description.document import FrozenMap, Place
from closedchain.description.frames import Direction, Evaluate, Number, Pose, frame_rotation, vector
from closedchain.description.kinds import (
    ANY,
    NOT_NEGATIVE,
    NUMBER_SCHEMA,
    Anything,
    Fields,
    Plain,
    Vector,
    read_named,
    read_vector,
)  # fmt: skip
from closedchain.description.kinds import Number as NumberKind
from closedchain.description.names import shown, suggest
from closedchain.description.reading import WRONG, Readable, Reader, key
from closedchain.description.values import Value
from closedchain.numbers import Mat3, Vec3


@dataclass(frozen=True)
class Point:
    """A point of a body, or a frame where it has directions.

    at: position [m] in body axes, 2 or 3 Values (none: the body's origin). z: direction of the frame's z (spatial).
    x: direction of its
    x (2 Values in a planar mechanism), made perpendicular to z. None where not said: body z, and x by the smallest
    rotation.
    """

    name: str
    at: tuple[Value, ...] = ()
    z: Direction | None = None
    x: Direction | None = None

    @property
    def is_frame(self) -> bool:
        """Whether a direction was said."""
        return self.z is not None or self.x is not None

    def position(self, evaluate: Evaluate) -> Vec3:
        """Position [m] in body axes, over numbers."""
        return vector(self.at, evaluate)

    def pose(self, evaluate: Evaluate) -> Pose:
        """Rotation (columns are the frame's axes in body axes) and position [m], over numbers.

        evaluate: number of a Value; the Python float 0.0 is structure, see Mechanism.evaluator.
        """
        return frame_rotation(self.z, self.x, evaluate), self.position(evaluate)


Location = Point | ChainFrame
"""What a body may carry under a name: a point or frame said in the file, or the frame of a chain."""


@dataclass(frozen=True)
class PointKind(Plain):
    """A vector, or a frame { at, z, x }."""

    def read_point(self, name: str, raw: Any, place: Place, reader: Reader) -> Any:
        """The Point of that name."""
        size = (2,) if reader.planar else (3,)
        if not isinstance(raw, Mapping):
            at = read_vector(raw, size, ("m",), place, reader)
            return WRONG if at is WRONG else Point(name, at)
        known = ("at", "x") if reader.planar else ("at", "z", "x")
        for entry in raw:
            if entry not in known:
                remedy = (
                    "A planar frame has at and x." if reader.planar and entry == "z" else suggest(entry, known, "key")
                )
                reader.note(place / entry, f"there is no key {entry!r} here.", remedy)
        at: Any = ()
        if "at" in raw:
            at = read_vector(raw["at"], size, ("m",), place.silent("at"), reader)
        directions = {k: read_direction(raw[k], place / k, reader) for k in known[1:] if k in raw}
        if at is WRONG or WRONG in directions.values():
            return WRONG
        return Point(name, at, directions.get("z"), directions.get("x"))

    def schema(self, planar: bool) -> dict[str, Any]:
        """A list of numbers or an object."""
        size = 2 if planar else 3
        numbers = {"type": "array", "items": NUMBER_SCHEMA, "minItems": size, "maxItems": size}
        keys = ("at", "x") if planar else ("at", "z", "x")
        frame = {"type": "object", "properties": dict.fromkeys(keys, numbers), "additionalProperties": False}
        return {"anyOf": [numbers, frame]}


def read_direction(raw: Any, place: Place, reader: Reader) -> Any:
    """The Values of a direction; a zero vector is noted later, when numbers are known."""
    values = read_vector(raw, (2,) if reader.planar else (3,), ("",), place, reader)
    if values is WRONG:
        return WRONG
    direction = tuple(replace(value, role="direction") for value in values)
    reader.directions.append((place, direction))
    return direction


@dataclass(frozen=True)
class PointsKind:
    """Named points and frames; `origin` always exists."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """Name -> Point."""
        body = fields["name"]

        def read(name: str, content: Any, at: Place) -> Any:
            if name == "origin":
                return reader.note(at, "origin is the body's own origin and cannot be placed.", "Choose another name.")
            point = PointKind().read_point(name, content, at, reader)
            if point is WRONG:
                reader.broken_points.add((body, name))
            return point

        return FrozenMap({"origin": Point("origin"), **read_named(raw, place, reader, read, taken=["origin"])})

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """The origin alone."""
        return FrozenMap({"origin": Point("origin")})

    def schema(self, planar: bool) -> dict[str, Any]:
        """An object of points."""
        return {"type": "object", "additionalProperties": PointKind().schema(planar)}


@dataclass(frozen=True)
class PlaceInBody(Plain):
    """A position in a body: a vector, or the name of one of its points."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Location."""
        if not isinstance(raw, str):
            at = read_vector(raw, (2,) if reader.planar else (3,), ("m",), place, reader)
            return WRONG if at is WRONG else Point("", at)
        points: Mapping[str, Any] = fields["points"] if fields["points"] is not WRONG else {}
        name = raw.removeprefix(fields["name"] + ".")
        if name in points:
            return points[name]
        return reader.note(place, f"{shown(raw)} is not a point of this body.", suggest(name, points, "point"))

    def schema(self, planar: bool) -> dict[str, Any]:
        """Numbers or text."""
        size = 2 if planar else 3
        return {
            "anyOf": [{"type": "array", "items": NUMBER_SCHEMA, "minItems": size, "maxItems": size}, {"type": "string"}]
        }


@dataclass(frozen=True, kw_only=True)
class Body(Readable):
    """A rigid body as said: `ground` is the fixed one.

    mass [kg]; com: mass centre [m]; inertia [kg m²] about it in body axes (planar 1 Value, spatial 3 principal or 6:
    xx, yy, zz, xy, xz, yz,
    entries of the tensor) unless `inertia_at` names another point; points: name -> Point or ChainFrame, `origin`
    among them.
    """

    name: str
    points: FrozenMap[Location] = key(PointsKind(), "named points, and frames { at, z, x }")
    mass: Value = key(NumberKind("kg", NOT_NEGATIVE, default=0.0), "mass")
    com: tuple[Value, ...] = key(Vector("m", default=0.0), "mass centre in body axes")
    inertia: tuple[Value, ...] = key(
        Vector("kg*m^2", planar=(1,), spatial=(3, 6), default=0.0, bare=True),
        "inertia about the mass centre, body axes",
    )
    inertia_at: Location | None = key(PlaceInBody(), "another point that the inertia is about")
    shape: Any = key(Anything(), "hints for drawing")

    def mass_properties(self, evaluate: Evaluate) -> tuple[Number, Vec3, Mat3]:
        """Mass [kg], mass centre [m] and inertia tensor [kg m²] about the mass centre, in body axes, over numbers.

        Inertia about another point P is moved by Steiner: I_C = I_P − m (d·d 1 − d dᵀ), d = C − P. A planar inertia
        fills zz alone.
        """
        mass, com = evaluate(self.mass), vector(self.com, evaluate)
        entries = [evaluate(value) for value in self.inertia]
        if len(entries) == 1:
            inertia = Mat3.diagonal(0.0, 0.0, entries[0])
        else:
            xx, yy, zz, xy, xz, yz = (*entries, 0.0, 0.0, 0.0)[:6]
            inertia = Mat3(xx, xy, xz, xy, yy, yz, xz, yz, zz)
        if self.inertia_at is not None:
            d = com - self.inertia_at.position(evaluate)
            inertia = (
                inertia - steiner(d) * mass
                if len(entries) > 1
                else Mat3.diagonal(0.0, 0.0, entries[0] - mass * d.dot(d))
            )
        return mass, com, inertia

    def with_points(self, more: Mapping[str, Location]) -> "Body":
        """The same body with further points."""
        return replace(self, points=FrozenMap({**self.points, **more}))


def steiner(d: Vec3) -> Mat3:
    """d·d 1 − d dᵀ [m²]."""
    x, y, z = d
    return Mat3(
        y * y + z * z, -(x * y), -(x * z),
        -(x * y), x * x + z * z, -(y * z),
        -(x * z), -(y * z), x * x + y * y,
    )  # fmt: skip


__all__ = ["ANY", "Body", "Location", "Point", "PointKind"]
