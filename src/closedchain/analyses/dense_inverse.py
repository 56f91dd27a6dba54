"""Inverse dynamics of single samples on plain floats, where the kernels' elimination meets no pivot.

That is so with fewer actuators than freedoms, and in singular configurations. Everything is in ground axes and dense,
so it
is the other formulation too: rates and accelerations as kinematics gives them, Newton-Euler in ground axes, and the
singular value decomposition of the loop equations in place of their elimination.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from closedchain.algorithms.applied import Applied, apply
from closedchain.algorithms.chain import place
from closedchain.algorithms.loops import cut_rows
from closedchain.algorithms.motion import Motion, move
from closedchain.algorithms.newton_euler import (
    gravity_energy,
    kinetic_energy,
    needed_wrenches,
    required_forces,
)
from closedchain.algorithms.reactions import joint_reactions, wrenches_of_cuts
from closedchain.algorithms.steady_states import steady_states
from closedchain.algorithms.tree import Tree
from closedchain.analyses.actuator_efforts import Freedoms, Sharing, freedoms_at, numeric_efforts, raise_unmet
from closedchain.model import Drive, Model
from closedchain.model.inverse_kernels import actuated_rates, named
from closedchain.model.loads import extra_states, make_loads

MET = 1e-8


def dense_inverse(
    model: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray, t: float, sharing: Sharing, where: str
) -> Mapping[str, Any]:
    """What `force_kernel` gives, at one sample: closed tree coordinates q, rates v and their derivatives a.

    Raises MechanismError or SingularConfigurationError, with `where` in the message, when the actuators cannot bring
    it.
    """
    system = model.system(Drive())
    tree = system.tree
    numbers = [float(value) for value in q], [float(value) for value in v], [float(value) for value in a]
    motions, placed = move(tree, *numbers), place(tree, numbers[0])
    loads = make_loads(model, float(t), motors=False)
    extra = steady_states(loads, numbers[1], len(extra_states(model)))
    applied = apply(loads, motions, numbers[0], numbers[1], extra)
    r = np.array(required_forces(tree, placed, motions, applied.wrenches, system.planar), float)
    for rate, effort in applied.efforts.items():
        r[rate] -= effort
    freedoms = freedoms_at(model, q)
    efforts, multipliers, unmet = numeric_efforts(freedoms, r, sharing)
    if np.linalg.norm(unmet) > MET * force_scale(tree, motions, applied, freedoms):
        raise_unmet(freedoms, q, unmet, sharing, where)
    needed = needed_wrenches(tree, motions, applied.wrenches, system.planar)
    cuts = [(cut, cut_rows(tree, motions, cut, system.planar)) for cut in tree.cuts]
    reactions = joint_reactions(tree, placed, needed, wrenches_of_cuts(cuts, multipliers.tolist()))
    return {
        "effort": efforts,
        "power": efforts * v[actuated_rates(model)],
        **{name: np.array(value, float) for name, value in named(model, reactions).items()},
        "kinetic_energy": float(kinetic_energy(tree, motions, system.planar)),
        "potential_energy": float(gravity_energy(tree, motions) + applied.energy),
        "dissipated_power": float(applied.dissipation),
        "load_power": float(applied.supply),
    }


def force_scale(tree: Tree, motions: tuple[Motion, ...], applied: Applied, freedoms: Freedoms) -> float:
    """Sum of the sizes of all forces along scaled rates, none taken off another [N m]."""
    size = freedoms.model.size
    total = 0.0
    for link, motion in zip(tree.links, motions, strict=True):
        centre = motion.point(link.com)
        pull = float(centre.a.norm()) + float(tree.gravity.norm())
        total += float(link.mass) * pull * size
        total += float((link.inertia @ motion.e).norm()) + float((link.inertia @ motion.w).norm()) * float(
            motion.w.norm()
        )
    for wrench in applied.wrenches.values():
        total += float(wrench.force.norm()) * size + float(wrench.moment.norm())
    for rate, effort in applied.efforts.items():
        total += abs(float(effort)) * freedoms.unit[rate]
    return total
