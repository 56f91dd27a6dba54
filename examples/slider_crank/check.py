"""Slider-crank against the textbook formulas of piston position, speed and acceleration."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

R, L, SPEED = 0.05, 0.12, 5000 * 2 * np.pi / 60


def slider(angle):
    """Position, velocity, acceleration of the wrist pin along the guide."""
    s, c = np.sin(angle), np.cos(angle)
    root = np.sqrt(L**2 - (R * s) ** 2)
    x = R * c + root
    v = -SPEED * (R * s + R**2 * s * c / root)
    a = -(SPEED**2) * (R * c + R**2 * np.cos(2 * angle) / root + R**4 * (s * c) ** 2 / root**3)
    return x, v, a


def crank_pin(angle):
    """Position, velocity, acceleration of the crank pin, each shape (2, n)."""
    pin = R * np.array([np.cos(angle), np.sin(angle)])
    return pin, SPEED * np.array([-pin[1], pin[0]]), -(SPEED**2) * pin


def agree(what, found, expected, tolerance=1e-10):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"slider_crank: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def closed(ds):
    """Largest gap of a loop relative to the mechanism's size; ends the check above 1e-12."""
    closure = float(ds["closure"].max())
    if not closure <= 1e-12:
        sys.exit(f"slider_crank: a loop is open by {closure:.1e} of the mechanism's size, more than 1e-12.")
    return closure


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    times = np.linspace(0, 2 * np.pi / SPEED, 25)
    ds = cc.kinematics(m, times)
    errors = []
    for what, x, A in zip(("position", "velocity", "acceleration"), slider(SPEED * times), crank_pin(SPEED * times)):
        B = np.array([x, 0 * x])
        errors.append(agree(f"{what} of the slider", ds[what].sel(point="pin"), B.T))
        errors.append(agree(f"{what} of the rod's middle", ds[what].sel(point="middle"), (A + B).T / 2))
    outer = -(SPEED**2) * R * (1 + R / L)
    agree("acceleration in the outer dead centre", ds["acceleration"].sel(point="pin", axis="x")[0], outer)
    closure = closed(ds)
    print(
        f"slider_crank: slider and rod follow the textbook formulas over a turn within {max(errors):.0e}, "
        f"loops close to {closure:.0e}"
    )


if __name__ == "__main__":
    main()
