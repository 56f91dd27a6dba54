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
def write_samples(plan, run, dt, until):
    """Keep the samples from run.t to before `until`, from the interpolant."""
    times = doubles(plan.sample_t)
    while due(plan, run, until) and times[run.next_sample] != until:
        interpolate(plan, run, (times[run.next_sample] - run.t) / dt)
        _keep(plan, run, times[run.next_sample])


@jit
def write_at(plan, run, t, y):
    """Keep the samples at exactly that time, with the state at address y."""
    while due(plan, run, t):
        copy(plan.states, y, run.point)
        _keep(plan, run, t)


@jit
def _keep(plan, run, t):
    """The state in run.point as the next sample, moved onto the constraints where that succeeds."""
    project(plan, run, t, run.point)
    copy(plan.states, run.point, offset(run.sample_y, run.next_sample * plan.states))
    copy(plan.memory, run.memory, offset(run.sample_memory, run.next_sample * plan.memory))
    run.next_sample += 1
