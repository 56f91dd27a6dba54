"""DOP853: explicit Runge-Kutta method of order 8 with adaptive steps and dense output of order 7.

E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., 1993, sections II.5, II.6, and
their code dop853.f. The test for stiffness is theirs (IV.2 of the second volume): the attempt is held back by stability
when |dt| |f(y1) − f(y_12)| / |y1 − y_12| exceeds 6.1 in fifteen steps that are not interrupted by six others.
"""

import math

import numpy as np

from closedchain.numerics._cache import entry, jit
from closedchain.numerics.combinations import combination, embedded
from closedchain.numerics.crossings import suspicious
from closedchain.numerics.evaluation import accept_projection, all_finite, copy
from closedchain.numerics.integrators.contract import Integrator
from closedchain.numerics.integrators.dop853_coefficients import E3, E5, A, C, D
from closedchain.numerics.interpolant import hermite
from closedchain.numerics.kernel_call import doubles, offset
from closedchain.numerics.samples import due
from closedchain.numerics.settle import WHOLE, settle
from closedchain.numerics.stages import evaluate_end, evaluate_stage, explicit_arrays, open_stages
from closedchain.numerics.status import RUNNING, STIFF
from closedchain.numerics.step_size import arrival, clipped, judge, latest, may_go_on, withdraw

END = 12
# stages whose event values are looked at, in the order of their times
NODES = (3, 6, 5, 9, 10, 12)
_STABLE = 6.1
TESTED_EVERY = 16
# steps held back by stability before the problem counts as stiff
PATIENCE = 15

_y1, _y2, _y3, _y4, _y5, _y6, _y7, _y8, _y9, _y10, _y11 = (combination(A[s]) for s in range(1, 12))
_y13, _y14, _y15 = (combination(A[s]) for s in range(13, 16))
_result = embedded(A[END], (E5, E3))
_row3, _row4, _row5, _row6 = (combination(row, add_base=False) for row in D)


@jit
def attempt(plan, lanes):
    """All stages but the last, y1, and the squared errors of every lane."""
    open_stages(plan, lanes)
    count = np.uintp(plan.states * plan.lanes)
    y0, dt, k, stride = lanes.y0, lanes.dt, lanes.k, lanes.stride
    x, row = offset(lanes.x, plan.lanes), k
    row += stride
    _y1(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[1], row)
    row += stride
    _y2(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[2], row)
    row += stride
    _y3(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[3], row)
    row += stride
    _y4(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[4], row)
    row += stride
    _y5(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[5], row)
    row += stride
    _y6(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[6], row)
    row += stride
    _y7(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[7], row)
    row += stride
    _y8(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[8], row)
    row += stride
    _y9(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[9], row)
    row += stride
    _y10(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[10], row)
    row += stride
    _y11(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[11], row)
    _result(lanes.y1, y0, dt, k, stride, count, lanes.atol, lanes.rtol, lanes.sums)


@jit
def error_norm(plan, lanes, lane):
    """The error of one lane in units of the tolerance: |dt| e5² / sqrt((e5² + e3²/100) n)."""
    sums = doubles(lanes.sums)
    e5, e3 = 0.0, 0.0
    for p in range(lane, 8, plan.lanes):
        e5 += sums[p]
        e3 += sums[8 + p]
    both = e5 + 0.01 * e3
    if not doubles(lanes.residual)[lane] <= plan.residual_limit:
        return math.inf
    if both == 0.0:
        return 0.0
    return abs(doubles(lanes.dt)[lane]) * e5 / math.sqrt(both * plan.states)


@jit
def dense_stages(plan, lanes):
    """Three more stages and rows 3 to 6 of the interpolant, left in rows 1 to 4 of k, which are free by then."""
    count = np.uintp(plan.states * plan.lanes)
    y0, dt, k, stride = lanes.y0, lanes.dt, lanes.k, lanes.stride
    x, row = offset(lanes.x, plan.lanes), k + np.uintp(END) * stride
    row += stride
    _y13(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[13], row)
    row += stride
    _y14(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[14], row)
    row += stride
    _y15(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, C[15], row)
    _row3(k + stride, y0, dt, k, stride, count)
    _row4(k + np.uintp(2) * stride, y0, dt, k, stride, count)
    _row5(k + np.uintp(3) * stride, y0, dt, k, stride, count)
    _row6(k + np.uintp(4) * stride, y0, dt, k, stride, count)


