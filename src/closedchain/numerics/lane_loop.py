"""DOP853 for lanes of members: every lane has its own time, step, events and end, and takes the next member when done.

The stages of all lanes are computed together; what is decided for a lane (its step, its events, its jumps) is decided
by the same functions, and with the same kernels for one state, as for a single trajectory.
"""

import numpy as np

from closedchain.numerics._cache import entry, jit
from closedchain.numerics.crossings import end_step, suspicious
from closedchain.numerics.evaluation import accept_projection, copy
from closedchain.numerics.integrators.dop853 import (
    END,
    PATIENCE,
    TESTED_EVERY,
    attempt,
    collect,
    dense_stages,
    error_norm,
    held_by_stability,
    is_hit,
    rate_distance,
    stage_distance,
)
from closedchain.numerics.interpolant import hermite
from closedchain.numerics.kernel_call import doubles, offset
from closedchain.numerics.samples import due
from closedchain.numerics.settle import WHOLE, next_bound, settle
from closedchain.numerics.stages import evaluate_end
from closedchain.numerics.status import FULL, RUNNING, STIFF
from closedchain.numerics.step_size import arrival, clipped, judge, latest, may_go_on, withdraw
from closedchain.numerics.transition import begin

# a lane without a member
IDLE = -1

# members waiting and results: addresses of arrays over members
QUEUE = np.dtype(
    [
        ("next", "i8"),  # next member to start
        ("stop", "i8"),  # first member that is not of this queue
        ("active", "i8"),  # lanes at work
        ("keep_events", "i8"),
        ("start", "f8"),
        ("end", "u8"),  # (members,)
        ("y", "u8"),  # (members, n): state at the start, then at the end
        ("memory", "u8"),  # (members, m)
        ("sample_y", "u8"),  # (members, s n)
        ("sample_memory", "u8"),  # (members, s m)
        ("outcome", "u8"),  # (members, columns of OUTCOME)
        *((f"{name}_c", "u8") for name in ("rhs", "projection", "transition", "jacobian", "guard")),
        # numbers from one member's constants to the next, 0 where all share them
        *((f"{name}_stride", "i8") for name in ("rhs", "projection", "transition", "jacobian", "guard")),
        ("rhs_lanes", "u8"),  # constants of the lanes' kernels, 0 where all share them
        ("projection_lanes", "u8"),
    ]
)

# what is kept of each member's run, in this order
OUTCOME = (
    "status",
    "event",
    "t",
    "residual",
    "worst_conditioning",
    "next_sample",
    "rhs",
    "accepted",
    "rejected",
    "events",
    "projections",
    "guards",
)


@jit
def _gather(count, width, lane, source, target):
    """Entries of one lane, side by side."""
    source, target = doubles(source), doubles(target)
    for i in range(count):
        target[i] = source[i * width + lane]


@jit
def _scatter(count, width, lane, source, target):
    """The other way round."""
    source, target = doubles(source), doubles(target)
    for i in range(count):
        target[i * width + lane] = source[i]


@jit
def _load_member(plan, wide, run, lanes, lane, queue):
    """Put the next member into a lane; its status tells whether it can run."""
    n, m, member = plan.states, plan.memory, queue.next
    queue.next += 1
    copy(n, offset(queue.y, member * n), run.y0)
    copy(m, offset(queue.memory, member * m), run.memory)
    run.member = member
    run.t, run.end, run.status = queue.start, doubles(queue.end)[member], RUNNING
    run.next_break, run.next_sample, run.event, run.fresh = 0, 0, 0, 0
    run.rejected_last, run.retries, run.stiff_hits, run.stiff_misses = 0, 0, 0, 0
    run.events, run.accepted, run.rejected, run.rhs, run.projections, run.guards = 0, 0, 0, 0, 0, 0
    run.residual, run.conditioning_before, run.worst_conditioning, run.step_before = 0.0, 1.0, 1.0, 0.0
    run.sample_y = offset(queue.sample_y, member * plan.sample_count * n)
    run.sample_memory = offset(queue.sample_memory, member * plan.sample_count * m)
    run.rhs_c = offset(queue.rhs_c, member * queue.rhs_stride)
    run.projection_c = offset(queue.projection_c, member * queue.projection_stride)
    run.transition_c = offset(queue.transition_c, member * queue.transition_stride)
    run.guard_c = offset(queue.guard_c, member * queue.guard_stride)
    if queue.rhs_lanes != 0:
        _scatter(queue.rhs_stride, wide.lanes, lane, run.rhs_c, queue.rhs_lanes)
    if queue.projection_lanes != 0:
        _scatter(queue.projection_stride, wide.lanes, lane, run.projection_c, queue.projection_lanes)
    for table in (run.fastest, run.span_count):
        values = doubles(table)
        for i in range(plan.events):
            values[i] = 0.0
    restart = doubles(run.restart)
    for i in range(2 * plan.events):
        restart[i] = 0.0
    next_bound(plan, run)
    begin(plan, run)
    _enter_lane(plan, wide, run, lanes, lane)


