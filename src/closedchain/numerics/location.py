"""Where an event function crosses zero: bracketed on the dense output and located to rounding.

Root finding after T. R. Chandrupatla, Advances in Engineering Software 28 (1997) 145-149: inverse quadratic
interpolation where it is safe, bisection elsewhere. The place returned lies on the far side of the crossing. Within
these functions, values are taken so that they are positive before the crossing and negative after it.
"""

from closedchain.numerics._cache import jit
from closedchain.numerics.crossings import bottom, counts, dip_at, side_at
from closedchain.numerics.evaluation import find_roughness
from closedchain.numerics.interpolant import evaluate_inside, interpolate
from closedchain.numerics.kernel_call import doubles

NOWHERE = 2.0
# parts of the way to a crossing whose ends are looked at for others that were passed (as many rows as run.looks has)
_LOOKS = 8
# the bottom of a dip: tries, and the part of its value by which it must still promise to fall
_DIP_TRIES, _PROMISE = 40, 0.01
# tries after which values that only fall, or only rise, have no bottom between
_SLOPES = 6
_DESCENTS = 24
# a root that interpolation has not found by then is flat, as that of a force that ends with δ^1.5: halving finds it
_INTERPOLATIONS = 16


@jit
def locate(plan, run, dt, start):
    """The first counted crossing after `start` (part of the step): its θ, or NOWHERE.

    run.crossing tells every event function that crosses there and in which direction, run.speed how fast.
    """
    n = plan.states
    suspect, crossing, shift, out = doubles(run.suspect), doubles(run.crossing), doubles(run.shift), doubles(run.out)
    tolerance = 2.3e-16 * abs(run.t) / abs(dt)
    best, first, seen = NOWHERE, -1, 0
    for i in range(plan.events):
        crossing[i] = 0.0
        if suspect[i] == 0.0:
            continue
        a, b, side = _bracket(plan, run, dt, start, i)
        if b > 1.0:
            continue
        seen += 1
        crossing[i] = -side
        if a < best:
            theta = _root(plan, run, dt, start, i, a, b, side, tolerance)
            if theta < best:
                best, first = theta, i
    if first >= 0:
        before, passed = _before(plan, run, dt, start, best, first, tolerance)
        if passed >= 0:
            best, first, seen = before, passed, 2
            crossing[passed] = -doubles(run.side)[passed]
    if first >= 0 and seen > 1:
        # those that cross within rounding of the first one go with it; one that leaves a root must be clear of it
        interpolate(plan, run, best)
        find_roughness(plan, run, run.t + best * dt, run.point)
        rough = doubles(run.rough)
        evaluate_inside(plan, run, dt, min(1.0, best + 2.0 * tolerance + 1e-14 * best))
        for i in range(plan.events):
            past = (out[n + i] - shift[i]) * crossing[i]
            if i != first and past <= (rough[i] if shift[i] != 0.0 else -rough[i]):
                crossing[i] = 0.0
    return best


@jit
def _before(plan, run, dt, start, best, first, tolerance):
    """(θ, i): an earlier crossing than that of function `first` at `best`, which no sample has seen; i is -1 without.

    Samples of a long step are far apart, and rough. Between them a function may cross twice, and the step would end
    behind: the crossing would be passed for good.
    """
    n, e = plan.states, plan.events
    sides, shifts, direction = doubles(run.side), doubles(run.shift), doubles(plan.direction)
    out, looks = doubles(run.out), doubles(run.looks)
    for k in range(_LOOKS + 1):
        evaluate_inside(plan, run, dt, best if k == _LOOKS else start + k / _LOOKS * (best - start))
        for i in range(e):
            looks[k * e + i] = (out[n + i] - shifts[i]) * sides[i]
    found, passed = NOWHERE, -1
    for i in range(e):
        if sides[i] == 0.0 or not counts(direction[i], -sides[i]):
            continue
        a, b = _unseen(plan, run, dt, start, min(best, found), i, i == first)
        if b <= 1.0:
            theta = _root(plan, run, dt, start, i, a, b, sides[i], tolerance)
            if theta < min(best, found):
                found, passed = theta, i
    return found, passed


