"""Shift manipulator: motors and handle against circle intersections along the stroke."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

PIVOTS = np.array([[0, 0], [0.300, 0], [0.150, 0.280]])
FIRST, SECOND = np.array([0.250, 0.260, 0.240]), np.array([0.220, 0.210, 0.230])
HANDLE = 0.080
ELBOW_SIDE = np.array([1, -1, 1])  # left of the way from pivot to P, right, left
RAMPS = ((0.05, 0.40, 0.040), (0.45, 0.80, -0.040))


def stroke(t):
    """P at complex time near a real one: the smooth steps, of which each is its polynomial only between its ends."""
    x = 0.160 + 0j
    for start, end, rise in RAMPS:
        s = (t - start) / (end - start)
        if np.real(s) >= 1:
            x += rise
        elif np.real(s) > 0:
            x += rise * (10 * s**3 - 15 * s**4 + 6 * s**5)
    return np.array([x, 0.115])


def limbs(t):
    """Unit vectors (axis, limb) along the first links, and the handle's tip, from P by circle intersection."""
    P = stroke(t)
    d = P - PIVOTS
    distance2 = np.sum(d * d, axis=1)
    along = (FIRST**2 - SECOND**2 + distance2) / (2 * distance2)
    across = ELBOW_SIDE * np.sqrt(FIRST**2 / distance2 - along**2)
    elbows = (along * d.T + across * np.array([-d[:, 1], d[:, 0]])).T
    tip = P + HANDLE * (d[0] - elbows[0]) / SECOND[0]
    return np.column_stack([(elbows / FIRST[:, None]).T, tip])


def derivatives(f, t, radius=0.01, points=24):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"shift_manipulator: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"shift_manipulator: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    mobility = cc.mobility(m)
    if (mobility.dof, mobility.loops) != (2, 2):
        sys.exit(f"shift_manipulator: {mobility.dof} freedoms in {mobility.loops} loops found; it has 2 in 2.")
    times = np.array([0.0, 0.1, 0.15, 0.2, 0.225, 0.3, 0.35, 0.425, 0.5, 0.6, 0.7, 0.75, 0.85])
    ds = cc.kinematics(m, times)
    w, wd, wdd = np.array([derivatives(limbs, t) for t in times]).transpose(1, 2, 0, 3)  # each: axis, time, limb
    tip = [part[:, :, 3].T for part in (w, wd, wdd)]
    w, wd, wdd = w[..., :3], wd[..., :3], wdd[..., :3]
    motors = ["A1", "A2", "A3"]
    q = ds["q"].sel(coordinate=motors)
    errors = [
        agree("angle of the motors", [np.cos(q), np.sin(q)], w),
        agree("speed of the motors", ds["qd"].sel(rate=motors), w[0] * wd[1] - w[1] * wd[0]),
        agree("acceleration of the motors", ds["qdd"].sel(rate=motors), w[0] * wdd[1] - w[1] * wdd[0]),
    ]
    for what, expected in zip(("position", "velocity", "acceleration"), tip):
        errors.append(agree(f"{what} of the tip", ds[what].sel(point="tip"), expected))
    closure = closed(ds)
    print(
        f"shift_manipulator: motors and tip follow the circle intersections along the stroke within {max(errors):.0e}, "
        f"loops close to {closure:.0e}"
    )


if __name__ == "__main__":
    main()
