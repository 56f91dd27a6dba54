"""Vectors and matrices agree with NumPy and keep exact zeros."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closedchain.compile.graph import Graph
from closedchain.numbers import Mat3, Vec3, add, mul, outer, skew, sub

numbers = st.floats(-10, 10) | st.sampled_from([0.0, 1.0, -1.0, 0, 1])
triples = st.tuples(numbers, numbers, numbers)
nines = st.lists(numbers, min_size=9, max_size=9)


def array(value):
    return np.array([list(row) if isinstance(row, Vec3) else row for row in value], dtype=float)


@given(triples, triples, numbers)
def test_vector_operations(a, b, s):
    u, v, x, y = Vec3(*a), Vec3(*b), np.array(a, float), np.array(b, float)
    assert array(u + v) == pytest.approx(x + y)
    assert array(u - v) == pytest.approx(x - y)
    assert array(-u) == pytest.approx(-x)
    assert array(u * s) == pytest.approx(x * s)
    assert array(s * u) == pytest.approx(x * s)
    assert u.dot(v) == pytest.approx(x @ y)
    assert array(u.cross(v)) == pytest.approx(np.cross(x, y))
    assert u.norm() == pytest.approx(np.linalg.norm(x))
    assert array(skew(u) @ v) == pytest.approx(np.cross(x, y))
    assert array(outer(u, v)) == pytest.approx(np.outer(x, y))
    assert [u[0], u[1], u[2]] == list(u)
    if abs(s) > 1e-6:
        assert array(u / s) == pytest.approx(x / s)


@given(nines, nines, triples, numbers)
def test_matrix_operations(a, b, c, s):
    A, B, v = Mat3(*a), Mat3(*b), Vec3(*c)
    M, N, x = np.reshape(np.array(a, float), (3, 3)), np.reshape(np.array(b, float), (3, 3)), np.array(c, float)
    assert array(A @ v) == pytest.approx(M @ x, abs=1e-12)
    assert array(A @ B) == pytest.approx(M @ N, abs=1e-12)
    assert array(A.T) == pytest.approx(M.T)
    assert array(A.transpose_times(v)) == pytest.approx(M.T @ x, abs=1e-12)
    assert array(A.transpose_times(B)) == pytest.approx(M.T @ N, abs=1e-12)
    assert array(A + B) == pytest.approx(M + N)
    assert array(A - B) == pytest.approx(M - N)
    assert array(-A) == pytest.approx(-M)
    assert array(s * A) == pytest.approx(s * M)
    assert A.trace() == pytest.approx(np.trace(M), abs=1e-12)
    assert array(A.row(1)) == pytest.approx(M[1])
    assert array(A.column(2)) == pytest.approx(M[:, 2])
    assert A[1, 2] == M[1, 2]
    assert array(Mat3.from_columns(A.column(0), A.column(1), A.column(2))) == pytest.approx(M)
    assert array(Mat3.from_rows(*A)) == pytest.approx(M)
    assert array(Mat3.diagonal(*c)) == pytest.approx(np.diag(x))


def test_exact_zeros_survive_every_kind_of_number():
    for x in (2.0, 2 + 1j, np.float64(2.0), Graph().input(0)):
        assert mul(0.0, x) == 0.0
        assert type(mul(0.0, x)) is float
        assert mul(1.0, x) is x
        assert mul(x, 1) is x
        assert add(0.0, x) is x
        assert add(x, 0) is x
        assert sub(x, 0.0) is x
        in_plane = Vec3(x, x, 0.0).cross(Vec3(x, x, 0.0))
        assert type(in_plane.x) is float
        assert type(in_plane.y) is float
    assert Vec3(0.0, 0, 0.0).is_zero()
    assert not Vec3(0.0, np.float64(0), 0.0).is_zero()
    assert Vec3.zero().is_zero()
    assert Mat3.zero().row(0).is_zero()


def test_a_matrix_needs_nine_numbers():
    with pytest.raises(ValueError, match="9 numbers"):
        Mat3(1.0, 2.0)
