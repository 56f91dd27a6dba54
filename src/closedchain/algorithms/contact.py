"""Contacts in loose joints: gap geometry, normal law and friction law put together; two modes between located events.

In flight nothing acts. In contact the law acts, whatever the sign of the penetration, so that the motion between events
is smooth; events say when a mode ends:

    flight  -> contact   where the penetration delta rises through zero; the approach speed is latched there
    contact -> flight    where delta (or, for laws that end there, the force) falls through zero

A law that ends with its force lets go while the sides are still pressed; its contact begins anew where both delta and
what tells its force are above zero, be it after a flight or because the sides are pushed together before they part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.friction_regimes import Regimes, Slipping, find_regimes, slipping
from closedchain.algorithms.motion import Motion, moved_link
from closedchain.algorithms.newton_euler import Wrench
from closedchain.algorithms.tree import Frame
from closedchain.elements.clearances import ClearanceKind
from closedchain.elements.clearances.contract import Gap, contact_wrenches
from closedchain.elements.contact_laws import ContactLaw
from closedchain.elements.frame_state import FrameState
from closedchain.elements.friction_laws import FrictionLaw
from closedchain.numbers import Vec3, greater, maximum, minimum, select

Number = Any
Values = Mapping[str, Any]
# Memory of a gap: its mode (1 in contact, 0 in flight), the latched approach speed [m/s], and the regime of friction.
MEMORY = 3


@dataclass(frozen=True)
class LooseJoint:
    """A joint with play: its three choices, their values, where its two frames are fixed, where its memory starts.

    law_values: the same for the laws, which may see another geometry (half the length at each end of a pin).
    states: first of the friction states in the extra states; gaps: number of places that can touch. latched: which
    piece of the friction law acts is latched.
    """

    name: str
    kind: ClearanceKind
    law: ContactLaw
    friction: FrictionLaw
    values: Values
    law_values: Values
    base_link: int
    base: Frame
    moving_link: int
    moving: Frame
    gaps: int
    memory: int
    states: int
    latched: bool = False

    @property
    def regimes(self) -> Regimes | None:
        """The pieces of the friction law, where they are latched."""
        return find_regimes(self.kind, self.friction, self.values) if self.latched else None


@dataclass(frozen=True)
class Touch:
    """One gap at an instant: geometry, mode, forces, and what the contact stores, dissipates and remembers.

    in_contact: 1.0 or 0.0. normal, friction: F_N, F_T [N]. energy [J]; dissipation [W]; state_rates: of the friction
    states. starting, ending: event functions that rise and fall through zero where contact starts and ends. slipping:
    of a law with regimes.
    """

    gap: Gap
    in_contact: Number
    normal: Number
    friction: Number
    energy: Number
    dissipation: Number
    state_rates: tuple[Number, ...]
    starting: Number
    ending: Number
    slipping: Slipping | None = None


@dataclass(frozen=True)
class Contacts:
    """All gaps of a loose joint at an instant, the wrenches on its two sides, and the force on the journal."""

    touches: tuple[Touch, ...]
    base: Wrench
    moving: Wrench
    force: Vec3
    eccentricity: Vec3


def frame_state(motion: Motion, frame: Frame) -> FrameState:
    """A frame fixed in a body, as gaps and forces see it."""
    moved = motion.at(frame)
    return FrameState(moved.frame.R, moved.frame.p, moved.v, moved.w)


def lets_go(law: ContactLaw, p: Values) -> bool:
    """Whether a law ends with its force, before the sides part."""
    return law.switch is not None and law.ending(p) == "force"


def touch(joint: LooseJoint, gap: Gap, memory: Sequence[Number], states: Values) -> Touch:
    """One gap in its mode."""
    mode, speed, regime = memory
    touching = greater(mode, 0.5)
    p, law = joint.law_values, joint.law
    kept = {"approach_speed": maximum(speed, p["approach_floor"])} if law.memory else {}
    # Outside contact the law is asked at zero penetration, where every law is finite.
    delta = select(touching, gap.delta, 0.0)
    normal = law.force(p, maximum(delta, 0.0), gap.delta_dot, kept)
    friction = joint.friction.force(p, gap.slip, normal, states)
    watched = None
    if joint.regimes is not None:
        watched = slipping(joint.regimes, p, gap.slip, normal, select(touching, regime, 0.0), friction)
        friction = watched.force
    elastic = law.elastic_force(p, maximum(delta, 0.0))
    rates = tuple(select(touching, rate, 0.0) for rate in joint.friction.rates(p, gap.slip, normal, states))
    power = (normal - elastic) * gap.delta_dot + friction * gap.slip
    starting = ending = gap.delta
    if lets_go(law, p):
        assert law.switch is not None
        ending = law.switch(p, gap.delta, gap.delta_dot, kept)
        starting = minimum(gap.delta, ending)
    return Touch(
        gap,
        select(touching, 1.0, 0.0),
        select(touching, normal, 0.0),
        select(touching, friction, 0.0),
        select(touching, law.stored_energy(p, maximum(delta, 0.0)), 0.0),
        select(touching, power, 0.0),
        rates,
        select(touching, -1.0, starting),
        select(touching, ending, 1.0),
        watched,
    )


def contacts(
    joint: LooseJoint, motions: tuple[Motion, ...], memory: Sequence[Number], extra: Sequence[Number]
) -> Contacts:
    """All gaps of a loose joint; wrenches about the two frames' origins, ground axes."""
    base = frame_state(moved_link(motions, joint.base_link), joint.base)
    moving = frame_state(moved_link(motions, joint.moving_link), joint.moving)
    count = len(joint.friction.states)
    touches = []
    zero = Vec3(0.0, 0.0, 0.0)
    on_base, on_moving = Wrench(zero, zero), Wrench(zero, zero)
    for place, gap in enumerate(joint.kind.gaps(joint.values, base, moving)):
        start = joint.states + place * count
        states = {name: extra[start + k] for k, name in enumerate(joint.friction.states)}
        where = joint.memory + MEMORY * place
        found = touch(joint, gap, memory[where : where + MEMORY], states)
        touches.append(found)
        push, pull = contact_wrenches(gap, found.normal, found.friction, base, moving)
        on_base = on_base + Wrench(push.force, push.moment)
        on_moving = on_moving + Wrench(pull.force, pull.moment)
    journal = on_base if joint.values.get("journal") == "base" else on_moving
    return Contacts(
        tuple(touches), on_base, on_moving, journal.force, joint.kind.eccentricity(joint.values, base, moving)
    )
