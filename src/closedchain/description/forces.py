"""Forces other than joints, gravity and actuators: springs, bushings, loads; kinds and parameters from the family."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from closedchain.description.document import FrozenMap, Place
from closedchain.description.kinds import Word
from closedchain.description.leaves import key_of
from closedchain.description.reading import Key, Readable, Reader, key, read_table_of
from closedchain.description.references import (
    At,
    BodyReference,
    Coordinate,
    CoordinateReference,
    PointPair,
    PointReference,
)  # fmt: skip


def force_kinds() -> Mapping[str, Any]:
    """The family of forces."""
    from closedchain.elements.forces import force_kinds as family

    return family


ATTACHMENTS: dict[str, Key] = {
    "pair": Key("between", PointPair(), "the two points it acts between", True),
    "point": Key("on", PointReference(), "the point it acts on", True),
    "body": Key("on", BodyReference(), "the body it acts on", True),
    "joint": Key("joint", Coordinate(), "the joint, or joint.coordinate, it acts along", True),
}
"""What a force is attached to: word of the family -> key of the file."""


@dataclass(frozen=True, kw_only=True)
class Force(Readable):
    """A force as said: kind, what it is attached to (one of the four is not None), the kind's parameters by name.

    parameters: Value, tuple of Values, word or bool; the vector of a force may depend on t.
    """

    leading: ClassVar[tuple[str, ...]] = ("kind",)

    name: str
    kind: str = key(Word(force_kinds, what="kind of force"), "kind of force", required=True)
    between: tuple[At, At] | None = None
    point: At | None = None
    body: str | None = None
    joint: CoordinateReference | None = None
    parameters: FrozenMap[Any] = field(default_factory=FrozenMap)

    @classmethod
    def further(cls, fields: Mapping[str, Any], planar: bool) -> tuple[Key, ...]:
        """What it is attached to, and the kind's parameters."""
        kind = force_kinds().get(fields["kind"]) if isinstance(fields.get("kind"), str) else None
        if kind is None:
            return ()
        return (ATTACHMENTS[kind.attach], *(key_of(parameter) for parameter in kind.parameters))


def read_force(name: str, raw: Any, place: Place, reader: Reader) -> Any:
    """The Force of a table."""
    force = read_table_of(Force, raw, place, reader, name=name)
    if not isinstance(force, Force):
        return force
    attach = force_kinds()[force.kind].attach
    key_name = ATTACHMENTS[attach].name
    parameters = {key: value for key, value in force.parameters.items() if key != key_name}
    field_name = "between" if attach == "pair" else attach
    return replace(force, parameters=FrozenMap(parameters), **{field_name: force.parameters[key_name]})
