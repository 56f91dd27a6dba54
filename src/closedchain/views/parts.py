"""What a moving mechanism is drawn with: outlines that keep their form once, in the axes of what carries them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from closedchain.elements.joints import Translation
from closedchain.views.glyphs import Dot, Stroke, glyph, hatching
from closedchain.views.palette import GREY, INK, LINKS
from closedchain.views.scene import GROUND, DrawnJoint, Plan, Scene, moved, outline

# What moves by less than this part of the mechanism's size stands still in a picture.
UNSEEN = 1e-3


@dataclass(frozen=True)
class Part:
    """An outline: points [m] in the axes of `body`, shape (n, 3), or in ground axes per frame, shape (frames, n, 3).

    kind: "line", "area" (filled, closed) or "dot" (a circle that faces the reader). fill: colour, "paper" or "".
    level: what is higher is drawn over what is lower. role: "ground", "link" or "joint".
    """

    role: str
    name: str
    kind: str
    body: str
    points: np.ndarray
    colour: str
    fill: str = ""
    thin: bool = False
    level: int = 0


def make_parts(plan: Plan, at: Mapping[str, np.ndarray], scenes: list[Scene]) -> Iterator[Part]:
    """Everything that is drawn: the fixed body's marks, links, joints."""
    size = max(scene.size for scene in scenes)
    s = (0.016 if plan.planar else 0.02) * size
    yield from ground_parts(plan, scenes, s)
    for number, link in enumerate(scenes[0].links):
        points = np.stack([scene.links[number].points for scene in scenes])
        places = at[link.body]
        own = (points - places[:, None, :3, 3]) @ places[:, :3, :3]
        colour = LINKS[number % len(LINKS)]
        hull = outline(own[0])
        flat = len(hull) > 2
        look = {"colour": colour, "fill": colour if flat else "", "level": 20}
        kind = "area" if flat else "line"
        if np.ptp(own, axis=0).max() <= UNSEEN * size:
            yield Part("link", link.body, kind, link.body, hull, **look)
        else:
            hulls = as_long([outline(each) for each in points])
            yield Part("link", link.body, kind, GROUND, hulls, **look)
    for number, joint in enumerate(plan.joints):
        yield from joint_parts(joint.bodies, [scene.joints[number] for scene in scenes], at, s, plan.planar, size)


