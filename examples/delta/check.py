"""Delta robot against its inverse kinematics in closed form."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

BASE, ARM, ROD, TOP = 0.200, 0.235, 0.600, 0.050
AROUND = 2 * np.pi / 3 * np.arange(3)


def path(t):
    w = 2 * np.pi * t
    return np.array([0.12 * np.cos(w), 0.12 * np.sin(w), -0.55 + 0.04 * np.sin(2 * w)])


def arms(t):
    """Unit vectors (outwards, down) along the arms, elbows outwards: X cos q + Y sin q = K (analytic in t)."""
    x, y, z = path(t)
    X = x * np.cos(AROUND) + y * np.sin(AROUND) + TOP - BASE
    Y = -z
    side = -x * np.sin(AROUND) + y * np.cos(AROUND)
    K = (X**2 + Y**2 + side**2 + ARM**2 - ROD**2) / (2 * ARM)
    root = np.sqrt(X**2 + Y**2 - K**2)
    return np.array([X * K + Y * root, Y * K - X * root]) / (X**2 + Y**2)


def derivatives(f, t, radius=0.02, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"delta: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"delta: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    mobility = cc.mobility(m)
    if (mobility.dof - mobility.idle, mobility.idle) != (3, 6):
        sys.exit(
            f"delta: {mobility.dof} freedoms found, {mobility.idle} of them idle; "
            "it has 9, the platform's three and the spin of six rods."
        )
    times = np.linspace(0, 1, 13)
    ds = cc.kinematics(m, times)
    motors = ["A1", "A2", "A3"]
    w, wd, wdd = np.array([derivatives(arms, t) for t in times]).transpose(1, 2, 0, 3)  # each: axis, time, motor
    q = ds["q"].sel(coordinate=motors)
    errors = (
        agree("angle of the motors", [np.cos(q), np.sin(q)], w),
        agree("speed of the motors", ds["qd"].sel(rate=motors), w[0] * wd[1] - w[1] * wd[0]),
        agree("acceleration of the motors", ds["qdd"].sel(rate=motors), w[0] * wdd[1] - w[1] * wdd[0]),
    )
    agree("position of the tool", ds["position"].sel(point="tool"), path(times).T - [0, 0, 0.05])
    upright = np.tile(np.eye(3), (len(times), 1, 1))
    level = agree("rotation of the platform", ds["body_rotation"].sel(body="platform"), upright)
    closure = closed(ds)
    print(
        "delta: motors follow the closed-form inverse; angle, speed, acceleration differ by {:.0e}, {:.0e}, {:.0e}; "
        "the platform stays level to {:.0e}, loops close to {:.0e}".format(*errors, level, closure)
    )


if __name__ == "__main__":
    main()
