"""Levenberg-Marquardt over batches: full rank, dependent rows, open unknowns, no solution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closedchain.numerics.least_squares import levenberg_marquardt


def plus(q, step):
    """Unknowns that simply add."""
    return q + step


def circles(q):
    """Two circles of radius 5 about (0, 0) and (6, 0), the first one said twice: points (3, 4) and (3, -4)."""
    x, y = q.T
    first, second = x**2 + y**2 - 25.0, (x - 6.0) ** 2 + y**2 - 25.0
    J = np.array([[2 * x, 2 * y], [2 * (x - 6.0), 2 * y], [6 * x, 6 * y]]).transpose(2, 0, 1)
    return np.stack([first, second, 3.0 * first], axis=1) / 50.0, J / 50.0


def test_dependent_rows_are_no_obstacle():
    draw = np.random.default_rng(0)
    found = levenberg_marquardt(circles, plus, draw.uniform(-10, 10, (50, 2)), np.ones(2))
    good = found.residual < 1e-12
    assert good.mean() > 0.9
    np.testing.assert_allclose(np.abs(found.q[good]), np.tile([3.0, 4.0], (good.sum(), 1)), atol=1e-11)


@given(st.floats(0.01, 100.0))
def test_open_unknowns_stay_near_in_the_metric(weight):
    """x + y = 2 from (0, 0): the smallest step in the metric diag(1, w) is x = 2 w / (1 + w)."""

    def line(q):
        return q.sum(axis=1, keepdims=True) - 2.0, np.ones((len(q), 1, 2))

    found = levenberg_marquardt(line, plus, np.zeros((1, 2)), np.array([1.0, weight]))
    assert found.residual[0] < 1e-13
    np.testing.assert_allclose(found.q[0], [2 * weight / (1 + weight), 2 / (1 + weight)], rtol=1e-2)


def test_double_root_is_found():
    def square(q):
        return q**2, 2.0 * q[:, :, None]

    found = levenberg_marquardt(square, plus, np.array([[1.0], [-0.3]]), np.ones(1))
    assert np.all(found.residual < 1e-12)


def test_no_solution_leaves_the_nearest():
    def apart(q):
        x, y = q.T
        J = np.array([[2 * x, 2 * y], [2 * (x - 6.0), 2 * y]]).transpose(2, 0, 1)
        return np.stack([x**2 + y**2 - 4.0, (x - 6.0) ** 2 + y**2 - 4.0], axis=1), J

    found = levenberg_marquardt(apart, plus, np.array([[1.0, 1.0]]), np.ones(2))
    assert found.residual[0] == pytest.approx(np.hypot(5.0, 5.0), rel=1e-3)
    np.testing.assert_allclose(found.q[0], [3.0, 0.0], atol=1e-2)


def test_an_unknown_that_matters_to_nothing():
    """A column of zeros beside a very small one makes the normal equations singular to rounding."""

    def one(q):
        J = np.zeros((len(q), 1, 3))
        J[:, 0, 0] = J[:, 0, 1] = 1.0
        return q[:, :1] + q[:, 1:2] - 1.0, J

    found = levenberg_marquardt(one, plus, np.zeros((3, 3)), np.array([1e-16, 1.0, 1e-16]))
    assert np.all(np.isfinite(found.q))
    assert np.all(found.residual < 1e-12)


def test_nothing_unknown():
    found = levenberg_marquardt(lambda q: (q, np.zeros((len(q), 1, 0))), plus, np.array([[0.5]]), np.zeros(0))
    assert found.residual[0] == 0.5
