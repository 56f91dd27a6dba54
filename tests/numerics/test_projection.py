"""Projection onto constraints: exact pendulum, states off the constraints, and a loss of rank on the way."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

from closedchain.numbers import cos, sin, sqrt
from closedchain.numerics.driver import integrate
from closedchain.numerics.problem import HybridProblem

G = 9.81


def cartesian_pendulum(problems, project_stages=True):
    """A point on a bar of length 1 in x and y: y = [x, y, u, v], constraint x² + y² = 1."""

    def rates(x, c):
        _, p, q, u, v = x
        pull = (u * u + v * v - G * q) / (p * p + q * q)
        return [u, v, -pull * p, -pull * q - G]

    def onto(x, c):
        _, p, q, u, v = x
        length = sqrt(p * p + q * q)
        p, q = p / length, q / length
        along = u * p + v * q
        return [p, q, u - along * p, v - along * q, p * p + q * q - 1.0, 1.0]

    rhs, projection = problems.bind(rates, 5), problems.bind(onto, 5)
    return HybridProblem(states=4, rhs=rhs, projection=projection, project_stages=project_stages)


def exact_pendulum(t):
    """From (-1, 0) at rest: sin(θ/2) = -k sn(K(k) - ωt, k), k = sin 45° (IFToMM benchmark A01)."""
    m = 0.5
    sn = ellipj(ellipk(m) - np.sqrt(G) * t, m)[0]
    theta = 2.0 * np.arcsin(-np.sqrt(m) * sn)
    return np.array([np.sin(theta), -np.cos(theta)]).T


def test_exact_values_are_those_published():
    published = [
        [0.986291751131875, -0.165010853125541],
        [-0.942305435043757, -0.334754338414000],
        [-0.275087462576117, -0.961419205099125],
    ]
    np.testing.assert_allclose(exact_pendulum(np.array([1.0, 5.0, 10.0])), published, atol=1e-13)


@pytest.mark.parametrize("project_stages", [True, False])
@pytest.mark.parametrize("method", ["dop853", "radau", "rk4"])
def test_pendulum_in_cartesian_coordinates(problems, method, project_stages):
    times = np.linspace(0.0, 10.0, 101)
    problem = cartesian_pendulum(problems, project_stages)
    solution = integrate(problem, 0.0, [-1.0, 0.0, 0.0, 0.0], [], 10.0, times, 1e-10, 1e-10, method, first_step=1e-3)
    assert solution.status == "done"
    x, y, u, v = solution.y.T
    np.testing.assert_allclose(solution.y[:, :2], exact_pendulum(times), atol=2e-8)
    np.testing.assert_allclose(x * x + y * y, 1.0, atol=1e-15)
    np.testing.assert_allclose(x * u + y * v, 0.0, atol=1e-14)
    np.testing.assert_allclose(0.5 * (u * u + v * v) + G * y, 0.0, atol=1e-8)
    assert solution.residual < 1e-15


def test_start_off_the_constraints_is_moved_onto_them(problems):
    solution = integrate(cartesian_pendulum(problems), 0.0, [0.5, -0.4, 0.1, 0.3], [], 0.1, samples=[0.0])
    x, y, u, v = solution.y[0]
    assert x * x + y * y == pytest.approx(1.0, abs=1e-15)
    assert x * u + y * v == pytest.approx(0.0, abs=1e-15)


def test_projection_that_fails_is_told(problems):
    """The constraint y² = 1 - t has no solution after t = 1; what is left over says so."""

    def onto(x, c):
        t, y = x
        return [y, y * y - 1.0 + t, 1.0]

    problem = HybridProblem(
        states=1,
        rhs=problems.bind(lambda x, c: [-0.5 / x[1]], 2),
        projection=problems.bind(onto, 2),
        residual_limit=1e-4,
    )
    solution = integrate(problem, 0.0, [1.0], [], 2.0, rtol=1e-10, atol=1e-10)
    assert not solution.success
    assert solution.t_end == pytest.approx(1.0, abs=1e-2)


def parallelogram(problems, project_stages, conditioning_limit=0.0):
    """N-four-bar of the IFToMM benchmark A02 with N = 1: three rods of 1 m and 1 kg, angles a, b, c from +x.

    All rods in line twice per turn: there the constraints lose rank and the mechanism could change its branch. With
    three unknown accelerations and two multipliers the equations are solved by hand, as the masses are constant.
    """

    def constraint_rows(a, b, c):
        return [-sin(a), -sin(b), sin(c)], [cos(a), cos(b), -cos(c)]

    def dot(p, q):
        return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]

    def solve_mass(mass, r):
        (m00, m01, m11, m22) = mass
        determinant = m00 * m11 - m01 * m01
        return [(m11 * r[0] - m01 * r[1]) / determinant, (m00 * r[1] - m01 * r[0]) / determinant, r[2] / m22]

    def solve_two(g00, g01, g11, r0, r1, shift):
        g00, g11 = g00 + shift, g11 + shift
        determinant = g00 * g11 - g01 * g01
        return (g11 * r0 - g01 * r1) / determinant, (g00 * r1 - g01 * r0) / determinant, determinant

    def rates(x, constants):
        _, a, b, c, da, db, dc = x
        mass = (4.0 / 3.0, 0.5 * cos(a - b), 1.0 / 3.0, 1.0 / 3.0)
        turn = 0.5 * sin(a - b)
        force = [-1.5 * G * cos(a) - turn * db * db, -0.5 * G * cos(b) + turn * da * da, -0.5 * G * cos(c)]
        p, q = constraint_rows(a, b, c)
        right_p = cos(a) * da * da + cos(b) * db * db - cos(c) * dc * dc
        right_q = sin(a) * da * da + sin(b) * db * db - sin(c) * dc * dc
        free, mp, mq = solve_mass(mass, force), solve_mass(mass, p), solve_mass(mass, q)
        first, second, _ = solve_two(
            dot(p, mp), dot(p, mq), dot(q, mq), dot(p, free) - right_p, dot(q, free) - right_q, 0.0
        )
        return [da, db, dc, *(free[i] - mp[i] * first - mq[i] * second for i in range(3))]

    def onto(x, constants):
        _, a, b, c, *speeds = x
        angles = [a, b, c]
        for _ in range(4):
            p, q = constraint_rows(*angles)
            gap_p = cos(angles[0]) + cos(angles[1]) - cos(angles[2]) - 1.0
            gap_q = sin(angles[0]) + sin(angles[1]) - sin(angles[2])
            size = dot(p, p) + dot(q, q)
            first, second, _ = solve_two(dot(p, p), dot(p, q), dot(q, q), gap_p, gap_q, 1e-14 * size)
            angles = [angle - p[i] * first - q[i] * second for i, angle in enumerate(angles)]
        p, q = constraint_rows(*angles)
        size = dot(p, p) + dot(q, q)
        first, second, determinant = solve_two(
            dot(p, p), dot(p, q), dot(q, q), dot(p, speeds), dot(q, speeds), 1e-14 * size
        )
        speeds = [speed - p[i] * first - q[i] * second for i, speed in enumerate(speeds)]
        gap_p = cos(angles[0]) + cos(angles[1]) - cos(angles[2]) - 1.0
        gap_q = sin(angles[0]) + sin(angles[1]) - sin(angles[2])
        residual = sqrt(gap_p * gap_p + gap_q * gap_q)
        return [*angles, *speeds, residual, 2.0 * sqrt(determinant) / size]

    return HybridProblem(
        states=6,
        rhs=problems.bind(rates, 7),
        projection=problems.bind(onto, 7),
        project_stages=project_stages,
        conditioning_limit=conditioning_limit,
    )


@pytest.mark.parametrize("conditioning_limit", [0.0, 1e-3])
def test_projected_stages_pass_a_loss_of_rank(problems, conditioning_limit):
    """Exact: φ'' = 1.2 g sin φ, φ from the vertical; ten seconds pass the line of all rods some dozen times."""
    problem = parallelogram(problems, True, conditioning_limit)
    start = [np.pi / 2.0, 0.0, np.pi / 2.0, -1.0, 0.0, -1.0]
    solution = integrate(problem, 0.0, start, [], 10.0, rtol=1e-11, atol=1e-11)
    exact = solve_ivp(
        lambda t, y: [y[1], 1.2 * G * np.sin(y[0])], (0.0, 10.0), [0.0, 1.0], "DOP853", rtol=1e-13, atol=1e-13
    )
    assert solution.status == "done"
    assert solution.y_end[0] == pytest.approx(np.pi / 2.0 - exact.y[0, -1], abs=5e-9)
    assert solution.conditioning < 0.01
    assert solution.residual < 1e-13
    assert solution.counts.accepted < 400


def test_steps_that_creep_towards_a_loss_of_rank_end_with_its_name(problems):
    """Projecting only after steps, the errors near the loss of rank grow as the steps shrink."""
    start = [np.pi / 2.0, 0.0, np.pi / 2.0, -1.0, 0.0, -1.0]
    solution = integrate(parallelogram(problems, False), 0.0, start, [], 10.0, rtol=1e-14, atol=1e-14)
    assert solution.counts.accepted < 20000
    if not solution.success:
        assert solution.status in ("rank lost", "step too small")
        assert "project" in solution.message or "step" in solution.message
