"""What a clearance answers: the gaps between the two sides of a loose joint. Geometry only, no force law.

1. `joints`: the joint types that can be loose in this way; `planar`, `spatial`: in which mechanisms. A revolute joint
   is a pin in a bore where the file says no `kind`.
2. `released(p, planar)`: what the ideal joint held and the loose one lets go: base-frame axes (0, 1, 2) of
   translation and of rotation. The rest of the joint stays ideal.
3. `gaps(p, base, moving)`: the places where the sides can touch, always the same number in the same order, each
   a `Gap` with penetration and slip, finite at every state (also where the pin is exactly centred).
4. A contact acts on the moving side with −F_N n − F_T t at `Q_moving`, on the base side with the opposite at `Q_base`
   (`contact_wrenches`). The slip is that of the two material points there, so F_N δ̇ + F_T v_T is exactly the power
   taken from the mechanism.
5. `eccentricity(p, base, moving)`: from the centre of the hollow side to the centre of the inner side, ground axes.
6. `law_values(p)`: what a contact law may need of the geometry: "radial" [m], "bore" [m], "journal" [m], "length" [m].
7. `turning`: the tangent follows the slip, so slip is never negative; friction laws with states need a fixed tangent.
8. `check(p, planar)`: what is wrong with the values together (key, sentence), beyond the range of each.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.elements.family import Parameter, Problem, Switch, VectorParameter
from closedchain.elements.frame_state import FrameState, Wrench
from closedchain.numbers import Vec3

Number = Any
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Gap:
    """One place where the sides of a loose joint can touch.

    delta: penetration [m], negative while apart. delta_dot: its rate [m/s]. slip: v_T, velocity of the moving
    side's surface against the base side's along t [m/s]. n: unit normal from the base side's into the moving side's
    push, so that the moving side is pushed along −n. t: unit tangent. Q_base, Q_moving: the touching surface
    points [m]. All vectors in ground axes.
    """

    delta: Number
    delta_dot: Number
    slip: Number
    n: Vec3
    t: Vec3
    Q_base: Vec3
    Q_moving: Vec3


def contact_wrenches(gap: Gap, F_N: Number, F_T: Number, base: FrameState, moving: FrameState) -> tuple[Wrench, Wrench]:
    """The wrenches of one contact on the base side, about its frame's origin, and on the moving side, about its own.

    F_N: normal force [N], not negative. F_T: friction force [N] with the sign of the slip. The forces balance;
    each acts at its own body's surface point, so a couple F_T δ remains between the bodies (theory of the
    material contact points).
    """
    f = -(gap.n * F_N + gap.t * F_T)
    return (
        Wrench(-f, (gap.Q_base - base.p).cross(-f)),
        Wrench(f, (gap.Q_moving - moving.p).cross(f)),
    )


@dataclass(frozen=True)
class ClearanceKind:
    """A gap geometry: see the numbered contract of this module."""

    name: str
    meaning: str
    joints: tuple[str, ...]
    parameters: tuple[Parameter | VectorParameter | Switch, ...]
    released: Callable[[Values, bool], tuple[tuple[int, ...], tuple[int, ...]]]
    gaps: Callable[[Values, FrameState, FrameState], tuple[Gap, ...]]
    eccentricity: Callable[[Values, FrameState, FrameState], Vec3]
    law_values: Callable[[Values], dict[str, Number]]
    check: Callable[[Values, bool], tuple[Problem, ...]]
    planar: bool = True
    spatial: bool = True
    turning: bool = False


APPROACH_FLOOR = Parameter(
    "approach_floor", "m/s", "lower bound of the latched approach speed", 1e-4, lower=0.0, open_lower=True
)
JOURNAL = Parameter("journal", "", "the side that carries the inner part", default="moving", choices=("moving", "base"))
RADIAL = Parameter("radial", "m", "radius difference c = R_B − R_J", lower=0.0, open_lower=True)
BORE = Parameter("bore", "m", "radius R_B of the hollow side", lower=0.0, open_lower=True)
INITIAL = VectorParameter(
    "initial",
    ("m", "m", "m"),
    "start of the eccentricity, ground axes (default centre)",
    in_plane=(0, 1),
    optional=True,
    short=True,
)
LENGTH = Parameter("length", "m", "length of the pin in the bore", lower=0.0, open_lower=True, optional=True)


def length_of(values: tuple[Number, ...]) -> float:
    """Euclidean length of plain numbers."""
    return sum(float(v) ** 2 for v in values) ** 0.5


def check_round(p: Values, planar: bool) -> tuple[Problem, ...]:
    """A round inner part has a radius and starts inside the bore."""
    problems: list[Problem] = []
    if p["radial"] >= p["bore"]:
        problems.append(
            (
                "radial",
                f"{p['radial']:g} m is not below the bore radius {p['bore']:g} m; a journal of no radius is left.",
            )
        )
    return (*problems, *check_start(p, p["radial"], "the journal outside the bore"))


def check_start(p: Values, reach: Number, where: str) -> tuple[Problem, ...]:
    """The inner part starts at most `reach` [m] from the middle."""
    initial = p.get("initial")
    if initial is None or length_of(initial) <= reach * (1.0 + 1e-9):
        return ()
    return (("initial", f"{length_of(initial):g} m places {where} (radial {p['radial']:g} m)."),)


def round_values(p: Values) -> dict[str, Number]:
    """Geometry of a round inner part in a round bore, for the contact laws."""
    values = {"radial": p["radial"], "bore": p["bore"], "journal": p["bore"] - p["radial"]}
    if p.get("length") is not None:
        values["length"] = p["length"]
    return values
