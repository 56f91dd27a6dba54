"""Gough-Stewart platform against |p + R b - a| and the influence coefficients that follow from it."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

TURN = 2 * np.pi / 3
SPREAD = np.radians(12)
BASE_ANGLES = np.array([SPREAD, TURN - SPREAD, TURN + SPREAD, -TURN - SPREAD, -TURN + SPREAD, -SPREAD])
TOP_ANGLES = np.pi / 3 + np.array([-SPREAD, SPREAD, TURN - SPREAD, TURN + SPREAD, -TURN - SPREAD, -TURN + SPREAD])
A = 1.2 * np.array([np.cos(BASE_ANGLES), np.sin(BASE_ANGLES), np.zeros(6)]).T
B = 0.8 * np.array([np.cos(TOP_ANGLES), np.sin(TOP_ANGLES), np.zeros(6)]).T


def turn_x(a):
    return np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])


def turn_y(a):
    return np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])


def turn_z(a):
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])


def pose(t):
    """Position and rotation of the platform."""
    slow, fast = np.pi * t, 2 * np.pi * t
    p = np.array([0.12 * np.sin(slow), 0.10 * np.cos(slow), 1.15 + 0.08 * np.sin(fast)])
    return p, turn_z(0.20 * np.sin(slow)) @ turn_y(0.12 * np.cos(fast)) @ turn_x(0.15 * np.sin(slow + 0.4))


def lengths(p, R):
    legs = p + B @ R.T - A
    return np.sqrt(np.sum(legs * legs, axis=1))


def inverse_rates(p, R):
    """Leg speeds from the platform's angular and linear velocity, shape (6, 6): rows (R b x u, u)."""
    arms = B @ R.T
    u = (p + arms - A) / lengths(p, R)[:, None]
    return np.hstack([np.cross(arms, u), u])


def skew(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def coefficients(p, R, step=1e-30):
    """G = J^-1 and H[:, m, :] = -G (dJ/dq_m) G, the derivative of J along column m of G by complex step."""
    G = np.linalg.inv(inverse_rates(p, R))
    H = np.empty((6, 6, 6))
    for m in range(6):
        w, v = G[:3, m], G[3:, m]
        moved = inverse_rates(p + 1j * step * v, R + 1j * step * skew(w) @ R)
        H[:, m, :] = -G @ (np.imag(moved) / step) @ G
    return G, H


def derivatives(f, t, radius=0.01, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"gough_stewart: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"gough_stewart: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    times = np.linspace(0, 2, 13)
    ds = cc.kinematics(m, times)
    legs = [f"L{i}" for i in range(1, 7)]
    expected = np.array([derivatives(lambda z: lengths(*pose(z)), t) for t in times])
    errors = [
        agree("length of the legs", ds["q"].sel(coordinate=legs), expected[:, 0]),
        agree("speed of the legs", ds["qd"].sel(rate=legs), expected[:, 1]),
        agree("acceleration of the legs", ds["qdd"].sel(rate=legs), expected[:, 2]),
    ]
    corner = np.array([derivatives(lambda z: pose(z)[0] + pose(z)[1] @ B[0], t) for t in times])
    for k, what in enumerate(("position", "velocity", "acceleration")):
        errors.append(agree(f"{what} of the corner", ds[what].sel(point="corner"), corner[:, k]))
    closure = closed(ds)
    G, H = cc.influence(m, cc.assemble(m), of="platform.centre")
    G_expected, H_expected = coefficients(*pose(0.0))
    agree("G", G, G_expected, 1e-11)
    second = agree("H", H, H_expected, 1e-10)
    print(
        f"gough_stewart: legs and corner follow the closed form within {max(errors):.0e}, "
        f"second-order coefficients within {second:.0e}, loops close to {closure:.0e}"
    )


if __name__ == "__main__":
    main()
