"""Solids of the viewer are closed and face outwards: their volumes by the divergence theorem are those of geometry."""

import numpy as np
import pytest

from closedchain.views.viewer import meshes
from closedchain.views.viewer.cameras import placed, views

O, Z, A = np.zeros(3), np.array([0.0, 0.0, 1.0]), np.array([0.3, -0.4, 1.2])
TRIANGLE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def volume(mesh):
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0


@pytest.mark.parametrize(
    ("mesh", "expected"),
    [
        (meshes.cylinder(O, A, 0.5), np.pi * 0.25 * 1.3),
        (meshes.tube(A, 2 * A, 0.5, 1.0), np.pi * 0.75 * 1.3),
        (meshes.capsule(A, 3 * A, 0.5), np.pi * 0.25 * 2.6 + 4.0 / 3.0 * np.pi * 0.125),
        (meshes.sphere(A, 2.0), 4.0 / 3.0 * np.pi * 8.0),
        (meshes.box(A, np.eye(3), np.array([1.0, 2.0, 3.0])), 48.0),
        (meshes.cone(O, Z, 0.5), np.pi * 0.25 * 1.1 / 3.0),
        (meshes.plate(TRIANGLE, 0.1, -0.1, 0.1), 0.2 * (0.5 + 0.1 * (2.0 + 2.0**0.5) + np.pi * 0.01)),
        (meshes.plate(TRIANGLE[[0, 2, 1]], 0.1, -0.1, 0.1), 0.2 * (0.5 + 0.1 * (2.0 + 2.0**0.5) + np.pi * 0.01)),
        (meshes.plate(TRIANGLE[:2], 0.1, 0.0, 0.3, Z), 0.3 * (0.2 + np.pi * 0.01)),
    ],
)
def test_volumes(mesh, expected):
    assert volume(mesh) == pytest.approx(expected, rel=0.03)


def test_arrows_stay_about_their_axis():
    curved = meshes.curved_arrow(A, Z, 1.0, 0.1)
    assert np.abs(np.linalg.norm((curved.vertices - A)[:, :2], axis=1) - 1.0).max() < 0.7
    straight = meshes.double_arrow(O, Z, 1.0, 0.1)
    assert np.abs(straight.vertices[:, :2]).max() <= 0.26 + 1e-12


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("aspect", [0.5, 1.8])
def test_every_view_sees_the_whole_box(planar, aspect):
    low, high = np.array([-0.2, 0.1, 0.0]), np.array([0.8, 0.5, 0.0 if planar else 0.6])
    for view in views(planar):
        position, centre, up = placed(view, planar, (low, high), aspect)
        forward = (centre - position) / np.linalg.norm(centre - position)
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        over = np.cross(right, forward)
        corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T - position
        depth = corners @ forward
        slope = np.tan(0.5 * np.radians(9.0 if planar else 24.0))
        assert np.all(np.abs(corners @ over) < slope * depth)
        assert np.all(np.abs(corners @ right) < aspect * slope * depth)
