"""Loose joints that may tilt, at the start of a simulation: the orientation and spin that the ideal joint has there."""

import numpy as np

from closedchain.algorithms.kinematics import read_cut
from closedchain.algorithms.motion import move, moved_link
from closedchain.algorithms.tree import Cut, Frame
from closedchain.elements.joints import Closure, joint_types
from closedchain.model import Model
from closedchain.model.dynamics_kernels import Setting
from closedchain.model.loose import TILT
from closedchain.model.model import label

QUATERNION, SPIN = ("qw", "qx", "qy", "qz"), ("wx", "wy", "wz")


def tilts(ideal: Setting, y: np.ndarray, model: Model) -> tuple[dict[str, float], dict[str, float]]:
    """Quaternion and angular velocity by label of every joint that carries its body by a ball in `model` alone.

    ideal, y: the ideal mechanism and its state.
    """
    balls = [name for name in model.topology.loose if tilts_alone(model, name)]
    if not balls:
        return {}, {}
    system = ideal.model.system(ideal.drive)
    q, v = (np.asarray(part, float).tolist() for part in ideal.split(y.tolist())[:2])
    motions = move(system.tree, q, v, [0.0] * len(v))
    evaluate = ideal.model.parameters.evaluator()
    values: dict[str, float] = {}
    rates: dict[str, float] = {}
    for name in balls:
        joint = model.mechanism.joints[name]
        base, moving = (Frame(*frame) for frame in joint.frames(evaluate))
        links = [ideal.model.topology.link_of[side.body] for side in (joint.base, joint.moving)]
        cut = Cut(name, links[0], links[1], base, moving, Closure())
        carried, carrying = moved_link(motions, links[1]), moved_link(motions, links[0])
        turned, spin, _ = read_cut(cut, carrying, carried, joint_types["spherical"], (0.0,) * 4)
        values.update((f"{name}.{part}", float(value)) for part, value in zip(QUATERNION, turned, strict=True))
        rates.update((f"{name}.{part}", float(value)) for part, value in zip(SPIN, spin, strict=True))
    return values, rates


def tilts_alone(model: Model, name: str) -> bool:
    """Whether a loose joint stands in the tree with a ball that its own type does not have."""
    return f"{name}.qw" in model.tree_coordinates and "qw" not in model.forms[name].coordinates


def tilting(model: Model) -> bool:
    """Whether any loose joint of the tree can turn in a way that its own type cannot."""
    return any(tilts_alone(model, name) or label(name, TILT) in model.tree_coordinates for name in model.topology.loose)
