"""Radau IIA of order 5: implicit Runge-Kutta method for stiff problems, adaptive, with cubic dense output.

E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer 1996, section IV.8, and their code
RADAU5. The Jacobian comes from the problem's kernel, or from differences where there is none. Because the interpolant
is of lower order than the method, a step with an event is taken again with its end at the event.
"""

import math

from closedchain.numerics._cache import entry, jit
from closedchain.numerics.crossings import suspicious
from closedchain.numerics.evaluation import all_finite, copy, evaluate, project
from closedchain.numerics.integrators.contract import Integrator
from closedchain.numerics.integrators.radau_newton import C1, C2, ITERATIONS, NONE, OLD, radau_arrays, solve_stages
from closedchain.numerics.kernel_call import doubles, offset
from closedchain.numerics.linear import solve
from closedchain.numerics.location import NOWHERE, locate
from closedchain.numerics.settle import WHOLE, acts, settle
from closedchain.numerics.status import NOT_STIFF, RUNNING
from closedchain.numerics.step_size import arrival, clipped, latest, may_go_on, refuse, withdraw

_SQRT6 = 6.0**0.5
# weights of the error estimate
_E1, _E2, _E3 = (-13.0 - 7.0 * _SQRT6) / 3.0, (-13.0 + 7.0 * _SQRT6) / 3.0, -1.0 / 3.0
_GROW, _SHRINK, _KEEP = 10.0, 0.2, 1.2
# an explicit method of order 8 is stable for dt ρ up to about this
_EXPLICIT_REACH = 5.0
TRIES_AT_EVENT = 4


@jit
def attempt(plan, run, work, dt):
    """Solve the stages of a step; its error in units of the tolerance, not finite when Newton's method fails."""
    n = plan.states
    y0, y1, f0, z = doubles(run.y0), doubles(run.y1), doubles(run.f0), doubles(work.z)
    error, out, point = doubles(work.error), doubles(run.out), doubles(run.point)
    run.attempted = dt
    if not solve_stages(plan, run, work, dt):
        return math.inf
    for i in range(n):
        y1[i] = y0[i] + z[2 * n + i]
        error[i] = f0[i] + (_E1 * z[i] + _E2 * z[n + i] + _E3 * z[2 * n + i]) / dt
    solve(n, work.real, work.real_order, work.error)
    size = _norm(plan, run, work)
    if size > 1.0 and (run.rejected_last or run.step_before == 0.0):
        # stiff components of the estimate are damped once more
        for i in range(n):
            point[i] = y0[i] + error[i]
        evaluate(plan, run, run.t, run.point, run.out)
        for i in range(n):
            error[i] = out[i] + (_E1 * z[i] + _E2 * z[n + i] + _E3 * z[2 * n + i]) / dt
        solve(n, work.real, work.real_order, work.error)
        size = _norm(plan, run, work)
    return size


@jit
def _norm(plan, run, work):
    """Root mean square of the error over the tolerance."""
    y0, y1, error = doubles(run.y0), doubles(run.y1), doubles(work.error)
    atol, rtol = doubles(plan.atol), doubles(plan.rtol)
    total = 0.0
    for i in range(plan.states):
        total += (error[i] / (atol[i] + rtol[i] * max(abs(y0[i]), abs(y1[i])))) ** 2
    return math.sqrt(total / plan.states)


@jit
def _factor_of(run, size, dt, error, iterations):
    """By how much the step should change (IV.8.23 to 25): predictive where the step before is known."""
    safety = 0.9 * (2.0 * ITERATIONS + 1.0) / (2.0 * ITERATIONS + iterations)
    error = max(error, 1e-10)
    change = 1.0
    if run.step_before > 0.0:
        change = min(1.0, size / run.step_before * (run.error_before / error) ** 0.25)
    return safety * change * error**-0.25


@jit
def judge_implicit(run, work, error):
    """Accept or reject an attempt and set the next step; True when accepted."""
    size = abs(run.attempted)
    if not error <= 1.0:
        run.rejected += 1
        if math.isfinite(error):
            return refuse(run, size * max(_SHRINK, min(0.9, _factor_of(run, size, size, error, work.iterations))))
        return refuse(run, 0.5 * size)
    factor = min(_GROW, max(_SHRINK, _factor_of(run, size, size, error, work.iterations)))
    if run.rejected_last:
        factor = min(factor, 1.0)
    # the factors of the matrices serve again when the step stays
    if 1.0 <= factor < _KEEP and work.converges:
        factor = 1.0
    run.error_before, run.step_before = max(error, 1e-3), size
    run.step = max(size * factor, run.step) if size < run.step and factor >= 1.0 else size * factor
    run.accepted += 1
    run.rejected_last = 0
    return True


