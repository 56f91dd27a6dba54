"""Forward dynamics in joint coordinates with loop closure: one sparse KKT system per evaluation.

    [ M   J^T ] [ a   ]   [ tau - h ]
    [ J   -eps] [ lam ] = [ gamma   ]

M mass matrix, h bias forces of the tree, J rows of the opened joints, couplings and given motions, gamma their
convective part with Baumgarte's terms. Driven coordinates are known: their columns move to the right-hand side, and
the effort that imposes them is what is left of their own equation (theory: Kane and Levinson 1985; Featherstone 2008,
ch. 8).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.applied import Applied, Loads, apply
from closedchain.algorithms.chain import place
from closedchain.algorithms.closure_solver import Pattern
from closedchain.algorithms.constraints import Constraint, System, all_constraints, zeros
from closedchain.algorithms.link_frames import link_bias_forces, link_mass_matrix, passages
from closedchain.algorithms.local_inverse import LocalRow, local_rows
from closedchain.algorithms.local_loops import make_view
from closedchain.algorithms.motion import Motion, move
from closedchain.elements.joints import Ball
from closedchain.numbers import Solver, add, factorize, factorize_in_pairs, mul, quaternion_product, refine, sub

Number = Any


@dataclass(frozen=True)
class Equations:
    """The linear equations: lower triangle of the matrix, its factor, and the solution.

    solution: accelerations of the passive rates, then the negatives of the multipliers.
    """

    matrix: dict[tuple[int, int], Number]
    factor: Solver | None
    solution: list[Number]


@dataclass(frozen=True)
class Dynamics:
    """Everything about the dynamics at one state.

    a: derivatives of the rates. multipliers: of all rows in order. driven_efforts: effort that imposes each driven
    coordinate. motions: of all links, with the rates but without their derivatives. applied: what the loads do.
    """

    a: list[Number]
    multipliers: list[Number]
    driven_efforts: list[Number]
    motions: tuple[Motion, ...]
    rows: Sequence[Constraint | LocalRow]
    applied: Applied
    equations: Equations


def forward_dynamics(
    system: System,
    pattern: Pattern,
    loads: Loads,
    q: Sequence[Number],
    v: Sequence[Number],
    extra: Sequence[Number],
    goals: Sequence[Sequence[Number]],
    baumgarte: tuple[float, float] = (0.0, 0.0),
    memory: Sequence[Number] = (),
    seen_from_joints: bool = False,
) -> Dynamics:
    """Accelerations, multipliers and efforts.

    pattern: passive rates and elimination order, the metric unused. q, v: with the driven ones at their goals. goals:
    values, rates and accelerations. baumgarte: alpha, beta [1/s] of phi" + 2 alpha phi' + beta^2 phi = 0.
    memory: modes and approach speeds of the contacts. seen_from_joints: rows in the axes of the opened joints, which in
    space takes fewer operations; they hold on closed loops alone, so without baumgarte.
    """
    tree, nv = system.tree, system.tree.rates
    n = len(pattern.passive)
    known = zeros(nv)
    for goal, (_, rate) in enumerate(system.driven):
        known[rate] = goals[2][goal]
    motions = move(tree, q, v, zeros(nv))
    placed = place(tree, q)
    applied = apply(loads, motions, q, v, extra, memory)
    M = link_mass_matrix(tree, q, system.planar)
    h = link_bias_forces(tree, q, v, placed, applied.wrenches, system.planar)
    rows: Sequence[Constraint | LocalRow]
    if seen_from_joints:
        rows = rows_seen_from_joints(system, frozenset(pattern.passive), q, v, goals)
    else:
        rows = all_constraints(system, q, v, zeros(nv), goals)
    where = {rate: index for index, rate in enumerate(pattern.passive)}
    matrix: dict[tuple[int, int], Number] = {}
    rhs: list[Number] = [0.0] * (n + len(rows))
    for index, rate in enumerate(pattern.passive):
        rhs[index] = sub(applied.efforts.get(rate, 0.0), h[rate])
    for (i, j), value in M.items():
        if i in where and j in where:
            a, b = where[i], where[j]
            matrix[max(a, b), min(a, b)] = value
        elif i in where:
            rhs[where[i]] = sub(rhs[where[i]], mul(value, known[j]))
        elif j in where:
            rhs[where[j]] = sub(rhs[where[j]], mul(value, known[i]))
    alpha, beta = baumgarte
    for index, row in enumerate(rows):
        target = -row.acceleration
        if isinstance(row, Constraint) and (alpha or beta):
            target = target - row.rate * (2.0 * alpha) - row.value * beta**2
        for rate, entry in row.entries.items():
            if rate in where:
                matrix[n + index, where[rate]] = entry
            else:
                target = sub(target, mul(entry, known[rate]))
        rhs[n + index] = target
    eliminate = factorize_in_pairs if pattern.steady else factorize
    factor = eliminate(matrix, pattern.order, pattern.shift) if n + len(rows) else None
    solution = refine(matrix, factor, rhs, pattern.refinements) if factor else []
    accelerations = list(known)
    for rate, index in where.items():
        accelerations[rate] = solution[index]
    # The multiplier of the KKT system with +J^T is the negative of the force along the row.
    multipliers = [-value for value in solution[n:]]
    efforts = imposed_efforts(system, M, h, rows, accelerations, multipliers, applied)
    return Dynamics(accelerations, multipliers, efforts, motions, rows, applied, Equations(matrix, factor, solution))


def rows_seen_from_joints(
    system: System,
    passive: frozenset[int],
    q: Sequence[Number],
    v: Sequence[Number],
    goals: Sequence,
) -> list[LocalRow]:
    """The constraints in the axes of the opened joints, with the derivatives of the rates left at zero."""
    tree = system.tree
    ways = [passages(link, q) for link in tree.links]
    views = [make_view(tree, ways, cut, system.planar, passive, sparse=True) for cut in tree.cuts]
    return local_rows(system, ways, views, q, v, zeros(tree.rates), goals, moving=True)


def imposed_efforts(system: System, M, h, rows, a, multipliers, applied: Applied) -> list[Number]:
    """Effort that imposes each driven coordinate: M a + h - J^T lambda - other efforts on it."""
    efforts = []
    for _, rate in system.driven:
        total = sub(h[rate], applied.efforts.get(rate, 0.0))
        for (i, j), value in M.items():
            if i == rate:
                total = add(total, mul(value, a[j]))
            elif j == rate:
                total = add(total, mul(value, a[i]))
        for row, multiplier in zip(rows, multipliers, strict=True):
            if rate in row.entries:
                total = sub(total, mul(row.entries[rate], multiplier))
        efforts.append(total)
    return efforts


def coordinate_rates(system: System, q: Sequence[Number], v: Sequence[Number]) -> list[Number]:
    """Time derivatives of the coordinates: the rates, and for a quaternion (0, w) q / 2 with w in base-side axes."""
    rates: list[Number] = [0.0] * system.tree.coordinates
    for link in system.tree.links:
        coordinate, rate = link.coordinates, link.rates
        for step in link.steps:
            if isinstance(step, Ball):
                spin = (0.0, *(mul(0.5, v[rate + k]) for k in range(3)))
                rates[coordinate : coordinate + 4] = quaternion_product(spin, tuple(q[coordinate : coordinate + 4]))
                coordinate, rate = coordinate + 4, rate + 3
            else:
                rates[coordinate] = v[rate]
                coordinate, rate = coordinate + 1, rate + 1
    return rates
