"""Call a problem's kernels at one state of one member."""

import math

from closedchain.numerics._cache import jit
from closedchain.numerics.kernel_call import call, doubles, offset

# relative change of a state that is sure to be more than rounding makes, and still nothing
_ROUNDING = 1e-14


@jit
def load(plan, run, t, y):
    """The input of a kernel, [t, y, memory], in run.x; y is an address."""
    n = plan.states
    x, y, memory = doubles(run.x), doubles(y), doubles(run.memory)
    x[0] = t
    for i in range(n):
        x[1 + i] = y[i]
    for i in range(plan.memory):
        x[1 + n + i] = memory[i]


@jit
def evaluate(plan, run, t, y, out):
    """out = [dy/dt, g] at (t, y, memory); y and out are addresses."""
    load(plan, run, t, y)
    call(plan.rhs, run.x, run.rhs_c, out)
    run.rhs += 1


@jit
def evaluate_events(plan, run, t, y):
    """The event functions at (t, y, memory), where evaluate() would leave them in run.out; y is an address."""
    if plan.guard == 0:
        evaluate(plan, run, t, y, run.out)
        return
    load(plan, run, t, y)
    call(plan.guard, run.x, run.guard_c, offset(run.out, plan.states))
    run.guards += 1


@jit
def find_roughness(plan, run, t, y):
    """What rounding makes of the event functions at (t, y, memory), into run.rough: how much they differ a rounding on.

    y is an address; run.point is used.
    """
    n = plan.states
    values, point, out, rough = doubles(y), doubles(run.point), doubles(run.out), doubles(run.rough)
    evaluate_events(plan, run, t, y)
    for i in range(plan.events):
        rough[i] = out[n + i]
    for i in range(n):
        point[i] = values[i] * (1.0 + (_ROUNDING if i % 2 == 0 else -_ROUNDING))
    evaluate_events(plan, run, t * (1.0 + _ROUNDING), run.point)
    for i in range(plan.events):
        rough[i] = abs(out[n + i] - rough[i])


@jit
def project(plan, run, t, y):
    """Move y (an address) onto the constraints; False when that fails."""
    if plan.projection == 0:
        return True
    n = plan.states
    load(plan, run, t, y)
    call(plan.projection, run.x, run.projection_c, run.out)
    run.projections += 1
    out = doubles(run.out)
    if not accept_projection(plan, run, out[n], out[n + 1]):
        return False
    copy(n, run.out, y)
    return True


@jit
def accept_projection(plan, run, residual, conditioning):
    """Keep the worst residual and conditioning; False when the residual is above the limit or not a number."""
    if not residual <= plan.residual_limit:
        return False
    run.residual = max(run.residual, residual)
    run.conditioning_before = conditioning
    run.worst_conditioning = min(run.worst_conditioning, conditioning)
    return True


@jit
def copy(count, source, target):
    """Copy doubles from one address to another."""
    source, target = doubles(source), doubles(target)
    for i in range(count):
        target[i] = source[i]


@jit
def all_finite(count, values):
    """Whether the numbers at an address are all finite."""
    values = doubles(values)
    total = 0.0
    for i in range(count):
        total += values[i] * 0.0
    return math.isfinite(total)
