"""Joints as solids, built from what a joint does (its steps), so that every joint type has its usual symbol."""

from collections.abc import Iterator

import numpy as np

from closedchain.elements.joints import Ball, Rotation, Screw, Translation
from closedchain.views.glyphs import across, helix
from closedchain.views.palette import INK
from closedchain.views.scene import PlannedJoint
from closedchain.views.viewer.meshes import Mesh, box, curved_arrow, cylinder, double_arrow, joined, sphere, tube
from closedchain.views.viewer.shapes import DARK, DRIVE, PAPER, Line, Look, Rail, Shape

UP = np.array([0.0, 0.0, 1.0])


def joint_shapes(joint: PlannedJoint, look: Look, telescope: float, driven: bool) -> Iterator[Shape | Line | Rail]:
    """The symbol of a joint on its two bodies; telescope: length [m] where one body slides inside the other, else 0."""
    turns = [step for step in joint.steps if isinstance(step, Rotation | Screw)]
    slides = [step for step in joint.steps if isinstance(step, Translation)]
    balls = any(isinstance(step, Ball) for step in joint.steps)
    if len(slides) == 1:
        yield from _slide(joint, look, slides[0], bool(turns), telescope)
    if joint.loose and not slides and joint.steps:
        pass  # drawn as bore and pin, or socket and ball
    elif balls and not slides:
        yield Shape("joint", joint.name, joint.bodies[1], sphere(_at(joint, 1), 0.85 * look.s), DARK)
    elif look.planar and not balls:
        yield from _planar(joint, look, len(turns), len(slides))
    elif len(turns) == 2:
        yield from _cross(joint, look, turns)
    elif len(turns) == 1 and not slides:
        yield from _hinge(joint, look, turns[0])
    elif not joint.steps:
        half = np.full(3, 0.6 * look.s)
        yield Shape("joint", joint.name, joint.bodies[0], box(_at(joint, 0), _axes(joint, 0), half), DARK)
    elif len(slides) == 2 and not balls:
        yield from _table(joint, look)
    if driven and joint.steps and not balls:
        yield from _drive(joint, look)


def _planar(joint: PlannedJoint, look: Look, turns: int, slides: int) -> Iterator[Shape]:
    """In the plane: a pin through both layers with a round head, a square peg where nothing turns."""
    low, high = look.layer(*joint.bodies)
    side = 1 if slides else 0
    at, s = _at(joint, side), look.s
    if turns and slides < 2:
        yield Shape("joint", joint.name, joint.bodies[side], _pin(at, 0.8 * s, low, high + 0.12 * s), DARK)
        yield Shape("joint", joint.name, joint.bodies[side], _pin(at, 0.48 * s, high, high + 0.2 * s), PAPER)
    elif not joint.steps:
        middle = at + 0.5 * (low + high + 0.2 * s) * UP
        half = np.array([0.6 * s, 0.6 * s, 0.5 * (high - low) + 0.1 * s])
        yield Shape("joint", joint.name, joint.bodies[0], box(middle, _axes(joint, 0), half), DARK)


def _pin(at: np.ndarray, radius: float, low: float, high: float) -> Mesh:
    return cylinder(at + low * UP, at + high * UP, radius)


def _hinge(joint: PlannedJoint, look: Look, turn: Rotation | Screw) -> Iterator[Shape | Line]:
    """A barrel on the base side, a pin on the moving side; a thread around it where it is a screw."""
    axis, s = _axes(joint, 0)[:, turn.axis], look.s
    at = _at(joint, 0)
    barrel = tube(at - 0.95 * s * axis, at + 0.95 * s * axis, 0.0, 0.78 * s)
    yield Shape("joint", joint.name, joint.bodies[0], barrel, PAPER)
    moving, own = _axes(joint, 1)[:, turn.axis], _at(joint, 1)
    pin = joined(
        *(cylinder(own + a * s * moving, own + b * s * moving, 0.5 * s) for a, b in ((-1.5, -0.9), (0.9, 1.5)))
    )
    yield Shape("joint", joint.name, joint.bodies[1], pin, DARK)
    if isinstance(turn, Screw):
        yield Line("joint", joint.name, joint.bodies[0], helix(at, axis, 0.82 * s, 0.95 * s, 5), INK)


def _cross(joint: PlannedJoint, look: Look, turns: list[Rotation | Screw]) -> Iterator[Shape]:
    """Two crossed pins, one on each side, and a ball between them."""
    for side, turn in zip((0, 1), turns, strict=True):
        axis, at = _axes(joint, side)[:, turn.axis], _at(joint, side)
        pin = cylinder(at - 1.5 * look.s * axis, at + 1.5 * look.s * axis, 0.34 * look.s)
        yield Shape("joint", joint.name, joint.bodies[side], pin, DARK)
    yield Shape("joint", joint.name, joint.bodies[0], sphere(_at(joint, 0), 0.6 * look.s), PAPER)


