"""Could an event function have crossed zero in this step? Decided from values that cost nothing: those at the stages.

An event function is followed by its side of zero. A step is suspect when a stage value lies on the other side (so a
crossing and a return within one step are seen), or when three neighbouring values bend towards zero so far that the
parabola through them comes near it. Suspicion only costs a closer look; location.py decides.
"""

from closedchain.numerics._cache import jit
from closedchain.numerics.kernel_call import doubles

# a dip counts as near zero when its bottom is below this part of the lowest value sampled
_NEAR = 0.25
# and when it is below this part of the difference of the values sampled
_ROUGH = 0.05
# how far outside of its samples a bottom may seem to lie, and how far inside it is looked for then
_BESIDE, _INSIDE = 0.25, 0.05


@jit
def sign(value):
    """-1, 0 or +1."""
    return 1.0 if value > 0.0 else (-1.0 if value < 0.0 else 0.0)


@jit
def side_at(value, shift, rough):
    """The side of zero of a value; 0 within rounding of a root that the function has not left."""
    off = value - shift
    return 0.0 if shift != 0.0 and abs(off) <= rough else sign(off)


@jit
def counts(direction, to):
    """Whether a crossing towards the side `to` counts for an event of that direction."""
    return direction == 0.0 or direction == to


@jit
def suspicious(plan, run):
    """Mark every event function that may cross in this step; True when there is one."""
    e = plan.events
    values, direction = doubles(run.values), doubles(plan.direction)
    sides, shifts, suspect, rough = doubles(run.side), doubles(run.shift), doubles(run.suspect), doubles(run.rough)
    found = False
    for i in range(e):
        suspect[i] = 0.0
        side = sides[i]
        for j in range(plan.node_count):
            new = side_at(values[j * e + i], shifts[i], rough[i])
            if side == 0.0:
                # a function that started at zero without rate: its side is where it goes first
                sides[i] = new
            elif new * side < 0.0 and counts(direction[i], new):
                suspect[i] = 1.0
                found = True
                break
            if new != 0.0:
                side = new
        first = sides[i]
        if suspect[i] == 0.0 and first != 0.0 and counts(direction[i], -first) and dips(plan, run, i, first):
            suspect[i] = 1.0
            found = True
    return found


@jit
def dips(plan, run, i, side):
    """Whether an event function dips towards zero between samples, before one lies on the other side."""
    values, shift = doubles(run.values), doubles(run.shift)[i]
    start = doubles(run.f0)[plan.states + i]
    for j in range(1, plan.node_count):
        if (values[j * plan.events + i] - shift) * side < 0.0:
            return False
        if dip_at(plan, run, i, side, shift, start, j) > 0.0:
            return True
    return False


@jit
def dip_at(plan, run, i, side, shift, start, j):
    """The place of a dip towards zero between sample j - 2 and sample j, 0 when there is none; -1 is the start."""
    e = plan.events
    nodes, values = doubles(plan.nodes), doubles(run.values)
    a, va = 0.0, (start - shift) * side
    if j > 1:
        a, va = nodes[j - 2], (values[(j - 2) * e + i] - shift) * side
    b, vb = nodes[j - 1], (values[(j - 1) * e + i] - shift) * side
    c, vc = nodes[j], (values[j * e + i] - shift) * side
    return bottom(a, va, b, vb, c, vc)


@jit
def bottom(a, va, b, vb, c, vc):
    """The place of a dip towards zero between a and c, by the parabola through three values; 0 when there is none.

    A parabola between samples far apart is rough: a bottom below a part of the lowest value, or of how much the values
    differ, may be a crossing.
    """
    if va < 0.0 or vb < 0.0 or vc < 0.0:
        return 0.0
    rise_ab, rise_bc = (vb - va) / (b - a), (vc - vb) / (c - b)
    bend = (rise_bc - rise_ab) / (c - a)
    if bend <= 0.0:
        return 0.0
    slope = rise_ab + bend * (b - a)
    vertex = b - 0.5 * slope / bend
    # a bottom that seems to lie just outside may lie inside: the next samples may be those of another step
    if not a - _BESIDE * (b - a) < vertex < c + _BESIDE * (c - b):
        return 0.0
    vertex = min(max(vertex, a + _INSIDE * (b - a)), c - _INSIDE * (c - b))
    depth = vb - 0.25 * slope * slope / bend
    lowest = min(va, vb, vc)
    return vertex if depth <= max(_NEAR * lowest, _ROUGH * (max(va, vb, vc) - lowest)) else 0.0


@jit
def end_step(plan, run):
    """The sides after a step without a counted crossing, or after the last one in it."""
    n = plan.states
    f1, sides, shifts, rough = doubles(run.f1), doubles(run.side), doubles(run.shift), doubles(run.rough)
    for i in range(plan.events):
        end = f1[n + i]
        new = side_at(end, shifts[i], rough[i])
        if new != 0.0:
            sides[i] = new
        if abs(end) > 4.0 * abs(shifts[i]) + rough[i]:
            shifts[i] = 0.0
