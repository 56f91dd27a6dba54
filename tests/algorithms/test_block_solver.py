"""Block by block solution against dense linear algebra."""

import numpy as np
import pytest

from closedchain.algorithms.block_solver import Blocks, factor_blocks, find_blocks, inverse_of


def block_matrix(draw, sizes):
    """A random regular matrix in shuffled block triangular form, and its structure."""
    n = sum(sizes)
    J, start = np.zeros((n, n)), 0
    for size in sizes:
        J[start : start + size, start : start + size] = draw.normal(size=(size, size)) + 2 * np.eye(size)
        J[start : start + size, :start] = draw.normal(size=(size, start)) * (draw.random((size, start)) < 0.5)
        start += size
    J = J[draw.permutation(n)][:, draw.permutation(n)]
    return J, J != 0.0


@pytest.mark.parametrize("sizes", [(1,), (2,), (3,), (1, 2, 3), (3, 1, 1, 2, 3), (5, 1, 2), (2, 6, 3)])
@pytest.mark.parametrize("seed", range(3))
def test_solutions_of_both_kinds(sizes, seed):
    draw = np.random.default_rng(seed)
    J, structure = block_matrix(draw, sizes)
    n = len(J)
    rates = [3 * k + 1 for k in range(n)]
    blocks = find_blocks(rates, J[None], structure, np.ones(n))
    assert blocks is not None
    assert sorted(len(block.rows) for block in blocks.blocks) == sorted(sizes)
    rows = [{rates[j]: float(J[i, j]) for j in range(n) if structure[i, j]} for i in range(n)]
    solver = factor_blocks(rows, blocks)
    b = draw.normal(size=n)
    limit = 1e-11 * np.linalg.cond(J)
    assert np.allclose(solver.solve(b.tolist()), np.linalg.solve(J, b), rtol=0, atol=limit)
    assert np.allclose(solver.forces(b.tolist()), np.linalg.solve(J.T, b), rtol=0, atol=limit)


def test_what_has_no_blocks():
    square = np.eye(3)
    metric = np.ones(3)
    assert find_blocks([0, 1], np.ones((1, 3, 2)), np.ones((3, 2), bool), metric) is None
    assert find_blocks([0, 1, 2], np.ones((1, 3, 3)), np.ones((3, 3), bool), metric) is None
    assert find_blocks([0, 1, 2], square[None], np.array([[1, 0, 0], [1, 0, 0], [0, 0, 1]], bool), metric) is None
    assert find_blocks([], np.zeros((1, 0, 0)), np.zeros((0, 0), bool), metric[:0]) == Blocks((), ())


@pytest.mark.parametrize("n", [1, 2, 3])
def test_adjugate(n):
    A = np.random.default_rng(n).normal(size=(n, n))
    inverse = inverse_of(A.tolist())
    assert np.allclose(inverse.entries, np.linalg.inv(A), rtol=1e-11)
    assert inverse.determinant == pytest.approx(np.linalg.det(A), rel=1e-12)
