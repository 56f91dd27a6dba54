"""What happens at an event: it is logged, the state jumps, and every event function gets its new side of zero.

A function that fired stands at its root. The side it belongs to from now on is told by the motion after the transition,
not by the sign of the rounding left there; that rounding is taken off until the function has left the root. A function
that returns to its root in ever shorter times, or leaves it with a vanishing part of its fastest approach, chatters.
"""

from closedchain.numerics._cache import entry, jit
from closedchain.numerics.crossings import sign
from closedchain.numerics.evaluation import all_finite, copy, evaluate, evaluate_events, find_roughness, load, project
from closedchain.numerics.kernel_call import call, doubles, offset
from closedchain.numerics.samples import write_at
from closedchain.numerics.status import CHATTER, DONE, NOT_FINITE, PROJECTION, RUNNING, TERMINAL
from closedchain.numerics.step_size import choose_first_step

_ORDINARY, _AT_REST = 1.0, 2.0
# part of the integration over which rates of event functions are taken at least
_SHORT = 1e-11


@jit
def begin(plan, run):
    """The rates, sides and step size at the start of an integration; the status tells when there are none."""
    n = plan.states
    if not project(plan, run, run.t, run.y0):
        run.status = PROJECTION
        return
    evaluate(plan, run, run.t, run.y0, run.f0)
    if not all_finite(n + plan.events, run.f0):
        run.status = NOT_FINITE
        return
    if run.t == run.end:
        run.status = DONE
        write_at(plan, run, run.t, run.y0)
        return
    choose_first_step(plan, run)
    if plan.events > 0:
        _slopes(plan, run, plan.sign * run.step)
    f0, side, shift, slope = doubles(run.f0), doubles(run.side), doubles(run.shift), doubles(run.slope)
    for i in range(plan.events):
        shift[i] = 0.0
        side[i] = sign(f0[n + i])
        if abs(f0[n + i]) <= 1e-6 * abs(run.step * slope[i]):
            side[i], shift[i] = sign(slope[i]), f0[n + i]


@entry
def start(plan, run):
    """begin(), for Python."""
    begin(plan, run)


@jit
def fire(plan, run, dt):
    """The event at (run.t, run.y0): log it, let the state jump and prepare the restart, or set the status that ends."""
    n = plan.states
    crossing, speed, fastest = doubles(run.crossing), doubles(run.speed), doubles(run.fastest)
    terminal, restart, span_count = doubles(plan.terminal), doubles(run.restart), doubles(run.span_count)
    level, first, ends = _ORDINARY, -1, RUNNING
    for i in range(plan.events):
        if crossing[i] != 0.0:
            first = i if first < 0 else first
            fastest[i] = max(fastest[i], speed[i])
            if _repeats(plan, run, i) and ends == RUNNING:
                level, run.event = _AT_REST, i
                if plan.rest == 0 or span_count[i] > 2.0 * plan.chatter_count:
                    ends = CHATTER
            if terminal[i] != 0.0 and ends != TERMINAL:
                ends, run.event = TERMINAL, i
    if ends != RUNNING:
        run.status = ends
        record(plan, run, run.t, run.y0, run.y0)
        return
    # values before the jump tell whether a function goes on as it was
    evaluate_events(plan, run, run.t, run.y0)
    copy(plan.events, offset(run.out, n), run.event_values)
    copy(n, run.y0, run.y1)
    jumped = _jump(plan, run, level)
    record(plan, run, run.t, run.y1, run.y0)
    if run.status == RUNNING and _take_sides(plan, run, dt, jumped, level):
        if plan.rest == 0:
            run.status = CHATTER
        elif level == _ORDINARY:
            jumped = _jump(plan, run, _AT_REST) or jumped
            _take_sides(plan, run, dt, jumped, _AT_REST)
    if run.status != RUNNING:
        return
    run.learning = 2 * first + (1 if crossing[first] > 0.0 else 0)
    run.fresh = 1
    run.step_before = 0.0
    if restart[run.learning] > 0.0:
        run.step = restart[run.learning]
    else:
        choose_first_step(plan, run)


@jit
def record(plan, run, t, before, after):
    """Log every event function that crosses at t; before, after: addresses of the states around it."""
    n, m = plan.states, plan.memory
    crossing, event_t, event_kind = doubles(run.crossing), doubles(run.event_t), doubles(run.event_kind)
    for i in range(plan.events):
        if crossing[i] != 0.0:
            row = run.logged
            event_t[row] = t
            event_kind[3 * row] = i
            event_kind[3 * row + 1] = crossing[i]
            event_kind[3 * row + 2] = run.member
            copy(n, before, offset(run.event_before, n * row))
            copy(n, after, offset(run.event_after, n * row))
            copy(m, run.memory, offset(run.event_memory, m * row))
            run.logged += 1
            run.events += 1


