"""RK4: the classical Runge-Kutta method of order 4 with fixed steps, for comparison; cubic Hermite dense output.

W. Kutta, Zeitschrift für Mathematik und Physik 46 (1901) 435-453. Events are located on the dense output; the step
after an event starts there, and the steps before the end or a break are shortened to meet it.
"""

import numpy as np

from closedchain.numerics._cache import entry, jit
from closedchain.numerics.combinations import combination
from closedchain.numerics.crossings import suspicious
from closedchain.numerics.evaluation import accept_projection, all_finite, copy
from closedchain.numerics.integrators.contract import Integrator
from closedchain.numerics.interpolant import hermite
from closedchain.numerics.kernel_call import doubles, offset
from closedchain.numerics.samples import due
from closedchain.numerics.settle import WHOLE, settle
from closedchain.numerics.stages import evaluate_end, evaluate_stage, explicit_arrays, open_stages
from closedchain.numerics.status import NOT_FINITE, PROJECTION
from closedchain.numerics.step_size import arrival, latest, may_go_on

END = 4

_y1 = combination({0: 1 / 2})
_y2 = combination({1: 1 / 2})
_y3 = combination({2: 1.0})
_result = combination({0: 1 / 6, 1: 1 / 3, 2: 1 / 3, 3: 1 / 6})


@jit
def attempt(plan, lanes):
    """The four stages and y1."""
    open_stages(plan, lanes)
    count = np.uintp(plan.states * plan.lanes)
    y0, dt, k, stride = lanes.y0, lanes.dt, lanes.k, lanes.stride
    x, row = offset(lanes.x, plan.lanes), k
    row += stride
    _y1(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, 0.5, row)
    row += stride
    _y2(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, 0.5, row)
    row += stride
    _y3(x, y0, dt, k, stride, count)
    evaluate_stage(plan, lanes, 1.0, row)
    _result(lanes.y1, y0, dt, k, stride, count)


@entry
def advance(plan, run, lanes, budget):
    """Take at most `budget` steps from where the run stands; the arrays of the member are those of the one lane."""
    n, e = plan.states, plan.events
    t, last, steps, values = doubles(lanes.t), doubles(lanes.last), doubles(lanes.dt), doubles(run.values)
    residual, conditioning = doubles(lanes.residual), doubles(lanes.conditioning)
    row_end = lanes.k + np.uintp(END) * lanes.stride
    early, late = doubles(lanes.k + lanes.stride), doubles(lanes.k + np.uintp(2) * lanes.stride)
    f1 = doubles(row_end)
    while may_go_on(plan, run) and budget > 0:
        budget -= 1
        left, size = abs(run.bound - run.t), min(plan.first_step, plan.max_step)
        # a rest of rounding size belongs to this step
        dt = run.bound - run.t if left < size * (1.0 + 1e-9) else plan.sign * size
        run.attempted, run.step = dt, size
        end = arrival(run, dt)
        t[0] = run.t
        last[0] = latest(run, end)
        for p in range(8):
            steps[p] = dt
        attempt(plan, lanes)
        evaluate_end(plan, lanes, row_end)
        run.rhs += 4
        if not all_finite(n + e, run.f1):
            run.status = NOT_FINITE
            return
        if not accept_projection(plan, run, residual[0], conditioning[0]):
            run.status = PROJECTION
            return
        run.accepted += 1
        for i in range(e):
            # the two stages in the middle err in opposite directions
            values[i] = 0.5 * (early[n + i] + late[n + i])
            values[e + i] = f1[n + i]
        suspect = suspicious(plan, run)
        if suspect or due(plan, run, end):
            hermite(plan, run, dt)
        if settle(plan, run, dt, suspect) == WHOLE:
            copy(n, run.y1, run.y0)
            copy(n + e, run.f1, run.f0)


rk4 = Integrator(
    name="rk4",
    title="classical Runge-Kutta of order 4 with fixed steps",
    order=4,
    error_order=5,
    dense_order=3,
    nodes=(0.5, 1.0),
    dense_rows=3,
    stages=5,
    arrays=explicit_arrays(END),
    advance=advance,
    fixed=True,
)
