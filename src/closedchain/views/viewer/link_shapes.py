"""Links and the ground as solids: bars, plates about the points of a body, posts with hatching on the ground."""

from collections.abc import Iterator, Mapping

import numpy as np

from closedchain.elements.joints import Translation
from closedchain.views.glyphs import hatching
from closedchain.views.palette import GREY
from closedchain.views.parts import link_directions
from closedchain.views.scene import GROUND, DrawnJoint, Plan, PlannedJoint, Scene, scene_at
from closedchain.views.viewer.joint_shapes import joint_shapes
from closedchain.views.viewer.meshes import Mesh, capsule, joined, plate
from closedchain.views.viewer.shapes import Line, Look, Rail, Shape

FLAT = 1e-3
UP = np.array([0.0, 0.0, 1.0])


def all_shapes(
    plan: Plan, look: Look, at: Mapping[str, np.ndarray], driven: frozenset[str]
) -> Iterator[Shape | Line | Rail]:
    """Everything of a mechanism that is drawn with its bodies at `at`, in the axes of what carries it."""
    spans = body_points(plan, look.size)
    yield from ground_shapes(plan, look, at)
    for body, points in spans.items():
        mesh = link(points, look, body)
        if body != GROUND and mesh is not None:
            yield Shape("link", body, body, mesh, look.colours[body])
    for joint in plan.joints:
        yield from joint_shapes(joint, look, telescope(joint, spans, at), joint.name in driven)


def body_points(plan: Plan, size: float) -> dict[str, np.ndarray]:
    """Body -> its named points and joints in its axes, each place once [m], (n, 3)."""
    found = {body: list(points) for body, points in plan.points.items()}
    for joint in plan.joints:
        for body, frame in zip(joint.bodies, joint.frames, strict=True):
            found[body].append(frame[:3, 3])
    for body, points in found.items():
        kept: list[np.ndarray] = []
        for point in points:
            if all(np.linalg.norm(point - other) > 1e-6 * size for other in kept):
                kept.append(point)
        found[body] = kept
    return {body: np.array(points).reshape(-1, 3) for body, points in found.items()}


def telescope(joint: PlannedJoint, spans: Mapping[str, np.ndarray], at: Mapping[str, np.ndarray]) -> float:
    """Length [m] of a slide between two bodies whose first one is nothing but its tube; else 0."""
    slides = [step for step in joint.steps if isinstance(step, Translation)]
    base = joint.bodies[0]
    if len(slides) != 1 or GROUND in joint.bodies or len(spans[base]) > 1:
        return 0.0
    ends = [at[body] @ frame for body, frame in zip(joint.bodies, joint.frames, strict=True)]
    return abs(float((ends[1][:3, 3] - ends[0][:3, 3]) @ ends[0][:3, slides[0].axis]))


def link(points: np.ndarray, look: Look, body: str) -> Mesh | None:
    """The solid of a body about its points [m]; None where it has one place only."""
    if len(points) < 2:
        return None
    if look.planar:
        low, high = look.layers[body]
        flat = points * [1.0, 1.0, 0.0]
        return plate(flat, 1.15 * look.s, low, high, UP)
    centre = points.mean(axis=0)
    spread = np.linalg.svd(points - centre, compute_uv=False)
    if len(spread) > 2 and spread[2] < FLAT * spread[0] and spread[1] > 0.05 * spread[0]:
        return plate(points, 0.55 * look.s, -0.3 * look.s, 0.3 * look.s)
    if len(points) == 2 or spread[1] < FLAT * spread[0]:
        along = points[np.argsort((points - centre) @ _main(points))]
        return capsule(along[0], along[-1], 0.5 * look.s)
    return joined(*(capsule(points[a], points[b], 0.5 * look.s) for a, b in spanning_tree(points)))


def spanning_tree(points: np.ndarray) -> list[tuple[int, int]]:
    """Pairs of points that connect all of them by the shortest lines (Prim 1957)."""
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    inside, pairs = [0], []
    while len(inside) < len(points):
        outside = [k for k in range(len(points)) if k not in inside]
        block = gaps[np.ix_(inside, outside)]
        a, b = np.unravel_index(int(block.argmin()), block.shape)
        pairs.append((inside[a], outside[b]))
        inside.append(outside[b])
    return pairs


def ground_shapes(plan: Plan, look: Look, at: Mapping[str, np.ndarray]) -> Iterator[Shape | Line]:
    """Where the fixed body carries joints: a post with hatching, in space on a small plate; each place once."""
    scene = scene_at(plan, at)
    marked: list[np.ndarray] = []
    for joint in scene.joints:
        slides = any(isinstance(step, Translation) for step in joint.steps)
        if not joint.grounded or (slides and plan.planar) or len(joint.steps) > 3:
            continue
        if any(np.linalg.norm(joint.base - other) < look.s for other in marked):
            continue
        marked.append(joint.base)
        for stroke in hatching(joint, look.s, plan.planar, link_directions(scene, joint.base, look.s)):
            lift = 0.5 * sum(look.layers[GROUND]) * UP if plan.planar else 0.0
            if stroke.fill and not plan.planar:
                slab = plate(stroke.points[:-1], 0.1 * look.s, -0.25 * look.s, 0.0, UP)
                yield Shape("ground", joint.name, GROUND, slab, GREY)
            elif not plan.planar and not stroke.thin:
                yield Shape(
                    "ground", joint.name, GROUND, capsule(stroke.points[0], stroke.points[1], 0.4 * look.s), GREY
                )
            elif plan.planar:
                yield Line("ground", joint.name, GROUND, stroke.points + lift, GREY)
        if plan.planar:
            yield Shape("ground", joint.name, GROUND, _post(scene, joint, look), GREY)


def _post(scene: Scene, joint: DrawnJoint, look: Look) -> Mesh:
    """The bracket under a planar joint: a triangle from the joint to its hatched foot."""
    strokes = list(hatching(joint, look.s, True, link_directions(scene, joint.base, look.s)))
    sides = [stroke.points[-1] for stroke in strokes if not stroke.thin and len(stroke.points) == 2]
    corners = [joint.base, *sides[:2]]
    low, high = look.layers[GROUND]
    return plate(np.stack(corners), 0.3 * look.s, low, high, UP)


def _main(points: np.ndarray) -> np.ndarray:
    return np.linalg.svd(points - points.mean(axis=0))[2][0]