def ground_parts(plan: Plan, scenes: list[Scene], s: float) -> Iterator[Part]:
    """Hatching at the joints of the fixed body, each place once, in the middle of a slide's way."""
    marked: list[np.ndarray] = []
    for number, planned in enumerate(plan.joints):
        if GROUND not in planned.bodies:
            continue
        seats = np.stack([scene.joints[number].seat for scene in scenes])
        middle = int(np.linalg.norm(seats - seats.mean(axis=0), axis=1).argmin())
        joint = scenes[middle].joints[number]
        if all(np.linalg.norm(joint.base - other) > s for other in marked):
            marked.append(joint.base)
            # All frames, so that the first of them does not decide on which side the ground lies.
            around = scenes[:: max(1, len(scenes) // 40)]
            directions = np.concatenate([link_directions(scene, joint.base, s) for scene in around])
            yield from strokes(hatching(joint, s, plan.planar, directions), "ground", planned.name, GROUND, GREY, 10)


def joint_parts(
    bodies: tuple[str, str], drawn: list[DrawnJoint], at: Mapping[str, np.ndarray], s: float, planar: bool, size: float
) -> Iterator[Part]:
    """The symbol of a joint: strokes that keep their form in one of its bodies or at its seat once, others anew."""
    name = drawn[0].name
    drawn = as_far_as_used(drawn)
    carriers = {body: at[body] for body in bodies} | {seat_of(name): np.stack([seat_place(joint) for joint in drawn])}
    chosen = extremes([in_axes(joint, inverse(at[bodies[0]][k])) for k, joint in enumerate(drawn)])
    seen = {
        body: [list(glyph(in_axes(drawn[k], inverse(places[k])), s, planar)) for k in chosen]
        for body, places in carriers.items()
    }
    moving: list[int] = []
    for k, marks in enumerate(zip(*seen[bodies[0]], strict=True)):
        one = marks[0]
        body = next((b for b, every in seen.items() if keeps(k, every, size)), None)
        if body is not None:
            yield from strokes([seen[body][0][k]], "joint", name, body, INK, 40 + k)
        elif isinstance(one, Stroke) and one.thin and not one.over:
            # A guide: drawn as far as it is ever used.
            yield from strokes(marks[:2], "joint", name, bodies[0], INK, 40 + k)
        else:
            moving.append(k)
    if moving:
        all_marks = [list(glyph(joint, s, planar)) for joint in drawn]
        for k in moving:
            points = as_long([points_of(marks[k]) for marks in all_marks])
            for part in strokes([all_marks[0][k]], "joint", name, GROUND, INK, 40 + k):
                yield replace(part, points=points)


def as_far_as_used(drawn: list[DrawnJoint]) -> list[DrawnJoint]:
    """A joint in every frame, its slot as long as its pin ever needs."""
    slides = [step for step in drawn[0].steps if isinstance(step, Translation)]
    if len(slides) != 1:
        return drawn
    reach = [float((joint.moving - joint.base) @ joint.base_axes[:, slides[0].axis]) for joint in drawn]
    return [replace(joint, way=(min(reach), max(reach))) for joint in drawn]


def seat_of(joint: str) -> str:
    """Name of what carries the symbol of a joint, which no body can have."""
    return f"joint {joint}"


def seat_place(joint: DrawnJoint) -> np.ndarray:
    """Transform (4, 4) from axes at a joint's seat, parallel to its base side, to ground axes."""
    transform = np.eye(4)
    transform[:3, :3], transform[:3, 3] = joint.base_axes, joint.seat
    return transform


def seat_places(scenes: list[Scene], number: int) -> np.ndarray:
    """The same of joint `number` in every scene, (frames, 4, 4)."""
    return np.stack([seat_place(scene.joints[number]) for scene in scenes])


def strokes(marks: Any, role: str, name: str, body: str, colour: str, level: int) -> Iterator[Part]:
    """Marks of a symbol as parts of a body."""
    for mark in marks:
        if isinstance(mark, Dot):
            yield Part(role, name, "dot", body, mark.point[None], colour, "paper", False, level)
        else:
            kind = "area" if mark.fill else "line"
            fill = colour if mark.fill == "ink" else mark.fill
            yield Part(role, name, kind, body, mark.points, colour, fill, mark.thin, level)


def extremes(side: list[DrawnJoint]) -> list[int]:
    """Frames between which a joint moves most: two by its place, two by its orientation."""
    found = []
    for places in ([joint.moving for joint in side], [joint.moving_axes.ravel() for joint in side]):
        places = np.stack(places)
        far = int(np.linalg.norm(places - places[0], axis=1).argmax())
        found += [int(np.linalg.norm(places - places[far], axis=1).argmax()), far]
    return found


def in_axes(joint: DrawnJoint, transform: np.ndarray) -> DrawnJoint:
    """A drawn joint under a transform; a seat on the moving side stays there."""
    moving = moved(transform, joint.moving[None])[0]
    turn = transform[:3, :3]
    return replace(
        joint,
        base=moved(transform, joint.base[None])[0],
        moving=moving,
        base_axes=turn @ joint.base_axes,
        moving_axes=turn @ joint.moving_axes,
        seat=moving if joint.seat is joint.moving else moved(transform, joint.seat[None])[0],
    )


def link_directions(scene: Scene, place: np.ndarray, s: float) -> np.ndarray:
    """Unit vectors from a place to the other points of the links that stand on it, shape (n, 3)."""
    found = []
    for link in scene.links:
        offsets = link.points - place
        distances = np.linalg.norm(offsets, axis=1)
        if distances.min() < s:
            found += [offset / distance for offset, distance in zip(offsets, distances, strict=True) if distance > s]
    return np.array(found).reshape(-1, 3)


def inverse(transform: np.ndarray) -> np.ndarray:
    """The inverse of a rigid transform (4, 4)."""
    back = np.eye(4)
    back[:3, :3] = transform[:3, :3].T
    back[:3, 3] = -transform[:3, :3].T @ transform[:3, 3]
    return back


def points_of(mark: Stroke | Dot) -> np.ndarray:
    """Points of a mark (n, 3)."""
    return mark.point[None] if isinstance(mark, Dot) else mark.points


def keeps(k: int, frames: list[list[Stroke | Dot]], size: float) -> bool:
    """Whether mark k looks the same in all frames."""
    return all(same(points_of(frames[0][k]), points_of(other[k]), size) for other in frames[1:])


def same(a: np.ndarray, b: np.ndarray, size: float) -> bool:
    """Whether two outlines look the same."""
    return a.shape == b.shape and bool(np.abs(a - b).max(initial=0.0) <= UNSEEN * size)


def as_long(outlines: list[np.ndarray]) -> np.ndarray:
    """Outlines of several lengths as one array: shorter ones stay at their last point."""
    longest = max(len(points) for points in outlines)
    return np.stack([np.concatenate([points, points[-1:].repeat(longest - len(points), 0)]) for points in outlines])
