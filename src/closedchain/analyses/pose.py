"""A pose: all joint coordinates and body frames of an assembled mechanism at one instant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from closedchain.algorithms.chain import place
from closedchain.algorithms.constraints import joint_constraints
from closedchain.algorithms.kinematics import closure_gaps, read_cut
from closedchain.algorithms.motion import at_rest, moved_link
from closedchain.description import At, Mechanism
from closedchain.exceptions import MechanismError
from closedchain.model import Drive, Model


@dataclass(frozen=True, eq=False)
class Pose:
    """An assembled mechanism at one instant.

    mechanism: what was assembled; coordinates: label -> value (rad, m, quaternion parts); frames: body -> 4x4
    transform to the ground frame; residual: max(gap, size * rotation gap) / size over the opened joints.

    `pose["A"]` is a joint's coordinate (an array where it has several), `pose["J.x"]` one of several.

    >>> import closedchain as cc
    >>> slider = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {}, "block": {"points": {"P": [0.0, 0.1]}}},
    ...     "joints": {"S": {"type": "prismatic", "between": ["ground.origin", "block.origin"]}},
    ... })
    >>> pose = cc.assemble(slider, {"S": 0.25})
    >>> pose["S"], pose.point("block.P")
    (0.25, array([0.25, 0.1 ]))
    """

    mechanism: Mechanism
    coordinates: Mapping[str, float]
    frames: Mapping[str, np.ndarray]
    residual: float

    def __getitem__(self, name: str) -> Any:
        if name in self.coordinates:
            return self.coordinates[name]
        parts = [value for key, value in self.coordinates.items() if key.rpartition(".")[0] == name]
        if parts:
            return np.array(parts)
        if name in self.mechanism.joints:
            return np.array([])
        raise KeyError(
            f"{name!r} is neither a joint nor a coordinate; the coordinates are {', '.join(self.coordinates)}"
        )

    def frame(self, body: str) -> np.ndarray:
        """Transform from body axes to ground axes, shape (4, 4)."""
        if body not in self.frames:
            raise KeyError(f"{body!r} is not a body; the bodies are {', '.join(self.frames)}")
        return self.frames[body].copy()

    def point(self, name: str) -> np.ndarray:
        """Position of the point "body.point" in ground axes [m], shape (3,), planar (2,)."""
        at = find_point(self.mechanism, name)
        p = at.point.position(literal_evaluator(self.mechanism))
        place_in_ground = self.frames[at.body] @ np.array([*p, 1.0])
        return place_in_ground[: 2 if self.mechanism.planar else 3]

    def tree(self, model: Model) -> np.ndarray:
        """Coordinates in the order of a model's tree; those of prescribed bodies are left at zero."""
        q = np.zeros(model.topology.coordinates)
        for name, index in model.tree_coordinates.items():
            q[index] = self.coordinates.get(name, 0.0)
        return q


def literal_evaluator(mechanism: Mechanism):
    """Evaluator of the mechanism's values as floats."""
    from closedchain.model import compile

    return compile(mechanism).parameters.evaluator()


def read_pose(model: Model, q: Sequence[float], near: Mapping[str, float] | None = None) -> Pose:
    """The pose at tree coordinates q; turns of opened revolutes are chosen nearest to `near` (label -> value)."""
    system = model.system(Drive())
    numbers = [float(value) for value in q]
    motions = at_rest(place(system.tree, numbers))
    coordinates = {name: numbers[index] for name, index in model.tree_coordinates.items()}
    for cut in system.tree.cuts:
        if cut.joint not in model.opened:
            continue
        base, moving = moved_link(motions, cut.base_link), moved_link(motions, cut.moving_link)
        form = model.forms[cut.joint]
        values, _, _ = read_cut(cut, base, moving, form, model.offsets(cut.joint))
        names = [name for name in model.coordinates if name in labels_of(model, cut.joint)]
        units = dict(zip(form.rates, form.units, strict=True))
        for name, part, value in zip(names, form.coordinates, values, strict=True):
            if units.get(part) == "rad":
                goal = (near or {}).get(name, 0.0)
                value += 2.0 * np.pi * np.round((goal - value) / (2.0 * np.pi))
            coordinates[name] = float(value)
    frames = {"ground": np.eye(4)}
    for body, index in model.topology.link_of.items():
        if body != "ground":
            frames[body] = as_matrix(motions[index].frame)
    gap_length, gap_angle = closure_gaps(system, joint_constraints(system, motions, ()))
    ordered = {name: coordinates[name] for name in model.coordinates}
    return Pose(model.mechanism, ordered, frames, max(float(gap_length) / model.size, float(gap_angle)))


def labels_of(model: Model, joint: str) -> tuple[str, ...]:
    """Labels of a joint's coordinates."""
    return tuple(f"{joint}.{part}" if part else joint for part in model.forms[joint].coordinates)


def as_matrix(frame) -> np.ndarray:
    """A frame as a 4x4 transform."""
    matrix = np.eye(4)
    matrix[:3, :3] = [[float(value) for value in frame.R.row(i)] for i in range(3)]
    matrix[:3, 3] = [float(value) for value in frame.p]
    return matrix


def known_joint(mechanism: Mechanism, name: str) -> str:
    """The joint of a joint or coordinate name; raises MechanismError where there is none."""
    if name in mechanism.joints:
        return name
    joint = name.rpartition(".")[0]
    if joint in mechanism.joints:
        return joint
    raise MechanismError(f"{name!r} is not a joint; the joints are {', '.join(mechanism.joints)}.")


def find_point(mechanism: Mechanism, name: str) -> At:
    """The point of a name "body.point" (the longest body name that fits) or of an output; raises MechanismError."""
    if name in mechanism.outputs:
        return mechanism.outputs[name].point
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        body = mechanism.bodies.get(".".join(parts[:count]))
        point = ".".join(parts[count:])
        if body is not None and point in body.points:
            return At(body.name, body.points[point])
    known = [f"{body.name}.{point}" for body in mechanism.bodies.values() for point in body.points]
    near = get_close_matches(name, [*mechanism.outputs, *known], 1)
    hint = f"did you mean {near[0]!r}?" if near else f"the points are {', '.join(known)}."
    raise MechanismError(f"{name!r} is not a point of the mechanism; {hint}")
