"""Joints: which two frames they connect, how, and what acts along their coordinates."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from closedchain.description.bodies import Location, read_direction
from closedchain.description.clearances import Clearance, ClearanceKey
from closedchain.description.coordinates import Effort, Limits, PerCoordinate, form_of
from closedchain.description.document import FrozenMap, Place
from closedchain.description.frames import Direction, Evaluate, Pose, frame_rotation
from closedchain.description.kinds import Fields, Flag, Plain, Table, Word, list_schema
from closedchain.description.leaves import key_of
from closedchain.description.names import shown
from closedchain.description.reading import WRONG, Key, Readable, Reader, key, read_table_of
from closedchain.description.references import At, PointPair
from closedchain.description.values import Value
from closedchain.elements.friction_laws import friction_laws
from closedchain.elements.joint_efforts import joint_efforts
from closedchain.elements.joint_efforts.friction import FRICTION_PARAMETERS
from closedchain.elements.joints import JointType, joint_types


@dataclass(frozen=True)
class AxisKind(Plain):
    """One vector for both sides, each in its own body's coordinates, or two vectors."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """(base direction, moving direction)."""
        if not isinstance(raw, tuple) or not raw:
            return reader.note(
                place, f"{shown(raw)} is not a direction.", "Write one vector for both sides, or two vectors."
            )
        if isinstance(raw[0], tuple):
            if len(raw) != 2:
                return reader.note(
                    place, f"{len(raw)} vectors are given.", "Write one vector for both sides, or two vectors."
                )
            both = tuple(read_direction(entry, place / k, reader) for k, entry in enumerate(raw))
            return WRONG if WRONG in both else both
        one = read_direction(raw, place, reader)
        return WRONG if one is WRONG else (one, one)

    def schema(self, planar: bool) -> dict[str, Any]:
        """One or two lists of numbers."""
        one = list_schema((2 if planar else 3,))
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 2, "maxItems": 2}]}


@dataclass(frozen=True, kw_only=True)
class Stop(Readable):
    """Elastic stops at the limits of a coordinate, for simulations; their parameters by name (stiffness, damping).

    unit: of the coordinates they stop ("" where they differ).
    """

    unit: str
    parameters: FrozenMap[Any] = field(default_factory=FrozenMap)

    @classmethod
    def further(cls, fields: Mapping[str, Any], planar: bool) -> tuple[Key, ...]:
        """Parameters of the stop, from the family of joint efforts."""
        return tuple(key_of(parameter) for parameter in joint_efforts["stop"].parameters)


@dataclass(frozen=True)
class StopKey(Plain):
    """The table `stop`, in the units of the joint's coordinates."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Stop."""
        form = form_of(fields.get("type"), reader.planar)
        if form is None:
            return WRONG
        unit = form.units[0] if len(set(form.units)) == 1 else ""
        return read_table_of(Stop, raw, place, reader, unit=unit)

    def schema(self, planar: bool) -> dict[str, Any]:
        """An object with the stop's parameters."""
        return Table(Stop).schema(planar)


@dataclass(frozen=True, kw_only=True)
class Friction(Readable):
    """Friction on a joint's coordinate: the law's name; its parameters, `load` and `radius` (name -> Value, word or
    bool)."""

    leading: ClassVar[tuple[str, ...]] = ("law",)

    law: str = key(Word(lambda: friction_laws, what="friction law"), "friction law", required=True)
    parameters: FrozenMap[Any] = field(default_factory=FrozenMap)

    @classmethod
    def further(cls, fields: Mapping[str, Any], planar: bool) -> tuple[Key, ...]:
        """The law's parameters."""
        law = friction_laws.get(fields["law"]) if isinstance(fields["law"], str) else None
        return tuple(key_of(parameter) for parameter in (*law.parameters, *FRICTION_PARAMETERS)) if law else ()


