"""Sparse LDLᵀ solves what NumPy solves, over floats, complex and symbols, with little fill and no lost zeros."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closedchain.compile import compile_kernel, trace
from closedchain.numbers import factorize, factorize_in_pairs, minimum_degree_order, refine
from closedchain.numbers.ldl import symmetric_product


def lower(matrix):
    rows, columns = np.nonzero(np.tril(matrix))
    return {(int(i), int(j)): matrix[i, j].item() for i, j in zip(rows, columns)}


def random_symmetric(seed, size, density=0.4):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(size, size)) * (rng.random((size, size)) < density)
    return np.tril(matrix) + np.tril(matrix, -1).T + np.diag(rng.uniform(size, 2 * size, size)), rng


@given(st.integers(0, 10_000), st.integers(1, 12))
def test_solves_in_any_order(seed, size):
    matrix, rng = random_symmetric(seed, size)
    rhs = rng.normal(size=size) * (rng.random(size) < 0.6)
    order = [int(i) for i in rng.permutation(size)]
    factor = factorize(lower(matrix), order)
    expected = np.linalg.solve(matrix, rhs)
    assert factor.solve(rhs.tolist()) == pytest.approx(expected, rel=1e-10, abs=1e-12)
    assert np.prod([factor.pivots[k] for k in order]) == pytest.approx(np.linalg.det(matrix), rel=1e-10)
    assert symmetric_product(lower(matrix), expected.tolist()) == pytest.approx(rhs, abs=1e-10)
    turned = factorize({at: complex(value) for at, value in lower(matrix).items()}, order)
    assert np.real(turned.solve((rhs + 0j).tolist())) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@given(st.integers(0, 10_000), st.integers(1, 12))
def test_pairs_of_pivots_solve_the_same(seed, size):
    matrix, rng = random_symmetric(seed, size)
    half = size // 2
    matrix[half:, half:] *= -1.0  # quasidefinite, as equations of motion are
    rhs = rng.normal(size=size) * (rng.random(size) < 0.6)
    order = [int(i) for i in rng.permutation(size)]
    found = factorize_in_pairs(lower(matrix), order).solve(rhs.tolist())
    assert found == pytest.approx(np.linalg.solve(matrix, rhs), rel=1e-10, abs=1e-12)


def test_dependent_constraints_by_shift_and_refinement():
    # two equal constraint rows: the true matrix is singular, the motion is not
    mass = np.diag([2.0, 3.0, 4.0])
    rows = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    kkt = np.block([[mass, rows.T], [rows, np.zeros((2, 2))]])
    rhs = [1.0, 2.0, 3.0, 0.5, 0.5]
    shift: dict[int, float] = {3: -1e-9, 4: -1e-9}
    matrix = lower(kkt)
    factor = factorize(matrix, [0, 1, 2, 3, 4], shift)
    x = np.array(refine(matrix, factor, rhs))
    expected = np.linalg.lstsq(kkt, np.array(rhs), rcond=None)[0]
    assert x[:3] == pytest.approx(expected[:3], abs=1e-12)
    assert np.abs(kkt @ x - rhs).max() < 1e-12
    assert abs(factor.solve(rhs)[0] - expected[0]) > 1e-12


def test_traced_solution_skips_what_is_zero_by_structure():
    matrix, rng = random_symmetric(3, 9, 0.25)
    entries = lower(matrix)
    order = minimum_degree_order(entries, 9)

    def solve(a, b):
        values = dict(zip(entries, a))
        return {"x": factorize(values, order).solve([b[0], *[0.0] * 7, b[1]])}

    kernel = compile_kernel(trace(solve, {"a": len(entries), "b": 2}))
    rhs = rng.normal(size=2)
    expected = np.linalg.solve(matrix, [rhs[0], *[0.0] * 7, rhs[1]])
    assert kernel([*entries.values(), *rhs]) == pytest.approx(expected, abs=1e-13)
    dense = trace(
        lambda a, b: {"x": factorize(dict(zip(entries, a)), range(9)).solve(list(b))}, {"a": len(entries), "b": 9}
    )
    assert kernel.instructions < compile_kernel(dense).instructions


def test_minimum_degree_leaves_the_hub_of_a_star_for_last():
    star = {(i, 0) for i in range(1, 6)}
    order = minimum_degree_order(star, 6)
    assert order.index(0) >= 4
    entries = {(i, 0): 1.0 for i in range(1, 6)} | {(i, i): 10.0 for i in range(6)}
    factor = factorize(entries, order)
    assert sum(len(column) for column in factor.columns.values()) == 5


def test_order_respects_what_is_allowed():
    # index 2 is a multiplier between 0 and 1: only after one of them
    def allowed(index, done):
        return index != 2 or bool(done & {0, 1})

    assert minimum_degree_order({(2, 0), (2, 1)}, 3, allowed).index(2) > 0
    with pytest.raises(ValueError, match="No index may be eliminated"):
        minimum_degree_order({(1, 0)}, 2, lambda index, done: False)


def test_mistakes_are_named():
    with pytest.raises(ZeroDivisionError, match="pivot of index 1"):
        factorize({(0, 0): 1.0}, [0, 1])
    with pytest.raises(ValueError, match="above the diagonal"):
        factorize({(0, 1): 1.0}, [0, 1])
