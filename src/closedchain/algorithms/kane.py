"""Kane's equations of a closed mechanism, with total partial velocities.

A closed mechanism has as many independent speeds u_j as its motion has goals: the driven rates, and the components of
point motions. Every rate of the tree follows from them, v = T u + ..., with T from the loop equations J_p v_p = -J_d
v_d. So the total partial velocities of body i are

    dv_i/du_j = sum_n G_P[:, n] T[n, j]          dw_i/du_j = sum_n G_w[:, n] T[n, j]

and with the inertia force F* = -m a and torque T* = -(I e + w x I w) the generalised force that the actuators have to
bring along u_j is (Kane and Levinson 1985, ch. 4 and 6)

    Q_j = -sum_i [ (F_i + m_i g + F*_i) . dv_i/du_j + (T_i + T*_i) . dw_i/du_j ] - sum_n f_n T[n, j]

f_n: springs, dampers and friction along the rates themselves. Reactions do no work along motions that keep the loops
closed, so they do not appear.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from closedchain.algorithms.applied import Applied
from closedchain.algorithms.chain import ZERO, Placed
from closedchain.algorithms.closure_solver import LoopSolver
from closedchain.algorithms.constraints import Constraint, System
from closedchain.algorithms.motion import Motion
from closedchain.algorithms.newton_euler import NO_WRENCH, inertia_in_ground
from closedchain.algorithms.tree import Tree
from closedchain.numbers import Vec3, add, mul, sub

Number = Any


class Owned(Protocol):
    """Anything that says whose row it is."""

    @property
    def owner(self) -> str:
        """Name of the joint, coupling or motion."""
        ...


def motion_rows(system: System, rows: Sequence[Owned]) -> list[int]:
    """Positions of the rows that impose point motions."""
    names = {motion.name for motion in system.motions}
    return [index for index, row in enumerate(rows) if row.owner in names]


def total_rates(system: System, solver: LoopSolver, rows: Sequence[Constraint]) -> list[list[Number]]:
    """T[n][j]: rate n of the tree per independent speed j: driven rates in order, then rows of point motions."""
    columns = []
    for _, rate in system.driven:
        columns.append(({rate: 1.0}, [-row.entries.get(rate, 0.0) for row in rows]))
    for index in motion_rows(system, rows):
        columns.append(({}, [1.0 if row == index else 0.0 for row in range(len(rows))]))
    T: list[list[Number]] = [[0.0] * len(columns) for _ in range(system.tree.rates)]
    for j, (given, b) in enumerate(columns):
        follow = dict(zip(solver.pattern.passive, solver.solve(b), strict=True))
        for rate, value in {**follow, **given}.items():
            T[rate][j] = value
    return T


def partial_velocity(place: Placed, P: Vec3, T: Sequence[Sequence[Number]], j: int) -> tuple[Vec3, Vec3]:
    """Total partial velocities (dv_P/du_j, dw/du_j) of a link at its point P in ground axes."""
    v, w = ZERO, ZERO
    for column in place.columns:
        v = v + column.at(P) * T[column.rate][j]
        w = w + column.s * T[column.rate][j]
    return v, w


def generalised_forces(
    tree: Tree,
    placed: Sequence[Placed],
    motions: Sequence[Motion],
    applied: Applied,
    T: Sequence[Sequence[Number]],
    planar: bool,
) -> list[Number]:
    """Q_j: generalised force that the actuators have to bring along each independent speed."""
    count = len(T[0]) if T else 0
    Q: list[Number] = [0.0] * count
    for index, (link, place, motion) in enumerate(zip(tree.links, placed, motions, strict=True)):
        centre = motion.point(link.com)
        I = inertia_in_ground(motion.frame.R, link, planar)
        wrench = applied.wrenches.get(index, NO_WRENCH)
        F = wrench.force
        M = wrench.moment + (motion.frame.p - centre.frame.p).cross(F)
        weight = tree.gravity * link.mass
        F_star = centre.a * -link.mass
        T_star = -(I @ motion.e + motion.w.cross(I @ motion.w))
        for j in range(count):
            dv, dw = partial_velocity(place, centre.frame.p, T, j)
            Q[j] = sub(Q[j], add((F + weight + F_star).dot(dv), (M + T_star).dot(dw)))
    return [sub(total, along_rates(applied.efforts, T, j)) for j, total in enumerate(Q)]


def along_rates(efforts: Mapping[int, Number], T: Sequence[Sequence[Number]], j: int) -> Number:
    """Power per independent speed of efforts on the rates."""
    total: Number = 0.0
    for rate, value in efforts.items():
        total = add(total, mul(value, T[rate][j]))
    return total
