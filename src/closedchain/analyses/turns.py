"""Whole turns and signs of quaternions: the same configuration in the numbers nearest to given ones."""

import numpy as np

from closedchain.elements.joints import Ball, Rotation
from closedchain.model import Model


def turning(model: Model) -> list[int]:
    """Tree coordinates that a whole turn leaves as they are: rotations that no coupling counts."""
    counted = {reference.text for coupling in model.mechanism.couplings.values() for reference, _ in coupling.sum}
    names = {index: name for name, index in model.tree_coordinates.items()}
    found = []
    for link in model.tree().links:
        index = link.coordinates
        for step in link.steps:
            if isinstance(step, Rotation) and names[index] not in counted:
                found.append(index)
            index += 4 if isinstance(step, Ball) else 1
    return found


def quaternions(model: Model) -> list[slice]:
    """Places of the quaternions in the tree coordinates."""
    found = []
    for link in model.tree().links:
        index = link.coordinates
        for step in link.steps:
            if isinstance(step, Ball):
                found.append(slice(index, index + 4))
            index += 4 if isinstance(step, Ball) else 1
    return found


def nearest(
    model: Model, q: np.ndarray, near: np.ndarray, bounds: dict[int, tuple[float, float]] | None = None
) -> np.ndarray:
    """Configurations q (N, nq) with angles within half a turn of `near` (nq,) and quaternions of its sign.

    bounds: limits of coordinates; an angle outside takes the turn that is inside, if there is one.
    """
    q = q.copy()
    whole = 2.0 * np.pi
    for index in turning(model):
        q[:, index] -= whole * np.round((q[:, index] - near[index]) / whole)
        if bounds and index in bounds:
            low, high = bounds[index]
            below, above = q[:, index] < low - 1e-9, q[:, index] > high + 1e-9
            moved = q[:, index] + whole * (
                np.where(below, np.ceil((low - 1e-9 - q[:, index]) / whole), 0.0)
                - np.where(above, np.ceil((q[:, index] - high - 1e-9) / whole), 0.0)
            )
            q[:, index] = np.where((moved >= low - 1e-9) & (moved <= high + 1e-9), moved, q[:, index])
    for place in quaternions(model):
        q[:, place] *= np.where(q[:, place] @ near[place] < 0.0, -1.0, 1.0)[:, None]
    return q
