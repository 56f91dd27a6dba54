"""RSSR against the intersection of the rocker's circle with the sphere of the rod."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

CRANK, ROD, ROCKER = 0.06, 0.3, 0.18
D = np.array([0.22, 0.10, 0.08])
U = np.array([0, 0, 1])  # the rocker turns from U to W about the axis (0.6, 0.8, 0)
W = np.array([0.8, -0.6, 0])


def motion(t):
    """Joints B, C and the rocker's unit vector in the axes U, W (analytic in t): X cos q + Y sin q = K."""
    angle = 2 * np.pi * t
    B = CRANK * np.array([np.cos(angle), np.sin(angle), 0])
    b = B - D
    X, Y, K = b @ U, b @ W, (b @ b + ROCKER**2 - ROD**2) / (2 * ROCKER)
    root = np.sqrt(X**2 + Y**2 - K**2)
    c, s = np.array([X * K - Y * root, Y * K + X * root]) / (X**2 + Y**2)
    return np.array([B, D + ROCKER * (c * U + s * W), [c, s, 0]])


def derivatives(f, t, radius=0.02, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"rssr: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"rssr: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    mobility = cc.mobility(m)
    if (mobility.dof - mobility.idle, mobility.idle) != (1, 1):
        sys.exit(
            f"rssr: {mobility.dof} freedoms found, {mobility.idle} of them idle; "
            "it has 2, the crank's and the spin of the rod."
        )
    times = np.linspace(0, 1, 13)
    ds = cc.kinematics(m, times)
    expected = np.array([derivatives(motion, t) for t in times])
    errors = [
        agree(what, ds[what].sel(point=["B", "C"]), expected[:, k, :2])
        for k, what in enumerate(("position", "velocity", "acceleration"))
    ]
    w, wd, wdd = expected[:, :, 2].transpose(1, 2, 0)
    q = ds["q"].sel(coordinate="D")
    agree("angle of the rocker", [np.cos(q), np.sin(q)], w[:2])
    agree("speed of the rocker", ds["qd"].sel(rate="D"), w[0] * wd[1] - w[1] * wd[0])
    agree("acceleration of the rocker", ds["qdd"].sel(rate="D"), w[0] * wdd[1] - w[1] * wdd[0])
    closure = closed(ds)
    print(
        "rssr: balls and rocker follow the closed form over a turn; position, velocity, acceleration differ by "
        "{:.0e}, {:.0e}, {:.0e}, loops close to {:.0e}".format(*errors, closure)
    )


if __name__ == "__main__":
    main()
