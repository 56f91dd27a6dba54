"""JSON Schema of mechanism files, for editors: made of the same declarations that read and check them."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from closedchain.description.kinds import Word
from closedchain.description.reading import Key, Readable, keys_of

NAME_PATTERN = "^[A-Za-z_][A-Za-z0-9_-]*$"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def table_schema(table: type, planar: bool) -> dict[str, Any]:
    """Schema of a table whose keys are the fields of a dataclass; keys that follow from a word are conditions on it."""
    schema = object_schema(keys_of(table).values(), planar)
    conditions = _conditions(table, planar) if issubclass(table, Readable) else []
    if not conditions:
        return {**schema, "additionalProperties": False}
    return {**schema, "allOf": conditions, "unevaluatedProperties": False}


def object_schema(keys: Iterable[Key], planar: bool) -> dict[str, Any]:
    """Schema of an object with some keys (others are not excluded)."""
    keys = list(keys)
    properties = {key.name: {**key.kind.schema(planar), "description": key.meaning} for key in keys}
    required = [key.name for key in keys if key.required]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _conditions(table: type[Readable], planar: bool) -> list[dict[str, Any]]:
    """For every word that brings further keys: if it stands there, then these keys may."""
    blank = {"unit": "", "joint": None, "material": None}
    words = {name: key for name, key in keys_of(table).items() if name in table.leading}
    conditions = []
    for name, key in words.items():
        assert isinstance(key.kind, Word)
        for choice in key.kind.choices():
            fields: dict[str, Any] = {**blank, **dict.fromkeys(words), name: choice}
            further = table.further(fields, planar)
            if not further:
                continue
            # what a material may give instead is not required here
            free = "material" in keys_of(table)
            kept = [dataclasses.replace(entry, required=entry.required and not free) for entry in further]
            conditions.append({"if": _says(key.name, choice, key.kind.default), "then": object_schema(kept, planar)})
    return conditions


def _says(name: str, word: str, default: str | None) -> dict[str, Any]:
    says = {"properties": {name: {"const": word}}}
    return says if word == default else {**says, "required": [name]}


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a mechanism file (draft 2020-12), as editors use it to complete and check while typing.

    >>> json_schema()["properties"]["mechanism"]["properties"]["planar"]["type"]
    'boolean'
    """
    from closedchain.description.assembly import Head

    planar = {"properties": {"mechanism": {"properties": {"planar": {"const": True}}, "required": ["planar"]}}}
    return {
        "$schema": DIALECT,
        "title": "closedchain mechanism",
        "type": "object",
        "properties": {"mechanism": _mechanism(Head), **{name: {"type": "object"} for name in _entries()}},
        "additionalProperties": False,
        "required": ["bodies"],
        "if": {**planar, "required": ["mechanism"]},
        "then": {"properties": _tables(True)},
        "else": {"properties": _tables(False)},
    }


def _mechanism(head: type) -> dict[str, Any]:
    schema = table_schema(head, True)
    gravity = schema["properties"].pop("gravity")
    anywhere = [keys_of(head)["gravity"].kind.schema(planar) for planar in (True, False)]
    schema["properties"]["gravity"] = {"anyOf": anywhere, "description": gravity["description"]}
    return schema


def _entries() -> dict[str, Any]:
    """Top-level tables of named entries: name -> their dataclass, or the schema of an entry."""
    from closedchain.description.bodies import Body
    from closedchain.description.chains import Chain
    from closedchain.description.couplings import Coupling
    from closedchain.description.drives import Actuator, Motion
    from closedchain.description.forces import Force
    from closedchain.description.joints import Joint
    from closedchain.description.kinds import NUMBER_SCHEMA
    from closedchain.description.outputs import Output

    study = {
        "type": "object",
        "properties": {"kind": {"type": "string", "description": "analysis to run"}},
        "required": ["kind"],
    }
    return {
        "parameters": NUMBER_SCHEMA, "bodies": Body, "joints": Joint, "couplings": Coupling, "actuators": Actuator,
        "motions": Motion, "forces": Force, "chains": Chain, "outputs": Output, "studies": study,
    }  # fmt: skip


def _tables(planar: bool) -> dict[str, Any]:
    return {name: _named(name, entry, planar) for name, entry in _entries().items()}


def _named(name: str, entry: type | Mapping[str, Any], planar: bool) -> dict[str, Any]:
    content = table_schema(entry, planar) if isinstance(entry, type) else entry
    named: dict[str, Any] = {"type": "object"}
    if name in ("bodies", "joints"):
        # a chain's own bodies and joints, whose type and points follow from its rows
        of_chain = {key: value for key, value in content.items() if key != "required"}
        return {
            **named,
            "patternProperties": {NAME_PATTERN: content, r"^[A-Za-z_][A-Za-z0-9_-]*\.[0-9]+$": of_chain},
            "additionalProperties": False,
        }
    return {**named, "patternProperties": {NAME_PATTERN: content}, "additionalProperties": False}
