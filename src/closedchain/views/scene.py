"""What any drawing of a mechanism needs, as arrays in ground axes: links, joints, outputs at a pose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.elements.joints import Step, Translation

GROUND = "ground"


@dataclass(frozen=True)
class DrawnLink:
    """A moving body: the points that span it [m], shape (n, 3)."""

    body: str
    points: np.ndarray


@dataclass(frozen=True)
class DrawnJoint:
    """A joint: its steps, and base and moving frames in ground axes (origins [m] (3,), rotations (3, 3)).

    seat: where its symbol stands [m], shape (3,).
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


def make_scene(m: Any, pose: Any) -> Scene:
    """The scene of mechanism `m` at `pose`."""
    at = {body: np.asarray(pose.frame(body), dtype=float) for body in m.bodies}
    spans = {
        body: [in_space(pose.point(f"{body}.{point}")) for point in entry.points if point != "origin"]
        for body, entry in m.bodies.items()
    }
    frames = {name: joint_frames(m, joint, at) for name, joint in m.joints.items()}
    for name, joint in m.joints.items():
        (base, _), (moving, _) = frames[name]
        spans[joint.base.body].append(base)
        spans[joint.moving.body].append(moving)
    evaluate = m.evaluator()
    joints = []
    for name, joint in m.joints.items():
        (base, base_axes), (moving, moving_axes) = frames[name]
        steps = joint.form.steps({key: float(evaluate(value)) for key, value in joint.parameters.items()})
        bodies = (joint.base.body, joint.moving.body)
        seat = moving
        if is_slide(steps) and GROUND not in bodies and all(np.allclose(point, base) for point in spans[bodies[0]]):
            # A telescope: one body ends in the other, so both reach to the middle.
            seat = 0.5 * (base + moving)
            for body in bodies:
                spans[body].append(seat)
        grounded, loose = GROUND in bodies, joint.clearance is not None
        joints.append(DrawnJoint(name, tuple(steps), base, base_axes, moving, moving_axes, seat, grounded, loose))
    outputs = {name: in_space(pose.point(output.point.text)) for name, output in m.outputs.items()}
    links = tuple(
        DrawnLink(body, np.stack(points)) for body, points in spans.items() if body != GROUND and len(points) > 1
    )
    everything = Scene(m.name, m.planar, 0.0, links, tuple(joints), outputs).points
    size = float(np.ptp(everything, axis=0).max())
    return Scene(m.name, m.planar, size or 1.0, links, tuple(joints), outputs)


def joint_frames(m: Any, joint: Any, at: Mapping[str, np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Origin [m] (3,) and axes (3, 3) of a joint's base and moving frame in ground axes."""
    found = []
    for side, (R, p) in zip((joint.base, joint.moving), joint.frames(m.evaluator()), strict=True):
        rotation = np.array([[float(entry) for entry in row] for row in R])
        origin = np.array([float(entry) for entry in p])
        frame = at[side.body]
        found.append((frame[:3, :3] @ origin + frame[:3, 3], frame[:3, :3] @ rotation))
    return found


def is_slide(steps: Sequence[Step]) -> bool:
    """Whether a joint lets a body move along one line."""
    return sum(isinstance(step, Translation) for step in steps) == 1


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
