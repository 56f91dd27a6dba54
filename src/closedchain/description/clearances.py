"""Play of a joint: gap geometry, contact law and friction law, three independent choices whose parameters share one
table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from closedchain.description.document import FrozenMap, Place
from closedchain.description.kinds import POSITIVE, Fields, Number, Plain, Range, Table, Word
from closedchain.description.leaves import key_of
from closedchain.description.names import shown
from closedchain.description.reading import WRONG, Key, Readable, Reader, key, read_table_of
from closedchain.description.values import Value
from closedchain.elements.clearances import ClearanceKind, clearance_kinds
from closedchain.elements.contact_laws import contact_laws
from closedchain.elements.friction_laws import friction_laws


@dataclass(frozen=True, kw_only=True)
class Elasticity(Readable):
    """Young's modulus [Pa] and Poisson's ratio of one side's material."""

    youngs: Value = key(Number("Pa", POSITIVE), "Young's modulus", required=True)
    poisson: Value = key(Number("1", Range(-1.0, 0.5, open_lower=True)), "Poisson's ratio", required=True)


@dataclass(frozen=True, kw_only=True)
class Material(Readable):
    """Materials of bore and journal, from which the contact stiffness follows."""

    bore: Elasticity = key(Table(Elasticity), "material of the bore", required=True)
    journal: Elasticity = key(Table(Elasticity), "material of the journal", required=True)


@dataclass(frozen=True, kw_only=True)
class Clearance(Readable):
    """Play of a joint as said.

    kind, normal, friction: names of the gap geometry, the contact law and the friction law ("none" without).
    parameters: of all three by
    name: Value, tuple of Values, word or bool; a law's parameter that follows from `material` is missing there.
    """

    leading: ClassVar[tuple[str, ...]] = ("kind", "normal", "friction")

    kind: str = key(
        Word(lambda: clearance_kinds, what="kind of clearance"),
        "gap geometry; a revolute joint without it gets the first one that knows its keys",
        required=True,
    )
    normal: str = key(Word(lambda: contact_laws, what="contact law"), "normal contact law", required=True)
    friction: str = key(Word(lambda: friction_laws, "none", "friction law"), "friction law")
    material: Material | None = key(Table(Material), "materials that give the stiffness")
    parameters: FrozenMap[Any] = field(default_factory=FrozenMap)

    @classmethod
    def further(cls, fields: Mapping[str, Any], planar: bool) -> tuple[Key, ...]:
        """Parameters of the geometry and of both laws."""
        kind, law, friction = (_member(family, fields.get(word)) for family, word in _FAMILIES)
        keys: dict[str, Key] = {}
        for member in (kind, law, friction):
            for parameter in member.parameters if member else ():
                by_material = member is law and parameter.name == law.material and fields.get("material") is not None
                keys.setdefault(parameter.name, key_of(parameter, required=False if by_material else None))
        return tuple(keys.values())


_FAMILIES = ((clearance_kinds, "kind"), (contact_laws, "normal"), (friction_laws, "friction"))


def _member(family: Mapping[str, Any], name: Any) -> Any:
    return family.get(name) if isinstance(name, str) else None


def kinds_for(joint: str, planar: bool) -> list[ClearanceKind]:
    """The gap geometries that a joint type can have here."""
    return [
        kind for kind in clearance_kinds.values() if joint in kind.joints and (kind.planar if planar else kind.spatial)
    ]


@dataclass(frozen=True)
class ClearanceKey(Plain):
    """The table `clearance` of a joint; a revolute joint without `kind` gets the first geometry that knows its keys."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Clearance."""
        if not isinstance(raw, Mapping):
            return reader.note(
                place, f"{shown(raw)} is not a table.", "Write clearance = { radial = …, bore = …, normal = … }."
            )
        joint = fields.get("type")
        if not isinstance(joint, str):
            return WRONG
        possible = kinds_for(joint, reader.planar)
        where = "planar" if reader.planar else "spatial"
        names = [kind.name for kind in possible]
        if not possible:
            return reader.note(place, f"a {joint} joint has no kind of clearance in a {where} mechanism.", "Remove it.")
        if "kind" not in raw and joint != "revolute":
            listed = " or ".join(f'kind = "{name}"' for name in names)
            return reader.note(place, f"the clearance of a {joint} joint needs its kind.", f"Add {listed}.")
        if "kind" not in raw:
            geometry = {p.name for kind in possible for p in kind.parameters}
            asked = geometry & set(raw)
            fitting = [kind for kind in possible if asked <= {p.name for p in kind.parameters}] or possible
            raw = FrozenMap({"kind": fitting[0].name, **raw})
        elif raw["kind"] in clearance_kinds and raw["kind"] not in names:
            reader.note(
                place / "kind",
                f"{raw['kind']} is no clearance of a {joint} joint in a {where} mechanism.",
                f"Known: {', '.join(names)}.",
            )
            return WRONG
        clearance = read_table_of(Clearance, raw, place, reader)
        if clearance is not WRONG:
            _check_material(clearance, place, reader)
        return clearance

    def schema(self, planar: bool) -> dict[str, Any]:
        """An object with the keys of Clearance; `kind` may be left out."""
        from closedchain.description.schema import object_schema

        schema = Table(Clearance).schema(planar)
        geometry = {p.name: key_of(p, required=False) for kind in clearance_kinds.values() for p in kind.parameters}
        unsaid = {"if": {"not": {"required": ["kind"]}}, "then": object_schema(geometry.values(), planar)}
        required = [name for name in schema.get("required", []) if name != "kind"]
        return {**schema, "required": required, "allOf": [*schema["allOf"], unsaid]}


def _check_material(clearance: Clearance, place: Place, reader: Reader) -> None:
    if clearance.material is None:
        return
    law = contact_laws[clearance.normal]
    if not law.material:
        reader.note(
            place / "material", f"the law {law.name} does not follow from the materials.", "Give its own parameters."
        )
    elif law.material in clearance.parameters:
        reader.note(
            place / law.material,
            f"the {law.material} is given, and the materials determine it too.",
            "Remove one of them.",
        )
