"""Five-bar linkage and its influence coefficients against circle intersection and complex step."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

BASE, ARM, FOREARM = 0.16, 0.2, 0.3
PIVOTS = np.array([[-BASE / 2, 0], [BASE / 2, 0]])


def motors(t):
    return np.array([2.2 + 0.4 * np.sin(2 * np.pi * t), 0.9 + 0.4 * np.sin(2 * np.pi * t + 1.2)])


def elbows(q):
    return PIVOTS + ARM * np.array([np.cos(q), np.sin(q)]).T


def meeting(q):
    """P, the upper intersection of the circles around the elbows (analytic in q)."""
    B1, B2 = elbows(q)
    d = B2 - B1
    return B1 + d / 2 + np.sqrt(FOREARM**2 / (d @ d) - 0.25) * np.array([-d[1], d[0]])


def first_order(q):
    """Rows omega of forearm 1, x, y of P; columns the motors. From (P - B_i) . (P' - B_i') = 0."""
    B, P = elbows(q), meeting(q)
    dB = ARM * np.array([-np.sin(q), np.cos(q)]).T
    rods = P - B
    G = np.linalg.solve(rods, np.diag(np.sum(rods * dB, axis=1)))
    relative = G - np.outer(dB[0], [1, 0])
    omega = (rods[0][0] * relative[1] - rods[0][1] * relative[0]) / FOREARM**2
    return np.array([omega, *G])


def derivatives(f, t, radius=0.02, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"five_bar: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"five_bar: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    times = np.linspace(0, 1, 13)
    ds = cc.kinematics(m, times)
    expected = np.array([derivatives(lambda z: meeting(motors(z)), t) for t in times])
    errors = [
        agree(what, ds[what].sel(point="P"), expected[:, k])
        for k, what in enumerate(("position", "velocity", "acceleration"))
    ]
    closure = closed(ds)
    q = np.array([2.3, 0.8])
    G, H = cc.influence(m, cc.assemble(m, {"A1": q[0], "A2": q[1]}), of="forearm1.P")
    agree("G", G, first_order(q), 1e-11)
    step = 1e-30
    second = [np.imag(first_order(q + 1j * step * np.eye(2)[k])) / step for k in range(2)]
    errors.append(agree("H", H, np.stack(second, axis=1), 1e-11))
    print(
        "five_bar: P follows the circle intersection; position, velocity, acceleration differ by {:.0e}, {:.0e}, "
        "{:.0e}, second-order coefficients by {:.0e}, loops close to {:.0e}".format(*errors, closure)
    )


if __name__ == "__main__":
    main()