@jit
def finish(plan, run, work, dt, end):
    """The end of a step: project, evaluate, interpolant and event values; False where there is no value."""
    n, e = plan.states, plan.events
    if not project(plan, run, end, run.y1):
        return False
    evaluate(plan, run, latest(run, end), run.y1, run.f1)
    if not all_finite(n + e, run.f1):
        return False
    y0, y1, z, dense = doubles(run.y0), doubles(run.y1), doubles(work.z), doubles(run.dense)
    for i in range(n):
        # the cubic through y0 and the three stages
        rise = y1[i] - y0[i]
        a1 = (z[i] / C1 - rise) / (1.0 - C1)
        a2 = (z[n + i] / C2 - rise) / (1.0 - C2)
        dense[2 * n + i] = (a2 - a1) / (C2 - C1)
        dense[n + i] = a1 - C1 * dense[2 * n + i]
        dense[i] = rise
    values = doubles(run.values)
    for j in range(3):
        stage = doubles(offset(work.f, j * (n + e))) if j < 2 else doubles(run.f1)
        for i in range(e):
            values[j * e + i] = stage[n + i]
    return True


@jit
def _shorten(plan, run, work, dt, suspect):
    """Whether the step has to be taken again to end just behind its first event; then work.target is its length.

    The interpolant tells where; should the step taken again end before the event after all, the margin grows, and at
    last the whole step is taken again and the event found on its interpolant.
    """
    if work.tries == 0:
        work.theta = locate(plan, run, dt, 0.0) if suspect else NOWHERE
        if work.theta >= 1.0 or not acts(plan, run):
            return False
        work.whole, work.margin = dt, 1e-9
    elif suspect or work.tries > TRIES_AT_EVENT:
        work.tries = 0
        return False
    else:
        work.margin *= 100.0
    work.tries += 1
    part = min(1.0, work.theta + work.margin) if work.tries <= TRIES_AT_EVENT else 1.0
    work.target = work.whole * part
    work.predict = 0.0
    return True


@jit
def _worth_it(plan, run, work, dt):
    """Count steps that an explicit method would do at less cost; True when there were ten in a row.

    Costs in evaluations of the right-hand side, a factorisation of two matrices counted as n³/60 of them.
    """
    n = plan.states
    implicit = run.rhs - work.rhs_before + (run.factorisations - work.factorisations_before) * n * n * n / 60.0
    work.rhs_before, work.factorisations_before = run.rhs, run.factorisations
    explicit = 12.0 * max(1.0, abs(dt) * work.radius / _EXPLICIT_REACH)
    work.cheap = work.cheap + 1 if explicit < implicit else 0
    return work.cheap >= 10


@entry
def advance(plan, run, work, budget):
    """Take at most `budget` attempts from where the run stands."""
    n, e = plan.states, plan.events
    while may_go_on(plan, run) and budget > 0:
        budget -= 1
        dt = clipped(plan, run) if work.tries == 0 else work.target
        end = arrival(run, dt)
        work.last = latest(run, end)
        error = attempt(plan, run, work, dt)
        if work.tries == 0:
            if not judge_implicit(run, work, error):
                continue
            if not finish(plan, run, work, dt, end):
                withdraw(run)
                continue
            suspect = suspicious(plan, run)
        else:
            there = error < math.inf and finish(plan, run, work, dt, end)
            if not there and work.tries > TRIES_AT_EVENT:
                work.tries = 0
                withdraw(run)
                continue
            suspect = there and suspicious(plan, run)
        if _shorten(plan, run, work, dt, suspect):
            continue
        if settle(plan, run, dt, suspect) == WHOLE:
            copy(n, run.y1, run.y0)
            copy(n + e, run.f1, run.f0)
            work.predict = dt
            work.jacobian = OLD if work.converges else NONE
        else:
            work.predict = 0.0
            work.jacobian = NONE
        if _worth_it(plan, run, work, dt) and plan.stop_when_not_stiff != 0 and run.status == RUNNING:
            run.status = NOT_STIFF


radau = Integrator(
    name="radau",
    title="implicit Runge-Kutta of order 5 (Radau IIA) for stiff problems, adaptive, cubic dense output",
    order=5,
    error_order=4,
    dense_order=3,
    nodes=(C1, C2, 1.0),
    dense_rows=3,
    stages=3,
    arrays=radau_arrays,
    advance=advance,
    implicit=True,
)
