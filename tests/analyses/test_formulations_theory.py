"""The shift manipulator's equations of motion written out: 21 coordinates, 19 constraints, Lagrange multipliers.

Bodies (x, y, theta) of every mass centre in the order 11, 21, 31, 12, 22, 32, handle; u = (cos, sin), du/dtheta = -w
with w = (sin, -cos). Nothing of the library enters but the numbers of the file.
"""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc

FILE = Path(__file__).parents[2] / "examples" / "shift_manipulator" / "mechanism.toml"
A = np.array([[0.0, 0.0], [0.300, 0.0], [0.150, 0.280]])
L = np.array([[0.250, 0.220], [0.260, 0.210], [0.240, 0.230]])
HANDLE = 0.080
MASS = np.array([0.50, 0.45, 0.50, 0.40, 0.35, 0.40, 0.25])
LENGTH = np.array([*L[:, 0], *L[:, 1], HANDLE])
NAMES = ("link11", "link21", "link31", "link12", "link22", "link32", "handle")
ELBOW = (1.0, -1.0, 1.0)
M = np.diag(np.column_stack([MASS, MASS, MASS * LENGTH**2 / 12]).ravel())
GRAVITY = np.column_stack([np.zeros(7), -9.81 * MASS, np.zeros(7)]).ravel()


def u(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def w(angle):
    return np.array([np.sin(angle), -np.cos(angle)])


def limb_angles(P, limb):
    """Angles of both links of a limb that reaches P."""
    d = P - A[limb]
    l1, l2 = L[limb]
    bend = np.arccos((d @ d + l1**2 - l2**2) / (2 * l1 * np.linalg.norm(d)))
    first = np.arctan2(d[1], d[0]) + ELBOW[limb] * bend
    rest = P - A[limb] - l1 * u(first)
    return first, np.arctan2(rest[1], rest[0])


def angles_at(P):
    pairs = [limb_angles(P, limb) for limb in range(3)]
    return np.array([first for first, _ in pairs] + [second for _, second in pairs] + [pairs[0][1]])


def coordinates(angles):
    """All 21 coordinates from the seven angles."""
    t1, t2 = angles[:3], angles[3:6]
    centres = [A[i] + L[i, 0] / 2 * u(t1[i]) for i in range(3)]
    centres += [A[i] + L[i, 0] * u(t1[i]) + L[i, 1] / 2 * u(t2[i]) for i in range(3)]
    centres += [L[0, 0] * u(t1[0]) + L[0, 1] * u(t2[0]) + HANDLE / 2 * u(angles[6])]
    return np.column_stack([centres, angles]).ravel()


def constraints(q, qd):
    """The 19 equations H, their Jacobian, and gamma = -(J qd)_q qd."""
    e, angle, spin = q.reshape(7, 3)[:, :2], q[2::3], qd[2::3]
    H, J, gamma = [], [], []

    def equation(places, terms, constant):
        """Sum of e over `places` (body) plus the sum of length * u over `terms` (length, body) plus a constant."""
        rows, value, bend = np.zeros((2, 21)), np.array(constant, float), np.zeros(2)
        for body in places:
            value += e[body]
            rows[:, 3 * body : 3 * body + 2] += np.eye(2)
        for length, body in terms:
            value += length * u(angle[body])
            rows[:, 3 * body + 2] -= length * w(angle[body])
            bend -= length * u(angle[body]) * spin[body] ** 2
        H.extend(value)
        J.extend(rows)
        gamma.extend(-bend)

    for i in range(3):
        equation([i], [(-L[i, 0] / 2, i)], -A[i])
    for i in range(3):
        equation([3 + i], [(-L[i, 1] / 2, 3 + i), (-L[i, 0], i)], -A[i])
    for i in (1, 2):
        equation([], [(L[0, 0], 0), (L[0, 1], 3), (-L[i, 1], 3 + i), (-L[i, 0], i)], -A[i])
    equation([6], [(-HANDLE / 2, 6), (-L[0, 0], 0), (-L[0, 1], 3)], [0.0, 0.0])
    row = np.zeros(21)
    row[20], row[11] = 1.0, -1.0
    H.append(angle[6] - angle[3])
    J.append(row)
    gamma.append(0.0)
    return np.array(H), np.array(J), np.array(gamma)


def accelerations(q, qd):
    _, J, gamma = constraints(q, qd)
    matrix = np.block([[M, J.T], [J, np.zeros((19, 19))]])
    return np.linalg.solve(matrix, np.concatenate([GRAVITY, gamma]))[:21]


@pytest.fixture(scope="module")
def falling():
    data = {
        name: value
        for name, value in cc.load(FILE).to_dict().items()
        if name not in ("actuators", "motions", "studies")
    }
    return cc.Mechanism.from_dict(data)


def test_the_jacobian_has_nineteen_independent_rows(falling):
    q = coordinates(angles_at(np.array([0.160, 0.115])))
    H, J, _ = constraints(q, np.zeros(21))
    assert np.abs(H).max() < 1e-15
    mobility = cc.mobility(falling)
    assert np.linalg.matrix_rank(J) == mobility.rank == mobility.rows == 19
    assert mobility.dof == 2


@pytest.mark.parametrize("formulation", ["multipliers", "loop"])
def test_accelerations_are_those_of_the_written_equations(falling, formulation):
    draw = np.random.default_rng(5)
    for _ in range(4):
        angles = angles_at(np.array([0.160, 0.115]) + draw.uniform(-0.02, 0.02, 2))
        q = coordinates(angles)
        H, J, _ = constraints(q, np.zeros(21))
        assert np.abs(H).max() < 1e-15
        qd = np.linalg.svd(J)[2][19:].T @ draw.normal(size=2)
        qdd = accelerations(q, qd)
        start = {"A2": (angles[1], qd[5]), "A3": (angles[2], qd[8])}
        ds = cc.simulate(falling, 1e-3, start=start, times=[0.0], clearance=False, formulation=formulation)
        now = ds.isel(time=0).sel(body=list(NAMES))
        scale = np.abs(qdd).max()
        assert now.body_position.values == pytest.approx(q.reshape(7, 3)[:, :2], abs=1e-12)
        assert now.body_velocity.values == pytest.approx(qd.reshape(7, 3)[:, :2], abs=1e-11)
        assert now.body_acceleration.values == pytest.approx(qdd.reshape(7, 3)[:, :2], abs=1e-10 * scale)
        assert now.body_angular_acceleration.values == pytest.approx(qdd[2::3], abs=1e-10 * scale)
