"""Shift manipulator: motors and handle against circle intersections along the stroke, then what play does to it."""

import sys
import tomllib
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


def error_of_P(m, ideal, **arguments):
    """Largest error of P [m] of a simulation against the ideal motion at its instants."""
    ds = cc.simulate(m, float(ideal.time[-1]), times=ideal.time.values, **arguments)
    return float(cc.deviation(ds, ideal)["position_largest"].sel(point="P")), ds


def play(m):
    """What one and three loose joints do to the stroke; ends the check where it cannot be."""
    times = np.linspace(0.0, 0.2, 201)
    ideal = cc.kinematics(m, times)
    motors, _ = error_of_P(m, ideal, clearance=False)
    one, _ = error_of_P(m, ideal, clearance=["B1"])
    three, ds = error_of_P(m, ideal)
    figures = cc.contact_statistics(ds)
    c = 0.2e-3
    if not motors < 1e-9 < one < 2 * c and one < three < 4 * c:
        sys.exit(f"shift_manipulator: P errs by {motors:.1e}, {one:.1e}, {three:.1e} m with 0, 1, 3 loose joints.")
    if not (figures.contacts > 0).all() and (figures.share > 0.5).all():
        sys.exit("shift_manipulator: a pin does not stay in contact under its weight.")
    # Motors that impose their motions exactly hold P by limbs 2 and 3, whatever B1 does.
    said = tomllib.loads(m.to_text())
    for actuator in said["actuators"].values():
        del actuator["control"]
    held, ds = error_of_P(cc.Mechanism.from_dict(said), ideal, clearance=["B1"])
    if held > 1e-12 or not ds["in_contact"].any():
        sys.exit(f"shift_manipulator: with imposed motors and B1 loose P errs by {held:.1e} m instead of not at all.")
    return one, three


def shaken():
    """The diagram and the section of the shaken manipulator, in small; ends the check where they disagree."""
    m = cc.load(Path(__file__).with_name("loose.toml"))
    radii = [0.1e-3, 0.5e-3]
    see = {"period": "period", "clearance": ["B1"], "rtol": 1e-7}
    diagram = cc.bifurcation(
        m, "joints.B1.clearance.radial", radii, transient=0, keep=16, channel="eccentricity.B1.x", **see
    )
    places = diagram["section"].values[..., 0] / np.array(radii)[:, None]
    spread = np.ptp(places[:, 10:], axis=1)
    if not (spread[0] < 0.05 < spread[1] and np.abs(places).max() < 1.2):
        sys.exit(f"shift_manipulator: the pin's places once a period spread over {spread} of the clearance.")
    # The same motion alone instead of in lanes; after some periods chaos parts them.
    section = cc.poincare(m, until=0.09, channels=["eccentricity.B1.x"], **see)["section"].values[:, 0] / radii[1]
    if np.abs(section - places[1, :4]).max() > 0.01:
        sys.exit("shift_manipulator: section and diagram see different motions.")


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
    one, three = play(m)
    shaken()
    print(
        f"shift_manipulator: motors and tip follow the circle intersections along the stroke within {max(errors):.0e}, "
        f"loops close to {closure:.0e}; P errs by {1e3 * one:.2f} mm with play in B1, by {1e3 * three:.2f} mm "
        "with play in all three"
    )


if __name__ == "__main__":
    main()
