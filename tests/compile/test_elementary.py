"""Elementary functions of kernels: accuracy against mpmath, special values against NumPy, in every form."""

import itertools

import mpmath
import numpy as np
import pytest

from closedchain import numbers as n
from closedchain.compile import compile_kernel, trace

UNARY = {
    # name: (function, mpmath's, allowed units in the last place, ranges of random arguments)
    "exp": (n.exp, mpmath.exp, 1.1, [(-1, 1), (-700, 700)]),
    "log": (n.log, mpmath.log, 1.0, [(0.5, 2), (1 - 1e-9, 1 + 1e-9), (1e-300, 1e-290), (1, 1e300)]),
    "tanh": (n.tanh, mpmath.tanh, 3.0, [(-1, 1), (-25, 25), (-1e-9, 1e-9)]),
    "atan": (n.atan, mpmath.atan, 2.0, [(-1, 1), (-1e3, 1e3), (1e10, 1e300)]),
    "asin": (n.asin, mpmath.asin, 3.0, [(-1, 1), (1 - 1e-10, 1)]),
    "acos": (n.acos, mpmath.acos, 3.0, [(-1, 1), (1 - 1e-10, 1)]),
}
BINARY = {
    "atan2": (n.atan2, mpmath.atan2, 2.0, [((-1, 1), (-1, 1)), ((-1e-8, 1e-8), (-1, 1)), ((-1e9, 1e9), (-1, 1))]),
    "power": (
        n.power,
        mpmath.power,
        1.5,
        [((0, 3), (-3, 3)), ((1e-12, 1e-3), (1.4, 1.6)), ((0.99, 1.01), (-1e4, 1e4))],
    ),
}
SPECIAL = [
    0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    3.0,
    -3.0,
    2.5,
    np.inf,
    -np.inf,
    np.nan,
    1e-310,
    1.7e308,
    -1e308,
    5e-324,
    1e19,
    -745.1,
    709.7,
]


def units(values, exact):
    """Largest error in units of the last place."""
    with mpmath.workdps(40):
        return max(float(abs(mpmath.mpf(float(y)) - r)) / np.spacing(abs(float(r))) for y, r in zip(values, exact))


@pytest.mark.parametrize("name", UNARY)
def test_accuracy_of_one_argument(name):
    function, exact, allowed, ranges = UNARY[name]
    rng = np.random.default_rng(5)
    x = np.concatenate([rng.uniform(low, high, 300) for low, high in ranges])
    kernel = compile_kernel(trace(lambda x: {"y": function(x[0])}, {"x": 1}))
    with mpmath.workdps(40):
        reference = [exact(mpmath.mpf(float(at))) for at in x]
    assert units(kernel.batch(x[None, :])[0], reference) <= allowed
    assert units([kernel([at])[0] for at in x], reference) <= allowed


@pytest.mark.parametrize("name", BINARY)
def test_accuracy_of_two_arguments(name):
    function, exact, allowed, ranges = BINARY[name]
    rng = np.random.default_rng(6)
    pairs = np.hstack([[rng.uniform(a, b, 300), rng.uniform(c, d, 300)] for (a, b), (c, d) in ranges])
    kernel = compile_kernel(trace(lambda x: {"y": function(x[0], x[1])}, {"x": 2}))
    with mpmath.workdps(40):
        reference = [exact(mpmath.mpf(float(a)), mpmath.mpf(float(b))) for a, b in pairs.T]
    assert units(kernel.batch(pairs)[0], reference) <= allowed
    assert units([kernel(pair)[0] for pair in pairs.T], reference) <= allowed


@pytest.mark.parametrize(
    ("name", "numpy_function"),
    [
        ("exp", np.exp),
        ("log", np.log),
        ("tanh", np.tanh),
        ("atan", np.arctan),
        ("asin", np.arcsin),
        ("acos", np.arccos),
    ],
)
def test_special_values_of_one_argument(name, numpy_function):
    kernel = compile_kernel(trace(lambda x: {"y": UNARY[name][0](x[0])}, {"x": 1}))
    with np.errstate(all="ignore"):
        expected = numpy_function(SPECIAL)
    assert kernel.batch(np.array([SPECIAL]))[0] == pytest.approx(expected, rel=1e-15, abs=0, nan_ok=True)


@pytest.mark.parametrize(("name", "numpy_function"), [("atan2", np.arctan2), ("power", np.power)])
def test_special_values_of_two_arguments(name, numpy_function):
    kernel = compile_kernel(trace(lambda x: {"y": BINARY[name][0](x[0], x[1])}, {"x": 2}))
    # NumPy takes the root of -inf to the power 1/2; the C standard says inf
    pairs = np.array([pair for pair in itertools.product(SPECIAL, SPECIAL) if pair != (-np.inf, 0.5)]).T
    with np.errstate(all="ignore"):
        expected = numpy_function(*pairs)
    assert kernel.batch(pairs)[0] == pytest.approx(expected, rel=2e-15, abs=1e-323, nan_ok=True)
    one_by_one = [kernel(pair)[0] for pair in pairs.T]
    assert np.array(one_by_one) == pytest.approx(expected, rel=2e-15, abs=1e-323, nan_ok=True)


@pytest.mark.parametrize("level", [0, 1])
def test_constants_as_arguments(level):
    def function(x):
        return {"y": [n.power(2.0, x[0]), n.power(x[0], 2.3), n.atan2(x[0], -1.0), n.atan2(1.0, x[0])]}

    kernel = compile_kernel(trace(function, {"x": 1}), level=level)
    x = 1.7
    assert kernel([x]) == pytest.approx([2.0**x, x**2.3, np.arctan2(x, -1.0), np.arctan2(1.0, x)], rel=1e-15)
