"""Reactions of all joints in a simulation, traced."""

from collections.abc import Sequence
from typing import Any

from closedchain.algorithms.chain import place
from closedchain.algorithms.constraints import System
from closedchain.algorithms.forward_dynamics import Dynamics
from closedchain.algorithms.loops import cut_rows
from closedchain.algorithms.motion import Motion
from closedchain.algorithms.newton_euler import needed_wrenches
from closedchain.algorithms.reactions import joint_reactions, wrenches_of_cuts
from closedchain.model.inverse_kernels import named
from closedchain.model.loads import loose_in_order
from closedchain.model.model import Model

Number = Any


def simulated_reactions(
    model: Model, system: System, q: Sequence[Number], dynamics: Dynamics, motions: tuple[Motion, ...]
) -> dict[str, list]:
    """Reactions on the moving sides by name of the result; a loose joint's is its contact force and what stays ideal.

    motions: of all links, with the derivatives of the rates. Nothing where point motions are imposed without
    actuators, since then no joint carries what moves the point.
    """
    if system.motions:
        return {}
    tree, planar = system.tree, system.planar
    needed = needed_wrenches(tree, motions, dynamics.applied.wrenches, planar)
    rows = [(cut, cut_rows(tree, motions, cut, planar)) for cut in tree.cuts]
    cuts = wrenches_of_cuts(rows, dynamics.multipliers)
    found = joint_reactions(tree, place(tree, q), needed, cuts)
    for name, contact in zip(loose_in_order(model), dynamics.applied.contacts, strict=True):
        found[name] = found[name] + contact.moving
    return named(model, found)
