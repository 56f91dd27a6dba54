"""Elementary functions agree over floats, complex, NumPy, mpmath and casadi, keep derivatives, and never raise."""

import cmath
import math

import casadi
import mpmath
import numpy as np
import pytest

from closedchain import numbers as n

UNARY = {
    "sin": 0.7, "cos": 0.7, "tan": 0.7, "asin": 0.3, "acos": 0.3, "atan": 1.7, "sqrt": 2.3, "exp": 0.4, "log": 1.9,
    "tanh": 0.8, "absolute": -1.3, "sign": -1.3, "floor": -1.3,
}  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
def test_unary_functions_agree_over_all_numbers(name):
    function, x = getattr(n, name), UNARY[name]
    expected = function(x)
    assert type(expected) is float
    reference = {"absolute": abs, "sign": lambda v: math.copysign(1, v), "floor": math.floor}.get(name)
    assert expected == pytest.approx((reference or getattr(math, name))(x), rel=1e-15)
    assert function(complex(x)) == pytest.approx(expected, rel=1e-15)
    assert function(np.float64(x)) == pytest.approx(expected, rel=1e-15)
    assert np.asarray(function(np.array([x, x]))) == pytest.approx([expected] * 2, rel=1e-15)
    assert float(function(mpmath.mpf(x))) == pytest.approx(expected, rel=1e-15)
    assert float(casadi.DM(function(casadi.DM(x)))) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", [name for name in UNARY if name not in ("sign", "floor")])
def test_complex_step_gives_the_derivative(name):
    function, x, h = getattr(n, name), UNARY[name], 1e-30
    step = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
    assert function(complex(x, h)).imag / h == pytest.approx(step, rel=1e-8)
    on_array = function(np.array([complex(x, h)]))
    assert on_array[0].imag / h == pytest.approx(step, rel=1e-8)


def test_integers_count_as_floats():
    assert n.sin(1) == math.sin(1.0)
    assert n.sqrt(4) == 2.0
    assert n.power(2, 3) == 8.0
    assert type(n.absolute(-3)) is float


@pytest.mark.parametrize(
    ("function", "x", "expected"),
    [
        (n.sqrt, -1.0, math.nan),
        (n.log, 0.0, -math.inf),
        (n.log, -1.0, math.nan),
        (n.asin, 1.5, math.nan),
        (n.acos, -1.5, math.nan),
        (n.exp, 1e4, math.inf),
        (n.sin, math.inf, math.nan),
        (n.floor, math.inf, math.inf),
    ],
)
def test_outside_the_domain_is_a_value_not_an_exception(function, x, expected):
    assert function(x) == pytest.approx(expected, nan_ok=True)
    assert float(function(np.float64(x))) == pytest.approx(expected, nan_ok=True)


def test_power_has_the_values_of_compiled_code():
    assert n.power(0.0, -1.0) == math.inf
    assert math.isnan(n.power(-2.0, 0.5))
    assert n.power(1e300, 2.0) == math.inf
    assert n.power(-1e300, 3.0) == -math.inf
    assert n.power(np.array([2.0, 3.0]), 2.0).tolist() == [4.0, 9.0]


def test_minimum_maximum_atan2_keep_the_derivative():
    a, b = complex(1.0, 3e-20), complex(2.0, 5e-20)
    assert n.minimum(a, b) == a
    assert n.maximum(a, b) == b
    assert n.minimum(1.0, b) == 1.0
    angle = n.atan2(a, b)
    assert angle.real == pytest.approx(math.atan2(1, 2))
    assert angle.imag == pytest.approx((2 * 3e-20 - 1 * 5e-20) / 5)
    values = n.atan2(np.array([a, a]), np.array([b, b]))
    assert values.imag == pytest.approx([angle.imag] * 2)


def test_conditions_and_select():
    assert n.select(n.less(1.0, 2.0), 3.0, 4.0) == 3.0
    assert n.select(n.greater_equal(complex(1, 5), complex(2, 0)), 3.0, 4.0) == 4.0
    x = np.array([-1.0, 0.0, 2.0])
    assert n.select(n.logical_and(x > -0.5, x < 1.0), x, 9.0).tolist() == [9.0, 0.0, 9.0]
    assert n.select(n.logical_or(x > 1.0, x < 0.0), 1.0, 0.0).tolist() == [1.0, 0.0, 1.0]
    assert n.select(n.logical_not(x > 1.0), 1.0, 0.0).tolist() == [1.0, 1.0, 0.0]
    assert n.logical_not(True) is False
    assert n.logical_and(True, False) is False
    assert n.logical_or(False, True) is True
    assert n.select(1.0, 5.0, 6.0) == 5.0
    c = casadi.SX.sym("c")
    both = n.logical_and(c > 0, n.logical_not(n.logical_or(c > 2, c < 1)))
    function = casadi.Function("f", [c], [n.select(both, c, -1)])
    assert [float(casadi.DM(function(v))) for v in (-1, 0.5, 1.5, 3)] == [-1, -1, 1.5, -1]


def test_exact_zero_and_one_are_python_numbers_only():
    assert n.is_zero(0.0)
    assert n.is_zero(0)
    assert n.is_zero(-0.0)
    assert n.is_one(1)
    assert not n.is_zero(np.float64(0.0))
    assert not n.is_zero(0j)
    assert not n.is_one(np.float64(1.0))


def test_what_is_no_number_is_refused():
    with pytest.raises(TypeError, match="not a number"):
        n.sin("x")


def test_sincos_shares_the_argument():
    assert n.sincos(0.4) == (math.sin(0.4), math.cos(0.4))
    assert n.sincos(0.4j) == (cmath.sin(0.4j), cmath.cos(0.4j))
