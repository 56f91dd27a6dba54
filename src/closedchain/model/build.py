"""From words to numbers: the tree and its constraints filled with the values of the description."""

from collections.abc import Callable, Sequence
from typing import Any

from closedchain.algorithms.constraints import Coupling, PointMotion, System
from closedchain.algorithms.tree import GROUND, Cut, Frame, Link, Tree
from closedchain.description import At, Joint, Mechanism, Motion, Value
from closedchain.elements.joints import Closure
from closedchain.model.loose import loose_closure
from closedchain.model.prescribed import MARK, carrier
from closedchain.model.topology import Carried, Topology, joint_form
from closedchain.numbers import Mat3, Vec3

Number = Any
Evaluate = Callable[[Value], Number]
FIXED_FRAME = Frame(Mat3.identity(), Vec3(0.0, 0.0, 0.0))
RIGID = Closure(translations=(0, 1, 2), aligned=True)


def vector(values: Sequence[Value] | None, evaluate: Evaluate) -> Vec3:
    """A vector of the description in space; a planar one gets z = 0."""
    numbers = [evaluate(value) for value in values or ()]
    return Vec3(*(numbers + [0.0] * 3)[:3])


def joint_parameters(mechanism: Mechanism, joint: Joint, evaluate: Evaluate) -> dict[str, Number]:
    """Values of the joint type's own parameters (a helical joint's lead)."""
    return {name: evaluate(value) for name, value in joint.parameters.items()}


def offsets(mechanism: Mechanism, joint: Joint, evaluate: Evaluate) -> tuple[Number, ...]:
    """What is added to each geometric coordinate of a joint."""
    count = len(joint.form.coordinates)
    given = [evaluate(value) for value in joint.offset or ()]
    return tuple((given + [0.0] * count)[:count])


def make_link(mechanism: Mechanism, topology: Topology, carried: Carried, evaluate: Evaluate) -> Link:
    """One link of the tree in numbers."""
    if carried.joint.startswith(MARK):
        return prescribed_link(mechanism, topology, carried, evaluate)
    joint = mechanism.joints[carried.joint]
    base, moving = (Frame(*frame) for frame in joint.frames(evaluate))
    form = joint_form(mechanism, carried.joint, topology.loose)
    steps = form.steps(joint_parameters(mechanism, joint, evaluate))
    slot = topology.slots[carried.joint]
    if not carried.body:
        inboard, outboard = base, FIXED_FRAME
        mass, com, inertia = 0.0, vector((), evaluate), Mat3(*(0.0,) * 9)
    else:
        inboard, outboard = (moving, base) if carried.reversed else (base, moving)
        mass, com, inertia = mechanism.bodies[carried.body].mass_properties(evaluate)
    # By name: what a loose joint releases has no offset, and a ball takes the place of an angle.
    own = dict(zip(joint.form.coordinates, offsets(mechanism, joint, evaluate), strict=False))
    return Link(
        carried.body,
        carried.joint,
        carried.parent,
        steps,
        carried.reversed,
        inboard,
        outboard,
        slot.coordinate,
        slot.rate,
        tuple(own.get(part, 0.0) for part in form.coordinates),
        mass,
        com,
        inertia,
    )


def prescribed_link(mechanism: Mechanism, topology: Topology, carried: Carried, evaluate: Evaluate) -> Link:
    """The link of a prescribed body: its point follows the goals in ground axes, and so does the body's orientation."""
    motion = mechanism.motions[carried.joint.removeprefix(MARK)]
    form = carrier(mechanism.planar)
    slot = topology.slots[carried.joint]
    outboard = Frame(FIXED_FRAME.R, motion.of.point.position(evaluate))
    offset = (0.0,) * len(form.coordinates)
    mass, com, inertia = mechanism.bodies[carried.body].mass_properties(evaluate)
    return Link(
        carried.body, carried.joint, GROUND, form.steps({}), False, FIXED_FRAME, outboard, slot.coordinate, slot.rate,
        offset, mass, com, inertia,
    )  # fmt: skip


def make_tree(mechanism: Mechanism, topology: Topology, evaluate: Evaluate, size: float) -> Tree:
    """The tree in numbers."""
    links = tuple(make_link(mechanism, topology, carried, evaluate) for carried in topology.links)
    cuts = []
    for opened in topology.cuts:
        joint = mechanism.joints[opened.joint]
        base, moving = (Frame(*frame) for frame in joint.frames(evaluate))
        closure = loose_closure(joint, mechanism.planar) if opened.joint in topology.loose else joint.form.closure
        if opened.rigid:
            base, closure = FIXED_FRAME, RIGID.in_plane() if mechanism.planar else RIGID
        assert closure is not None
        cuts.append(Cut(opened.joint, opened.base_link, opened.moving_link, base, moving, closure))
    gravity = vector(mechanism.gravity, evaluate)
    return Tree(links, tuple(cuts), topology.coordinates, topology.rates, gravity, size)


def make_couplings(mechanism: Mechanism, locate: Callable[[str], tuple[int, int]], evaluate: Evaluate):
    """Couplings in numbers; `locate` gives the tree indices of a coordinate."""
    found = []
    for name, coupling in mechanism.couplings.items():
        terms = tuple((*locate(reference.text), evaluate(value)) for reference, value in coupling.sum)
        found.append(Coupling(name, terms, evaluate(coupling.equals)))
    return tuple(found)


def point_frame(at: At, evaluate: Evaluate) -> Frame:
    """The frame of a point in its body."""
    return Frame(*at.point.pose(evaluate))


def make_motion(topology: Topology, motion: Motion, goals: dict[str, int], evaluate: Evaluate):
    """A prescribed point motion in numbers; `goals` says which goal each part of the pose follows."""
    frame = Frame(FIXED_FRAME.R, motion.of.point.position(evaluate))
    return PointMotion(motion.name, topology.link_of[motion.of.body], frame, goals)


__all__ = ["System", "make_couplings", "make_motion", "make_tree", "offsets", "point_frame", "vector"]
