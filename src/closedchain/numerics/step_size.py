"""How long the next step is: the same decisions for one trajectory and for every lane of an ensemble.

Controllers after E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, sections II.4 and
II.10.
"""

import math

import numpy as np

from closedchain.numerics._cache import jit
from closedchain.numerics.evaluation import evaluate
from closedchain.numerics.kernel_call import doubles
from closedchain.numerics.status import FULL, RUNNING, SINGULAR, TOO_MANY, TOO_SMALL

_SAFETY = 0.9
_SHRINK = 0.2
_GROW = 6.0
# a rejected step near a loss of rank is tried longer and shorter in turn, at most so often before it may only shrink
_STEP_OVER = (1.3, 0.6, 2.2, 0.4)
# with less conditioning and steps below this part of the duration, the integration is stuck at a loss of rank
_RANK_LOST, _CRAWL = 1e-5, 1e-9
# a rejected step below this part of the duration is lost in the rounding of nearly all times ahead: near t = 0, where
# the spacing of numbers sets no bound, such steps would go on without end
_LEAST = 1e-18


@jit
def clipped(plan, run):
    """The signed step of the next attempt, which ends exactly at the bound when it comes near."""
    left = abs(run.bound - run.t)
    size = min(run.step, plan.max_step)
    if size >= left * (1.0 - 1e-10):
        size = left
    elif size > 0.5 * left:
        size = 0.5 * left  # two equal steps rather than a long and a tiny one
    run.attempted = plan.sign * size
    return run.attempted


@jit
def arrival(run, dt):
    """The time after the step, the bound itself when the step ends there."""
    return run.bound if dt == run.bound - run.t else run.t + dt


@jit
def latest(run, end):
    """The latest time at which the step may look at the right-hand side: just before a break, where it may jump."""
    return np.nextafter(end, run.t) if end == run.bound and end != run.end else end


@jit
def may_go_on(plan, run):
    """Whether there is a next attempt; sets the status when the log is full or the steps are used up."""
    if run.status != RUNNING:
        return False
    if run.logged > plan.log_room:
        run.status = FULL
    elif run.accepted + run.rejected >= plan.max_steps:
        run.status = TOO_MANY
    elif run.conditioning_before < _RANK_LOST and run.step < _CRAWL * plan.span:
        run.status = SINGULAR
    elif run.rejected_last == 1 and run.step < _LEAST * plan.span:
        run.status = TOO_SMALL
    return run.status == RUNNING


@jit
def too_small(run, size):
    """Whether a step would be lost in the rounding of the time."""
    return size <= 4e-16 * abs(run.t) or size < 1e-300


@jit
def judge(plan, run, error):
    """Accept or reject an attempt by its error (1 is the tolerance) and set the next step; True when accepted."""
    size = abs(run.attempted)
    # where rank is lost, even a small error says little: the same way is tried with other steps
    near = run.conditioning < plan.conditioning_limit
    near = near or (not error <= 1.0 and run.conditioning_before < plan.conditioning_limit)
    near = near and run.retries < 4
    if near or not error <= 1.0:
        run.rejected += 1
        if near:
            factor = _STEP_OVER[run.retries]
            run.retries += 1
        else:
            factor = 0.1 if not math.isfinite(error) else max(_SHRINK, _SAFETY * error ** (-1.0 / plan.order))
        return refuse(run, size * factor)
    factor = _GROW if error < 1e-12 else min(_GROW, max(_SHRINK, _SAFETY * error ** (-1.0 / plan.order)))
    if run.rejected_last:
        factor = min(factor, 1.0)
    # a step cut short by the bound says nothing against the longer one that was planned
    run.step = max(size * factor, run.step) if size < run.step and factor >= 1.0 else size * factor
    run.accepted += 1
    run.rejected_last = 0
    run.retries = 0
    return True


@jit
def refuse(run, size):
    """Try again with another step; the status tells when it is too small. Always False."""
    run.step = size
    run.rejected_last = 1
    if too_small(run, size):
        run.status = TOO_SMALL
    return False


@jit
def withdraw(run):
    """Reject a step after all, because it leads where the right-hand side or the projection has no value."""
    run.accepted -= 1
    run.rejected += 1
    refuse(run, 0.25 * abs(run.attempted))


@jit
def choose_first_step(plan, run):
    """A first step from the sizes of y, dy/dt and d²y/dt² (one evaluation); run.f0 must be known."""
    if plan.first_step > 0.0:
        run.step = min(plan.first_step, plan.max_step)
        return
    n = plan.states
    y0, f0, point, out = doubles(run.y0), doubles(run.f0), doubles(run.point), doubles(run.out)
    atol, rtol = doubles(plan.atol), doubles(plan.rtol)
    left = min(abs(run.bound - run.t), plan.max_step)
    size_y, size_f = 0.0, 0.0
    for i in range(n):
        scale = atol[i] + rtol[i] * abs(y0[i])
        size_y += (y0[i] / scale) ** 2
        size_f += (f0[i] / scale) ** 2
    size_y, size_f = math.sqrt(size_y / n), math.sqrt(size_f / n)
    trial = 1e-6 if size_y < 1e-5 or size_f < 1e-5 else 0.01 * size_y / size_f
    trial = min(trial, left)
    for i in range(n):
        point[i] = y0[i] + plan.sign * trial * f0[i]
    evaluate(plan, run, run.t + plan.sign * trial, run.point, run.out)
    size_change = 0.0
    for i in range(n):
        scale = atol[i] + rtol[i] * abs(y0[i])
        size_change += ((out[i] - f0[i]) / scale) ** 2
    size_change = math.sqrt(size_change / n) / trial
    if not math.isfinite(size_change):
        run.step = 0.01 * trial
        return
    larger = max(size_f, size_change)
    best = max(1e-6, 1e-3 * trial) if larger <= 1e-15 else (0.01 / larger) ** (1.0 / plan.order)
    # a first step lost in the rounding of the time would end the integration before it began
    run.step = max(min(100.0 * trial, best, left), min(left, 4e-15 * abs(run.t)))
