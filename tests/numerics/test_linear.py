"""Linear systems of the compiled loops against NumPy."""

import numpy as np
import pytest

from closedchain.numerics import linear
from closedchain.numerics._cache import entry
from closedchain.numerics.state import address


@entry
def solve_real(n, matrix, order, b):
    if not linear.factor(n, matrix, order):
        return False
    linear.solve(n, matrix, order, b)
    return True


@entry
def solve_complex(n, matrix, order, b):
    if not linear.factor_complex(n, matrix, order):
        return False
    linear.solve_complex(n, matrix, order, b)
    return True


def solved(function, matrix, b):
    """The solution by a compiled function, without numbers when it calls the matrix singular."""
    matrix, b, order = matrix.copy(), b.copy(), np.zeros(len(b))
    places = (np.uint64(address(array)) for array in (matrix, order, b))
    return b if function(len(b), *places) else b[:0]


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_systems_of_every_size(n):
    random = np.random.default_rng(n)
    real = random.normal(size=(n, n))
    pair = real + 1j * random.normal(size=(n, n))
    b = random.normal(size=n)
    np.testing.assert_allclose(real @ solved(solve_real, real, b), b, atol=1e-11)
    np.testing.assert_allclose(pair @ solved(solve_complex, pair, b + 0j), b, atol=1e-11)


def test_rows_are_exchanged():
    matrix = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0], [4.0, 0.0, 0.0]])
    np.testing.assert_array_equal(solved(solve_real, matrix, np.array([1.0, 2.0, 4.0])), 1.0)


def test_singular_matrices_and_nan_are_told():
    assert not solved(solve_real, np.ones((3, 3)), np.ones(3)).size
    assert not solved(solve_real, np.full((2, 2), np.nan), np.ones(2)).size
    assert not solved(solve_complex, np.ones((3, 3)) + 0j, np.ones(3) + 0j).size