@jit
def _repeats(plan, run, i):
    """Count the events of one function within a short span; True when there are too many."""
    span_start, span_count = doubles(run.span_start), doubles(run.span_count)
    if span_count[i] == 0.0 or abs(run.t - span_start[i]) > plan.chatter_span:
        span_start[i] = run.t
        span_count[i] = 0.0
    span_count[i] += 1.0
    return span_count[i] > plan.chatter_count


@jit
def _jump(plan, run, level):
    """Call the transition, then the right-hand side after it; True when a state changed."""
    n, m = plan.states, plan.memory
    x, out, y0, crossing = doubles(run.x), doubles(run.out), doubles(run.y0), doubles(run.crossing)
    load(plan, run, run.t, run.y0)
    for i in range(plan.events):
        x[1 + n + m + i] = level * crossing[i]
    call(plan.transition, run.x, run.transition_c, run.out)
    jumped = False
    for i in range(n):
        jumped = jumped or out[i] != y0[i]
        y0[i] = out[i]
    copy(m, offset(run.out, n), run.memory)
    if not project(plan, run, run.t, run.y0):
        run.status = PROJECTION
    evaluate(plan, run, run.t, run.y0, run.f0)
    if not all_finite(n + plan.events, run.f0):
        run.status = NOT_FINITE
    return jumped


@jit
def _slopes(plan, run, dt):
    """Rates of the event functions along the motion, by central differences over a short part of a step.

    Not over one so short that rounding would tell them.
    """
    n = plan.states
    y0, f0, point, out, slope = (
        doubles(run.y0),
        doubles(run.f0),
        doubles(run.point),
        doubles(run.out),
        doubles(run.slope),
    )
    short = max(1e-4 * abs(dt), _SHORT * plan.span) * plan.sign
    for i in range(n):
        point[i] = y0[i] - short * f0[i]
    evaluate_events(plan, run, run.t - short, run.point)
    copy(plan.events, offset(run.out, n), run.slope)
    for i in range(n):
        point[i] = y0[i] + short * f0[i]
    evaluate_events(plan, run, run.t + short, run.point)
    for i in range(plan.events):
        slope[i] = (out[n + i] - slope[i]) / (2.0 * abs(short))


@jit
def _together(value, before, travel):
    """Whether a function was near its root before a jump and after it, seen beside what it travels in a step."""
    return max(abs(value), abs(before)) <= 1e-3 * abs(travel)


@jit
def _left_at(value, side):
    """The rounding left at a root, as a shift; never zero, which would say that the function is at none."""
    return value if value != 0.0 else -1e-300 * side


@jit
def _take_sides(plan, run, dt, jumped, level):
    """New sides and shifts after a jump; True when a function that fired hardly leaves its root after it.

    run.event_values holds the values before the jump, run.f0 those after it. A function that stood at its root before
    the jump without having fired crosses together with the one that did: it keeps its side, so that the next step sees
    it cross even where projection or rounding have carried it over.
    """
    n = plan.states
    f0, before, crossing = doubles(run.f0), doubles(run.event_values), doubles(run.crossing)
    side, shift, slope, fastest = doubles(run.side), doubles(run.shift), doubles(run.slope), doubles(run.fastest)
    direction = doubles(plan.direction)
    same = not jumped
    for i in range(plan.events):
        fired = crossing[i] != 0.0
        same = same and (f0[n + i] == before[i] if fired else side[i] * f0[n + i] >= 0.0)
    rough = doubles(run.rough)
    if not same:
        _slopes(plan, run, dt)
        find_roughness(plan, run, run.t, run.y0)
    resting = False
    for i in range(plan.events):
        value, at_root = f0[n + i], shift[i] != 0.0
        shift[i] = 0.0
        if crossing[i] == 0.0:
            if side[i] != 0.0 and (same or _together(value, before[i], dt * slope[i])):
                # one that has just left its root goes on leaving it, whatever rounding says
                leaves = at_root and not same and side[i] * slope[i] >= 0.0
                shift[i] = _left_at(value, side[i]) if leaves else 0.0
                continue
            if not same and value != before[i] and abs(value) <= max(1e-6 * abs(dt * slope[i]), rough[i]):
                # the transition put the function at its root: the motion tells its side, not the rounding left there;
                # one that goes where its crossings count has that crossing before it
                ahead = direction[i] != 0.0 and direction[i] == sign(slope[i])
                side[i] = -direction[i] if ahead else sign(slope[i])
                shift[i] = _left_at(value, side[i])
            else:
                side[i] = sign(value) if value != 0.0 else side[i]
        elif same:
            side[i], shift[i] = crossing[i], _left_at(value, crossing[i])
        elif abs(value) > max(4.0 * abs(before[i]), 1e-10 * abs(dt * slope[i])):
            side[i] = sign(value)
        else:
            slow = abs(slope[i]) <= plan.rest_speed * fastest[i]
            side[i] = 0.0 if slow else sign(slope[i])
            shift[i] = _left_at(value, side[i])
            if slow and jumped and level == _ORDINARY:
                resting, run.event = True, i
    return resting
