"""Could an event function have crossed zero in this step? Decided from values that cost nothing: those at the stages.

An event function is followed by its side of zero. A step is suspect when a stage value lies on the other side (so a
crossing and a return within one step are seen), or when three neighbouring values bend towards zero so far that the
parabola through them comes near it. Suspicion only costs a closer look; location.py decides.
"""

from closedchain.numerics._cache import jit
from closedchain.numerics.kernel_call import doubles

# a dip counts as near zero when its bottom is below this part of the lowest value sampled
_NEAR = 0.25


@jit
def sign(value):
    """-1, 0 or +1."""
    return 1.0 if value > 0.0 else (-1.0 if value < 0.0 else 0.0)


@jit
def counts(direction, to):
    """Whether a crossing towards the side `to` counts for an event of that direction."""
    return direction == 0.0 or direction == to


@jit
def suspicious(plan, run):
    """Mark every event function that may cross in this step; True when there is one."""
    n, e = plan.states, plan.events
    values, f0, direction = doubles(run.values), doubles(run.f0), doubles(plan.direction)
    sides, shifts, suspect, vertex = doubles(run.side), doubles(run.shift), doubles(run.suspect), doubles(run.vertex)
    found = False
    for i in range(e):
        suspect[i] = 0.0
        vertex[i] = 0.0
        side = sides[i]
        changed = False
        for j in range(plan.node_count):
            new = sign(values[j * e + i] - shifts[i])
            if side == 0.0:
                # a function that started at zero without rate: its side is where it goes first
                sides[i] = new
            elif new * side < 0.0:
                changed = True
                if counts(direction[i], new):
                    suspect[i] = 1.0
                    found = True
                    break
            if new != 0.0:
                side = new
        if not changed and side != 0.0 and counts(direction[i], -side):
            vertex[i] = _dip(plan, run, i, side, shifts[i], f0[n + i])
            if vertex[i] > 0.0:
                suspect[i] = 1.0
                found = True
    return found


@jit
def _dip(plan, run, i, side, shift, start):
    """The place of a dip towards zero between samples, 0 when there is none."""
    e = plan.events
    nodes, values = doubles(plan.nodes), doubles(run.values)
    a, va = 0.0, (start - shift) * side
    b, vb = nodes[0], (values[i] - shift) * side
    for j in range(1, plan.node_count):
        c, vc = nodes[j], (values[j * e + i] - shift) * side
        rise_ab, rise_bc = (vb - va) / (b - a), (vc - vb) / (c - b)
        bend = (rise_bc - rise_ab) / (c - a)
        if bend > 0.0:
            slope = rise_ab + bend * (b - a)
            vertex = b - 0.5 * slope / bend
            if a < vertex < c and vb - 0.25 * slope * slope / bend <= _NEAR * min(va, vb, vc):
                return vertex
        a, va, b, vb = b, vb, c, vc
    return 0.0


@jit
def end_step(plan, run):
    """The sides after a step without a counted crossing, or after the last one in it."""
    n = plan.states
    f1, sides, shifts = doubles(run.f1), doubles(run.side), doubles(run.shift)
    for i in range(plan.events):
        end = f1[n + i]
        new = sign(end - shifts[i])
        if new != 0.0:
            sides[i] = new
        if abs(end) > 4.0 * abs(shifts[i]):
            shifts[i] = 0.0