@dataclass(frozen=True, kw_only=True)
class Joint(Readable):
    """A joint as said.

    between: base side and moving side. axis: directions on both sides, None where the points' own frames hold. One
    Value per
    coordinate: guess (of a quaternion joint also a rotation vector) and rate, None where not said; offset, () for
    joints with a quaternion;
    stiffness and damping, one per rate. limits: (lower, upper) or None per rate, None where none are said. cut:
    prefer to open this joint.
    parameters: of the joint type (a screw's lead).
    """

    leading: ClassVar[tuple[str, ...]] = ("type",)

    name: str
    planar: bool
    type: str = key(Word(lambda: joint_types, what="joint type"), "joint type", required=True)
    between: tuple[At, At] = key(PointPair(), "the two points it connects, base side first", required=True)
    axis: tuple[Direction, Direction] | None = key(
        AxisKind(), "direction of the joint's axis in both bodies' coordinates"
    )
    guess: tuple[Value, ...] | None = key(PerCoordinate("rad or m", of="guess"), "coordinate where assembly starts")
    rate: tuple[Value, ...] | None = key(PerCoordinate("rad/s or m/s", of="rates"), "rate at the start")
    offset: tuple[Value, ...] = key(
        PerCoordinate("rad or m", of="coordinates", default=0.0), "added to the geometric coordinate"
    )
    limits: tuple[tuple[Value, Value] | None, ...] | None = key(Limits(), "lowest and highest coordinate")
    stop: Stop | None = key(StopKey(), "elastic stops at the limits in simulations")
    stiffness: tuple[Value, ...] = key(Effort("stiffness"), "spring on the coordinate")
    damping: tuple[Value, ...] = key(Effort("damping"), "damper on the coordinate")
    friction: Friction | None = key(Table(Friction), "friction on the coordinate")
    clearance: Clearance | None = key(ClearanceKey(), "play of the joint")
    cut: bool = key(Flag(), "prefer this joint as the one opened to form the tree")
    parameters: FrozenMap[Any] = field(default_factory=FrozenMap)

    @classmethod
    def further(cls, fields: Mapping[str, Any], planar: bool) -> tuple[Key, ...]:
        """The joint type's parameters."""
        form = form_of(fields.get("type"), planar)
        return tuple(key_of(parameter) for parameter in form.parameters) if form else ()

    @property
    def form(self) -> JointType:
        """The joint type as it stands in this mechanism, planar or spatial."""
        form = joint_types[self.type].form(self.planar)
        assert form is not None
        return form

    @property
    def base(self) -> At:
        """The base side."""
        return self.between[0]

    @property
    def moving(self) -> At:
        """The moving side."""
        return self.between[1]

    def frames(self, evaluate: Evaluate) -> tuple[Pose, Pose]:
        """The joint's frame in the base body and in the moving body, each rotation and position [m], over numbers.

        `axis` takes the place of the points' z (of x in a planar mechanism); the points' own x stays where it is not
        parallel.
        """
        axes = self.axis or (None, None)
        base, moving = (self._frame(side.point, axis, evaluate) for side, axis in zip(self.between, axes))
        return base, moving

    def _frame(self, point: Location, axis: Direction | None, evaluate: Evaluate) -> Pose:
        if axis is None:
            return point.pose(evaluate)
        if self.planar:
            return frame_rotation(None, axis, evaluate), point.position(evaluate)
        return frame_rotation(axis, point.x, evaluate, lenient=True), point.position(evaluate)


def read_joint(name: str, raw: Any, place: Place, reader: Reader) -> Any:
    """The Joint of a table."""
    kind = raw.get("type") if isinstance(raw, Mapping) else None
    if isinstance(kind, str) and kind in joint_types and form_of(kind, reader.planar) is None:
        where, possible = ("planar", True) if reader.planar else ("spatial", False)
        names = [word for word in joint_types if form_of(word, possible)]
        return reader.note(
            place / "type",
            f"a {kind} joint cannot stand in a {where} mechanism.",
            f"Possible there: {', '.join(names)}.",
        )
    joint = read_table_of(Joint, raw, place, reader, name=name, planar=reader.planar)
    if isinstance(joint, Joint):
        _check_joint(joint, place, reader)
    return joint


def _check_joint(joint: Joint, place: Place, reader: Reader) -> None:
    if joint.base.body == joint.moving.body:
        reader.note(place / "between", f"both points are on body {joint.base.body}.", "A joint connects two bodies.")
    if joint.axis is not None and joint.planar and joint.form.named_axis != 0:
        reader.note(place / "axis", f"a planar {joint.type} joint has no axis to choose.", "Remove axis.")
    if joint.stop is not None and joint.limits is None:
        reader.note(place / "stop", "stops stand at the limits, and there are none.", "Add limits = [lo, hi].")
