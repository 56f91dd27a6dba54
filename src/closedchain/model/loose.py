"""A joint with play in the tree: what its gap geometry releases becomes coordinates, the rest stays ideal."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from closedchain.description import Joint, Mechanism, Value
from closedchain.elements.clearances import clearance_kinds
from closedchain.elements.joints import Ball, Closure, JointType, Rotation, Translation

# Label of the turn that a planar clearance adds to a joint that has none.
TILT = "tilt"


def released(joint: Joint, planar: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Base-frame axes of translation and of rotation that the clearance lets go."""
    assert joint.clearance is not None
    parameters = {
        name: value.si if isinstance(value, Value) and value.is_literal else value
        for name, value in joint.clearance.parameters.items()
    }
    return clearance_kinds[joint.clearance.kind].released(parameters, planar)


def loose_closure(joint: Joint, planar: bool) -> Closure:
    """What an opened joint with play still forbids."""
    lengths, turns = released(joint, planar)
    closure = joint.form.closure or Closure()
    kept = tuple(axis for axis in closure.translations if axis not in lengths)
    return Closure(kept) if turns else replace(closure, translations=kept)


def loose_form(joint: Joint, planar: bool) -> JointType:
    """The joint with play as it carries a body: released translations, then its own steps (a ball where it tilts in
    space, a turn behind them where it does so in the plane)."""
    lengths, turns = released(joint, planar)
    form = joint.form
    slides = tuple(Translation(axis) for axis in lengths)
    names = tuple(f"e{'xyz'[axis]}" for axis in lengths)
    if turns and not planar:
        steps, labels = (Ball(),), ("qw", "qx", "qy", "qz")
        rates, units = ("wx", "wy", "wz"), ("rad",) * 3
    else:
        steps, labels = form.steps({}), form.coordinates
        rates, units = form.rates, form.units
        if turns and not any(isinstance(step, Rotation) for step in steps):
            # a slider that turns in its guide
            steps, labels = (*steps, Rotation(2)), (*labels, TILT)
            rates, units = (*rates, TILT), (*units, "rad")
    return replace(
        form,
        coordinates=(*names, *labels),
        rates=(*names, *rates),
        units=(*("m" for _ in lengths), *units),
        steps=lambda values: (*slides, *steps),
        planar=None,
    )


def loose_joints(mechanism: Mechanism, clearance: Any) -> tuple[str, ...]:
    """Joints that are loose in a run: all with play for True, none for False, or those of a list, in file order."""
    having = [name for name, joint in mechanism.joints.items() if joint.clearance is not None]
    if clearance is True:
        return tuple(having)
    if clearance is False or clearance is None:
        return ()
    wanted = [clearance] if isinstance(clearance, str) else list(clearance)
    return tuple(name for name in having if name in wanted)


def values_of(parameters: Mapping[str, Any], evaluate) -> dict[str, Any]:
    """Parameters of a leaf as numbers, tuples of numbers, words and switches; absent ones are left out."""
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        if isinstance(value, Value):
            found[name] = evaluate(value)
        elif isinstance(value, tuple):
            found[name] = tuple(evaluate(entry) for entry in value)
        elif value is not None:
            found[name] = value
    return found
