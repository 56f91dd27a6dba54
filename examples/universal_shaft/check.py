"""Hooke joint against tan(pump) = tan(motor) cos(bend), double Cardan shaft against constant speed."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

BEND, SPEED = np.radians(35), 2 * np.pi


def pump(t):
    """Cosine and sine of the pump's angle, its speed and its acceleration."""
    c, s = np.cos(SPEED * t), np.sin(SPEED * t)
    W = 1 - (s * np.sin(BEND)) ** 2
    speed = SPEED * np.cos(BEND) / W
    return c / np.sqrt(W), s * np.cos(BEND) / np.sqrt(W), speed, speed * SPEED * np.sin(BEND) ** 2 * 2 * s * c / W


def agree(what, found, expected, size=1.0, tolerance=1e-10):
    """Largest difference relative to `size`; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / size
    if not error <= tolerance:
        sys.exit(f"universal_shaft: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"universal_shaft: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    mobility = cc.mobility(m)
    found = (mobility.dof, mobility.gruebler, mobility.redundant)
    if found != (1, -2, 3):
        sys.exit(f"universal_shaft: freedoms, Gruebler count, redundant constraints are {found}; (1, -2, 3) is right.")
    times = np.linspace(0, 1, 25)
    ds = cc.kinematics(m, times)
    q, qd, qdd = ds["q"], ds["qd"], ds["qdd"]
    c, s, speed, acceleration = pump(times)
    angle = q.sel(coordinate="pump")
    errors = (
        agree("angle of the pump", [np.cos(angle), np.sin(angle)], [c, s]),
        agree("speed of the pump", qd.sel(rate="pump"), speed, SPEED),
        agree("acceleration of the pump", qdd.sel(rate="pump"), acceleration, SPEED**2),
        agree("angle of the wheel", np.exp(1j * q.sel(coordinate="wheel").values), np.exp(1j * SPEED * times)),
        agree("speed of the wheel", qd.sel(rate="wheel"), SPEED, SPEED),
        agree("acceleration of the wheel", qdd.sel(rate="wheel"), 0, SPEED**2),
    )
    closure = closed(ds)
    print(
        f"universal_shaft: pump follows tan(pump) = tan(motor) cos(bend), the wheel the motor, within "
        f"{max(errors):.0e}, loops close to {closure:.0e}"
    )


if __name__ == "__main__":
    main()