@jit
def held_by_stability(run, hit):
    """Count steps held back by stability; True when there were too many. hit: whether this step was one."""
    if hit:
        run.stiff_misses = 0
        run.stiff_hits += 1
    elif run.stiff_hits > 0:
        run.stiff_misses += 1
        if run.stiff_misses == 6:
            run.stiff_hits = 0
    return run.stiff_hits >= PATIENCE


@jit
def stage_distance(plan, lanes, lane):
    """|y1 − y_12|² while the state of the last stage is still in lanes.x."""
    count = plan.lanes
    y1, x = doubles(lanes.y1), doubles(lanes.x)
    total = 0.0
    for i in range(plan.states):
        total += (y1[i * count + lane] - x[(1 + i) * count + lane]) ** 2
    return total


@jit
def rate_distance(plan, lanes, lane):
    """|f(y1) − f(y_12)|² after the evaluation at the end."""
    count = plan.lanes
    end = doubles(lanes.k + np.uintp(END) * lanes.stride)
    last = doubles(lanes.k + np.uintp(END - 1) * lanes.stride)
    total = 0.0
    for i in range(plan.states):
        total += (end[i * count + lane] - last[i * count + lane]) ** 2
    return total


@jit
def is_hit(dt, rates, states):
    """Whether the step is as long as stability allows."""
    return states > 0.0 and abs(dt) * math.sqrt(rates / states) > _STABLE


@jit
def collect(plan, lanes, lane, run):
    """The event values of one lane at the nodes, into run.values."""
    n, e, count = plan.states, plan.events, plan.lanes
    values = doubles(run.values)
    for j in range(len(NODES)):
        row = doubles(lanes.k + np.uintp(NODES[j]) * lanes.stride)
        for i in range(e):
            values[j * e + i] = row[(n + i) * count + lane]


@entry
def advance(plan, run, lanes, budget):
    """Take at most `budget` attempts from where the run stands; the arrays of the member are those of the one lane."""
    n, e = plan.states, plan.events
    t, last, steps = doubles(lanes.t), doubles(lanes.last), doubles(lanes.dt)
    residual, conditioning = doubles(lanes.residual), doubles(lanes.conditioning)
    row_end = lanes.k + np.uintp(END) * lanes.stride
    while may_go_on(plan, run) and budget > 0:
        budget -= 1
        dt = clipped(plan, run)
        end = arrival(run, dt)
        t[0] = run.t
        last[0] = latest(run, end)
        for p in range(8):
            steps[p] = dt
        attempt(plan, lanes)
        run.rhs += 11
        run.conditioning = conditioning[0]
        if not judge(plan, run, error_norm(plan, lanes, 0)):
            continue
        watching = run.stiff_hits > 0 or run.accepted % TESTED_EVERY == 0
        states = stage_distance(plan, lanes, 0) if watching else 0.0
        evaluate_end(plan, lanes, row_end)
        run.rhs += 1
        if not (all_finite(n + e, run.f1) and accept_projection(plan, run, residual[0], conditioning[0])):
            withdraw(run)
            continue
        stiff = watching and held_by_stability(run, is_hit(dt, rate_distance(plan, lanes, 0), states))
        collect(plan, lanes, 0, run)
        suspect = suspicious(plan, run)
        if suspect or due(plan, run, end):
            hermite(plan, run, dt)
            dense_stages(plan, lanes)
            run.rhs += 3
            for r in range(4):
                copy(n, lanes.k + np.uintp(1 + r) * lanes.stride, offset(run.dense, (3 + r) * n))
        if settle(plan, run, dt, suspect) == WHOLE:
            copy(n, run.y1, run.y0)
            copy(n + e, run.f1, run.f0)
        if stiff and plan.stop_when_stiff != 0 and run.status == RUNNING:
            run.status = STIFF


dop853 = Integrator(
    name="dop853",
    title="explicit Runge-Kutta of order 8 (Dormand-Prince, Hairer's DOP853), adaptive, dense output of order 7",
    order=8,
    error_order=8,
    dense_order=7,
    nodes=tuple(C[s] for s in NODES),
    dense_rows=7,
    stages=16,
    arrays=explicit_arrays(END),
    advance=advance,
)
