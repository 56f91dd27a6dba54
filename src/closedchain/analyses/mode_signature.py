"""What tells assembly modes apart: places and orientations of bodies, not the numbers of coordinates.

Two configurations are the same mode when every body stands in the same place. Left out is what cannot be seen of a
strut: a body whose mass centre, outputs and joints all lie on one line and whose joints do not mind half a turn about
it (balls, universal joints, joints along the line) is compared by its points and its line only. So the leg of a
platform counts once, whichever way its universal joint is flipped. What idle motions move is left out too; driven and
coupled coordinates count by their values.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from closedchain.analyses.readings import frames
from closedchain.elements.joints import Ball, Rotation
from closedchain.model import Model
from closedchain.model.topology import GROUND_BODY

ON_LINE = 1e-9


@dataclass(frozen=True, eq=False)
class Signature:
    """A vector of numbers per configuration that is equal for equal modes.

    idle: bodies that move in idle motions.
    """

    model: Model
    idle: frozenset[str] = frozenset()

    @cached_property
    def struts(self) -> dict[str, np.ndarray]:
        """Bodies compared by their points and line alone -> the line's direction in body axes."""
        found = {}
        for body in self.model.topology.link_of:
            if body != GROUND_BODY:
                direction = strut_line(self.model, body)
                if direction is not None:
                    found[body] = direction
        return found

    @cached_property
    def points(self) -> dict[str, list[np.ndarray]]:
        """Points (3,) of struts and idle bodies, in body axes."""
        evaluate = self.model.parameters.evaluator()
        return {body: points_of(self.model, body, evaluate) for body in {*self.struts, *self.idle}}

    @cached_property
    def counted(self) -> list[tuple[int, bool]]:
        """(tree coordinate, is a rotation) of driven and coupled joints."""
        mechanism = self.model.mechanism
        coupled = {reference.text for coupling in mechanism.couplings.values() for reference, _ in coupling.sum}
        driven = {actuator.joint.text for actuator in mechanism.actuators.values()} - coupled
        places, units = self.model.tree_coordinates, self.model.coordinate_units
        return [(places[name], False) for name in sorted(coupled)] + [
            (places[name], units[places[name]] == "rad") for name in sorted(driven)
        ]

    def of(self, q: np.ndarray) -> np.ndarray:
        """Signatures of configurations q (N, nq), shape (N, s); lengths over the size."""
        size = self.model.size
        parts: list[np.ndarray] = []
        for body, (R, p) in frames(self.model, q).items():
            if body == GROUND_BODY:
                continue
            parts += [(p + R @ point) / size for point in self.points.get(body, ())]
            if body in self.struts:
                parts.append(R @ self.struts[body])
            elif body not in self.idle:
                parts += [p / size, R.reshape(len(q), 9)]
        for index, turning in self.counted:
            value = q[:, index]
            parts += [np.cos(value)[:, None], np.sin(value)[:, None]] if turning else [value[:, None] / size]
        return np.hstack(parts) if parts else np.zeros((len(q), 0))


def points_of(model: Model, body: str, evaluate) -> list[np.ndarray]:
    """Points (3,) of a body that count: mass centre, outputs, joints, in body axes."""
    mechanism = model.mechanism
    link = model.tree().links[model.topology.link_of[body]]
    found = [as_array(link.com)] if link.mass != 0.0 else []
    for output in mechanism.outputs.values():
        if output.point.body == body:
            found.append(as_array(output.point.point.position(evaluate)))
    for joint in mechanism.joints.values():
        for side, (_, p) in zip((joint.base, joint.moving), joint.frames(evaluate), strict=True):
            if side.body == body:
                found.append(as_array(p))
    return found


def strut_line(model: Model, body: str) -> np.ndarray | None:
    """Direction (3,) of the line on which a strut's points lie, None for other bodies."""
    evaluate = model.parameters.evaluator()
    axes: list[np.ndarray] = []
    for axis in joint_axes(model, body, evaluate):
        if axis is None:
            return None
        axes.append(axis)
    if model.mechanism.planar or len(axes) < 2:
        return None
    points = np.array(points_of(model, body, evaluate))
    spread = points - points[0]
    far = max([*spread, *(model.size * axis for axis in axes)], key=np.linalg.norm)
    if np.linalg.norm(far) < ON_LINE * model.size:
        return None
    direction = far / np.linalg.norm(far)
    lined_up = np.vstack([spread / model.size, *axes])
    return direction if np.abs(np.cross(lined_up, direction)).max() < ON_LINE else None


def joint_axes(model: Model, body: str, evaluate) -> Iterable[np.ndarray | None]:
    """For every joint of a body, in body axes: the axis (3,) about which half a turn goes unseen, if there is one.

    Zero for a ball or a universal joint, to which every line through it will do; None for joints to which none does.
    """
    for joint in model.mechanism.joints.values():
        for side, (R, _) in zip((joint.base, joint.moving), joint.frames(evaluate), strict=True):
            if side.body == body:
                steps = joint.form.steps({"lead": 1.0})
                if any(isinstance(step, Ball) for step in steps):
                    yield np.zeros(3) if len(steps) == 1 else None
                elif len(steps) == 2 and all(isinstance(step, Rotation) for step in steps):
                    yield np.zeros(3)
                elif steps and all(getattr(step, "axis", -1) == 2 for step in steps):
                    yield as_array(R.column(2))
                else:
                    yield None


def as_array(vector) -> np.ndarray:
    """Three floats."""
    return np.array([float(value) for value in vector])
