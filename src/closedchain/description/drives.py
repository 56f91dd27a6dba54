"""What drives a mechanism: actuators on coordinates (motion, effort or control) and prescribed motions of points."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from closedchain.description.document import FrozenMap, Place
from closedchain.description.kinds import NUMBER_SCHEMA, Fields, Number, Plain, Vector, Word, read_value
from closedchain.description.leaves import key_of
from closedchain.description.names import shown
from closedchain.description.reading import WRONG, Key, Readable, Reader, key, read_table_of
from closedchain.description.references import At, Coordinate, CoordinateReference, PointReference
from closedchain.description.values import Value

EFFORT = {"rad": "N*m", "m": "N"}


def control_kinds() -> Mapping[str, Any]:
    """The family of controllers."""
    from closedchain.elements.controls import control_kinds as family

    return family


@dataclass(frozen=True)
class Target(Plain):
    """A coordinate as function of t, or the word "motion": the motion this coordinate has in the ideal mechanism."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Value, or "motion"."""
        return raw if raw == "motion" else read_value(raw, fields["unit"], place, reader, timed=True)

    def schema(self, planar: bool) -> dict[str, Any]:
        """A number or text."""
        return NUMBER_SCHEMA


@dataclass(frozen=True, kw_only=True)
class Control(Readable):
    """A controller as said: kind, target (Value of t, or the word "motion"), the kind's parameters by name.

    A parameter without limit in the file (`limit`) is missing. unit: unit of the coordinate it controls.
    """

    leading: ClassVar[tuple[str, ...]] = ("kind",)

    unit: str
    kind: str = key(Word(control_kinds, what="kind of control"), "controller", required=True)
    target: Value | str = key(Target(), 'wanted coordinate as function of t, or "motion"', required=True)
    parameters: FrozenMap[Any] = field(default_factory=FrozenMap)

    @classmethod
    def further(cls, fields: Mapping[str, Any], planar: bool) -> tuple[Key, ...]:
        """The controller's parameters, in the units of its coordinate."""
        kind = control_kinds().get(fields["kind"]) if isinstance(fields.get("kind"), str) else None
        if kind is None:
            return ()
        common = (parameter for parameter in kind.common if parameter.name != "target")
        return tuple(key_of(parameter) for parameter in (*kind.parameters, *common))

    @property
    def feedforward(self) -> bool:
        """Whether the efforts of the ideal mechanism are added."""
        return bool(self.parameters.get("feedforward", False))


@dataclass(frozen=True)
class Driven(Plain):
    """A key of an actuator whose unit follows from the coordinate: `motion`, `effort`, `control`."""

    what: str

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Value of t, or the Control."""
        joint = fields.get("joint")
        unit = joint.unit if isinstance(joint, CoordinateReference) else ""
        if self.what == "control":
            if not unit:
                return WRONG
            return read_table_of(Control, raw, place, reader, unit=unit)
        return read_value(raw, EFFORT.get(unit, "") if self.what == "effort" else unit, place, reader, timed=True)

    def schema(self, planar: bool) -> dict[str, Any]:
        """A number, text or the controller's table."""
        if self.what != "control":
            return NUMBER_SCHEMA
        from closedchain.description.schema import table_schema

        return table_schema(Control, planar)


@dataclass(frozen=True, kw_only=True)
class Actuator(Readable):
    """An actuator as said: the coordinate it drives and at most one of motion, effort (both Values of t) and
    control."""

    name: str
    joint: CoordinateReference = key(Coordinate(), "joint or joint.coordinate that it drives", required=True)
    motion: Value | None = key(Driven("motion"), "prescribed coordinate as function of t")
    effort: Value | None = key(
        Driven("effort"), "force or torque on the moving side along +coordinate as function of t"
    )
    control: Control | None = key(Driven("control"), "controller that makes the effort")


@dataclass(frozen=True, kw_only=True)
class Motion(Readable):
    """Prescribed motion of a point as said: Values of t in ground axes, None for components left free.

    x, y, z [m]; rotation: roll, pitch, yaw [rad] about the fixed x, y, z axes (spatial); angle [rad] (planar).
    """

    name: str
    of: At = key(PointReference(), "the point that moves", required=True)
    x: Value | None = key(Number("m", timed=True), "x of the point")
    y: Value | None = key(Number("m", timed=True), "y of the point")
    z: Value | None = key(Number("m", timed=True), "z of the point (spatial)")
    rotation: tuple[Value, ...] | None = key(
        Vector("rad", planar=(), spatial=(3,), timed=True),
        "roll, pitch, yaw of the body about the fixed x, y, z axes (spatial)",
    )
    angle: Value | None = key(Number("rad", timed=True), "angle of the body (planar)")

    @property
    def components(self) -> dict[str, Value]:
        """The components prescribed, by name: x, y, z, roll, pitch, yaw, angle."""
        rotation = dict(zip(("roll", "pitch", "yaw"), self.rotation or ()))
        plain = {"x": self.x, "y": self.y, "z": self.z, **rotation, "angle": self.angle}
        return {name: value for name, value in plain.items() if value is not None}


def check_motion(motion: Motion, place: Place, reader: Reader) -> None:
    """Components that this kind of mechanism has, at least one of them, on a body that moves."""
    if reader.planar and motion.z is not None:
        reader.note(place / "z", "a planar mechanism moves in x and y.", "Remove z.")
    if not reader.planar and motion.angle is not None:
        reader.note(
            place / "angle",
            "angle belongs to planar mechanisms.",
            'Write rotation = ["…", "…", "…"] (roll, pitch, yaw).',
        )
    if not motion.components:
        reader.note(place, "this motion prescribes nothing.", "Give x, y, z or an orientation as function of t.")
    if motion.of.body == "ground":
        reader.note(
            place / "of", f"{shown(motion.of.text)} is a point of the fixed body.", "Name a point of a body that moves."
        )


def check_actuator(actuator: Actuator, place: Place, reader: Reader) -> None:
    """At most one of motion, effort, control."""
    given = [name for name in ("motion", "effort", "control") if getattr(actuator, name) is not None]
    if len(given) > 1:
        reader.note(place, f"{' and '.join(given)} are given.", "Keep one of motion, effort and control.")
