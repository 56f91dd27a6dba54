"""Influence coefficients of closed mechanisms against coefficients written by hand and differentiated by complex step.

Shift manipulator: the point where two circles meet. Delta: rods of constant length (Clavel 1991; Codourey, Int. J.
Robotics Research 17, 1998).
"""

from pathlib import Path

import numpy as np

import closedchain as cc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
STEP = 1e-30


def second_order(first_order, q):
    """H[:, m, :] = dG/dq_m by complex step."""
    parts = [np.imag(first_order(q + 1j * STEP * np.eye(len(q))[m])) / STEP for m in range(len(q))]
    return np.stack(parts, axis=1)


def test_shift_manipulator_by_two_of_its_motors():
    pivots, first, second = np.array([[0, 0], [0.300, 0]]), np.array([0.250, 0.260]), np.array([0.220, 0.210])
    handle = 0.080

    def first_order(q):
        """Rows omega of the handle, x, y of its tip."""
        along = np.array([np.cos(q), np.sin(q)]).T
        B = pivots + first[:, None] * along
        dB = first[:, None] * np.array([-np.sin(q), np.cos(q)]).T
        d = B[1] - B[0]
        share = (second[0] ** 2 - second[1] ** 2 + d @ d) / (2 * (d @ d))
        across = np.sqrt(second[0] ** 2 / (d @ d) - share**2)
        P = B[0] + share * d - across * np.array([-d[1], d[0]])
        rods = P - B
        dP = np.linalg.solve(rods, np.diag(np.sum(rods * dB, axis=1)))
        turning = dP - np.outer(dB[0], [1, 0])
        omega = (rods[0][0] * turning[1] - rods[0][1] * turning[0]) / second[0] ** 2
        lever = handle / second[0] * rods[0]
        return np.array([omega, dP[0] - omega * lever[1], dP[1] + omega * lever[0]])

    m = cc.load(EXAMPLES / "shift_manipulator" / "mechanism.toml")
    pose = cc.assemble(m)
    q = np.array([pose["A1"], pose["A2"]])
    G, H = cc.influence(m, pose, of="handle.tip", wrt=["A1", "A2"])
    np.testing.assert_allclose(G, first_order(q), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(H, second_order(first_order, q), rtol=1e-11, atol=1e-12)


def test_delta_by_its_motors():
    base, arm, top = 0.200, 0.235, 0.050
    angles = 2 * np.pi / 3 * np.arange(3)
    out = np.array([np.cos(angles), np.sin(angles), np.zeros(3)]).T
    down = np.array([0, 0, -1])

    def rods(p, q):
        return p + (top - base) * out - arm * (np.cos(q)[:, None] * out + np.sin(q)[:, None] * down)

    def velocity(p, q):
        s = rods(p, q)
        swing = arm * (-np.sin(q)[:, None] * out + np.cos(q)[:, None] * down)
        return np.linalg.solve(s, np.diag(np.sum(s * swing, axis=1)))

    m = cc.load(EXAMPLES / "delta" / "mechanism.toml")
    pose = cc.assemble(m)
    p, q = pose.point("platform.origin"), np.array([pose[f"A{k}"] for k in (1, 2, 3)])
    np.testing.assert_allclose(np.linalg.norm(rods(p, q), axis=1), 0.600, atol=1e-13)
    expected = velocity(p, q)
    G, H = cc.influence(m, pose, of="platform.origin")
    np.testing.assert_allclose(G[:3], 0, atol=1e-12)
    np.testing.assert_allclose(G[3:], expected, atol=1e-12)
    parts = [np.imag(velocity(p + 1j * STEP * expected[:, k], q + 1j * STEP * np.eye(3)[k])) / STEP for k in range(3)]
    np.testing.assert_allclose(H[:3], 0, atol=1e-11)
    np.testing.assert_allclose(H[3:], np.stack(parts, axis=1), atol=1e-11)
