"""Six-joint arm against the product of its Denavit-Hartenberg matrices."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

QUARTER = np.pi / 2
LENGTH = (0, 0.4318, 0.0203, 0, 0, 0)
TWIST = (QUARTER, 0, -QUARTER, QUARTER, -QUARTER, 0)
OFFSET = (0, 0, 0.15005, 0.4318, 0, 0)
TOOL = np.array([0.02, 0, 0.12, 1])


def joints(t):
    w = 2 * np.pi * t
    return (
        0.8 * np.sin(w),
        0.7 + 0.4 * np.cos(w),
        -0.6 + 0.5 * np.sin(w + 0.5),
        0.9 * np.sin(w + 1),
        0.8 + 0.4 * np.cos(w),
        w / 2,
    )


def frames(q):
    """Frames 0 to 6 of the standard convention (analytic in q)."""
    chain = [np.eye(4)]
    for theta, a, alpha, d in zip(q, LENGTH, TWIST, OFFSET):
        c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
        step = [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
        chain.append(chain[-1] @ np.array(step))
    return chain


def points(t):
    chain = frames(joints(t))
    return np.array([(chain[6] @ TOOL)[:3], chain[4][:3, 3]])


def first_order(q):
    """Columns (z, z x (tool - origin)) of the joints' axes."""
    chain = frames(q)
    tool = (chain[6] @ TOOL)[:3]
    return np.array([[*f[:3, 2], *np.cross(f[:3, 2], tool - f[:3, 3])] for f in chain[:6]]).T


def derivatives(f, t, radius=0.02, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"dh_arm: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    times = np.linspace(0, 1, 13)
    ds = cc.kinematics(m, times)
    expected = np.array([derivatives(points, t) for t in times])
    errors = [
        agree(what, ds[what].sel(point=["tool", "wrist"]), expected[:, k])
        for k, what in enumerate(("position", "velocity", "acceleration"))
    ]
    q = np.array(joints(0.1))
    pose = cc.assemble(m, {f"arm.{i + 1}": q[i] for i in range(6)})
    G, H = cc.chain_influence(m, pose, of="arm.6.tool")[:2]
    agree("G", G, first_order(q), 1e-12)
    step = 1e-30
    second = [np.imag(first_order(q + 1j * step * np.eye(6)[k])) / step for k in range(6)]
    errors.append(agree("H", H, np.stack(second, axis=1), 1e-12))
    print(
        "dh_arm: tool and wrist follow the matrix product; position, velocity, acceleration differ by "
        "{:.0e}, {:.0e}, {:.0e}, second-order coefficients by {:.0e}".format(*errors)
    )


if __name__ == "__main__":
    main()
