"""6-6R robot against its limb equations |platform joint - elbow| = rod, solved by Newton's method."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

TURN = 2 * np.pi / 3
BA, TA = np.radians(16), np.radians(14)
BASE_ANGLES = np.array([BA, TURN - BA, TURN + BA, -TURN - BA, -TURN + BA, -BA])
TOP_ANGLES = np.pi / 3 + np.array([-TA, TA, TURN - TA, TURN + TA, -TURN - TA, -TURN + TA])
ARM, ROD = 0.14, 0.38
OUT = np.array([np.cos(BASE_ANGLES), np.sin(BASE_ANGLES), np.zeros(6)]).T
UP = np.array([0, 0, 1])
C = 0.16 * np.array([np.cos(TOP_ANGLES), np.sin(TOP_ANGLES), np.zeros(6)]).T
MIDDLE, SWING, PHASES = 0.77, 0.30, np.array([0, 1.3, 2.1, 3.4, 4.2, 5.5])


def motors(t):
    """Angles, speeds, accelerations of the six motors."""
    w = 2 * np.pi
    s, c = SWING * np.sin(w * t + PHASES), SWING * np.cos(w * t + PHASES)
    return MIDDLE + s, w * c, -(w**2) * s


def rods(p, R, q):
    """Vectors from elbows to platform joints."""
    return p + C @ R.T - 0.30 * OUT - ARM * (np.cos(q)[:, None] * OUT + np.sin(q)[:, None] * UP)


def first_order(p, R, q):
    """Platform twist (angular first) by the motor speeds: rod . (v + w x R c) = rod . (elbow speed)."""
    d = rods(p, R, q)
    swing = ARM * (-np.sin(q)[:, None] * OUT + np.cos(q)[:, None] * UP)
    return np.linalg.solve(np.hstack([np.cross(C @ R.T, d), d]), np.diag(np.sum(d * swing, axis=1)))


def skew(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def second_order(p, R, q, step=1e-30):
    """H[:, m, :] = dG/dq_m, the pose moving along column m of G, by complex step."""
    G = first_order(p, R, q)
    parts = []
    for m in range(6):
        w, v = 1j * step * G[:3, m], 1j * step * G[3:, m]
        moved = first_order(p + v, R + skew(w) @ R, q + 1j * step * np.eye(6)[m])
        parts.append(np.imag(moved) / step)
    return np.stack(parts, axis=1)


def forward(q):
    """Pose of the platform near the level one for given motor angles."""
    p, R = np.array([0, 0, 0.36]), np.eye(3)
    for _ in range(20):
        d = rods(p, R, q)
        gap = np.sum(d * d, axis=1) - ROD**2
        twist = np.linalg.solve(2 * np.hstack([np.cross(C @ R.T, d), d]), -gap)
        half = skew(twist[:3]) / 2
        R = np.linalg.solve(np.eye(3) - half, np.eye(3) + half) @ R  # Cayley: a rotation, first order in the twist
        p = p + twist[3:]
    return p, R


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"six_r_six: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"six_r_six: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    times = np.linspace(0, 1, 13)
    ds = cc.kinematics(m, times)
    moving = ds.sel(point="centre")
    platform = ds.sel(body="platform")
    rows = []
    for t in times:
        q, qd, qdd = motors(t)
        p, R = forward(q)
        G, H = first_order(p, R, q), second_order(p, R, q)
        rows.append((p, R, G @ qd, G @ qdd + np.einsum("imn,m,n", H, qd, qd)))
    p, R, V, A = (np.array(part) for part in zip(*rows))
    errors = [
        agree("position of the platform", moving["position"], p),
        agree("rotation of the platform", platform["body_rotation"], R),
        agree("velocity of the platform", moving["velocity"], V[:, 3:]),
        agree("angular velocity of the platform", platform["body_angular_velocity"], V[:, :3]),
        agree("acceleration of the platform", moving["acceleration"], A[:, 3:]),
        agree("angular acceleration of the platform", platform["body_angular_acceleration"], A[:, :3]),
    ]
    closure = closed(ds)
    q = motors(0.0)[0]
    G, H = cc.influence(m, cc.assemble(m), of="platform.centre")
    agree("G", G, first_order(*forward(q), q), 1e-10)
    second = agree("H", H, second_order(*forward(q), q), 1e-10)
    print(
        f"six_r_six: platform follows its limb equations within {max(errors):.0e}, "
        f"second-order coefficients within {second:.0e}, loops close to {closure:.0e}"
    )


if __name__ == "__main__":
    main()
