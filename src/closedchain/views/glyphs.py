"""The usual symbols of joints, built from what the joint does (its steps), so every joint type has one.

A rotation is a circle (in space a barrel about its axis), a translation a block on a guide, a ball a dot in a circle,
two crossed rotations a cross, a weld a small square. Symbols are outlines in ground axes, for the plane and for space.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from closedchain.elements.joints import Ball, Rotation, Screw, Translation
from closedchain.views.scene import DrawnJoint

_RING = np.linspace(0.0, 2.0 * np.pi, 25)


@dataclass(frozen=True)
class Stroke:
    """An outline in ground axes: points [m] (n, 3); `fill` is "paper", "ink" or "" for a mere line.

    thin: a guide or hatching; over: a line drawn upon what is filled.
    """

    points: np.ndarray
    fill: str = ""
    thin: bool = False
    over: bool = False


@dataclass(frozen=True)
class Dot:
    """A dot in a circle at a point [m] (3,), always facing the reader."""

    point: np.ndarray


def glyph(joint: DrawnJoint, s: float, planar: bool) -> Iterator[Stroke | Dot]:
    """The symbol of a joint, of size `s` [m]."""
    turns = [step for step in joint.steps if isinstance(step, Rotation | Screw)]
    slides = [step for step in joint.steps if isinstance(step, Translation)]
    if any(isinstance(step, Ball) for step in joint.steps):
        if not slides:
            yield Dot(joint.seat)
        return
    if len(slides) == 1:
        along = joint.base_axes[:, slides[0].axis]
        if joint.seat is joint.moving:
            yield from guide(joint, along, s)
        if not turns:
            yield from block(joint.seat, joint.base_axes, slides[0].axis, s, planar)
            return
        if planar:
            yield Stroke(slot(joint, along, s), "paper")
    elif len(slides) > 1:
        if len(slides) == 2 and not planar:
            yield Stroke(square(joint.base, joint.base_axes[:, 0], joint.base_axes[:, 1], 2.5 * s), "paper")
        return
    if not turns:
        side = 0.6 * s
        if planar:
            yield Stroke(square(joint.seat, joint.base_axes[:, 0], joint.base_axes[:, 1], side), "ink")
        else:
            yield from block(joint.seat, joint.base_axes, 0, 0.4 * s, planar, "ink")
    elif planar:
        yield Stroke(ring(joint.seat, joint.base_axes[:, 2], s), "paper")
        if joint.loose:
            yield Stroke(ring(joint.seat, joint.base_axes[:, 2], 0.55 * s), "paper")
    elif len(turns) == 2:
        for axis in (joint.base_axes[:, turns[0].axis], joint.moving_axes[:, turns[1].axis]):
            yield from barrel(joint.seat, axis, 0.28 * s, 2.0 * s)
    else:
        axis = joint.base_axes[:, turns[0].axis]
        length = 2.0 * s if slides else 1.4 * s
        yield from barrel(joint.seat, axis, 0.7 * s, length)
        if isinstance(turns[0], Screw):
            yield Stroke(helix(joint.seat, axis, 0.72 * s, length), thin=True, over=True)


def across(axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors that complete a unit axis to a right-handed frame."""
    # Rounded, so that noise does not choose among equals.
    seed = np.eye(3)[int(np.abs(axis).round(9).argmin())]
    first = np.cross(axis, seed)
    first /= np.linalg.norm(first)
    return first, np.cross(axis, first)


def ring(centre: np.ndarray, axis: np.ndarray, radius: float) -> np.ndarray:
    """A circle about an axis, shape (25, 3)."""
    u, v = across(axis)
    return centre + radius * (np.cos(_RING)[:, None] * u + np.sin(_RING)[:, None] * v)


def helix(centre: np.ndarray, axis: np.ndarray, radius: float, half: float, turns: int = 3) -> np.ndarray:
    """A right-handed thread about an axis, shape (73, 3)."""
    u, v = across(axis)
    phase = np.linspace(0.0, 2.0 * np.pi * turns, 24 * turns + 1)[:, None]
    return centre + radius * (np.cos(phase) * u + np.sin(phase) * v) + half * (phase / (np.pi * turns) - 1.0) * axis


def square(centre: np.ndarray, u: np.ndarray, v: np.ndarray, half: float) -> np.ndarray:
    """A square spanned by two unit vectors, shape (5, 3)."""
    return centre + half * np.array([u + v, v - u, -u - v, u - v, u + v])