@jit
def _enter_lane(plan, wide, run, lanes, lane):
    """State, rates and memory of a member into its lane."""
    n, width = plan.states, wide.lanes
    _scatter(n, width, lane, run.y0, lanes.y0)
    _scatter(n + plan.events, width, lane, run.f0, lanes.k)
    _scatter(plan.memory, width, lane, run.memory, lanes.memory)


@jit
def _store_member(plan, wide, run, lanes, lane, queue):
    """The end of a member's run into the results."""
    n, m = plan.states, plan.memory
    _gather(n, wide.lanes, lane, lanes.y0, run.y0)
    copy(n, run.y0, offset(queue.y, run.member * n))
    copy(m, run.memory, offset(queue.memory, run.member * m))
    outcome = doubles(offset(queue.outcome, run.member * len(OUTCOME)))
    outcome[0] = run.status
    outcome[1] = run.event
    outcome[2] = run.t
    outcome[3] = run.residual
    outcome[4] = run.worst_conditioning
    outcome[5] = run.next_sample
    outcome[6] = run.rhs
    outcome[7] = run.accepted
    outcome[8] = run.rejected
    outcome[9] = run.events
    outcome[10] = run.projections
    outcome[11] = run.guards


@jit
def _refill(plan, wide, runs, lanes, queue):
    """Store the members that ended and start others, until every lane runs or none is left. False: a log is full."""
    full = False
    for lane in range(wide.lanes):
        run = runs[lane]
        while run.status != RUNNING:
            if run.status == FULL:
                if queue.keep_events != 0:
                    full = True
                    break
                run.logged, run.status = 0, RUNNING
                continue
            if run.status != IDLE:
                _store_member(plan, wide, run, lanes, lane, queue)
                run.status = IDLE
                queue.active -= 1
            if queue.next >= queue.stop:
                break
            _load_member(plan, wide, run, lanes, lane, queue)
            queue.active += 1
    return not full


@jit
def _finish_step(plan, wide, run, lanes, lane, row_end, dense):
    """End an accepted step of one lane; dense: 0 nothing happens in it, 1 samples are due, 2 an event is suspected."""
    n, e, width, dt = plan.states, plan.events, wide.lanes, run.attempted
    end = arrival(run, dt)
    if dense == 0 and end != run.bound:
        if run.fresh:
            doubles(run.restart)[run.learning] = run.step
            run.fresh = 0
        end_step(plan, run)
        run.t = end
        return True
    _gather(n, width, lane, lanes.y0, run.y0)
    _gather(n, width, lane, lanes.y1, run.y1)
    _gather(n + e, width, lane, lanes.k, run.f0)
    _gather(n + e, width, lane, row_end, run.f1)
    if dense != 0:
        hermite(plan, run, dt)
        for r in range(4):
            row = lanes.k + np.uintp(1 + r) * lanes.stride
            _gather(n, width, lane, row, offset(run.dense, (3 + r) * n))
    if settle(plan, run, dt, dense == 2) == WHOLE:
        return True
    _enter_lane(plan, wide, run, lanes, lane)
    return False


