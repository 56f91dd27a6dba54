"""Jansen's leg against its chain of circle intersections."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

B = np.array([-0.0380, -0.0078])
b, c, d, e, f, g, h, i, j, k, m = 0.0415, 0.0393, 0.0401, 0.0558, 0.0394, 0.0367, 0.0657, 0.0490, 0.0500, 0.0619, 0.0150


def meet(P, r, Q, s, side):
    """The point at r from P and s from Q, left (side = 1) or right (-1) of the way from P to Q (analytic)."""
    w = Q - P
    along = (r**2 - s**2 + w @ w) / (2 * (w @ w))
    across = side * np.sqrt(r**2 / (w @ w) - along**2)
    return P + along * w + across * np.array([-w[1], w[0]])


def points(t):
    """Foot and knee."""
    angle = -np.pi * t
    X = m * np.array([np.cos(angle), np.sin(angle)])
    Y = meet(X, j, B, b, -1)
    Z = meet(B, d, Y, e, 1)
    W = meet(X, k, B, c, 1)
    V = meet(Z, f, W, g, -1)
    return np.array([meet(V, h, W, i, -1), V])


def derivatives(f, t, radius=0.02, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"jansen_leg: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"jansen_leg: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    leg = cc.load(Path(__file__).with_name("mechanism.toml"))
    mobility = cc.mobility(leg)
    if (mobility.dof, mobility.loops) != (1, 3):
        sys.exit(f"jansen_leg: {mobility.dof} freedoms in {mobility.loops} loops found; the leg has 1 in 3.")
    times = np.linspace(0, 2, 25)
    ds = cc.kinematics(leg, times)
    expected = np.array([derivatives(points, t) for t in times])
    errors = [
        agree(what, ds[what].sel(point=["foot", "knee"]), expected[:, n])
        for n, what in enumerate(("position", "velocity", "acceleration"))
    ]
    closure = closed(ds)
    print(
        "jansen_leg: foot and knee follow the circle intersections over a turn; position, velocity, acceleration "
        "differ by {:.0e}, {:.0e}, {:.0e}, loops close to {:.0e}".format(*errors, closure)
    )


if __name__ == "__main__":
    main()
