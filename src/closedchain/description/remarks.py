"""What is allowed and looks like a slip, for `check` to tell: nothing here keeps a mechanism from running."""

from collections.abc import Mapping
from typing import Any

from closedchain.description.assembly import Content
from closedchain.description.dimensions import slips
from closedchain.description.values import Value
from closedchain.exceptions import Finding

# Joints to ground that keep a body from turning.
UPRIGHT = ("prismatic", "fixed")


def remarks(content: Content, document: Mapping[str, Any], values: Mapping[str, Value]) -> list[Finding]:
    """Parameters of another dimension that stand alone at a place, and heavy bodies that turn without inertia."""
    return [*slips(values.values(), content.parameters), *point_masses(content, document)]


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
