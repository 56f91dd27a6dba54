"""What the elimination patterns of the dynamics are found from: mass matrices, loop equations, pivots."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc
from closedchain.algorithms.closure_solver import STEADY_PIVOT, is_steady
from closedchain.algorithms.link_frames import link_mass_matrix
from closedchain.model.dynamics_patterns import mass_kernel
from closedchain.model.inverse_patterns import jacobians
from closedchain.model.model import Drive
from closedchain.model.rows import row_marks, rows_kernel

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = ("four_bar", "delta", "gough_stewart", "rssr", "universal_shaft")


@pytest.mark.parametrize("name", NAMES)
def test_mass_matrices_are_those_of_plain_numbers_and_zero_only_where_the_structure_says(name):
    model = cc.compile(cc.load(EXAMPLES / name / "mechanism.toml"))
    mass, structure = mass_kernel(model)
    c = mass.constants(model.parameters.values)
    system = model.system()
    for seed in range(3):
        q = np.random.default_rng(seed).uniform(-1.0, 1.0, model.topology.coordinates)
        expected = np.zeros(structure.shape)
        for (i, j), value in link_mass_matrix(system.tree, q.tolist(), system.planar).items():
            expected[i, j] = expected[j, i] = value
        found = mass(q, c)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-13 * np.abs(expected).max())
        assert not found[~structure].any()


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_local_loop_equations_forbid_the_same_motions_as_those_in_ground_axes(name, sparse):
    model = cc.compile(cc.load(EXAMPLES / name / "mechanism.toml"))
    q = np.array(cc.assemble(model).tree(model))
    drive = Drive()
    rates = list(range(model.topology.rates))
    q = np.array([q, q])
    local, structure = jacobians(model, drive, rates, list(q), np.zeros(0), sparse)
    assert local[0] == pytest.approx(local[1])
    assert not local[:, ~structure].any()
    kernel, _ = rows_kernel(model, drive)
    rows = kernel.split(kernel(q[0], kernel.constants(model.parameters.values)))["jacobian"]
    rows = rows[[not mark[3] for mark in row_marks(model, drive)]]
    _, s, Vt = np.linalg.svd(rows)
    rank = int(np.sum(s > 1e-9 * s[0]))
    assert np.linalg.matrix_rank(local[0], tol=1e-9 * s[0]) == rank
    assert np.abs(local[0] @ Vt[rank:].T).max(initial=0.0) < 1e-10 * max(1.0, s[0])


@pytest.mark.parametrize("seed", range(20))
def test_pivots_are_watched_as_in_plain_elimination(seed):
    draw = np.random.default_rng(seed)
    n, m, count = 6, 3, 2
    J = draw.uniform(-1.0, 1.0, (count, m, n)) * (draw.uniform(size=(m, n)) < 0.6)
    J[:, :, :m] += 0.3 * np.eye(m)
    H = np.array([np.diag(draw.uniform(0.5, 2.0, n)) for _ in range(count)])
    order = [int(k) for k in [*draw.permutation(n), *(n + draw.permutation(m))]]
    if seed % 2:
        # A row that nearly repeats another one has a small pivot.
        J[:, 1] = J[:, 0] + draw.uniform(0.5, 2.0) * np.sqrt(STEADY_PIVOT) * J[:, 2]
    smallest = np.inf
    for A, h, j in zip(np.block([[H, J.transpose(0, 2, 1)], [J, np.zeros((count, m, m))]]), H, J, strict=True):
        own = np.concatenate([np.diag(h), np.diag(j @ np.linalg.inv(h) @ j.T)])
        for place, k in enumerate(order):
            done = order[:place]
            schur = A[k, k] - (A[[k]][:, done] @ np.linalg.solve(A[np.ix_(done, done)], A[done, k]) if done else 0.0)
            smallest = min(smallest, float(np.ravel(schur if k < n else -schur)[0]) / own[k])
    assert is_steady(H, J, order) == (smallest > STEADY_PIVOT)
