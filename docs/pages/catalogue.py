"""The members of a family of physics leaves: name, meaning, formulas, source, parameters with units and ranges."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from closedchain.elements.family import Parameter, Switch, VectorParameter
from pages.text import allowed, code, escaped, first_line, table

# Page -> package of the family and the class of its members.
FAMILIES = {
    "joints": ("closedchain.elements.joints", "JointType"),
    "joint-efforts": ("closedchain.elements.joint_efforts", "JointEffort"),
    "contact-laws": ("closedchain.elements.contact_laws", "ContactLaw"),
    "friction-laws": ("closedchain.elements.friction_laws", "FrictionLaw"),
    "clearances": ("closedchain.elements.clearances", "ClearanceKind"),
    "forces": ("closedchain.elements.forces", "ForceKind"),
    "controls": ("closedchain.elements.controls", "ControlKind"),
}
AXES = "xyz"
NO_FORMULAS = ("read", "check", "law_values", "gaps", "_beyond")


def members(name: str) -> Iterator[tuple[str, Any, ModuleType]]:
    """Name in files, member and module of every member, by module."""
    package, contract = FAMILIES[name]
    kind = getattr(importlib.import_module(f"{package}.contract"), contract)
    seen = set()
    folder = importlib.import_module(package).__path__
    for entry in sorted(pkgutil.iter_modules(folder), key=lambda found: found.name):
        module = importlib.import_module(f"{package}.{entry.name}")
        for value in vars(module).values():
            if isinstance(value, kind) and value.name not in seen:
                seen.add(value.name)
                yield value.name, value, module


def family(name: str) -> str:
    """A section for every member of the family."""
    return "\n".join(section(each, member, module) for each, member, module in members(name))


def section(name: str, member: Any, module: ModuleType) -> str:
    """One member."""
    parts = [f"## `{name}`", escaped(first_line(module)), f"*{escaped(member.meaning)}*"]
    parts += [f"- {line}" for line in facts(member)] or []
    formulas = [(code(field), escaped(first_line(function))) for field, function in formulas_of(module)]
    if formulas:
        parts.append(table(["", "formula"], formulas))
    if getattr(member, "source", ""):
        parts.append(f"Source: {escaped(member.source)}.")
    parts.append(parameters([*member.parameters, *getattr(member, "common", ())]))
    return "\n".join(part if part.startswith("- ") else f"\n{part}\n" for part in parts if part)


def formulas_of(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The functions of a member's own file that hold physics, in the order in which they stand there."""
    for name, function in vars(module).items():
        if inspect.isfunction(function) and function.__module__ == module.__name__ and name not in NO_FORMULAS:
            yield name, function


def facts(member: Any) -> list[str]:
    """What a member says of itself besides its formulas."""
    found = []
    if hasattr(member, "coordinates"):
        names = [label or "the joint's name alone" for label in member.coordinates]
        found.append(f"coordinates: {', '.join(names) if names else 'none'}; freedoms: {member.freedoms}")
        places = [word for word, planar in (("the plane", True), ("space", False)) if member.form(planar)]
        found.append(f"stands in {' and in '.join(places)}")
        if member.closure is not None:
            found.append(f"forbids: {forbidden(member.closure)}")
        if member.named_axis != 2:
            found.append(f"`axis` names the frame's {AXES[member.named_axis]} axis")
    if getattr(member, "joints", None):
        places = [word for word in ("planar", "spatial") if getattr(member, word)]
        found.append(
            f"for {', '.join(code(joint) for joint in member.joints)} joints in {' and '.join(places)} mechanisms"
        )
    if getattr(member, "attach", ""):
        keys = {"pair": "`between`, two points", "point": "`on`, a point", "body": "`on`, a body", "joint": "`joint`"}
        found.append(f"acts on: {keys[member.attach]}")
    if getattr(member, "states", ()):
        found.append(f"states of its own, integrated with the motion: {', '.join(member.states)}")
    if getattr(member, "memory", ()):
        found.append(f"latched where contact begins: {', '.join(word.replace('_', ' ') for word in member.memory)}")
    if getattr(member, "geometry", ()):
        found.append(f"needs of the clearance: {', '.join(code(word) for word in member.geometry)}")
    if getattr(member, "material", ""):
        found.append(f"`{member.material}` may follow from `material` instead")
    return found


def forbidden(closure: Any) -> str:
    """The constraint rows of a joint in words."""
    parts = [f"translation along {', '.join(AXES[k] for k in closure.translations)}"] if closure.translations else []
    parts += [f"tilt of {AXES[k]}" for k in closure.parallel]
    parts += [f"{AXES[a]} of the moving side leaves the plane normal to {AXES[b]}" for a, b in closure.perpendicular]
    parts += ["every rotation"] if closure.aligned else []
    return "; ".join(parts) or "nothing"


def parameters(listed: list[Any]) -> str:
    """Table of what a member takes from the file."""
    rows = [row(parameter) for parameter in listed]
    return table(["key", "meaning", "unit", "allowed", "default"], rows)


def row(parameter: Any) -> list[str]:
    """One parameter."""
    meaning = escaped(parameter.meaning)
    if isinstance(parameter, Switch):
        return [code(parameter.name), meaning, "", "`true`, `false`", code(str(parameter.default).lower())]
    range_text = allowed(parameter.lower, parameter.upper, parameter.open_lower, parameter.open_upper)
    default = parameter.default
    if isinstance(parameter, VectorParameter):
        unit = ", ".join(dict.fromkeys(parameter.units))
        several = f"{parameter.size(False)} numbers, planar {parameter.size(True)}"
        said = code(list(default)) if default is not None else "" if parameter.optional else "required"
        return [code(parameter.name), meaning, unit, "; ".join(filter(None, [several, range_text])), said]
    assert isinstance(parameter, Parameter)
    if parameter.choices:
        range_text = ", ".join(code(word) for word in parameter.choices)
    if parameter.timed:
        meaning += "; may be a function of t"
    said = "required" if default is None else "none" if default == float("inf") else code(default)
    if default is None and parameter.optional:
        said = ""
    unit = {"1": "–", "": ""}.get(parameter.unit, parameter.unit)
    return [code(parameter.name), meaning, unit, range_text, said]