@jit
def _unseen(plan, run, dt, start, best, i, ends):
    """(a, b): the bracket of the first crossing of function i among the looks, or in a dip between them.

    ends: whether the last look is at a crossing of this function; b is NOWHERE when there is none before it.
    """
    e, side = plan.events, doubles(run.side)[i]
    looks, noise = doubles(run.looks), 4.0 * abs(doubles(run.shift)[i])
    part = (best - start) / _LOOKS
    for k in range(1, _LOOKS + 1):
        lands = ends and k == _LOOKS
        a, b, c = start + max(k - 2, 0) * part, start + (k - 1) * part, best if k == _LOOKS else start + k * part
        value = looks[k * e + i]
        if value < -noise and not lands:
            return b, c
        if k == 1:
            continue
        vertex = bottom(a, looks[(k - 2) * e + i], b, looks[(k - 1) * e + i], c, 0.0 if lands else value)
        if vertex > 0.0 and not (lands and vertex > 0.25 * b + 0.75 * c):
            a, b = _follow(plan, run, dt, i, side, a, b, c)
            if b <= 1.0:
                return a, b
    return start, NOWHERE


@jit
def _value(plan, run, dt, i, theta):
    """Event function i at θ without the rounding left at its last root."""
    values, shift = doubles(run.out), doubles(run.shift)
    if theta <= 0.0:
        values = doubles(run.f0)
    elif theta >= 1.0:
        values = doubles(run.f1)
    else:
        evaluate_inside(plan, run, dt, theta)
    return values[plan.states + i] - shift[i]


@jit
def _bracket(plan, run, dt, start, i):
    """(a, b, side): on `side` at a, past a counted crossing at b; b is NOWHERE when there is none."""
    e, count = plan.events, plan.node_count
    nodes, values, direction = doubles(plan.nodes), doubles(run.values), doubles(plan.direction)
    side, shift, rough = doubles(run.side)[i], doubles(run.shift)[i], doubles(run.rough)[i]
    if side != 0.0 and counts(direction[i], -side):
        a, b = _first_dip(plan, run, dt, start, i, side)
        if b <= 1.0:
            return a, b, side
    # trust the stages for what lies before the last of them that is still on the side of the start
    j = 0
    if start == 0.0:
        while (
            j < count - 1
            and (values[j * e + i] - shift) * side >= 0.0
            and (values[(j + 1) * e + i] - shift) * side >= 0.0
        ):
            j += 1
    a = start
    while j < count:
        theta = nodes[j]
        if theta > start:
            new = side_at(_value(plan, run, dt, i, theta) + shift, shift, rough)
            if new * side < 0.0 and counts(direction[i], new):
                return a, theta, side
            if new != 0.0:
                side = new
            a = theta
        j += 1
    return a, NOWHERE, side


@jit
def _first_dip(plan, run, dt, start, i, side):
    """(a, b): the bracket of the first crossing that returns before a sample has seen it; b is NOWHERE without one."""
    e, nodes, values = plan.events, doubles(plan.nodes), doubles(run.values)
    shift, before = doubles(run.shift)[i], doubles(run.f0)[plan.states + i]
    for j in range(1, plan.node_count):
        if nodes[j] > start and (values[j * e + i] - shift) * side < 0.0:
            break
        vertex = dip_at(plan, run, i, side, shift, before, j)
        # a function that flattens on its way to the other side has no bottom before it
        lands = j + 1 < plan.node_count and (values[(j + 1) * e + i] - shift) * side < 0.0
        if vertex > start and not (lands and vertex > 0.25 * nodes[j - 1] + 0.75 * nodes[j]):
            a, b = _dip(plan, run, dt, start, i, side, j)
            if b <= 1.0:
                return a, b
    return start, NOWHERE


