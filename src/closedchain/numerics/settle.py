"""End an accepted step of one member: find the events in it, keep samples, and go on from its end or from an event."""

from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.extending import intrinsic

from closedchain.numerics._cache import jit, shared
from closedchain.numerics.crossings import end_step
from closedchain.numerics.evaluation import copy, evaluate
from closedchain.numerics.interpolant import evaluate_inside, interpolate
from closedchain.numerics.kernel_call import doubles
from closedchain.numerics.location import NOWHERE, locate
from closedchain.numerics.samples import write_at, write_samples
from closedchain.numerics.state import PLAN, RUN
from closedchain.numerics.status import DONE, RUNNING
from closedchain.numerics.step_size import arrival
from closedchain.numerics.transition import fire, record

WHOLE, RESTARTED = 0, 1


@jit
def settle(plan, run, dt, suspect):
    """End the step through plan.settle, so that every method shares one compiled _settle (see there)."""
    return call_shared(plan.settle, plan, run, dt, 1 if suspect else 0)


@cache
def settle_address() -> int:
    """The address of the compiled _settle, for plan.settle."""
    records = (typeof(np.zeros(1, kind)[0]) for kind in (PLAN, RUN))
    compiled = _settle.get_compile_result(types.int64(*records, types.float64, types.int64))
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)


def _call_shared(typingctx: Any, address: Any, plan: Any, run: Any, dt: Any, suspect: Any) -> Any:
    """Call a compiled function of two records, a double and an integer by its address."""
    signature = types.int64(types.uintp, plan, run, types.float64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = [argument.type for argument in arguments[1:]]
        function = ir.FunctionType(arguments[4].type, kinds)
        return builder.call(builder.inttoptr(arguments[0], function.as_pointer()), arguments[1:])

    return signature, generate


call_shared: Any = intrinsic(_call_shared)


@shared
def _settle(plan, run, dt, suspect):
    """WHOLE: the step ended at (run.t, run.y1, run.f1). RESTARTED: the integration stands at (run.t, run.y0, run.f0).

    suspect: run.suspect marks event functions that may cross; then, or where a sample is due, the interpolant is
    needed.
    """
    if run.fresh:
        doubles(run.restart)[run.learning] = run.step
        run.fresh = 0
    start, end = 0.0, arrival(run, dt)
    while suspect != 0:
        theta = locate(plan, run, dt, start)
        if theta == NOWHERE:
            break
        if acts(plan, run):
            stop_at_event(plan, run, dt, theta, end)
            return RESTARTED
        _note(plan, run, dt, theta)
        start = theta
    write_samples(plan, run, dt, end)
    write_at(plan, run, end, run.y1)
    end_step(plan, run)
    run.t = end
    if end != run.bound:
        return WHOLE
    if end == run.end:
        run.status = DONE
        return WHOLE
    next_bound(plan, run)
    copy(plan.states, run.y1, run.y0)
    evaluate(plan, run, run.t, run.y0, run.f0)
    return RESTARTED


@jit
def acts(plan, run):
    """Whether what crosses ends or changes anything, or is only to be noted."""
    crossing, terminal = doubles(run.crossing), doubles(plan.terminal)
    found = plan.transition != 0
    for i in range(plan.events):
        found = found or (crossing[i] != 0.0 and terminal[i] != 0.0)
    return found


@jit
def stop_at_event(plan, run, dt, theta, end):
    """Go to the event at θ and let it happen; `end` is the time at θ = 1."""
    t = end if theta >= 1.0 else run.t + theta * dt
    write_samples(plan, run, dt, t)
    interpolate(plan, run, theta)
    copy(plan.states, run.point, run.y0)
    run.t = t
    fire(plan, run, dt)
    if run.status == RUNNING and run.t == run.end:
        run.status = DONE
    if run.status != RUNNING:
        write_at(plan, run, run.t, run.y0)
    elif run.t == run.bound:
        next_bound(plan, run)


@jit
def _note(plan, run, dt, theta):
    """Log events without effect and go on in the same step."""
    evaluate_inside(plan, run, dt, theta)
    record(plan, run, run.t + theta * dt, run.point, run.point)
    crossing, side, shift, out = doubles(run.crossing), doubles(run.side), doubles(run.shift), doubles(run.out)
    for i in range(plan.events):
        if crossing[i] != 0.0:
            side[i] = crossing[i]
            shift[i] = out[plan.states + i]


@jit
def next_bound(plan, run):
    """The next break ahead of the time, or the end."""
    breaks = doubles(plan.breaks)
    while run.next_break < plan.break_count and (breaks[run.next_break] - run.t) * plan.sign <= 0.0:
        run.next_break += 1
    run.bound = run.end
    if run.next_break < plan.break_count and (breaks[run.next_break] - run.end) * plan.sign < 0.0:
        run.bound = breaks[run.next_break]
