"""Derivatives of the dynamics by state and efforts: implicit differentiation of the equations of motion.

The accelerations and multipliers z = (a, x) solve R(y, z) = 0, so with the factored matrix K = dR/dz

    dz/dy = - K^-1 dR/dy,      d(rate)/dy = dF/dy + dF/dz dz/dy

F the rates as functions of y and z. Only R and F are differentiated, never the elimination (Carpentier and Mansard
2018, Analytical derivatives of rigid body dynamics algorithms, for open chains). The state is taken to satisfy the
loops with quaternions of length one: along directions that leave these the derivative has no meaning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import closedchain.numbers
from closedchain.algorithms.dynamics_residual import dynamics_residual
from closedchain.algorithms.forward_dynamics import Dynamics, Equations, coordinate_rates
from closedchain.compile import compile_kernel, sparse_jacobian, substitute, unknowns
from closedchain.model.dynamics_kernels import Instant, Setting, dynamics_at, input_power, instant
from closedchain.numbers import add, factorize, mul, refine

Number = Any
Entries = dict[tuple[int, int], Number]


def derivative_kernel(setting: Setting, optimised: bool = False):
    """Kernel (t, y, memory) -> "state" d(rate)/dy, shape (n, n), and "effort" d(rate)/d(effort), shape (n, actuators).

    A column of "effort" is what 1 N or 1 N m more along an actuator's coordinate does, zero where that is imposed.
    The ideal mechanism, which is closed anew at every evaluation, counts as given. optimised: compile a large kernel
    with optimisation too, which takes seconds and makes it several times faster; small ones always are.
    """

    def function(t, y, memory=(), parameters=None):
        found = differentiated(setting, t[0], y, parameters, memory)
        return {
            "state": dense(state_jacobian(setting, found), setting.states, setting.states),
            "effort": dense(effort_jacobian(setting, found), setting.states, len(setting.model.mechanism.actuators)),
        }

    if not optimised:
        return setting.model.kernel(("derivatives", setting.key), function, setting.inputs)
    key = ("derivatives, optimised", setting.key)
    if key not in setting.model.kernels:
        setting.model.kernels[key] = compile_kernel(setting.model.traced(function, setting.inputs), level=1)
    return setting.model.kernels[key]


def jacobian_kernel(setting: Setting):
    """Kernel (t, y, memory) -> d(rate)/dy row by row, for implicit integrators."""

    def function(t, y, memory=(), parameters=None):
        found = differentiated(setting, t[0], y, parameters, memory)
        return {"state": dense(state_jacobian(setting, found), setting.states, setting.states)}

    return setting.model.kernel(("jacobian", setting.key), function, setting.inputs)


def dense(entries: Entries, rows: int, columns: int) -> list[list[Number]]:
    """A matrix as rows."""
    return [[entries.get((i, j), 0.0) for j in range(columns)] for i in range(rows)]


@dataclass(frozen=True)
class Differentiated:
    """An instant with its equations and the partial derivatives of R and of the rates F by y and z."""

    now: Instant
    equations: Equations
    residual_by_state: Entries
    rates_by_state: Entries
    rates_by_unknowns: Entries


def differentiated(setting: Setting, t: Number, y: Sequence[Number], parameters, memory) -> Differentiated:
    """Differentiate R and F by coordinates, rates and extra states, with z as leaves; then z is the solution."""
    now = instant(setting, t, y, parameters)
    dynamics = dynamics_at(setting, now, t, parameters, memory, quickly=True)
    pattern, solution = setting.quick_pattern, dynamics.equations.solution
    z, n = unknowns(len(solution), y[0]), len(pattern.passive)
    a = list(dynamics.a)
    for rate, value in zip(pattern.passive, z, strict=False):
        a[rate] = value
    residual = dynamics_residual(
        now.system, pattern, dynamics.applied, now.q, now.v, a, z[n:], now.goals, setting.baumgarte, setting.is_quick
    )
    free = replace(dynamics, a=a, multipliers=[-x for x in z[n:]], driven_efforts=residual.driven_efforts)
    leaves = list(y[: sum(setting.sizes[:3])])
    count = len(leaves)
    by_state = sparse_jacobian([*residual.passive, *residual.rows], leaves)
    both = sparse_jacobian(rates_of(setting, now, free), [*leaves, *z])
    values = dict(zip(z, solution, strict=True))
    by_state, both = (
        dict(zip(part, substitute(list(part.values()), values, closedchain.numbers), strict=True))
        for part in (by_state, both)
    )
    return Differentiated(
        now,
        independent(setting, dynamics.equations),
        by_state,
        {(i, j): value for (i, j), value in both.items() if j < count},
        {(i, j - count): value for (i, j), value in both.items() if j >= count},
    )


def rates_of(setting: Setting, now: Instant, dynamics: Dynamics) -> list[Number]:
    """The rates as functions of the state and of z; those of the ideal mechanism stand as zeros."""
    rates, power = coordinate_rates(now.system, now.q, now.v), input_power(now.system, now.v, dynamics)
    applied = dynamics.applied
    return [*rates, *dynamics.a, *applied.state_rates, *[0.0] * setting.sizes[3], power, applied.dissipation]


def state_jacobian(setting: Setting, found: Differentiated) -> Entries:
    """d(rate)/dy; the columns of the ideal mechanism, the work and the dissipated energy are zero."""
    columns: dict[int, dict[int, Number]] = {}
    for (i, j), value in found.residual_by_state.items():
        columns.setdefault(j, {})[i] = -value
    entries = dict(found.rates_by_state)
    for j, column in columns.items():
        chain(entries, j, found.rates_by_unknowns, solve(setting, found.equations, column))
    return entries


def effort_jacobian(setting: Setting, found: Differentiated) -> Entries:
    """d(rate)/d(effort) of every actuator, in file order."""
    place = {rate: index for index, rate in enumerate(setting.quick_pattern.passive)}
    entries: Entries = {}
    for index, actuator in enumerate(setting.model.mechanism.actuators.values()):
        _, rate = setting.model.locate(actuator.joint.text)
        if rate in place:
            chain(entries, index, found.rates_by_unknowns, solve(setting, found.equations, {place[rate]: 1.0}))
            # the effort itself brings power
            last = setting.states - 2
            entries[last, index] = add(entries.get((last, index), 0.0), found.now.v[rate])
    return entries


def solve(setting: Setting, equations: Equations, column: Mapping[int, Number]) -> list[Number]:
    """K^-1 times a sparse column; refined where rates without inertia are held by a regularisation."""
    assert equations.factor is not None
    rhs: list[Number] = [0.0] * len(equations.solution)
    kept = len(setting.quick_pattern.passive)
    for i, value in column.items():
        if i - kept not in setting.quick_pattern.dependent:
            rhs[i] = value
    return refine(equations.matrix, equations.factor, rhs, 1 if setting.quick_pattern.light else 0)


def independent(setting: Setting, equations: Equations) -> Equations:
    """The equations without the rows that depend on others, whose multipliers stay as they are.

    A single column leaves the loops, so dependent rows contradict each other in it, and their multipliers would drown
    the accelerations in rounding.
    """
    pattern = setting.quick_pattern
    left_out = {len(pattern.passive) + row for row in pattern.dependent}
    if not left_out:
        return equations
    matrix = {place: value for place, value in equations.matrix.items() if not left_out & set(place)}
    matrix |= {(row, row): -1.0 for row in left_out}
    shift = {index: value for index, value in pattern.shift.items() if index not in left_out}
    return Equations(matrix, factorize(matrix, pattern.order, shift), equations.solution)


def chain(entries: Entries, j: int, partials: Entries, dz: Sequence[Number]) -> None:
    """Add dF/dz dz to column j."""
    for (i, k), partial in partials.items():
        entries[i, j] = add(entries.get((i, j), 0.0), mul(partial, dz[k]))
