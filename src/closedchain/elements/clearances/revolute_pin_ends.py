"""Pin in a bore touching at its two ends: radial play with tilt, and end play between two thrust faces."""

from dataclasses import replace

from closedchain.elements.clearances.contract import (
    APPROACH_FLOOR,
    BORE,
    INITIAL,
    JOURNAL,
    LENGTH,
    RADIAL,
    ClearanceKind,
    Gap,
    Number,
    Parameter,
    Problem,
    Values,
    check_round,
    check_start,
    round_values,
)
from closedchain.elements.clearances.cylinder import offset, radial_gap, sides
from closedchain.elements.frame_state import FrameState
from closedchain.numbers import Vec3


def thrust_gap(p: Values, bore: FrameState, journal: FrameState, side: float) -> Gap:
    """Gap at the thrust face on side ±1 of the bore's axis: δ = ±s − a/2, s the axial shift, a the whole end play.

    The faces meet on the axis and carry no friction.
    """
    z = bore.R.column(2)
    shift = (journal.p - bore.p).dot(z)
    n = z * side
    # axial component of both material points, the bore's taken where the journal's centre is: exactly d(shift)/dt
    rate = (journal.v - bore.velocity_at(journal.p)).dot(n)
    delta = side * shift - 0.5 * p["axial"]
    Q_bore, Q_journal = journal.p - n * delta, journal.p
    if p["journal"] == "base":
        return Gap(delta, rate, 0.0, -n, Vec3.zero(), Q_journal, Q_bore)
    return Gap(delta, rate, 0.0, n, Vec3.zero(), Q_bore, Q_journal)


def gaps(p: Values, base: FrameState, moving: FrameState) -> tuple[Gap, ...]:
    """Two radial gaps at the pin's ends, ±length/2 from the journal's origin; with `axial` two thrust faces more."""
    bore, journal = sides(p, base, moving)
    half = journal.R.column(2) * (0.5 * p["length"])
    ends = tuple(radial_gap(p, bore, journal, journal.p + half * side) for side in (-1.0, 1.0))
    if p.get("axial") is None:
        return ends
    return (*ends, *(thrust_gap(p, bore, journal, side) for side in (-1.0, 1.0)))


def released(p: Values, planar: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Radial translations and tilt; with `axial` the axial translation too."""
    return ((0, 1) if p.get("axial") is None else (0, 1, 2), (0, 1))


def eccentricity(p: Values, base: FrameState, moving: FrameState) -> Vec3:
    """From the bore's axis to the middle of the journal, normal to the axis [m]."""
    bore, journal = sides(p, base, moving)
    return offset(bore, journal.p)[2]


def law_values(p: Values) -> dict[str, Number]:
    """As for one pin, with half the length for each end."""
    return {**round_values(p), "length": 0.5 * p["length"]}


def check(p: Values, planar: bool) -> tuple[Problem, ...]:
    """As for one pin; with end play it may start along the axis too."""
    axial = p.get("axial") or 0.0
    reach = (p["radial"] ** 2 + (0.5 * axial) ** 2) ** 0.5
    problems = check_round({name: value for name, value in p.items() if name != "initial"}, planar)
    return (*problems, *check_start(p, reach, "the journal outside the bore"))


REVOLUTE_PIN_ENDS = ClearanceKind(
    name="revolute-pin-ends",
    meaning="pin in a bore touching at both ends, with tilt and end play",
    joints=("revolute",),
    parameters=(
        RADIAL,
        BORE,
        replace(LENGTH, optional=False),
        Parameter("axial", "m", "end play between the thrust faces", lower=0.0, open_lower=True, optional=True),
        JOURNAL,
        INITIAL,
        APPROACH_FLOOR,
    ),
    released=released,
    gaps=gaps,
    eccentricity=eccentricity,
    law_values=law_values,
    check=check,
    planar=False,
)
