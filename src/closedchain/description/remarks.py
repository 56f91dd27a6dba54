"""What is allowed and looks like a slip, for `check` to tell: nothing here keeps a mechanism from running."""

import contextlib
import math
import re
from collections.abc import Mapping
from typing import Any

from closedchain.description.assembly import Content
from closedchain.description.dimensions import slips, unit_said
from closedchain.description.evaluation import parameter_numbers
from closedchain.description.values import Value
from closedchain.exceptions import Finding, MechanismError

# Joints to ground that keep a body from turning.
UPRIGHT = ("prismatic", "fixed")
# Size of a body [m], and its ratio to the usual one, from which on it is asked about.
LARGE, FAR = 50.0, 300.0
# Speed of a motor [rad/s] likewise, and the time after which it has it [s].
SPEED, INSTANT = 300.0, 1e-6


def remarks(content: Content, document: Mapping[str, Any], values: Mapping[str, Value]) -> list[Finding]:
    """Parameters of another dimension that stand alone at a place, and heavy bodies that turn without inertia."""
    return [
        *slips(values.values(), content.parameters),
        *point_masses(content, document),
        *large_bodies(content, values),
        *fast_motors(content),
    ]


def large_bodies(content: Content, values: Mapping[str, Value]) -> list[Finding]:
    """Bodies of hundreds of metres, or far larger than the others: most often millimetres without unit."""
    names = numbers(content)
    sizes: dict[str, float] = {}
    for path, value in values.items():
        table, name, *rest = path.split(".")
        if table == "bodies" and rest and rest[0] in ("points", "com") and value.unit == "m":
            with contextlib.suppress(KeyError, MechanismError):
                sizes[name] = max(sizes.get(name, 0.0), abs(float(value.evaluate(names))))
    some = sorted(size for size in sizes.values() if size > 0.0)
    usual = some[(len(some) - 1) // 2] if some else 0.0
    return [
        Finding(
            f"bodies.{name}", f"it reaches {size:g} m.", 'A bare number is in metres; write "50 mm" for millimetres.'
        )
        for name, size in sizes.items()
        if size > LARGE or size > FAR * usual > 0.0
    ]


def fast_motors(content: Content) -> list[Finding]:
    """Motors that start faster than SPEED with bare numbers: most often revolutions per minute without unit."""
    names, found = numbers(content), []
    for name, actuator in content.actuators.items():
        motion = actuator.motion
        if motion is None or motion.unit != "rad" or motion.expression is None or re.search(r"\bpi\b", motion.text):
            continue
        used = [content.parameters[each] for each in motion.expression.names if each in content.parameters]
        if any(unit_said(value, content.parameters) is not None for value in used):
            continue
        try:
            ends = [float(motion.evaluate({**names, "t": t})) for t in (0.0, INSTANT)]
        except (KeyError, MechanismError):
            continue
        rate = abs(ends[1] - ends[0]) / INSTANT
        if rate > SPEED:
            message = f"it turns at {rate:.4g} rad/s, that is {rate * 30.0 / math.pi:.4g} rpm."
            remedy = 'A bare number is in rad/s; write speed = "600 rpm" in [parameters] and "speed*t" here.'
            found.append(Finding(f"actuators.{name}.motion", message, remedy))
    return found


def numbers(content: Content) -> dict[str, float]:
    """Numbers of the parameters that have one."""
    try:
        return parameter_numbers(content.parameters)
    except (KeyError, MechanismError):
        return {}


def point_masses(content: Content, document: Mapping[str, Any]) -> list[Finding]:
    """Bodies with a mass whose inertia is not said, unless a slide or a weld on ground keeps them from turning."""
    found = []
    for name, said in document.get("bodies", {}).items():
        if name == "ground" or said.get("mass", 0) == 0 or "inertia" in said:
            continue
        sides = [{joint.base.body, joint.moving.body} for joint in content.joints.values() if joint.type in UPRIGHT]
        if {"ground", name} not in sides:
            message = "it has a mass and no inertia, so it counts as a point mass."
            found.append(Finding(f"bodies.{name}", message, "Give its inertia about the mass centre, or inertia = 0."))
    return found
