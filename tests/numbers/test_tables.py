"""Tables agree with SciPy's splines in values and derivatives, over every kind of number and compiled."""

import casadi
import mpmath
import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_interp_spline

from closedchain.compile import compile_kernel, directional_derivative, trace
from closedchain.numbers import Table, table

X = np.linspace(0.0, 3.0, 12) ** 1.4
Y = np.sin(X) + 0.1 * X**2
INSIDE = np.linspace(X[0], X[-1], 41)


@pytest.mark.parametrize(("degree", "order"), [(1, 0), (1, 1), (3, 0), (3, 1), (3, 2), (3, 3), (5, 0), (5, 2), (5, 4)])
def test_values_and_derivatives_everywhere(degree, order):
    data = Table.from_samples(X, Y, degree)
    # the highest derivative jumps at the knots
    x = INSIDE[[np.abs(X - at).min() > 1e-9 for at in INSIDE]]
    expected = make_interp_spline(X, Y, k=degree)(x, nu=order)
    close = pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert table(x, data, order) == close
    assert [table(float(at), data, order) for at in x] == close
    kernel = compile_kernel(trace(lambda x: {"y": table(x[0], data, order)}, {"x": 1}))
    assert kernel.batch(x[None, :])[0] == close
    assert [kernel([at])[0] for at in x] == close


def test_derivatives_beyond_the_degree_are_exact_zeros():
    data = Table.from_samples(X, Y)
    assert table(1.0, data, 4) == 0.0
    assert trace(lambda x: {"y": table(x[0], data, 4)}, {"x": 1}).expressions == [0.0]


def test_cubic_is_the_not_a_knot_spline_and_its_derivative_is_a_table():
    data = Table.from_samples(X, Y)
    spline = CubicSpline(X, Y)
    traced = trace(lambda x: {"y": table(x[0] * x[0], data)}, {"x": 1})
    first = directional_derivative(traced.expressions, {traced.input_symbols[0]: 1.0})
    second = directional_derivative(first, {traced.input_symbols[0]: 1.0})
    kernel = compile_kernel(traced.with_outputs({"d": first, "dd": second}))
    x = 1.3
    y, d, dd = kernel([x])
    assert y == pytest.approx(float(spline(x * x)), rel=1e-12)
    assert d == pytest.approx(2 * x * float(spline(x * x, 1)), rel=1e-12)
    assert dd == pytest.approx(2 * float(spline(x * x, 1)) + 4 * x * x * float(spline(x * x, 2)), rel=1e-11)


def test_other_numbers():
    data = Table.from_samples(X, Y)
    for x in (0.1, 1.7, 4.0):
        expected = table(x, data)
        assert float(table(mpmath.mpf(x), data)) == pytest.approx(expected, rel=1e-13)
        c = casadi.SX.sym("c")
        assert float(casadi.DM(casadi.Function("f", [c], [table(c, data)])(x))) == pytest.approx(expected, rel=1e-13)
        assert table(complex(x, 1e-30), data).imag / 1e-30 == pytest.approx(table(x, data, 1), rel=1e-13)


@pytest.mark.parametrize("x", [-0.5, 4.9])
def test_outside_the_end_polynomials_go_on(x):
    data = Table.from_samples(X, Y)
    kernel = compile_kernel(trace(lambda x: {"y": table(x[0], data)}, {"x": 1}))
    assert kernel([x])[0] == pytest.approx(float(CubicSpline(X, Y)(x)), rel=1e-10)
    assert table(x, data) == pytest.approx(float(CubicSpline(X, Y)(x)), rel=1e-10)


@pytest.mark.parametrize("noise", [0.0, 0.3, 30.0])
def test_the_right_piece_is_found_at_and_between_knots(noise):
    rng = np.random.default_rng(2)
    # evenly, nearly evenly and unevenly spaced
    knots = np.cumsum(1.0 + noise * rng.random(60)) * 0.1
    data = Table(knots, np.arange(59.0)[:, None])
    at = np.concatenate(
        [knots[:-1], (knots[1:] + knots[:-1]) / 2, np.nextafter(knots[1:], -1), [-1e300, 1e300, np.nan]]
    )
    expected = np.concatenate([np.arange(59.0)] * 3 + [[0.0, 58.0]])
    kernel = compile_kernel(trace(lambda x: {"y": table(x[0], data)}, {"x": 1}))
    assert kernel.batch(at[None, :])[0][:-1] == pytest.approx(expected)
    assert table(at[:-1], data) == pytest.approx(expected)
    assert np.isfinite(kernel([np.nan])[0])


def test_equal_data_is_the_same_table():
    assert Table.from_samples(X, Y) == Table.from_samples(X, Y)
    assert Table.from_samples(X, Y) != Table.from_samples(X, Y, 5)
    assert len({Table.from_samples(X, Y), Table.from_samples(X, Y)}) == 1


@pytest.mark.parametrize(
    ("x", "y", "degree", "message"),
    [
        ([0, 1, 1, 2], [0, 1, 2, 3], 3, "increase"),
        ([0, 1], [0, 1], 3, "at least 4 rows"),
        ([0, 1, 2], [0, 1], 1, "as many values"),
        ([0, 1, 2], [0, 1, 2], 2, "degree"),
        ([0, 1, 2], [0, np.nan, 2], 1, "finite|nan|NaN"),
    ],
)
def test_mistakes_are_named(x, y, degree, message):
    with pytest.raises(ValueError, match=message):
        Table.from_samples(x, y, degree)
