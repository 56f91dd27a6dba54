"""Leg forces of a loaded Stewart platform against the balance of forces and moments of the two bodies it carries."""

import sys
from pathlib import Path

import numpy as np

import closedchain as cc

TURN, SPREAD = 2 * np.pi / 3, np.radians(12)
BASE_ANGLES = np.array([SPREAD, TURN - SPREAD, TURN + SPREAD, -TURN - SPREAD, -TURN + SPREAD, -SPREAD])
TOP_ANGLES = np.pi / 3 + np.array([-SPREAD, SPREAD, TURN - SPREAD, TURN + SPREAD, -TURN - SPREAD, -TURN + SPREAD])
A = 1.2 * np.array([np.cos(BASE_ANGLES), np.sin(BASE_ANGLES), np.zeros(6)]).T
B = 0.8 * np.array([np.cos(TOP_ANGLES), np.sin(TOP_ANGLES), np.zeros(6)]).T
G = np.array([0, 0, -9.81])
# mass, mass centre in platform axes, inertia about it
PLATFORM = (250, np.array([0, 0, 0.10]), np.diag([55.0, 55.0, 100.0]))
LOAD = (480, np.array([0.25, -0.15, 0.40]), np.array([[60.0, 4.0, -3.0], [4.0, 45.0, 2.0], [-3.0, 2.0, 50.0]]))


def turn_x(a):
    return np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])


def turn_y(a):
    return np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])


def turn_z(a):
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])


def pose(t):
    """Position and rotation of the platform, one array (3, 4)."""
    slow, fast = np.pi * t, 2 * np.pi * t
    p = np.array([0.12 * np.sin(slow), 0.10 * np.cos(slow), 1.15 + 0.08 * np.sin(fast)])
    R = turn_z(0.20 * np.sin(slow)) @ turn_y(0.12 * np.cos(fast)) @ turn_x(0.15 * np.sin(slow + 0.4))
    return np.column_stack([p, R])


def derivatives(f, t, radius=0.05, points=32):
    """Value, first and second derivative of `f` at `t`: Cauchy's integral over a circle in the complex plane."""
    turn = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([f(t + radius * w) for w in turn])
    return [n / radius**k * np.real(np.tensordot(turn**-k, samples, 1)) / points for k, n in enumerate((1, 1, 2))]


def leg_forces(t):
    """Push of every leg [N]: what the bodies' momentum asks for, less weight, along the six lines of the legs."""
    (p, R), (_, Rd), (a, Rdd) = ((x[:, 0], x[:, 1:]) for x in derivatives(pose, t))
    wrench = np.zeros(6)
    for mass, centre, inertia in (PLATFORM, LOAD):
        force = mass * (a + Rdd @ centre - G)
        # angular momentum R J R^T w and its rate, from R alone: w is the axial vector of Rd R^T
        spin, spin_rate = Rd @ R.T, Rdd @ R.T + Rd @ Rd.T
        w, wd = (np.array([S[2, 1], S[0, 2], S[1, 0]]) for S in (spin, spin_rate))
        J = R @ inertia @ R.T
        moment = J @ wd + np.cross(w, J @ w) + np.cross(R @ centre, force)
        wrench += np.concatenate([force, moment])
    arms = B @ R.T
    u = p + arms - A
    u /= np.linalg.norm(u, axis=1)[:, None]
    return np.linalg.solve(np.hstack([u, np.cross(arms, u)]).T, wrench)


def agree(what, found, expected, tolerance):
    """Largest difference relative to the largest expected value; ends the check where it exceeds `tolerance`."""
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"stewart_load: {what} is off by {error:.1e} of its size, more than {tolerance:.0e}.")
    return error


def main():
    m = cc.load(Path(__file__).with_name("mechanism.toml"))
    times = np.linspace(0, 2, 21)
    expected = np.array([leg_forces(t) for t in times])
    inverse = agree("effort of inverse dynamics", cc.inverse_dynamics(m, times)["effort"], expected, 1e-10)
    ride = cc.simulate(m, 2.0, times=times)
    forward = agree("effort of the simulation", ride["effort"], expected, 1e-8)
    energy = ride["kinetic_energy"] + ride["potential_energy"] - ride["input_work"]
    agree("energy", energy, float(energy[0]), 1e-7)
    print(
        f"stewart_load: leg forces from {expected.min():.0f} N to {expected.max():.0f} N; inverse dynamics and "
        f"simulation differ from the bodies' balance by {inverse:.0e} and {forward:.0e}"
    )


if __name__ == "__main__":
    main()
