"""Bennett linkage against its closure relation tan(q1/2) tan(q2/2) = sqrt(3) and the product of its link frames."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

A, ALPHA, B, BETA = 0.22, np.pi / 2, 0.11, 5 * np.pi / 6
RATIO = np.sin((BETA + ALPHA) / 2) / np.sin((BETA - ALPHA) / 2)  # sqrt(3); Bennett 1903


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


def second(angle):
    """Cosine and sine of the second joint (analytic): tan(q2/2) = RATIO / tan(q1/2)."""
    c, s = RATIO * np.cos(angle / 2), np.sin(angle / 2)
    return np.array([s * s - c * c, 2 * s * c]) / (s * s + c * c)


def motion(t):
    """Points P and Q and the unit vector at the angle of joint 2."""
    angle = np.pi / 3 + 2 * np.pi * t
    w = second(angle)
    first = link(np.cos(angle), np.sin(angle), A, ALPHA)
    return np.array([first[:3, 3], (first @ link(w[0], w[1], B, BETA))[:3, 3], [*w, 0]])


def derivatives(f, t, radius=0.02, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"bennett: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"bennett: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    mobility = cc.mobility(m)
    found = (mobility.dof, mobility.gruebler, mobility.redundant)
    if found != (1, -2, 3):
        sys.exit(f"bennett: freedoms, Gruebler count, redundant constraints are {found}; (1, -2, 3) is right.")
    times = np.linspace(0, 1, 13)
    ds = cc.kinematics(m, times)
    expected = np.array([derivatives(motion, t) for t in times])
    errors = [
        agree(what, ds[what].sel(point=["P", "Q"]), expected[:, k, :2])
        for k, what in enumerate(("position", "velocity", "acceleration"))
    ]
    q1, q2, q3, q4 = (ds["q"].sel(coordinate=name).values for name in ("J1", "J2", "J3", "J4"))
    product = RATIO * np.cos(q1 / 2) * np.cos(q2 / 2)
    agree("closure relation", np.sin(q1 / 2) * np.sin(q2 / 2), product, 1e-12)
    agree("angle 3 against angle 1", [np.cos(q3), np.sin(q3)], [np.cos(q1), -np.sin(q1)], 1e-12)
    agree("angle 4 against angle 2", [np.cos(q4), np.sin(q4)], [np.cos(q2), -np.sin(q2)], 1e-12)
    w, wd, wdd = expected[:, :, 2].transpose(1, 2, 0)
    agree("speed of joint 2", ds["qd"].sel(rate="J2"), w[0] * wd[1] - w[1] * wd[0])
    agree("acceleration of joint 2", ds["qdd"].sel(rate="J2"), w[0] * wdd[1] - w[1] * wdd[0])
    closure = closed(ds)
    print(
        "bennett: one freedom, three redundant constraints; position, velocity, acceleration differ from the closure "
        "relation by {:.0e}, {:.0e}, {:.0e}, loops close to {:.0e}".format(*errors, closure)
    )


if __name__ == "__main__":
    main()
