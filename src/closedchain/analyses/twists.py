"""Velocities of all bodies as linear maps of the rates of the tree."""

from collections.abc import Sequence

import numpy as np

from closedchain.algorithms.chain import Placed, placed_link
from closedchain.model import Model


def body_twists(model: Model, placed: Sequence[Placed], unit: np.ndarray) -> dict[str, np.ndarray]:
    """Scaled twist of every body per scaled rate: angular part, then velocity of its origin over the size, (6, nv).

    unit: what a scaled rate of 1 is, shape (nv,).
    """
    found = {}
    for body, index in model.topology.link_of.items():
        link = placed_link(tuple(placed), index)
        found[body] = twist_map(link, link.frame.p, len(unit)) * unit
        found[body][3:] /= model.size
    return found


def twist_map(link: Placed, P, rates: int) -> np.ndarray:
    """Angular velocity and velocity of the point P of a placed link per rate, unscaled, shape (6, rates)."""
    T = np.zeros((6, rates))
    for column in link.columns:
        T[:3, column.rate] = [float(value) for value in column.s]
        T[3:, column.rate] = [float(value) for value in column.at(P)]
    return T
