"""The keys of every table of a mechanism file, from the declarations that read and check them."""

from typing import Any

from closedchain.description.assembly import Head
from closedchain.description.bodies import Body
from closedchain.description.chains import Chain
from closedchain.description.clearances import Clearance
from closedchain.description.couplings import Coupling
from closedchain.description.drives import Actuator, Motion
from closedchain.description.forces import Force
from closedchain.description.joints import Friction, Joint, Stop
from closedchain.description.outputs import Output
from closedchain.description.reading import keys_of
from pages.text import code, escaped, table

TABLES: dict[str, type] = {
    "mechanism": Head,
    "bodies.NAME": Body,
    "joints.NAME": Joint,
    "joints.NAME.stop": Stop,
    "joints.NAME.friction": Friction,
    "joints.NAME.clearance": Clearance,
    "chains.NAME": Chain,
    "couplings.NAME": Coupling,
    "actuators.NAME": Actuator,
    "motions.NAME": Motion,
    "forces.NAME": Force,
    "outputs.NAME": Output,
}


def keys(name: str) -> str:
    """Table of the keys of one table of the file."""
    rows = []
    for key in keys_of(TABLES[name]).values():
        rows.append(
            [code(key.name), escaped(key.meaning), said(key.kind), "required" if key.required else default(key.kind)]
        )
    return table(["key", "meaning", "what may stand there", "default"], rows)


def said(kind: Any) -> str:
    """What may be written under a key, in words."""
    flat, deep = (text_of(kind.schema(planar)) for planar in (True, False))
    return flat if flat == deep else f"{deep}; planar: {flat}"


def text_of(schema: dict[str, Any]) -> str:
    """A JSON Schema in words."""
    if "not" in schema:
        return "nothing"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(text_of(each) for each in schema["anyOf"]))
    if "enum" in schema:
        words = [code(word) for word in schema["enum"]]
        return ", ".join(words) if len(words) < 7 else f"one of {len(words)} words"
    kind = schema.get("type")
    if kind == ["number", "string"]:
        return "number"
    if kind == "array":
        inside = text_of(schema.get("items", {}))
        count = schema.get("minItems")
        if count is not None and count == schema.get("maxItems"):
            if count == 1 and inside == "number":
                return "number"
            return f"{count} numbers" if inside == "number" else f"{count} × ({inside})"
        return f"list of {inside}" if inside != "number" else "list of numbers"
    names = {"boolean": "`true`, `false`", "string": "text", "object": "table", "number": "number"}
    return names.get(str(kind), "see below")


def default(kind: Any) -> str:
    """The default of a key that may be left out."""
    value = getattr(kind, "default", None)
    if value is None:
        return ""
    return code(str(value).lower() if isinstance(value, bool) else value)


def tables() -> str:
    """All tables one after another."""
    return "\n".join(f"### `[{name}]`\n\n{keys(name)}" for name in TABLES)