@jit
def _accept(plan, wide, run, lanes, lane, row_end, states):
    """The end of a lane's step: 0 refused after all, 1 plain, 2 the interpolant is needed, 3 an event is suspected."""
    n, e, width = plan.states, plan.events, wide.lanes
    end_values = doubles(row_end)
    total = 0.0
    for i in range(n + e):
        total += end_values[i * width + lane] * 0.0
    residual, conditioning = doubles(lanes.residual)[lane], doubles(lanes.conditioning)[lane]
    if not (total == 0.0 and accept_projection(plan, run, residual, conditioning)):
        withdraw(run)
        return 0
    if states >= 0.0:
        hit = is_hit(run.attempted, rate_distance(wide, lanes, lane), states)
        held_by_stability(run, hit)
    if e > 0:
        _gather(e, width, lane, lanes.k + np.uintp(8 * n * width), offset(run.f0, n))
        _gather(e, width, lane, row_end + np.uintp(8 * n * width), offset(run.f1, n))
        collect(wide, lanes, lane, run)
        if suspicious(plan, run):
            return 3
    return 2 if due(plan, run, arrival(run, run.attempted)) else 1


@entry
def advance_lanes(plan, wide, runs, lanes, queue, budget):
    """Take at most `budget` attempts with all lanes; ends early when the queue is empty or a log has to be fetched.

    plan: for one state; wide: the same with the kernels of the lanes; runs: one RUN per lane.
    """
    n, e, width = plan.states, plan.events, wide.lanes
    t, last, steps = doubles(lanes.t), doubles(lanes.last), doubles(lanes.dt)
    conditioning, found, states = doubles(lanes.conditioning), doubles(lanes.found), doubles(lanes.distance)
    row_end = lanes.k + np.uintp(END) * lanes.stride
    for _ in range(budget):
        if not _refill(plan, wide, runs, lanes, queue) or queue.active == 0:
            return
        for lane in range(width):
            run = runs[lane]
            found[lane] = 0.0
            steps[lane] = 0.0
            if run.status == RUNNING and may_go_on(plan, run):
                steps[lane] = clipped(plan, run)
                t[lane] = run.t
                last[lane] = latest(run, arrival(run, steps[lane]))
            for p in range(lane + width, 8, width):
                steps[p] = steps[lane]
        attempt(wide, lanes)
        accepted = 0
        for lane in range(width):
            run = runs[lane]
            if run.status == RUNNING:
                run.rhs += 11
                run.conditioning = conditioning[lane]
                if judge(plan, run, error_norm(wide, lanes, lane)):
                    found[lane] = 1.0
                    accepted += 1
                    watching = run.stiff_hits > 0 or run.accepted % TESTED_EVERY == 0
                    states[lane] = stage_distance(wide, lanes, lane) if watching else -1.0
        if accepted == 0:
            continue
        evaluate_end(wide, lanes, row_end)
        dense = False
        for lane in range(width):
            if found[lane] != 0.0:
                run = runs[lane]
                run.rhs += 1
                found[lane] = _accept(plan, wide, run, lanes, lane, row_end, states[lane])
                dense = dense or found[lane] > 1.0
        if dense:
            dense_stages(wide, lanes)
        whole = True
        for lane in range(width):
            if found[lane] != 0.0:
                run = runs[lane]
                run.rhs += 3 if found[lane] > 1.0 else 0
                if not _finish_step(plan, wide, run, lanes, lane, row_end, int(found[lane]) - 1):
                    found[lane] = 0.0
                elif run.stiff_hits >= PATIENCE and plan.stop_when_stiff != 0 and run.status == RUNNING:
                    run.status = STIFF
            whole = whole and found[lane] != 0.0
        _go_on(wide, lanes, n, n + e, width, row_end, whole)


@jit
def _go_on(wide, lanes, n, row, width, row_end, whole):
    """The ends of the steps become the starts of the next, in the lanes where the step went through."""
    if whole:
        copy(n * width, lanes.y1, lanes.y0)
        copy(row * width, row_end, lanes.k)
        return
    found, y0, y1 = doubles(lanes.found), doubles(lanes.y0), doubles(lanes.y1)
    k0, k1 = doubles(lanes.k), doubles(row_end)
    for lane in range(width):
        if found[lane] != 0.0:
            for i in range(n):
                y0[i * width + lane] = y1[i * width + lane]
            for i in range(row):
                k0[i * width + lane] = k1[i * width + lane]
