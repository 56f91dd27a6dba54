"""Paths through the joints of a mechanism, loops ignored, and the serial chains along them."""

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from closedchain.algorithms.chain import Placed, place
from closedchain.algorithms.tree import Frame
from closedchain.analyses.loop_rates import influence_arrays
from closedchain.analyses.pose import Pose
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError
from closedchain.model import Model
from closedchain.model.build import make_tree
from closedchain.model.model import label
from closedchain.model.topology import GROUND_BODY, Carried, numbered
from closedchain.numbers import Mat3, Vec3


def other_end(mechanism: Mechanism, joint: str, body: str) -> str:
    """The body at the other end of a joint."""
    ends = mechanism.joints[joint].base.body, mechanism.joints[joint].moving.body
    return ends[1] if ends[0] == body else ends[0]


def joints_around(mechanism: Mechanism, allowed: Collection[str] | None = None) -> dict[str, list[str]]:
    """Joints at every body in file order, those in `allowed` (default: all)."""
    around: dict[str, list[str]] = {body: [] for body in mechanism.bodies}
    for name, joint in mechanism.joints.items():
        if (allowed is None or name in allowed) and joint.base.body != joint.moving.body:
            around[joint.base.body].append(name)
            around[joint.moving.body].append(name)
    return around


def shortest_path(
    mechanism: Mechanism, start: str, end: str, allowed: Collection[str] | None = None
) -> tuple[Carried, ...]:
    """The path of fewest joints between two bodies, of equal ones the first in file order; () from a body to itself.

    Raises MechanismError where there is none.
    """
    around = joints_around(mechanism, allowed)
    reached: dict[str, tuple[str, str] | None] = {start: None}
    queue = deque([start])
    while queue and end not in reached:
        body = queue.popleft()
        for joint in around[body]:
            other = other_end(mechanism, joint, body)
            if other not in reached:
                reached[other] = (joint, body)
                queue.append(other)
    if end not in reached:
        raise MechanismError(f"no joints lead from body {start!r} to body {end!r}.")
    steps: list[tuple[str, str]] = []
    body = end
    while (step := reached[body]) is not None:
        steps.append((step[0], body))
        body = step[1]
    return carried_along(mechanism, [joint for joint, _ in reversed(steps)], start)


def carried_along(mechanism: Mechanism, joints: Sequence[str], start: str) -> tuple[Carried, ...]:
    """The links of a chain that starts at a body and passes joints one after the other."""
    links = []
    body = start
    for index, name in enumerate(joints):
        other = other_end(mechanism, name, body)
        links.append(Carried(other, name, index - 1, mechanism.joints[name].moving.body == body))
        body = other
    return tuple(links)


@dataclass(frozen=True, eq=False)
class Chain:
    """A serial chain at a pose: its joints and rate labels in path order, units ("rad", "m"), and its last link."""

    joints: tuple[str, ...]
    rates: tuple[str, ...]
    units: tuple[str, ...]
    end: Placed
    planar: bool

    def influence(self, P: Vec3) -> tuple[np.ndarray, np.ndarray]:
        """G (6, n) and H (6, n, n) at the point P (ground axes) of the last link over the chain's rates; planar 3."""
        return influence_arrays(self.end, P, len(self.rates), self.planar)


def make_chain(model: Model, pose: Pose, path: Sequence[Carried], start: str = GROUND_BODY) -> Chain:
    """The serial chain along a path at a pose, its first body held where it is."""
    mechanism = model.mechanism
    topology = numbered(mechanism, list(path), [], {}, frozenset())
    tree = make_tree(mechanism, topology, model.parameters.evaluator(), model.size)
    base = as_frame(pose.frames[start])
    q = np.zeros(tree.coordinates)
    for carried in path:
        form, slot = model.forms[carried.joint], topology.slots[carried.joint]
        for k, part in enumerate(form.coordinates):
            q[slot.coordinate + k] = pose.coordinates[label(carried.joint, part)]
    if path:
        first = replace(tree.links[0], inboard=base @ tree.links[0].inboard)
        end = place(replace(tree, links=(first, *tree.links[1:])), q.tolist())[-1]
    else:
        end = Placed(base, ())
    forms = [(carried.joint, model.forms[carried.joint]) for carried in path]
    return Chain(
        tuple(carried.joint for carried in path),
        tuple(label(joint, part) for joint, form in forms for part in form.rates),
        tuple(unit for _, form in forms for unit in form.units),
        end,
        mechanism.planar,
    )


def as_frame(matrix: np.ndarray) -> Frame:
    """A 4x4 transform as a frame."""
    return Frame(
        Mat3(*(float(value) for value in matrix[:3, :3].ravel())), Vec3(*(float(value) for value in matrix[:3, 3]))
    )


def chain_point(model: Model, chain: Chain, at) -> Vec3:
    """Where a point of the chain's last body stands, in ground axes."""
    return chain.end.frame.p + chain.end.frame.R @ at.point.position(model.parameters.evaluator())
