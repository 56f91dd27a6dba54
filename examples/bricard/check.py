"""Threefold-symmetric Bricard linkage against its closure relation (Chen, You, Tarnai 2005)."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

A, ALPHA = 0.2, np.radians(75)


def link(cosine, sine, a, alpha):
    """Denavit-Hartenberg transform of a turn about z, then a link of length `a` and twist `alpha`."""
    ca, sa = np.cos(alpha), np.sin(alpha)
    return np.array(
        [
            [cosine, -sine * ca, sine * sa, a * cosine],
            [sine, cosine * ca, -cosine * sa, a * sine],
            [0, sa, ca, 0],
            [0, 0, 0, 1],
        ]
    )


def even(odd):
    """Cosine and sine of joints 2, 4, 6 from the angle of joints 1, 3, 5 (analytic): X cos + Y sin = K."""
    c, s = np.cos(ALPHA), np.sin(ALPHA)
    X, Y = s**2 + (1 + c**2) * np.cos(odd), -2 * c * np.sin(odd)
    K = -(c**2) - s**2 * np.cos(odd)
    root = np.sqrt(X**2 + Y**2 - K**2)
    return np.array([X * K + Y * root, Y * K - X * root]) / (X**2 + Y**2)


def motion(t):
    """Joints P1 and P3 and the unit vector at the angle of the even joints."""
    odd = 0.3 + np.sin(2 * np.pi * t)
    w = even(odd)
    one = link(np.cos(odd), np.sin(odd), A, ALPHA)
    two = one @ link(w[0], w[1], A, -ALPHA)
    return np.array([one[:3, 3], (two @ one)[:3, 3], [*w, 0]])


def derivatives(f, t, radius=0.01, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"bricard: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"bricard: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    mobility = cc.mobility(m)
    found = (mobility.dof, mobility.gruebler, mobility.redundant)
    if found != (1, 0, 1):
        sys.exit(f"bricard: freedoms, Gruebler count, redundant constraints are {found}; (1, 0, 1) is right.")
    times = np.linspace(0, 1, 13)
    ds = cc.kinematics(m, times)
    expected = np.array([derivatives(motion, t) for t in times])
    errors = [
        agree(what, ds[what].sel(point=["P1", "P3"]), expected[:, k, :2])
        for k, what in enumerate(("position", "velocity", "acceleration"))
    ]
    w, wd, wdd = expected[:, :, 2].transpose(1, 2, 0)
    for name in ("link.2", "link.4", "J6"):
        q = ds["q"].sel(coordinate=name)
        agree(f"angle of {name}", [np.cos(q), np.sin(q)], w[:2])
        agree(f"speed of {name}", ds["qd"].sel(rate=name), w[0] * wd[1] - w[1] * wd[0])
        agree(f"acceleration of {name}", ds["qdd"].sel(rate=name), w[0] * wdd[1] - w[1] * wdd[0])
    closure = closed(ds)
    print(
        "bricard: one freedom with one redundant constraint; position, velocity, acceleration differ from the closure "
        "relation by {:.0e}, {:.0e}, {:.0e}, loops close to {:.0e}".format(*errors, closure)
    )


if __name__ == "__main__":
    main()
