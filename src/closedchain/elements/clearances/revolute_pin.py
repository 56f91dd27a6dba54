"""Pin in a bore: the revolute joint with radial play. In space the axial direction and the tilt stay ideal."""

from closedchain.elements.clearances.contract import (
    APPROACH_FLOOR,
    BORE,
    INITIAL,
    JOURNAL,
    LENGTH,
    RADIAL,
    ClearanceKind,
    Gap,
    Values,
    check_round,
    round_values,
)
from closedchain.elements.clearances.cylinder import offset, radial_gap, sides
from closedchain.elements.frame_state import FrameState
from closedchain.numbers import Vec3


def gaps(p: Values, base: FrameState, moving: FrameState) -> tuple[Gap, ...]:
    """One gap, about the centre of the journal."""
    bore, journal = sides(p, base, moving)
    return (radial_gap(p, bore, journal, journal.p),)


def eccentricity(p: Values, base: FrameState, moving: FrameState) -> Vec3:
    """From the bore's axis to the journal's centre, normal to the axis [m]."""
    bore, journal = sides(p, base, moving)
    return offset(bore, journal.p)[2]


REVOLUTE_PIN = ClearanceKind(
    name="revolute-pin",
    meaning="pin in a bore with radial play",
    joints=("revolute",),
    parameters=(RADIAL, BORE, LENGTH, JOURNAL, INITIAL, APPROACH_FLOOR),
    released=lambda p, planar: ((0, 1), ()),
    gaps=gaps,
    eccentricity=eccentricity,
    law_values=round_values,
    check=check_round,
)
