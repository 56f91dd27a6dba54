"""Handles: what to turn to move all of a mechanism by hand, and which of them can stand still while one is turned."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from closedchain.algorithms.chain import placed_link
from closedchain.analyses.loop_rates import LoopRates, loop_rates
from closedchain.analyses.pose import Pose, labels_of
from closedchain.analyses.twists import twist_map
from closedchain.analyses.variables import actuated, find_variable
from closedchain.model import Model

if TYPE_CHECKING:
    from closedchain.analyses.steering import Steering

UNSEEN = 1e-6


def handles(steering: "Steering", pose: Pose) -> tuple[str, ...]:
    """What to turn to move all of a mechanism: driven coordinates, then others until no motion is left that shows.

    Others are joints on the ground first, in file order; a ball joint counts as a whole, by the joint's name. What
    moves no named point and turns no joint but balls, such as a rod that spins between two of them, needs no handle.
    """
    rates = loop_rates(steering.mechanism, pose)
    driven = actuated(rates)
    joints = steering.mechanism.joints
    grounded = {name: "ground" in (joint.base.body, joint.moving.body) for name, joint in joints.items()}
    others = [
        name
        for joint in sorted(grounded, key=lambda joint: not grounded[joint])
        for name in _choices(steering.model, joint)
        if name not in driven
    ]
    sight = seen(steering, rates)
    return (*driven, *independent_handles(steering, rates, others, driven, sight))


def standing_still(steering: "Steering", pose: Pose, moved: str, all_handles: Sequence[str]) -> tuple[str, ...]:
    """The handles that can stand still while another one is moved: at an ordinary pose, in the order given.

    Ask once, and hold the same ones all the way: at a dead point others could take their place, and the mechanism
    would leave it where it should stop.
    """
    own = steering.labels(moved)
    names = [name for name in all_handles if not set(steering.labels(name)) & set(own)]
    return independent_handles(steering, loop_rates(steering.mechanism, pose), names, own) if names else ()


def seen(steering: "Steering", rates: LoopRates) -> np.ndarray:
    """What one sees of scaled rates (nv,): joints that are no balls, and velocities of all named points, (m, nv)."""
    model = rates.model
    evaluate = model.parameters.evaluator()
    scalars = [rate for label, rate in model.tree_rates.items() if label in model.tree_coordinates]
    rows = [np.eye(len(rates.unit))[scalars]]
    for body, entry in model.mechanism.bodies.items():
        link = placed_link(rates.placed, model.topology.link_of[body])
        for point in entry.points.values():
            P = link.frame.p + link.frame.R @ point.position(evaluate)
            rows.append(twist_map(link, P, len(rates.unit))[3:] * rates.unit / model.size)
    return np.concatenate(rows)


def _choices(model: Model, joint: str) -> list[str]:
    """Coordinates of a joint that can be turned one by one, and the joint itself where it has a quaternion."""
    labels = labels_of(model, joint)
    scalars = [label for label in labels if label in model.tree_rates]
    return scalars if len(scalars) == len(labels) else [*scalars, joint]


def independent_handles(
    steering: "Steering",
    rates: LoopRates,
    names: Sequence[str],
    given: Sequence[str] = (),
    sight: np.ndarray | None = None,
) -> tuple[str, ...]:
    """Names whose rates are independent of the given labels and of each other; with `sight` until it sees no motion."""
    left = rates.freedoms

    def without(left: np.ndarray, label: str) -> np.ndarray:
        slope = find_variable(rates, label).S @ left
        if np.linalg.norm(slope) < 1e-4:
            return left
        _, _, Vt = np.linalg.svd(slope[None])
        return left @ Vt[1:].T

    for label in given:
        left = without(left, label)
    chosen, taken = [], set(given)
    for name in names:
        if left.shape[1] == 0 or (sight is not None and np.abs(sight @ left).max(initial=0.0) < UNSEEN):
            break
        labels, after = [label for label in steering.labels(name) if label not in taken], left
        for label in labels:
            after = without(after, label)
        if labels and left.shape[1] - after.shape[1] == len(labels):
            chosen.append(name)
            taken.update(labels)
            left = after
    return tuple(chosen)


__all__ = ["handles", "standing_still"]
