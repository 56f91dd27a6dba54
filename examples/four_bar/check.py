"""Four-bar linkage against the intersection of two circles."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

BASE, CRANK, COUPLER, ROCKER = 0.5, 0.12, 0.4, 0.35


def points(t):
    """Coupler point P and joint C, from the circles around B and D (analytic in t)."""
    angle = np.pi / 6 + 2 * np.pi * t
    B, D = CRANK * np.array([np.cos(angle), np.sin(angle)]), np.array([BASE, 0])
    d = D - B
    along = (COUPLER**2 - ROCKER**2 + d @ d) / (2 * (d @ d))
    across = np.sqrt(COUPLER**2 / (d @ d) - along**2)
    C = B + along * d + across * np.array([-d[1], d[0]])
    u = (C - B) / COUPLER
    return np.array([B + 0.200 * u + 0.150 * np.array([-u[1], u[0]]), C])


def derivatives(f, t, radius=0.02, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"four_bar: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"four_bar: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    freedoms = cc.mobility(m).dof
    if freedoms != 1:
        sys.exit(f"four_bar: {freedoms} freedoms found; a four-bar has 1.")
    times = np.linspace(0, 1, 13)
    ds = cc.kinematics(m, times)
    expected = np.array([derivatives(points, t) for t in times])
    errors = [
        agree(what, ds[what].sel(point=["P", "C"]), expected[:, k])
        for k, what in enumerate(("position", "velocity", "acceleration"))
    ]
    closure = closed(ds)
    print(
        "four_bar: P and C follow the circle intersections over a turn; position, velocity, acceleration differ by "
        "{:.0e}, {:.0e}, {:.0e}, loops close to {:.0e}".format(*errors, closure)
    )


if __name__ == "__main__":
    main()
