"""Maximal coordinates on plain floats: kinematics against finite differences, forces against a spinning body."""

import numpy as np
import pytest

from closedchain.algorithms.maximal import (
    FreeBodies,
    FreeBody,
    body_forces,
    body_motion,
    energies,
    mass_blocks,
    norm_corrections,
    pose_rates,
)
from closedchain.numbers import Mat3, Vec3

STEP = 1e-5


def bodies(planar, count=2):
    inertia = Mat3(0.5, 0.1, 0.02, 0.1, 0.6, 0.05, 0.02, 0.05, 0.7)
    each = tuple(FreeBody(f"b{k}", 1.0 + k, Vec3(0.3, -0.2, 0.0 if planar else 0.4), inertia) for k in range(count))
    return FreeBodies(each, (), planar, Vec3(0.3, -9.81, 0.0 if planar else 1.0), 1.0)


def state(system, seed):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=system.pose_size * len(system.bodies))
    for start in range(3, len(x), 7) if not system.planar else ():
        x[start : start + 4] /= np.linalg.norm(x[start : start + 4])
    return x.tolist(), draw.normal(size=system.rate_size * len(system.bodies)).tolist()


def rates(system, x, u):
    return np.array(pose_rates(system, list(x), list(u)))


@pytest.mark.parametrize("planar", [True, False])
def test_body_frames_move_as_their_coordinates_change(planar):
    system = bodies(planar)
    x, u = state(system, 3)
    a = np.random.default_rng(4).normal(size=len(u)).tolist()

    def later(h):
        """Coordinates and rates after a time h, to second order: exact enough for central differences."""
        half = np.array(u) + 0.5 * h * np.array(a)
        middle = np.array(x) + 0.5 * h * rates(system, x, u)
        return np.array(x) + h * rates(system, middle, half), np.array(u) + h * np.array(a)

    for body in range(2):
        now = body_motion(system, x, u, body, a)
        moved = [later(sign * STEP) for sign in (1.0, -1.0)]
        ends = [body_motion(system, pose.tolist(), rate.tolist(), body) for pose, rate in moved]
        for name, expected in (("p", now.v), ("v", now.a), ("w", now.e)):
            plus, minus = (np.array(list(getattr(end.frame if name == "p" else end, name))) for end in ends)
            assert (plus - minus) / (2 * STEP) == pytest.approx(list(expected), abs=1e-8)
        R = [np.array([list(end.frame.R.row(i)) for i in range(3)]) for end in ends]
        spin = (R[0] - R[1]) / (2 * STEP) @ np.array([list(now.frame.R.row(i)) for i in range(3)]).T
        assert [spin[2, 1], spin[0, 2], spin[1, 0]] == pytest.approx(list(now.w), abs=1e-8)


@pytest.mark.parametrize("planar", [True, False])
def test_power_of_gravity_is_the_change_of_the_energies(planar):
    """M u' = forces makes d(kinetic + potential)/dt = 0: gyroscopic moments do no work."""
    system = bodies(planar)
    x, u = state(system, 8)
    n = len(u)
    M = np.zeros((n, n))
    for (i, j), value in mass_blocks(system).items():
        M[i, j] = M[j, i] = value
    a = np.linalg.solve(M, body_forces(system, x, u, {}))
    ends = []
    for sign in (1.0, -1.0):
        moved = np.array(x) + sign * STEP * rates(system, x, u)
        ends.append(sum(energies(system, moved.tolist(), (np.array(u) + sign * STEP * a).tolist())))
    assert (ends[0] - ends[1]) / (2 * STEP) == pytest.approx(0.0, abs=1e-8)
    kinetic, potential = energies(system, x, u)
    assert kinetic == pytest.approx(0.5 * np.array(u) @ M @ np.array(u))
    centres = np.array(x).reshape(2, -1)[:, : 2 if planar else 3]
    assert potential == pytest.approx(-np.array([1.0, 2.0]) @ centres @ np.array([0.3, -9.81, 1.0])[: centres.shape[1]])


def test_quaternions_keep_their_norm_and_return_to_it():
    system = bodies(planar=False, count=1)
    x, u = state(system, 5)
    q, change = np.array(x[3:]), np.array(pose_rates(system, x, u))[3:]
    assert q @ change == pytest.approx(0.0, abs=1e-15)
    assert np.abs(norm_corrections(system, x, 7.0)).max() < 1e-14
    long = [*x[:3], *(1.01 * q)]
    found = np.array(norm_corrections(system, long, 7.0))[3:]
    excess = 1.01**2 - 1.0
    assert 2.0 * 1.01 * q @ found == pytest.approx(-2.0 * 7.0 * excess * 1.01**2)
