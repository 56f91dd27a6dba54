"""A circle of the journal inside a cylindrical bore: the gap shared by the pins."""

from closedchain.elements.clearances.contract import Gap, Number, Values
from closedchain.elements.frame_state import FrameState
from closedchain.numbers import Vec3, maximum, sqrt

# of the radial clearance: closer to the centre the direction fades to zero instead of turning at once
CENTRE = 1e-12


def safe_length(v: Vec3, smallest: Number) -> Number:
    """√(v·v) [unit of v], not below `smallest`, with finite derivatives at v = 0."""
    return sqrt(maximum(v.dot(v), smallest * smallest))


def sides(p: Values, base: FrameState, moving: FrameState) -> tuple[FrameState, FrameState]:
    """Bore side and journal side."""
    return (moving, base) if p["journal"] == "base" else (base, moving)


def offset(bore: FrameState, E: Vec3) -> tuple[Vec3, Vec3, Vec3]:
    """Axis z of the bore, centre C [m] of the bore at the height of E, and eccentricity e = E − C [m]."""
    z = bore.R.column(2)
    C = bore.p + z * (E - bore.p).dot(z)
    return z, C, E - C


def radial_gap(p: Values, bore: FrameState, journal: FrameState, E: Vec3) -> Gap:
    """Gap of the journal's circle about its material point E [m] in the bore, on the base and moving sides as `p` says.

    δ = |e| − c, v_N = (v_E − v_C)·n = d|e|/dt, v_T = (v_E − v_C)·t + R_J ω_j·z − R_B ω_i·z, t = z × n: rates of the
    material points of both surfaces.
    """
    c, R_B = p["radial"], p["bore"]
    R_J = R_B - c
    z, C, e = offset(bore, E)
    size = safe_length(e, CENTRE * c)
    n = e / size
    t = z.cross(n)
    relative = journal.velocity_at(E) - bore.velocity_at(C)
    slip = relative.dot(t) + R_J * journal.w.dot(z) - R_B * bore.w.dot(z)
    Q_bore, Q_journal = C + n * R_B, E + n * R_J
    if p["journal"] == "base":
        return Gap(size - c, relative.dot(n), slip, -n, -t, Q_journal, Q_bore)
    return Gap(size - c, relative.dot(n), slip, n, t, Q_bore, Q_journal)