def barrel(centre: np.ndarray, axis: np.ndarray, radius: float, half: float) -> Iterator[Stroke]:
    """A cylinder about an axis: its sides in strips, then both ends."""
    near, far = (ring(centre + sign * half * axis, axis, radius) for sign in (-1.0, 1.0))
    for k in range(0, 24, 3):
        yield Stroke(np.concatenate([near[k : k + 4], far[k : k + 4][::-1], near[k : k + 1]]), "paper")
    yield Stroke(near, "paper")
    yield Stroke(far, "paper")


def block(
    centre: np.ndarray, axes: np.ndarray, along: int, s: float, planar: bool, fill: str = "paper"
) -> Iterator[Stroke]:
    """A block that is longer along one axis of a frame; in the plane its rectangle."""
    u, v, w = axes[:, along], axes[:, (along + 1) % 3], axes[:, (along + 2) % 3]
    if planar:
        v = axes[:, 1 - along] if along < 2 else v
        yield Stroke(centre + s * np.array([1.7 * u + v, v - 1.7 * u, -1.7 * u - v, 1.7 * u - v, 1.7 * u + v]), fill)
        return
    for first, second, third in ((1.7 * u, v, w), (v, w, 1.7 * u), (w, 1.7 * u, v)):
        for sign in (-1.0, 1.0):
            corners = np.array([first + second, second - first, -first - second, first - second, first + second])
            yield Stroke(centre + s * (corners + sign * third), fill)


def guide(joint: DrawnJoint, along: np.ndarray, s: float) -> Iterator[Stroke]:
    """The line a block slides on: from its base to beyond the block."""
    reach = float((joint.moving - joint.base) @ along)
    ends = np.array([min(0.0, reach) - 2.5 * s, max(0.0, reach) + 2.5 * s])
    yield Stroke(joint.base + ends[:, None] * along, thin=True)


def slot(joint: DrawnJoint, along: np.ndarray, s: float) -> np.ndarray:
    """A slot along an axis that the pin can move in, rounded at both ends, shape (n, 3)."""
    base = joint.base
    reach = float((joint.moving - base) @ along)
    first, last = joint.way or (min(0.0, reach), max(0.0, reach))
    low, high = first - 1.5 * s, last + 1.5 * s
    side = np.cross([0.0, 0.0, 1.0], along)
    half = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 13)[:, None]
    right = base + high * along + 1.25 * s * (np.cos(half) * along + np.sin(half) * side)
    left = base + low * along - 1.25 * s * (np.cos(half) * along + np.sin(half) * side)
    return np.concatenate([right, left, right[:1]])


def hatching(joint: DrawnJoint, s: float, planar: bool, links: np.ndarray) -> Iterator[Stroke]:
    """The mark of the fixed body at a joint: a hatched line, in space a plate below.

    links: directions of what is attached there, shape (n, 3); the hatching keeps away from them.
    """
    up = np.array([0.0, 0.0, 1.0])
    if not planar:
        foot = joint.base - 1.6 * s * up
        yield Stroke(np.stack([joint.base, foot]))
        yield Stroke(square(foot, np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), 1.3 * s), "paper")
        for x in (-0.8, 0.0, 0.8):
            yield Stroke(foot + s * np.array([[x - 0.5, -1.3, 0.0], [x + 0.5, 1.3, 0.0]]), thin=True, over=True)
        return
    slides = [step for step in joint.steps if isinstance(step, Translation)]
    if slides:
        along = joint.base_axes[:, slides[0].axis]
        away = np.cross(along, up)
        foot = joint.seat + 1.25 * s * away
    else:
        options = np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
        nearest = (options @ links.T).max(axis=1) if len(links) else np.zeros(4)
        # Below is where a reader looks for the ground: the other sides must be clearly freer.
        away = options[int((nearest - np.array([0.5, 0.0, 0.0, 0.0])).argmin())]
        along = np.cross(up, away)
        foot = joint.base + 2.2 * s * away
        for side in (-1.1, 1.1):
            yield Stroke(np.stack([joint.base, foot + side * s * along]))
    yield Stroke(foot + s * np.array([-2.2, 2.2])[:, None] * along)
    for x in np.linspace(-1.8, 2.2, 5):
        yield Stroke(foot + s * np.stack([x * along, (x - 0.7) * along + 0.8 * away]), thin=True)
