"""Dense output of every method in one form: a polynomial nested in θ and 1 − θ.

    y(θ) = y0 + θ (F0 + (1 − θ)(F1 + θ (F2 + (1 − θ)(F3 + …)))),   θ = (t − t0)/dt

(the form of Hairer's contd8). With F0 = y1 − y0, F1 = dt f0 − F0, F2 = F0 − dt f1 − F1 the first three rows are the
cubic Hermite interpolant; further rows raise the order without touching the ends.
"""

from closedchain.numerics._cache import jit
from closedchain.numerics.evaluation import copy, evaluate_events
from closedchain.numerics.kernel_call import doubles


@jit
def hermite(plan, run, dt):
    """Rows 0 to 2 of the interpolant: values and rates at both ends."""
    n = plan.states
    y0, y1, f0, f1, dense = doubles(run.y0), doubles(run.y1), doubles(run.f0), doubles(run.f1), doubles(run.dense)
    for i in range(n):
        rise = y1[i] - y0[i]
        bend = dt * f0[i] - rise
        dense[i] = rise
        dense[n + i] = bend
        dense[2 * n + i] = rise - dt * f1[i] - bend


@jit
def interpolate(plan, run, theta):
    """run.point = y(θ); exactly the ends at 0 and 1."""
    n = plan.states
    if theta <= 0.0:
        copy(n, run.y0, run.point)
        return
    if theta >= 1.0:
        copy(n, run.y1, run.point)
        return
    y0, dense, point = doubles(run.y0), doubles(run.dense), doubles(run.point)
    for i in range(n):
        point[i] = 0.0
    for r in range(plan.dense_rows - 1, -1, -1):
        factor = theta if r % 2 == 0 else 1.0 - theta
        for i in range(n):
            point[i] = (point[i] + dense[r * n + i]) * factor
    for i in range(n):
        point[i] += y0[i]


@jit
def evaluate_inside(plan, run, dt, theta):
    """run.point = y(θ), and the event functions there, which lie in run.out behind n places."""
    interpolate(plan, run, theta)
    evaluate_events(plan, run, run.t + theta * dt, run.point)
