"""Stick-slip of a block with LuGre friction, in the whole mechanism, against equations written by hand for SciPy.

Canudas de Wit, Olsson, Åström and Lischinsky, A new model for control of systems with friction, IEEE Trans. Autom.
Control 40 (1995), section IV.B: a block of 1 kg is pulled through a spring of 2 N/m whose end moves at 0.1 m/s.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import closedchain as cc

KINETIC, STATIC, SLIP = 1.0, 1.5, 1e-3
S0, S1, S2 = 1e5, math.sqrt(1e5), 0.4
TIMES = [0.0, 5.0, 10.0, 14.0, 25.0]


@pytest.fixture(scope="module")
def by_hand():
    """x, v, bristle, and the work that friction took from the block, at TIMES."""

    def rates(t, state):
        x, v, z, _ = state.tolist()
        steady = (KINETIC + (STATIC - KINETIC) * math.exp(-((v / SLIP) ** 2))) / S0
        z_dot = v - abs(v) * z / steady
        force = S0 * z + S1 * z_dot + S2 * v
        return [v, 2.0 * (0.1 * t - x) - force, z_dot, force * v]

    return solve_ivp(rates, (0.0, TIMES[-1]), [0.0] * 4, "LSODA", TIMES, rtol=1e-9, atol=1e-12).y


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
def test_a_block_sticks_and_slips(by_hand, formulation):
    law = {
        "law": "lugre",
        "load": 1.0,
        "mu": KINETIC,
        "mu_s": STATIC,
        "vs": SLIP,
        "sigma0": S0,
        "sigma1": S1,
        "sigma2": S2,
    }
    way = {"type": "prismatic", "guess": 0.0}
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {"ground": {}, "end": {"mass": 1e-3}, "block": {"mass": 1.0}},
        "joints": {
            "E": {**way, "between": ["ground.origin", "end.origin"]},
            "S": {**way, "between": ["ground.origin", "block.origin"], "friction": law},
        },
        "actuators": {"pull": {"joint": "E", "motion": "0.1*t"}},
        "forces": {
            "k": {"kind": "spring-damper", "between": ["end.origin", "block.origin"], "stiffness": 2.0, "length": 0.0}
        },
    })  # fmt: skip
    ds = cc.simulate(m, TIMES[-1], start={"S": (0.0, 0.0)}, times=TIMES, formulation=formulation)
    x, v, z, work = by_hand
    np.testing.assert_allclose(ds.q.sel(coordinate="S"), x, atol=1e-7)
    np.testing.assert_allclose(ds.qd.sel(rate="S"), v, atol=1e-7)
    assert float(ds.q.sel(coordinate="S")[2]) == pytest.approx(0.6275831286, abs=1e-7)
    # all of friction's work counts as dissipated; without what the bristle holds of it, it only grows
    np.testing.assert_allclose(ds.dissipated_energy, work, atol=1e-7)
    assert np.all(np.diff(ds.dissipated_energy - 0.5 * S0 * z**2) >= 0.0)
    kept = ds.kinetic_energy + ds.potential_energy + ds.dissipated_energy - ds.input_work
    np.testing.assert_allclose(kept, kept[0], atol=1e-7)