@jit
def _dip(plan, run, dt, start, i, side, j):
    """(a, b): before and past the crossing of a dip between samples j - 2 and j; b is NOWHERE without a crossing."""
    nodes = doubles(plan.nodes)
    a, b, c = max(start, nodes[j - 2] if j > 1 else 0.0), nodes[j - 1], nodes[j]
    if b <= a:
        b = 0.5 * (a + c)
    return _follow(plan, run, dt, i, side, a, b, c)


@jit
def _follow(plan, run, dt, i, side, a, b, c):
    """(a, b): before and past the crossing of a dip between a and c, met at b; b is NOWHERE where none reaches zero.

    The bottom is followed by parabolas through three points, and by parts of a side where they are no help.
    """
    va = _value(plan, run, dt, i, a) * side
    vb = _value(plan, run, dt, i, b) * side
    vc = _value(plan, run, dt, i, c) * side
    kept, sloping = 0, 0
    for _ in range(_DIP_TRIES):
        if vb < 0.0:
            return a, b
        sloping += 1 if vb > min(va, vc) else 0
        if sloping > _SLOPES:
            break
        least = 1e-3 * (c - a)
        later = c - b > b - a if vb <= min(va, vc) else vc < va
        vertex = b + 0.4 * (c - b) if later else b - 0.4 * (b - a)
        bend = ((vc - vb) / (c - b) - (vb - va) / (b - a)) / (c - a)
        if bend > 0.0:
            slope = (vb - va) / (b - a) + bend * (b - a)
            guess = b - 0.5 * slope / bend
            # parabolas that promise nothing more twice have found the bottom
            kept = kept + 1 if vb <= min(va, vc) and 0.25 * slope * slope / bend < _PROMISE * vb else 0
            if kept == 2:
                break
            if abs(guess - b) < least:
                guess = b + least if later else b - least
            if a < guess < c:
                vertex = guess
        if c - a < 1e-9:
            break
        value = _value(plan, run, dt, i, vertex) * side
        if value <= vb:
            if vertex < b:
                c, vc = b, vb
            else:
                a, va = b, vb
            b, vb = vertex, value
        elif vertex < b:
            a, va = vertex, value
        else:
            c, vc = vertex, value
    return a, NOWHERE


@jit
def _root(plan, run, dt, start, i, a, b, side, tolerance):
    """The crossing of event function i between a and b, to the tolerance."""
    speed = doubles(run.speed)
    fa = _value(plan, run, dt, i, a) * side
    fb = _value(plan, run, dt, i, b) * side
    if fa <= 0.0:
        # the step starts at a root of this function: look for the side it left to, ever nearer to the start
        edge = a
        speed[i] = (fa - fb) / ((b - a) * abs(dt))
        for _ in range(_DESCENTS):
            near = edge + 0.2 * (b - edge)
            fa = _value(plan, run, dt, i, near) * side
            if fa > 0.0:
                a = near
                break
            b, fb = near, fa
        if fa <= 0.0:
            return b
    speed[i] = (fa - fb) / ((b - a) * abs(dt))
    x1, f1, x2, f2, x3, f3 = b, fb, a, fa, a, fa
    part, tries = f1 / (f1 - f2), 0
    while True:
        tries += 1
        least = 0.5 * (tolerance + (4.5e-16 if tries <= _INTERPOLATIONS else 1e-13) * x1) / abs(x2 - x1)
        if not least < 0.5 or f1 == 0.0:
            break
        x = x1 + min(max(part, least), 1.0 - least) * (x2 - x1)
        if x in (x1, x2):
            break
        f = _value(plan, run, dt, i, x) * side
        if (f > 0.0) == (f1 > 0.0):
            x3, f3 = x1, f1
        else:
            x3, f3, x2, f2 = x2, f2, x1, f1
        x1, f1 = x, f
        xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
        if tries < _INTERPOLATIONS and phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi:
            part = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
        else:
            part = 0.5
    return x1 if f1 <= 0.0 else x2