def _table(joint: PlannedJoint, look: Look) -> Iterator[Shape]:
    """A plate on the base side, a round foot on the moving side."""
    s = look.s
    yield Shape(
        "joint", joint.name, joint.bodies[0],
        box(_at(joint, 0) - 0.35 * s * _axes(joint, 0)[:, 2], _axes(joint, 0), np.array([4.0, 4.0, 0.15]) * s), PAPER,
    )  # fmt: skip
    at, normal = _at(joint, 1), _axes(joint, 1)[:, 2]
    foot = cylinder(at - 0.2 * s * normal, at + 0.5 * s * normal, 1.1 * s)
    yield Shape("joint", joint.name, joint.bodies[1], foot, DARK)


def _slide(
    joint: PlannedJoint, look: Look, slide: Translation, turns: bool, telescope: float
) -> Iterator[Shape | Line | Rail]:
    """A block on a rail, a sleeve on a shaft, a rod in a tube, a pin between two rails."""
    s, (base, moving) = look.s, joint.bodies
    base_axes, axes = _along(_axes(joint, 0), slide.axis), _along(_axes(joint, 1), slide.axis)
    origin, at = _at(joint, 0), _at(joint, 1)
    colour = look.colours[base]
    if telescope:
        middle = 0.58 * telescope
        yield Shape("link", joint.name, base, tube(origin, origin + middle * base_axes[:, 2], 0.0, 0.85 * s), colour)
        yield Rail(joint.name, base, origin, base_axes, (0.45 * s, 0.45 * s), 0.0, True, True, look.colours[moving])
        return
    if look.planar:
        low, high = look.layers[base]
        half, seat = 0.5 * (high - low), origin + 0.5 * (low + high) * UP
        for side, wide in ((-1.35, 0.22), (1.35, 0.22)) if turns else ((0.0, 0.3),):
            start = seat + side * s * base_axes[:, 1]
            yield Rail(joint.name, base, start, base_axes, (wide * s, half), 2.5 * s, False, False, colour)
        if not turns:
            low, high = look.layers[moving]
            middle = at + 0.5 * (low + high) * UP
            block = box(middle, _upright(axes), np.array([1.0 * s, 0.5 * (high - low), 1.7 * s]))
            yield Shape("joint", joint.name, moving, block, look.colours[moving])
        return
    yield Rail(joint.name, base, origin, base_axes, (0.42 * s, 0.42 * s), 2.5 * s, True, True, colour)
    if turns:
        sleeve = tube(at - 1.4 * s * axes[:, 2], at + 1.4 * s * axes[:, 2], 0.44 * s, 0.85 * s)
        yield Shape("joint", joint.name, moving, sleeve, look.colours[moving])
    else:
        block = box(at, axes, np.array([0.9, 0.9, 1.5]) * s)
        yield Shape("joint", joint.name, moving, block, look.colours[moving])


def _drive(joint: PlannedJoint, look: Look) -> Iterator[Shape]:
    """The mark of a drive: a curved arrow about the axis, a straight one beside a slide."""
    s, first = look.s, joint.steps[0]
    assert not isinstance(first, Ball)
    axes, at = _axes(joint, 0), _at(joint, 0)
    lift = (look.layer(*joint.bodies)[1] + 0.2 * s) * UP if look.planar else np.zeros(3)
    if isinstance(first, Translation):
        along, body = axes[:, first.axis], joint.bodies[1]
        own = _along(_axes(joint, 1), first.axis)
        aside = own[:, 1] if look.planar else own[:, 0]
        mesh = double_arrow(_at(joint, 1) + 1.9 * s * aside + lift, own[:, 2], 1.7 * s, 0.16 * s)
        yield Shape("drive", joint.name, body, mesh, DRIVE)
        return
    along = axes[:, first.axis]
    mesh = curved_arrow(at + lift, along, 1.7 * s, 0.16 * s)
    yield Shape("drive", joint.name, joint.bodies[0], mesh, DRIVE)


def _at(joint: PlannedJoint, side: int) -> np.ndarray:
    return joint.frames[side][:3, 3]


def _axes(joint: PlannedJoint, side: int) -> np.ndarray:
    return joint.frames[side][:3, :3]


def _along(axes: np.ndarray, index: int) -> np.ndarray:
    """Axes whose z is one axis of a frame; in the plane its x stays along ground z."""
    along = axes[:, index]
    if abs(axes[2, index]) < 1e-12 and np.allclose(np.abs(axes[2]).max(), 1.0):
        return np.stack([UP, np.cross(along, UP), along], axis=1)
    u, v = across(along)
    return np.stack([u, v, along], axis=1)


def _upright(axes: np.ndarray) -> np.ndarray:
    """The same axes in the order that a flat block is given in: across, up, along."""
    return np.stack([axes[:, 1], -axes[:, 0], axes[:, 2]], axis=1)
