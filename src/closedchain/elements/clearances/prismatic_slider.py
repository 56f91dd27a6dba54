"""Slider with play in a straight guide: four corners that can touch, in a planar mechanism."""

from closedchain.elements.clearances.contract import (
    APPROACH_FLOOR,
    INITIAL,
    ClearanceKind,
    Gap,
    Number,
    Parameter,
    Problem,
    Values,
    length_of,
)
from closedchain.elements.frame_state import FrameState
from closedchain.numbers import Vec3

CORNERS = ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0))


def corner_gap(p: Values, guide: FrameState, slider: FrameState, along: float, side: float) -> Gap:
    """Gap of one corner (±length/2, ±height/2 of the slider) at the guide's face y = ±(height/2 + play).

    δ = ±y − (height/2 + play), y the corner's height in the guide; n = ±y axis, t = n turned by +90°; the guide's
    point is the one the corner covers on its face.
    """
    half = 0.5 * p["height"]
    Q_slider = slider.p + slider.R @ Vec3(0.5 * along * p["length"], side * half, 0.0)
    n = guide.R.column(1) * side
    t = guide.R.column(2).cross(n)
    delta = (Q_slider - guide.p).dot(n) - (half + p["radial"])
    Q_guide = Q_slider - n * delta
    relative = slider.velocity_at(Q_slider) - guide.velocity_at(Q_guide)
    return Gap(delta, relative.dot(n), relative.dot(t), n, t, Q_guide, Q_slider)


def gaps(p: Values, base: FrameState, moving: FrameState) -> tuple[Gap, ...]:
    """The four corners: rear and front at the lower face, rear and front at the upper one."""
    return tuple(corner_gap(p, base, moving, along, side) for along, side in CORNERS)


def eccentricity(p: Values, base: FrameState, moving: FrameState) -> Vec3:
    """From the guide's middle line to the slider's origin, normal to the line [m]."""
    y = base.R.column(1)
    return y * (moving.p - base.p).dot(y)


def law_values(p: Values) -> dict[str, Number]:
    """Corners on a face have no radius; the laws of cylinders do not apply."""
    return {"radial": p["radial"]}


def check(p: Values, planar: bool) -> tuple[Problem, ...]:
    """The slider starts inside its guide."""
    initial = p.get("initial")
    if initial is not None and length_of(initial) > p["radial"] * (1.0 + 1e-9):
        return (
            (
                "initial",
                f"{length_of(initial):g} m places the slider outside its guide (play {p['radial']:g} m a side).",
            ),
        )
    return ()


PRISMATIC_SLIDER = ClearanceKind(
    name="prismatic-slider",
    meaning="slider in a straight guide with play, four corners",
    joints=("prismatic",),
    parameters=(
        Parameter("radial", "m", "play between slider and guide on each side", lower=0.0, open_lower=True),
        Parameter("length", "m", "length of the slider along the guide", lower=0.0, open_lower=True),
        Parameter("height", "m", "height of the slider across the guide", lower=0.0, open_lower=True),
        INITIAL,
        APPROACH_FLOOR,
    ),
    released=lambda p, planar: ((1,), (2,)),
    gaps=gaps,
    eccentricity=eccentricity,
    law_values=law_values,
    check=check,
    spatial=False,
)
