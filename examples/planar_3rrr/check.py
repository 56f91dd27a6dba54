"""3-RRR robot against its inverse kinematics in closed form."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

BASE, PLATFORM, ARM, FOREARM = 0.4, 0.11, 0.24, 0.23
CORNERS = np.array([-5 * np.pi / 6, -np.pi / 6, np.pi / 2])


def pose(t):
    return 0.05 * np.cos(2 * np.pi * t), 0.05 * np.sin(2 * np.pi * t), 0.2 * np.sin(2 * np.pi * t)


def arms(t):
    """Unit vectors (x, y) along the three arms, elbows right of the way from A to C (analytic in t)."""
    x, y, angle = pose(t)
    A = BASE * np.array([np.cos(CORNERS), np.sin(CORNERS)])
    C = np.array([x + PLATFORM * np.cos(CORNERS + angle), y + PLATFORM * np.sin(CORNERS + angle)])
    d = C - A
    distance2 = np.sum(d * d, axis=0)
    along = (ARM**2 - FOREARM**2 + distance2) / (2 * distance2)
    across = np.sqrt(ARM**2 / distance2 - along**2)
    return (along * d + across * np.array([d[1], -d[0]])) / ARM


def derivatives(f, t, radius=0.02, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"planar_3rrr: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"planar_3rrr: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
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
    x, y, _ = pose(times)
    agree("position of the platform", ds["position"].sel(point="centre"), np.array([x, y]).T)
    closure = closed(ds)
    print(
        "planar_3rrr: motors follow the closed-form inverse; angle, speed, acceleration differ by "
        "{:.0e}, {:.0e}, {:.0e}, loops close to {:.0e}".format(*errors, closure)
    )


if __name__ == "__main__":
    main()
