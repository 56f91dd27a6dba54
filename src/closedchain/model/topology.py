"""The spanning tree: which joints carry bodies, which are opened, and where every coordinate stands.

The tree is a minimum spanning tree grown from ground. A joint stays in the tree before another one when the user does
not wish it cut, when something acts on its coordinate (drive, spring, friction, coupling), when it leaves fewer
freedoms (so opened joints bring few rows), when it has a guess, and when it keeps the tree shallow.
"""

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from closedchain.algorithms.tree import GROUND
from closedchain.description import Mechanism
from closedchain.elements.joints import Ball, JointType, Step
from closedchain.model.loose import loose_form
from closedchain.model.prescribed import MARK, carrier

GROUND_BODY = "ground"


@dataclass(frozen=True)
class Carried:
    """A link of the tree: its body (empty for the end of a joint closed rigidly) and the joint that carries it."""

    body: str
    joint: str
    parent: int
    reversed: bool


@dataclass(frozen=True)
class Opened:
    """A joint opened to form the tree; `rigid` ones keep their coordinates and are closed rigidly behind them."""

    joint: str
    base_link: int
    moving_link: int
    rigid: bool


@dataclass(frozen=True)
class Slot:
    """Where a joint's coordinates and rates start in the tree's vectors."""

    coordinate: int
    rate: int


@dataclass(frozen=True)
class Topology:
    """Numbering of a mechanism.

    links: in an order in which each follows its carrier; cuts: opened joints; link_of: body -> link index; slots: joint
    in the tree -> first coordinate and rate; coordinates, rates: counts; names: label of every tree rate's coordinate.
    """

    links: tuple[Carried, ...]
    cuts: tuple[Opened, ...]
    link_of: Mapping[str, int]
    slots: Mapping[str, Slot]
    coordinates: int
    rates: int
    loose: frozenset[str] = frozenset()

    @property
    def loops(self) -> int:
        """Number of independent loops."""
        return len(self.cuts)


def joint_form(mechanism: Mechanism, name: str, loose: Iterable[str] = ()) -> JointType:
    """Type of a joint in the tree, with its play where it is loose, or of the carrier of a prescribed body."""
    if name.startswith(MARK):
        return carrier(mechanism.planar)
    joint = mechanism.joints[name]
    return loose_form(joint, mechanism.planar) if name in loose else joint.form


def step_sizes(step: Step) -> tuple[int, int]:
    """Coordinates and rates of a step."""
    return (4, 3) if isinstance(step, Ball) else (1, 1)


def acted_on(mechanism: Mechanism) -> set[str]:
    """Joints whose coordinate something acts on or relates."""
    joints = {actuator.joint.joint for actuator in mechanism.actuators.values()}
    joints |= {reference.joint for coupling in mechanism.couplings.values() for reference, _ in coupling.sum}
    joints |= {force.joint.joint for force in mechanism.forces.values() if force.joint is not None}
    for name, joint in mechanism.joints.items():
        springs = any(not value.is_zero for value in (*joint.stiffness, *joint.damping))
        if springs or joint.friction is not None or joint.stop is not None:
            joints.add(name)
    return joints


def find_topology(
    mechanism: Mechanism, keep: Iterable[str] = (), prescribed: Iterable[str] = (), loose: Iterable[str] = ()
) -> Topology:
    """Number the mechanism: spanning tree, opened joints, coordinates.

    keep: joints that stay in the tree if they can. prescribed: motions whose bodies are carried from ground as
    prescribed. loose: joints with play; they are opened where the tree can do without them and nothing acts on their
    coordinate.
    """
    loose = frozenset(loose)
    busy = acted_on(mechanism) | set(keep)
    joints = mechanism.joints
    around: dict[str, list[str]] = {}
    for name, joint in joints.items():
        around.setdefault(joint.base.body, []).append(name)
        around.setdefault(joint.moving.body, []).append(name)
    order = {name: position for position, name in enumerate(joints)}

    def weight(name: str) -> tuple:
        joint = joints[name]
        form = joint_form(mechanism, name)
        needed = name in busy or (form.closure is None)
        return (name in loose and not needed, joint.cut, not needed, form.freedoms, joint.guess is None)

    links: list[Carried] = []
    link_of = {GROUND_BODY: GROUND}
    depth = {GROUND_BODY: 0}
    frontier: list[tuple] = []

    def open_frontier(body: str) -> None:
        for name in around.get(body, ()):
            heapq.heappush(frontier, (*weight(name), depth[body], order[name], name, body))

    for motion in prescribed:
        body = mechanism.motions[motion].of.body
        link_of[body], depth[body] = len(links), 0
        links.append(Carried(body, MARK + motion, GROUND, False))
    for body in list(link_of):
        open_frontier(body)
    in_tree: set[str] = set()
    while frontier:
        *_, name, body = heapq.heappop(frontier)
        joint = joints[name]
        reverse = joint.moving.body == body
        other = joint.base.body if reverse else joint.moving.body
        if other in link_of or name in in_tree:
            continue
        in_tree.add(name)
        link_of[other] = len(links)
        depth[other] = depth[body] + 1
        links.append(Carried(other, name, link_of[body], reverse))
        open_frontier(other)
    cuts: list[Opened] = []
    for name, joint in joints.items():
        if name in in_tree or joint.base.body not in link_of:
            continue
        base, moving = link_of[joint.base.body], link_of[joint.moving.body]
        rigid = name in busy or joint_form(mechanism, name).closure is None
        if rigid:
            links.append(Carried("", name, base, False))
            base = len(links) - 1
        cuts.append(Opened(name, base, moving, rigid))
    return numbered(mechanism, links, cuts, link_of, loose)


def numbered(
    mechanism: Mechanism, links: list[Carried], cuts: list[Opened], link_of: dict[str, int], loose: frozenset[str]
) -> Topology:
    """The topology with a place for every coordinate, in link order."""
    slots: dict[str, Slot] = {}
    coordinate = rate = 0
    for link in links:
        form = joint_form(mechanism, link.joint, loose)
        slots[link.joint] = Slot(coordinate, rate)
        coordinate += len(form.coordinates)
        rate += len(form.rates)
    return Topology(tuple(links), tuple(cuts), link_of, slots, coordinate, rate, loose)
