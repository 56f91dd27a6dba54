"""Solid shapes as triangles: bars and plates of links, pins and barrels of joints, rings, balls, boxes."""

from dataclasses import dataclass

import numpy as np

from closedchain.views.glyphs import across
from closedchain.views.scene import outline

AROUND = 28


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles: vertices [m] (n, 3), faces (m, 3) as numbers of vertices, counter-clockwise seen from outside."""

    vertices: np.ndarray
    faces: np.ndarray

    def moved(self, transform: np.ndarray) -> "Mesh":
        """The mesh under a transform (4, 4)."""
        return Mesh(self.vertices @ transform[:3, :3].T + transform[:3, 3], self.faces)


def joined(*meshes: Mesh) -> Mesh:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]
    return Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces))


def revolved(
    profile: np.ndarray, centre: np.ndarray, axis: np.ndarray, smooth: bool = False, turn: float = 2.0 * np.pi
) -> Mesh:
    """A profile turned about an axis.

    profile: (k, 2) of radius and height along the axis [m], the outside on its right when it rises. Its edges stay
    sharp unless it is smooth. turn: how far it is turned [rad].
    """
    profile = np.asarray(profile, dtype=float)
    if not smooth:
        return joined(*(revolved(profile[k : k + 2], centre, axis, True, turn) for k in range(len(profile) - 1)))
    u, v = across(axis)
    angle = np.linspace(0.0, turn, AROUND + 1)
    out = np.cos(angle)[:, None] * u + np.sin(angle)[:, None] * v
    vertices = centre + profile[:, None, :1] * out + profile[:, None, 1:] * axis
    rows, columns = np.meshgrid(np.arange(len(profile) - 1), np.arange(AROUND), indexing="ij")
    a, up = rows * (AROUND + 1) + columns, AROUND + 1
    faces = np.stack([np.stack([a, a + 1, a + 1 + up], -1), np.stack([a, a + 1 + up, a + up], -1)], axis=2)
    if turn >= 2.0 * np.pi:
        # The last column is the first one, so that no seam shows in the light.
        faces = np.where(faces % up == AROUND, faces - AROUND, faces)
    return Mesh(vertices.reshape(-1, 3), faces.reshape(-1, 3))


def cylinder(a: np.ndarray, b: np.ndarray, radius: float) -> Mesh:
    """A cylinder with its two ends."""
    axis, length = _direction(a, b)
    return revolved(np.array([[0.0, 0.0], [radius, 0.0], [radius, length], [0.0, length]]), a, axis)


def tube(a: np.ndarray, b: np.ndarray, inner: float, outer: float) -> Mesh:
    """A hollow cylinder, open at both ends."""
    axis, length = _direction(a, b)
    profile = [[inner, 0.0], [outer, 0.0], [outer, length], [inner, length], [inner, 0.0]]
    return revolved(np.array(profile), a, axis)


def capsule(a: np.ndarray, b: np.ndarray, radius: float) -> Mesh:
    """A round bar with round ends."""
    axis, length = _direction(a, b)
    turn = np.linspace(-0.5 * np.pi, 0.0, 7)
    low = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    high = low[::-1] * [1.0, -1.0] + [0.0, length]
    return revolved(np.concatenate([low, high]), a, axis, smooth=True)


def sphere(centre: np.ndarray, radius: float) -> Mesh:
    """A ball."""
    turn = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 13)
    profile = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    return revolved(profile, centre, np.array([0.0, 0.0, 1.0]), smooth=True)


def curved_arrow(centre: np.ndarray, axis: np.ndarray, radius: float, thickness: float) -> Mesh:
    """Three quarters of a ring with a head in the sense of a positive turn; radius: of its middle line [m]."""
    turn, section = 1.5 * np.pi, np.linspace(0.0, 2.0 * np.pi, 13)
    profile = np.stack([radius + thickness * np.cos(section), thickness * np.sin(section)], axis=1)
    u, v = across(axis)
    end = centre + radius * (np.cos(turn) * u + np.sin(turn) * v)
    return joined(
        revolved(profile, centre, axis, True, turn), cone(end, np.cos(turn) * v - np.sin(turn) * u, 2.6 * thickness)
    )


def cone(foot: np.ndarray, axis: np.ndarray, radius: float) -> Mesh:
    """The head of an arrow."""
    return revolved(np.array([[0.0, 0.0], [radius, 0.0], [0.0, 2.2 * radius]]), foot, axis)


def double_arrow(centre: np.ndarray, axis: np.ndarray, half: float, thickness: float) -> Mesh:
    """A straight arrow with two heads."""
    a, b = centre - half * axis, centre + half * axis
    return joined(cylinder(a, b, thickness), cone(a, -axis, 2.6 * thickness), cone(b, axis, 2.6 * thickness))


def box(centre: np.ndarray, axes: np.ndarray, half: np.ndarray) -> Mesh:
    """A box along the columns of `axes` (3, 3); half: half its edges [m] (3,)."""
    quads = []
    for k in range(3):
        u, v, w = (axes[:, (k + turn) % 3] * half[(k + turn) % 3] for turn in range(3))
        corners = np.array([v + w, w - v, -v - w, v - w])
        quads += [centre + u + corners, centre - u + corners[::-1]]
    return joined(*(Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]])) for corners in quads))


def plate(points: np.ndarray, radius: float, low: float, high: float, normal: np.ndarray | None = None) -> Mesh:
    """A flat plate with rounded corners about points of one plane (n, 3), or a flat bar about points of one line.

    radius: how far it reaches beyond the points [m]; low, high: its faces along the plane's normal [m]. normal: of the
    plane, needed for points of one line.
    """
    hull = outline(points)
    centre = hull.mean(axis=0)
    up = np.linalg.svd(hull - centre)[2][2] if normal is None else normal
    u, v = across(up)
    flat = np.stack([(hull - centre) @ u, (hull - centre) @ v], axis=1)
    if len(flat) > 2 and _area(flat) < 0.0:
        flat = flat[::-1]
    rim = rounded(flat, radius)
    ring = centre + rim[:, :1] * u + rim[:, 1:] * v
    bottom, top = ring + low * up, ring + high * up
    n = len(ring)
    k = np.arange(n)
    after = (k + 1) % n
    side = np.concatenate([np.stack([k, after, after + n], -1), np.stack([k, after + n, k + n], -1)])
    fan = np.stack([np.zeros(n - 2, int), k[1:-1], k[2:]], axis=1)
    return joined(Mesh(np.concatenate([bottom, top]), side), Mesh(top, fan), Mesh(bottom, fan[:, ::-1]))


def rounded(corners: np.ndarray, radius: float) -> np.ndarray:
    """The outline at a distance from a convex polygon (k, 2), counter-clockwise, or from a line of two points."""
    parts = []
    count = len(corners)
    for k in range(count):
        here = corners[k]
        # The outward normal of an edge (x, y) is (y, -x).
        edges = (here - corners[k - 1], corners[(k + 1) % count] - here)
        start, end = (float(np.arctan2(-edge[0], edge[1])) for edge in edges)
        end += 2.0 * np.pi * (end < start - 1e-9)
        steps = max(2, int(np.ceil((end - start) / (2.0 * np.pi) * AROUND)) + 1)
        angle = np.linspace(start, end, steps)
        parts.append(here + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    return np.concatenate(parts)


def _direction(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float]:
    length = float(np.linalg.norm(b - a))
    return ((b - a) / length if length > 0.0 else np.array([0.0, 0.0, 1.0])), length


def _area(flat: np.ndarray) -> float:
    x, y = flat.T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
