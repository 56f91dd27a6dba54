"""What may deviate: numbers of the file, play of joints, tilt of axes, and errors of the driven motion, by path."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from closedchain.algorithms.constraints import System
from closedchain.algorithms.tree import Frame
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError
from closedchain.model.loose import released
from closedchain.numbers import Vec3
from closedchain.numbers.rotations import rotation_x, rotation_y, rotation_z

Number = Any
# Where an ideal joint holds its pin, by type: base-frame axes in which play lets it move (planar, spatial).
PLAY = {
    "revolute": ((0, 1), (0, 1)),
    "prismatic": ((1,), (0, 1)),
    "cylindrical": ((), (0, 1)),
    "spherical": ((), (0, 1, 2)),
    "universal": ((), (0, 1, 2)),
    "helical": ((), (0, 1)),
}
TURNS = (rotation_x, rotation_y, rotation_z)
MOTION = ("position", "velocity", "acceleration")


@dataclass(frozen=True)
class Source:
    """One direction in which something deviates.

    path: as the user says it; kind: "value" (a number of the file), "play" (a pin displaced along a base-frame axis),
    "tilt" (a base-side axis turned towards a body axis) or "motion" (error of a driven coordinate); name: the joint
    or coordinate; axis: of the displacement, the body axis, or the derivative of the motion.
    """

    path: str
    kind: str
    name: str = ""
    axis: int = 0


def find_sources(mechanism: Mechanism, paths: Sequence[str]) -> list[Source]:
    """The directions of every path; raises MechanismError for a path that nothing has."""
    found: list[Source] = []
    for path in paths:
        joint, key = split_joint(mechanism, path)
        motion = re.fullmatch(r"actuators\.(.+)\.(position|velocity|acceleration)", path)
        if joint and key in ("clearance.radial", "clearance.axial"):
            found += [Source(path, "play", joint, axis) for axis in play_axes(mechanism, joint, key)]
        elif path in mechanism.values():
            found.append(Source(path, "value"))
        elif joint and re.fullmatch(r"axis\.[012]", key) and not mechanism.planar:
            found.append(Source(path, "tilt", joint, int(key[-1])))
        elif motion and motion[1] in mechanism.actuators:
            coordinate = mechanism.actuators[motion[1]].joint.text
            found.append(Source(path, "motion", coordinate, MOTION.index(motion[2])))
        else:
            mechanism.with_values({path: 0.0})
    return found


def split_joint(mechanism: Mechanism, path: str) -> tuple[str, str]:
    """The joint of a path and the rest of it; empty where it names none."""
    fitting = [name for name in mechanism.joints if path.startswith(f"joints.{name}.")]
    name = max(fitting, key=len, default="")
    return name, path[len(f"joints.{name}.") :] if name else ""


def play_axes(mechanism: Mechanism, name: str, key: str = "clearance.radial") -> tuple[int, ...]:
    """Base-frame axes along which the play of a joint lets its pin move."""
    joint = mechanism.joints[name]
    if joint.clearance is not None:
        lengths, _ = released(joint, mechanism.planar)
    else:
        lengths = PLAY.get(joint.form.name, ((), ()))[0 if mechanism.planar else 1]
    if joint.form.name in ("revolute", "cylindrical"):
        lengths = tuple(axis for axis in lengths if (axis == 2) == key.endswith("axial"))
    if not lengths:
        raise MechanismError(f"joints.{name}.{key} is no play that a {joint.form.name} joint has in this mechanism.")
    return lengths


def deviated(system: System, sources: Sequence[Source], amounts: Sequence[Number], z: Mapping[str, Vec3]) -> System:
    """The system with displaced and tilted joints; amounts per source [m, rad]; z: base-side axis of tilted joints."""
    tree = system.tree
    links, cuts = list(tree.links), list(tree.cuts)
    for source, amount in zip(sources, amounts, strict=True):
        if source.kind not in ("play", "tilt"):
            continue
        carrying = [k for k, link in enumerate(links) if link.joint == source.name]
        for k in carrying:
            side = "outboard" if links[k].reversed and links[k].body else "inboard"
            moved = moved_frame(getattr(links[k], side), source, amount, z)
            links[k] = replace(links[k], **{side: moved})
        for k, cut in enumerate(cuts):
            if cut.joint == source.name and not carrying:
                cuts[k] = replace(cut, base=moved_frame(cut.base, source, amount, z))
    return replace(system, tree=replace(tree, links=tuple(links), cuts=tuple(cuts)))


def moved_frame(frame: Frame, source: Source, amount: Number, z: Mapping[str, Vec3]) -> Frame:
    """A joint's frame in its body, displaced along one of its axes or tilted towards a body axis."""
    if source.kind == "play":
        return Frame(frame.R, frame.p + frame.R.column(source.axis) * amount)
    unit = Vec3(*(1.0 if axis == source.axis else 0.0 for axis in range(3)))
    turn = z[source.name].cross(unit)
    R = frame.R
    for axis in range(3):
        if turn[axis] != 0.0:
            R = TURNS[axis](amount * turn[axis]) @ R
    return Frame(R, frame.p)
