"""Dimensions of parameters where an expression is nothing but one: a mass that is used as a length is remarked.

The dimension of an expression is its user's affair, since bare numbers in it may stand for anything; only rates in Hz
where an angle counts are an error, as everywhere.
"""

import re
from collections.abc import Iterable, Mapping

from closedchain.description.units import Unit, UnitError, describe, parse_unit, split_quantity
from closedchain.description.values import Value
from closedchain.exceptions import Finding

_ALONE = re.compile(r"[+-]?\s*\(?\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\)?\s*\Z")
_OVER_TIME = re.compile(r"[+-]?\s*(?:([A-Za-z_]\w*)\s*\*\s*t|t\s*\*\s*([A-Za-z_]\w*))\s*\Z")


def unit_said(value: Value, parameters: Mapping[str, Value]) -> Unit | None:
    """The unit that a parameter was written with, also through parameters that are only another name; None without."""
    seen: set[str] = set()
    while not value.is_literal:
        alone = _ALONE.match(value.text)
        if alone is None or alone[1] in seen or alone[1] not in parameters:
            return None
        seen.add(alone[1])
        value = parameters[alone[1]]
    quantity = split_quantity(value.written) if isinstance(value.written, str) else None
    return None if quantity is None else parse_unit(quantity[1])


def hertz(value: Value, parameters: Mapping[str, Value]) -> Finding | None:
    """A parameter in Hz, alone or times t, where an angle counts."""
    found = used(value, parameters, _ALONE) or used(value, parameters, _OVER_TIME)
    if found is None:
        return None
    name, said, wanted = found
    if not said.hertz or wanted.dimension[3] == 0.0:
        return None
    return Finding(value.path, f"the parameter {name} is in Hz where an angle counts.", "Say it in rpm or rad/s.")


def slips(values: Iterable[Value], parameters: Mapping[str, Value]) -> list[Finding]:
    """Places where a parameter of another dimension stands alone: allowed, and most often a slip."""
    found = []
    for value in values:
        alone = used(value, parameters, _ALONE)
        if alone is None:
            continue
        name, said, wanted = alone
        if said.dimension[:3] != wanted.dimension[:3]:
            here = "a pure number" if value.unit == "1" else f"a value in {value.unit}"
            message = f"the parameter {name} is {describe(said.dimension)}."
            found.append(Finding(value.path, message, f"Here belongs {here}."))
    return found


def used(value: Value, parameters: Mapping[str, Value], form: re.Pattern[str]) -> tuple[str, Unit, Unit] | None:
    """The parameter that an expression of this form is made of, its unit, and the unit that belongs there."""
    match = None if value.is_literal or not value.unit else form.match(value.text)
    name = next(filter(None, match.groups()), "") if match else ""
    said = unit_said(parameters[name], parameters) if name in parameters else None
    if said is None:
        return None
    try:
        return name, said, parse_unit(value.unit)
    except UnitError:
        return None


def other_kinds(old: Mapping[str, Value], new: Mapping[str, Value], paths: Iterable[str]) -> list[Finding]:
    """Parameters whose quantity was replaced by another kind of quantity, a length by a mass."""
    found = []
    for path in paths:
        name = path.removeprefix("parameters.")
        before, after = unit_said(old[name], old), unit_said(new[name], new)
        if before is not None and after is not None and before.dimension != after.dimension:
            message = f"{new[name].text!r} is {describe(after.dimension)}, but {old[name].text!r} stood there."
            found.append(Finding(path, message, f"Give {describe(before.dimension)}."))
    return found
