"""Efforts of the actuators from one adjoint solution of the loop equations.

r: generalised forces on the tree's rates that the given motion needs (recursive Newton-Euler with the true
accelerations). The rows' multipliers lam and the efforts tau bring them, J^T lam + S^T tau = r, S the actuators'
rates. On the passive rates J_p^T is the transpose of the loop equations that give the velocities, factored already:

    J_p^T mu = r_p,      J_p^T w_k = S_k,p  for every actuator k on a passive rate,      lam = mu - sum_k w_k tau_k

What is left are the equations of the driven rates, and that rows of point motions carry no force (nothing holds that
point):

    E^T tau = Q,     E_k = [ S_k,d - J_d^T w_k ; w_k of motion rows ],     Q = [ r_d - J_d^T mu ; mu of motion rows ]

E is the rate of actuator k per independent speed and Q is the generalised force of Kane's equations (kane.py), found
without the partial velocities of every body: one back-substitution takes the place of one per speed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from closedchain.numbers import add, is_zero, minimum, mul, sqrt, sub

Number = Any


@dataclass(frozen=True)
class Demand:
    """What a motion asks of the actuators.

    Q: generalised force along each independent speed (d,). E: rate of every actuator per independent speed (k, d).
    free: multipliers without actuators. shares: multipliers that 1 N or 1 N m of every actuator takes over (k, rows).
    surplus, unit_surplus: the same of accelerations along open freedoms (idle_solver.py), empty where there are none.
    """

    Q: list[Number]
    E: list[list[Number]]
    free: list[Number]
    shares: list[list[Number]]
    surplus: list[Number] = field(default_factory=list)
    unit_surplus: list[list[Number]] = field(default_factory=list)

    def multipliers(self, efforts: Sequence[Number]) -> list[Number]:
        """Multipliers of all rows at given efforts."""
        return less(self.free, self.shares, efforts)

    def open_accelerations(self, efforts: Sequence[Number]) -> list[Number]:
        """What the passive accelerations are too large at given efforts."""
        return less(self.surplus, self.unit_surplus, efforts)


def less(start: Sequence[Number], parts: Sequence[Sequence[Number]], efforts: Sequence[Number]) -> list[Number]:
    """start - sum of efforts times their parts."""
    found = list(start)
    for effort, part in zip(efforts, parts, strict=True):
        found = [sub(value, mul(effort, each)) for value, each in zip(found, part, strict=True)]
    return found


@dataclass(frozen=True)
class Distribution:
    """Efforts (k,), and how well the actuators tell the speeds apart: the smallest part of a speed's effect on them
    that earlier speeds do not have as well, 0 where some motion moves no actuator."""

    efforts: list[Number]
    authority: Number


def distribute(
    E: Sequence[Sequence[Number]], Q: Sequence[Number], easiness: Sequence[Number], preload: Sequence[Number]
) -> Distribution:
    """The efforts nearest to a preload p that bring Q: E^T tau = Q with the least sum of w_k (tau_k - p_k)^2.

    With as many actuators as freedoms there is one answer; else tau = p + W^-1 E (E^T W^-1 E)^-1 (Q - E^T p),
    computed from D E = Q_1 R (modified Gram-Schmidt, D = W^(-1/2)), which does not square the condition number:
    R^T z = Q - E^T p, tau = p + D Q_1 z.

    easiness: D, 1 over the root of every actuator's weight, 0 for one that stays at its preload.
    """
    count, speeds = len(E), len(Q)
    efforts = list(preload)
    if count < speeds:
        return Distribution(efforts, 0.0)
    columns = [[mul(E[k][j], easiness[k]) for k in range(count)] for j in range(speeds)]
    need = [sub(Q[j], dot([E[k][j] for k in range(count)], preload)) for j in range(speeds)]
    inverses: list[Number] = []
    authority: Number = 1.0
    for j in range(speeds):
        size2 = dot(columns[j], columns[j])
        for i in range(j):
            along = mul(dot(columns[i], columns[j]), inverses[i])
            columns[j] = [sub(a, mul(along, b)) for a, b in zip(columns[j], columns[i], strict=True)]
            need[j] = sub(need[j], mul(along, need[i]))
        length2 = dot(columns[j], columns[j])
        if is_zero(length2):
            return Distribution(list(preload), 0.0)
        authority = minimum(authority, length2 / size2)
        inverses.append(1.0 / length2)
        share = mul(need[j], inverses[j])
        efforts = [add(tau, mul(mul(d, a), share)) for tau, d, a in zip(efforts, easiness, columns[j], strict=True)]
    return Distribution(efforts, sqrt(authority))


def dot(a: Sequence[Number], b: Sequence[Number]) -> Number:
    """Sum of products."""
    total: Number = 0.0
    for x, y in zip(a, b, strict=True):
        total = add(total, mul(x, y))
    return total
