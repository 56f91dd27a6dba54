"""Spatial slider-crank against its reduction to one coordinate: speed from energy, time from an integral."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

CRANK, ROD, G, SPEED = 0.08, 0.3, 9.81, 6.0


def geometry(angle):
    """Pin, slider and the rod's two angles at a crank angle (complex numbers welcome)."""
    # the crank's frame: joint axis x, zero along z, so a positive angle turns the crank from z towards -y
    pin = np.array([0 * angle, 0.1 - CRANK * np.sin(angle), 0.12 + CRANK * np.cos(angle)])
    slider = np.sqrt(ROD**2 - pin[1] ** 2 - pin[2] ** 2)
    d = np.array([-slider, pin[1], pin[2]]) / ROD
    # d = Rz(a1) Rx(a2) e_y = (-sin a1 cos a2, cos a1 cos a2, sin a2)
    return pin, slider, np.arctan(-d[0] / d[1]), np.arcsin(d[2])


def reduced(angle):
    """Reduced inertia M and potential V: energy is M angle'^2 / 2 + V."""
    step = 1e-30
    pin, _, _, tilt = (np.real(x) for x in geometry(angle + 0j))
    pin_d, slider_d, turn_d, tilt_d = (np.imag(x) / step for x in geometry(angle + 1j * step))
    middle_d = (pin_d + np.array([slider_d, 0 * slider_d, 0 * slider_d])) / 2
    M = 1e-4 + 0.12 * (CRANK / 2) ** 2 + 0.5 * np.sum(middle_d**2, axis=0) + 2.0 * slider_d**2
    M = M + 4e-3 * tilt_d**2 + 4e-4 * (turn_d * np.sin(tilt)) ** 2 + 4e-3 * (turn_d * np.cos(tilt)) ** 2
    V = G * (0.12 * (0.12 + CRANK * np.cos(angle) / 2) + 0.5 * pin[2] / 2)
    return M, V


def speed(angle):
    M0, V0 = reduced(np.array(0.0))
    M, V = reduced(angle)
    return np.sqrt((M0 * SPEED**2 + 2 * (V0 - V)) / M)


def time_of(angle, pieces=400):
    """The integral of 1/speed from zero: Gauss-Legendre of twenty points on equal pieces."""
    x, w = np.polynomial.legendre.leggauss(20)
    edges = np.linspace(0, angle, pieces + 1)
    half = np.diff(edges)[:, None] / 2
    return float(np.sum(w * half / speed(edges[:-1, None] + half * (1 + x))))


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    ds = cc.simulate(m, 1.0, start={"A": 0.0}, times=np.linspace(0, 1, 11), rtol=1e-11, atol=1e-13)
    angles = ds["q"].sel(coordinate="A").values
    errors = {
        "speed": np.abs(ds["qd"].sel(rate="A").values - speed(angles)).max() / SPEED,
        "time": max(abs(time_of(angle) - t) for angle, t in zip(angles, ds["time"].values)),
        "slider": np.abs(ds["q"].sel(coordinate="way").values - np.real(geometry(angles + 0j)[1])).max(),
        "closure": float(ds["closure"].max()),
    }
    for what, error in errors.items():
        if not error <= 1e-8:
            sys.exit(f"spatial_slider_crank: {what} is off by {error:.1e}, more than 1e-08.")
    turns = abs(angles[-1]) / 2 / np.pi
    print(
        f"spatial_slider_crank: {turns:.1f} turns in a second; speed, time, slider differ from the reduction by hand "
        f"by {errors['speed']:.0e}, {errors['time']:.0e} s, {errors['slider']:.0e} m"
    )


if __name__ == "__main__":
    main()
