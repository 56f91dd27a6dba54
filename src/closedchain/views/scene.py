"""What any drawing of a mechanism needs, as arrays in ground axes: links, joints, outputs at a pose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.elements.joints import Ball, Rotation, Screw, Step, Translation

GROUND = "ground"


@dataclass(frozen=True)
class DrawnLink:
    """A moving body: the points that span it [m], shape (n, 3)."""

    body: str
    points: np.ndarray


@dataclass(frozen=True)
class DrawnJoint:
    """A joint: its steps, and base and moving frames in ground axes (origins [m] (3,), rotations (3, 3)).

    seat: where its symbol stands [m], shape (3,). way: from where to where a pin goes in its slot [m], where known.
    """

    name: str
    steps: tuple[Step, ...]
    base: np.ndarray
    base_axes: np.ndarray
    moving: np.ndarray
    moving_axes: np.ndarray
    seat: np.ndarray
    grounded: bool
    loose: bool
    way: tuple[float, float] | None = None


@dataclass(frozen=True)
class Scene:
    """A mechanism at a pose; `size` is the largest extent [m]."""

    name: str
    planar: bool
    size: float
    links: tuple[DrawnLink, ...]
    joints: tuple[DrawnJoint, ...]
    outputs: Mapping[str, np.ndarray]

    @property
    def points(self) -> np.ndarray:
        """Every drawn point [m], shape (n, 3)."""
        parts = [link.points for link in self.links]
        parts += [np.stack([joint.base, joint.moving]) for joint in self.joints]
        parts += [np.stack(list(self.outputs.values()))] if self.outputs else []
        return np.concatenate(parts) if parts else np.zeros((1, 3))


@dataclass(frozen=True)
class PlannedJoint:
    """A joint as the file says it: its bodies, its frames in their axes, each (4, 4)."""

    name: str
    steps: tuple[Step, ...]
    bodies: tuple[str, str]
    frames: tuple[np.ndarray, np.ndarray]
    loose: bool


@dataclass(frozen=True)
class Plan:
    """What is drawn of a mechanism at any pose: points by body [m], each (n, 3), joints, outputs as (body, point)."""

    name: str
    planar: bool
    points: Mapping[str, np.ndarray]
    joints: tuple[PlannedJoint, ...]
    outputs: Mapping[str, tuple[str, np.ndarray]]


def make_plan(m: Any) -> Plan:
    """What is drawn of mechanism `m`, in body axes."""
    evaluate = m.evaluator()
    points = {
        body: as_points([point.position(evaluate) for name, point in entry.points.items() if name != "origin"])
        for body, entry in m.bodies.items()
    }
    joints = []
    for name, joint in m.joints.items():
        steps = joint.form.steps({key: float(evaluate(value)) for key, value in joint.parameters.items()})
        frames = tuple(as_transform(R, p) for R, p in joint.frames(evaluate))
        bodies = (joint.base.body, joint.moving.body)
        joints.append(PlannedJoint(name, tuple(steps), bodies, (frames[0], frames[1]), joint.clearance is not None))
    outputs = {
        name: (output.point.body, as_points([output.point.point.position(evaluate)])[0])
        for name, output in m.outputs.items()
    }
    return Plan(m.name, m.planar, points, tuple(joints), outputs)


def make_scene(m: Any, pose: Any) -> Scene:
    """The scene of mechanism `m` at `pose`."""
    return scene_at(make_plan(m), {body: np.asarray(pose.frame(body), dtype=float) for body in m.bodies})


def scene_at(plan: Plan, at: Mapping[str, np.ndarray]) -> Scene:
    """The scene with the bodies at `at`: transforms from body to ground axes, each (4, 4)."""
    spans = {body: list(moved(at[body], points)) for body, points in plan.points.items()}
    frames = {
        joint.name: tuple(at[body] @ frame for body, frame in zip(joint.bodies, joint.frames, strict=True))
        for joint in plan.joints
    }
    for joint in plan.joints:
        for body, frame in zip(joint.bodies, frames[joint.name], strict=True):
            spans[body].append(frame[:3, 3])
    joints = []
    for joint in plan.joints:
        base, moving = (frame[:3, 3] for frame in frames[joint.name])
        axes, moving_axes = (frame[:3, :3] for frame in frames[joint.name])
        grounded, seat = GROUND in joint.bodies, moving
        if is_telescope(joint.steps) and not grounded and all(np.allclose(p, base) for p in spans[joint.bodies[0]]):
            # A telescope: one body ends in the other, so both reach to the middle.
            seat = 0.5 * (base + moving)
            for body in joint.bodies:
                spans[body].append(seat)
        joints.append(DrawnJoint(joint.name, joint.steps, base, axes, moving, moving_axes, seat, grounded, joint.loose))
    outputs = {name: moved(at[body], point[None])[0] for name, (body, point) in plan.outputs.items()}
    links = tuple(
        DrawnLink(body, np.stack(points)) for body, points in spans.items() if body != GROUND and len(points) > 1
    )
    everything = Scene(plan.name, plan.planar, 0.0, links, tuple(joints), outputs).points
    size = float(np.ptp(everything, axis=0).max())
    return Scene(plan.name, plan.planar, size or 1.0, links, tuple(joints), outputs)


def as_transform(R: Any, p: Any) -> np.ndarray:
    """A rotation and an origin as one transform (4, 4)."""
    transform = np.eye(4)
    transform[:3, :3] = [[float(entry) for entry in row] for row in R]
    transform[:3, 3] = [float(entry) for entry in p]
    return transform


def as_points(points: Sequence[Any]) -> np.ndarray:
    """Vectors as floats, shape (n, 3)."""
    return np.array([[float(entry) for entry in point] for point in points], dtype=float).reshape(len(points), 3)


def moved(transform: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points (n, 3) under a transform (4, 4)."""
    return points @ transform[:3, :3].T + transform[:3, 3]


def is_slide(steps: Sequence[Step]) -> bool:
    """Whether a joint lets a body move along one line."""
    return sum(isinstance(step, Translation) for step in steps) == 1


def is_telescope(steps: Sequence[Step]) -> bool:
    """Whether a joint lets a body move along one line and turn about no other."""
    lines = {step.axis for step in steps if isinstance(step, Translation)}
    turns = {step.axis for step in steps if isinstance(step, Rotation | Screw)}
    return is_slide(steps) and turns <= lines and not any(isinstance(step, Ball) for step in steps)


def in_space(point: Any) -> np.ndarray:
    """A point of 2 or 3 numbers as one of 3, shape (3,)."""
    return np.concatenate([np.asarray(point, dtype=float), np.zeros(3)])[:3]


def outline(points: np.ndarray) -> np.ndarray:
    """The convex outline of points in their best plane, in order, shape (k, 3): two points for points on a line."""
    centre = points.mean(axis=0)
    _, spread, axes = np.linalg.svd(points - centre, full_matrices=False)
    flat = (points - centre) @ axes[:2].T
    if len(spread) < 2 or spread[1] <= 1e-6 * spread[0]:
        along = flat[:, 0]
        return points[[int(along.argmin()), int(along.argmax())]]
    order = np.lexsort((flat[:, 1], flat[:, 0]))
    # Andrew's monotone chain: lower, then upper outline.
    hull: list[int] = []
    for chain in (order, order[::-1]):
        part: list[int] = []
        for index in chain:
            while len(part) > 1 and _turn(flat[part[-2]], flat[part[-1]], flat[index]) <= 0.0:
                part.pop()
            part.append(int(index))
        hull += part[:-1]
    return points[hull]


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Twice the area of a, b, c in the plane: positive where the path turns left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
