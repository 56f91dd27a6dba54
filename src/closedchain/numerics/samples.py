"""Keep the state at the times asked for.

A sample at the time of an event shows the state after it; one at the very end shows the last state.
"""

from closedchain.numerics._cache import jit
from closedchain.numerics.evaluation import copy, project
from closedchain.numerics.interpolant import interpolate
from closedchain.numerics.kernel_call import doubles, offset


@jit
def due(plan, run, until):
    """Whether a sample lies before or at that time."""
    return run.next_sample < plan.sample_count and (doubles(plan.sample_t)[run.next_sample] - until) * plan.sign <= 0.0


@jit
def write_samples(plan, run, dt, until, included):
    """Keep the samples from run.t up to `until`, itself where `included`; dt = 0: at the start of the step."""
    while due(plan, run, until):
        t = doubles(plan.sample_t)[run.next_sample]
        if t == until and not included:
            return
        if dt == 0.0:
            interpolate(plan, run, 0.0)
        elif t == until:
            interpolate(plan, run, 1.0)
        else:
            interpolate(plan, run, (t - run.t) / dt)
        # where the projection fails the interpolated state stands
        project(plan, run, t, run.point)
        copy(plan.states, run.point, offset(run.sample_y, run.next_sample * plan.states))
        copy(plan.memory, run.memory, offset(run.sample_memory, run.next_sample * plan.memory))
        run.next_sample += 1
