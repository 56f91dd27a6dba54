"""Denavit-Hartenberg chains of both conventions, with constants on every joint, against matrix products.

Standard convention: Denavit and Hartenberg 1955; modified: J. J. Craig, Introduction to Robotics, 3rd ed., eq. 3.6.
"""

import numpy as np
import pytest

import closedchain as cc

# a, alpha, d, theta, type: an arm like the Stanford arm (R R P R R R) with constants on every joint.
ROWS = (
    (0.05, -np.pi / 2, 0.41, 0.3, "revolute"),
    (0.00, np.pi / 2, 0.15, -0.7, "revolute"),
    (0.02, 0.40, 0.35, 0.9, "prismatic"),
    (0.00, -np.pi / 2, 0.10, 1.1, "revolute"),
    (0.03, np.pi / 3, 0.00, -0.2, "revolute"),
    (0.00, 0.20, 0.26, 0.5, "revolute"),
)
Q = np.array([0.4, -0.3, 0.12, 0.8, 0.6, -1.1])
TOOL = np.array([0.03, -0.02, 0.08])


def rotation_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def rotation_x(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])


def shift(x, z):
    return np.array([[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, z], [0, 0, 0, 1]])


def matrices(convention, q):
    for (a, alpha, d, theta, kind), value in zip(ROWS, q):
        angle, length = (theta + value, d) if kind == "revolute" else (theta, d + value)
        joint, link = rotation_z(angle) @ shift(0, length), rotation_x(alpha)
        yield joint @ shift(a, 0) @ link if convention == "standard" else link @ shift(a, 0) @ joint


def frames(convention, q):
    """Frames 0 to 6."""
    chain = [np.eye(4)]
    for step in matrices(convention, q):
        chain.append(chain[-1] @ step)
    return chain


def coefficients(convention, q):
    """Columns (z, z x (tool - origin)), of a prismatic joint (0, z); a modified row's axis is that of its own frame."""
    chain = frames(convention, q)
    tool = (chain[-1] @ [*TOOL, 1])[:3]
    columns = []
    for k, row in enumerate(ROWS):
        frame = chain[k] if convention == "standard" else chain[k + 1]
        z = frame[:3, 2]
        columns.append([*z, *np.cross(z, tool - frame[:3, 3])] if row[4] == "revolute" else [0, 0, 0, *z])
    return np.array(columns).T


def arm(convention):
    rows = [dict(zip(("a", "alpha", "d", "theta", "type"), row)) for row in ROWS]
    return cc.Mechanism.from_dict(
        {
            "bodies": {"ground": {}, "arm.6": {"mass": 1.0, "points": {"tool": [float(x) for x in TOOL]}}},
            "chains": {"arm": {"from": "ground.origin", "convention": convention, "rows": rows}},
            "outputs": {"tool": {"point": "arm.6.tool"}},
        }
    )


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_every_frame_is_the_product_of_the_rows(convention):
    pose = cc.assemble(arm(convention), {f"arm.{k + 1}": Q[k] for k in range(6)})
    for k, frame in enumerate(frames(convention, Q)[1:], start=1):
        np.testing.assert_allclose(pose.frame(f"arm.{k}"), frame, atol=1e-14)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_coefficients_and_their_derivatives(convention):
    m = arm(convention)
    pose = cc.assemble(m, {f"arm.{k + 1}": Q[k] for k in range(6)})
    G, H, names = cc.chain_influence(m, pose, of="arm.6.tool")
    assert list(names) == [f"arm.{k + 1}" for k in range(6)]
    np.testing.assert_allclose(G, coefficients(convention, Q), atol=1e-14)
    step = 1e-30
    derivatives = [np.imag(coefficients(convention, Q + 1j * step * np.eye(6)[k])) / step for k in range(6)]
    np.testing.assert_allclose(H, np.stack(derivatives, axis=1), atol=1e-14)
