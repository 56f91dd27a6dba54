"""What acts on a mechanism beside gravity and joints: forces between frames, efforts on coordinates, controllers.

Every load is asked three things: what it does to the mechanism, and the power it takes and brings, so that

    d(kinetic + potential)/dt = supply - dissipation
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from closedchain.algorithms.contact import Contacts, LooseJoint, contacts, frame_state
from closedchain.algorithms.motion import Motion, moved_link
from closedchain.algorithms.newton_euler import Wrench
from closedchain.algorithms.tree import GROUND, Frame
from closedchain.elements.controls import ControlKind
from closedchain.elements.forces import ForceKind
from closedchain.elements.friction_laws import FrictionLaw
from closedchain.elements.joint_efforts import JointEffort
from closedchain.elements.joint_efforts.friction import friction_effort, friction_rates

Number = Any
Values = Mapping[str, Any]


@dataclass(frozen=True)
class FrameForce:
    """A force between two frames: the leaf, its values, where it is attached (base side first, GROUND for none)."""

    name: str
    kind: ForceKind
    values: Values
    base_link: int
    base: Frame
    moving_link: int
    moving: Frame


@dataclass(frozen=True)
class CoordinateLoad:
    """An effort on one coordinate: the leaf, its values, the coordinate's place in the tree."""

    name: str
    element: JointEffort
    values: Values
    coordinate: int
    rate: int


@dataclass(frozen=True)
class FrictionLoad:
    """Friction on one coordinate; `states` is where the law's states start in the vector of extra states."""

    name: str
    law: FrictionLaw
    values: Values
    coordinate: int
    rate: int
    states: int


@dataclass(frozen=True)
class Motor:
    """An actuator that makes an effort: a given one, or a controller's.

    effort: given effort, None for a controller. target, target_rate, feedforward: what a controller follows.
    """

    name: str
    coordinate: int
    rate: int
    effort: Number | None = None
    kind: ControlKind | None = None
    values: Values = field(default_factory=dict)
    target: Number = 0.0
    target_rate: Number = 0.0
    feedforward: Number = 0.0
    states: int = 0


@dataclass(frozen=True)
class Loads:
    """Everything that acts, at one instant t."""

    t: Number
    forces: tuple[FrameForce, ...] = ()
    coordinates: tuple[CoordinateLoad, ...] = ()
    frictions: tuple[FrictionLoad, ...] = ()
    motors: tuple[Motor, ...] = ()
    loose: tuple[LooseJoint, ...] = ()


@dataclass(frozen=True)
class Applied:
    """What the loads do: wrenches on links about their frame origins, efforts on rates, efforts of the motors, rates of
    the extra states, stored energy [J], dissipated and supplied power [W] (motors included in the supply)."""

    wrenches: dict[int, Wrench]
    efforts: dict[int, Number]
    motor_efforts: list[Number]
    state_rates: list[Number]
    energy: Number
    dissipation: Number
    supply: Number
    contacts: tuple[Contacts, ...] = ()


def motor_effort(motor: Motor, q: Number, qd: Number, extra: Sequence[Number]) -> tuple[Number, tuple[Number, ...]]:
    """Effort of an actuator and the rates of its controller's states."""
    if motor.effort is not None:
        return motor.effort, ()
    assert motor.kind is not None
    states = {name: extra[motor.states + k] for k, name in enumerate(motor.kind.states)}
    arguments = (motor.values, q, qd, motor.target, motor.target_rate, motor.feedforward, states)
    return motor.kind.effort(*arguments), tuple(motor.kind.rates(*arguments))


def apply(
    loads: Loads, motions: tuple[Motion, ...], q, v, extra: Sequence[Number], memory: Sequence[Number] = ()
) -> Applied:
    """Ask every load what it does at coordinates q, rates v, extra states and the memory of the contacts."""
    wrenches: dict[int, Wrench] = {}
    efforts: dict[int, Number] = {}
    rates: list[Number] = [0.0] * len(extra)
    motor_efforts: list[Number] = []
    energy: Number = 0.0
    dissipation: Number = 0.0
    supply: Number = 0.0

    def push(link: int, wrench: Wrench) -> None:
        if link != GROUND:
            wrenches[link] = wrenches[link] + wrench if link in wrenches else wrench

    def effort_on(rate: int, value: Number) -> None:
        efforts[rate] = efforts.get(rate, 0.0) + value

    for force in loads.forces:
        base = frame_state(moved_link(motions, force.base_link), force.base)
        moving = frame_state(moved_link(motions, force.moving_link), force.moving)
        wrench = force.kind.wrench(force.values, base, moving, loads.t)
        for link, sign in ((force.moving_link, 1.0), (force.base_link, -1.0)):
            arm = moving.p - moved_link(motions, link).frame.p
            push(link, Wrench(wrench.force * sign, (wrench.moment + arm.cross(wrench.force)) * sign))
        energy = energy + force.kind.energy(force.values, base, moving)
        dissipation = dissipation + force.kind.dissipation(force.values, base, moving, loads.t)
        supply = supply + force.kind.supply(force.values, base, moving, loads.t)
    for load in loads.coordinates:
        x, xd = q[load.coordinate], v[load.rate]
        effort_on(load.rate, load.element.effort(load.values, x, xd))
        energy = energy + load.element.energy(load.values, x)
        dissipation = dissipation + load.element.dissipation(load.values, x, xd)
    for friction in loads.frictions:
        xd = v[friction.rate]
        states = {name: extra[friction.states + k] for k, name in enumerate(friction.law.states)}
        effort = friction_effort(friction.law, friction.values, xd, states)
        changes = friction_rates(friction.law, friction.values, xd, states)
        effort_on(friction.rate, effort)
        rates[friction.states : friction.states + len(changes)] = changes
        dissipation = dissipation - effort * xd
    for motor in loads.motors:
        effort, changes = motor_effort(motor, q[motor.coordinate], v[motor.rate], extra)
        effort_on(motor.rate, effort)
        motor_efforts.append(effort)
        rates[motor.states : motor.states + len(changes)] = changes
        supply = supply + effort * v[motor.rate]
    found = []
    for joint in loads.loose:
        contact = contacts(joint, motions, memory, extra)
        found.append(contact)
        for link, frame, wrench in (
            (joint.base_link, joint.base, contact.base),
            (joint.moving_link, joint.moving, contact.moving),
        ):
            motion = moved_link(motions, link)
            push(link, wrench.moved(motion.frame.R @ frame.p))
        for place, each in enumerate(contact.touches):
            energy = energy + each.energy
            dissipation = dissipation + each.dissipation
            start = joint.states + place * len(each.state_rates)
            rates[start : start + len(each.state_rates)] = each.state_rates
    return Applied(wrenches, efforts, motor_efforts, rates, energy, dissipation, supply, tuple(found))


__all__ = ["Applied", "CoordinateLoad", "FrameForce", "FrictionLoad", "Loads", "Motor", "apply"]
