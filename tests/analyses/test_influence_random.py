"""Coefficients and loop equations of random closed mechanisms, all joint types, against differences of poses."""

import numpy as np
import pytest

import closedchain as cc
from closedchain.analyses.loop_rates import loop_rates
from closedchain.analyses.variables import independent

CASES = [(seed, planar, count, freedoms) for seed in range(4) for planar in (False, True) for count in (1, 2)
         for freedoms in (1, 2)]  # fmt: skip


def slope(f, h):
    """Derivative at 0 from central differences at h and h/2, extrapolated."""
    coarse, fine = ((f(step) - f(-step)) / (2 * step) for step in (h, h / 2))
    return (4 * fine - coarse) / 3


@pytest.mark.parametrize(("seed", "planar", "count", "freedoms"), CASES)
def test_coefficients_equal_differences(loops, seed, planar, count, freedoms):
    m = cc.Mechanism.from_dict(loops.random_loop(100 + seed, planar, count, freedoms))
    start = cc.assemble(m)
    driven = [name for name in independent(loop_rates(m, start)) if name in start.coordinates]
    G, H = cc.influence(m, start, of="P", wrt=independent(loop_rates(m, start)))
    scale = max(1.0, np.abs(G).max(), np.abs(H).max() ** 0.5)
    rows = slice(1, None) if planar else slice(3, None)
    for k, label in enumerate(driven):

        def near(change, label=label):
            values = {each: start[each] + (change if each == label else 0.0) for each in driven}
            return cc.assemble(m, values, guess=start)

        point = slope(lambda change, near=near: near(change).point("b0.J0"), 1e-3 / scale)
        assert np.abs(G[rows, k] - point).max() < 1e-7 * scale**2
        turned = slope(lambda change, near=near: cc.influence(m, near(change), of="P", wrt=driven)[0], 1e-3 / scale)
        assert np.abs(H[:, k] - turned).max() < 1e-6 * scale**3


@pytest.mark.parametrize(("seed", "planar"), [(seed, planar) for seed in range(6) for planar in (False, True)])
def test_loop_equations_hold_along_random_motions(loops, seed, planar):
    m = cc.Mechanism.from_dict(loops.random_loop(200 + seed, planar, loops=2, freedoms=1))
    try:
        ds = cc.kinematics(m, [0.0])
    except cc.ClosedChainError:
        pytest.skip("the drive does not determine this mechanism")
    pose = cc.assemble(m)
    equations = cc.loop_matrices(m, pose)
    rates = {name: ds.qd.sel(rate=name).item() for name in ds.rate.values}
    accelerations = {name: ds.qdd.sel(rate=name).item() for name in ds.rate.values}
    columns = np.hstack([equations.W, equations.U])
    names = (*equations.passive, *equations.driven)
    v, a = (np.array([values[name] for name in names]) for values in (rates, accelerations))
    scale = 1.0 + np.abs(v).max() ** 2 + np.abs(a).max()
    assert np.abs(columns @ v).max() < 1e-9 * scale
    assert np.abs(columns @ a + equations.c(rates)).max() < 1e-8 * scale
