"""What is left of the equations of motion at given accelerations and multipliers.

    R(y, a, x) = [ M a + h - tau + J^T x ; J a - gamma ],      dR/d(a, x) = [[M, J^T], [J, 0]]

with x = -lambda, so the derivatives of R are those of the dynamics. M a + h comes from one recursion with the true
accelerations, which is cheaper to differentiate than the mass matrix (Featherstone 2008, ch. 5; Carpentier and
Mansard 2018, Analytical derivatives of rigid body dynamics).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.applied import Applied
from closedchain.algorithms.chain import place
from closedchain.algorithms.closure_solver import Pattern
from closedchain.algorithms.constraints import Constraint, System, all_constraints
from closedchain.algorithms.forward_dynamics import rows_seen_from_joints
from closedchain.algorithms.link_frames import body_wrenches, collected, local_motions, passages
from closedchain.algorithms.local_inverse import LocalRow
from closedchain.numbers import add, mul, sub

Number = Any


@dataclass(frozen=True)
class Residual:
    """R for the passive rates and for the rows, and the efforts that impose the driven rates."""

    passive: list[Number]
    rows: list[Number]
    driven_efforts: list[Number]


def needed_forces(
    system: System, applied: Applied, q: Sequence[Number], v: Sequence[Number], a: Sequence[Number], rows, x
) -> list[Number]:
    """M a + h - tau + J^T x of every rate; rows: all constraints, x: of every row."""
    tree = system.tree
    ways = [passages(link, q) for link in tree.links]
    motions, placed = local_motions(tree, ways, v, a), place(tree, q)
    forces = collected(tree, ways, body_wrenches(tree, motions, placed, applied.wrenches, system.planar))
    for rate, effort in applied.efforts.items():
        forces[rate] = sub(forces[rate], effort)
    for row, multiplier in zip(rows, x, strict=True):
        for rate, entry in row.entries.items():
            forces[rate] = add(forces[rate], mul(entry, multiplier))
    return forces


def dynamics_residual(
    system: System,
    pattern: Pattern,
    applied: Applied,
    q: Sequence[Number],
    v: Sequence[Number],
    a: Sequence[Number],
    x: Sequence[Number],
    goals: Sequence[Sequence[Number]],
    baumgarte: tuple[float, float] = (0.0, 0.0),
    seen_from_joints: bool = False,
) -> Residual:
    """R at derivatives a of all rates and x of all rows (negative multipliers); applied: the loads at q and v.

    seen_from_joints: as of `forward_dynamics`.
    """
    rows: Sequence[Constraint | LocalRow]
    if seen_from_joints:
        rows = rows_seen_from_joints(system, frozenset(pattern.passive), q, v, goals)
    else:
        rows = all_constraints(system, q, v, a, goals)
    forces = needed_forces(system, applied, q, v, a, rows, x)
    alpha, beta = baumgarte
    closing: list[Number] = []
    for row in rows:
        value = row.acceleration
        if seen_from_joints:
            # entries and convective part as forward dynamics takes them, also where loops are a little open
            for rate, entry in row.entries.items():
                value = add(value, mul(entry, a[rate]))
        if isinstance(row, Constraint) and (alpha or beta):
            value = value + row.rate * (2.0 * alpha) + row.value * beta**2
        closing.append(value)
    return Residual([forces[rate] for rate in pattern.passive], closing, [forces[rate] for _, rate in system.driven])
