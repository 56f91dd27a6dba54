"""Efforts on joint coordinates account for their power; stops and friction by hand."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from closedchain.compile import trace
from closedchain.compile.evaluate import evaluate
from closedchain.elements.forces import force_kinds
from closedchain.elements.friction_laws import friction_laws
from closedchain.elements.joint_efforts import joint_efforts
from closedchain.elements.joint_efforts.friction import friction_effort, friction_rates

LEAVES = {**joint_efforts, "torsion-spring": force_kinds["torsion-spring"].joint}
ALL = sorted(LEAVES)
VALUES = {"stiffness": 50.0, "damping": 3.0, "angle": 0.4, "lower": -0.5, "upper": 1.0}
GRID = [(q, qd) for q in (-0.9, -0.52, 0.3, 1.01, 1.4) for qd in (-7.0, -0.3, 0.2, 6.0)]


def values(leaf):
    names = [parameter.name for parameter in leaf.parameters] + (["lower", "upper"] if "limits" in leaf.needs else [])
    return {name: VALUES[name] for name in names}


@pytest.mark.parametrize("name", ALL)
def test_power_is_accounted_for(name):
    leaf = LEAVES[name]
    assert leaf
    assert leaf.meaning
    p = values(leaf)
    for q, qd in GRID:
        stored = leaf.energy(p, complex(q, 1e-40))
        rate = stored.imag / 1e-40 * qd if isinstance(stored, complex) else 0.0
        taken = leaf.dissipation(p, q, qd)
        assert taken >= 0.0
        assert leaf.effort(p, q, qd) * qd == pytest.approx(-rate - taken, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_traced_effort_is_the_effort(name):
    leaf = LEAVES[name]
    assert leaf
    p = values(leaf)

    def outputs(x):
        return {"y": [leaf.effort(p, *x), leaf.energy(p, x[0]), leaf.dissipation(p, *x), *leaf.switches(p, *x)]}

    traced = trace(outputs, {"x": 2})
    for x in GRID:
        numbers = dict(zip(traced.input_symbols, x, strict=True))
        assert evaluate(traced.expressions, numbers) == pytest.approx(outputs(x)["y"], rel=1e-14, abs=1e-14)


def test_torsion_spring_rests_at_its_angle():
    leaf = force_kinds["torsion-spring"].joint
    assert leaf
    assert leaf.effort(VALUES, 0.4, 0.0) == 0.0
    assert leaf.effort(VALUES, 0.5, 2.0) == pytest.approx(-(50.0 * 0.1 + 3.0 * 2.0))


def test_stops_push_back_and_never_pull():
    stop = joint_efforts["stop"]
    p = values(stop)
    assert stop.effort(p, 0.9, 5.0) == 0.0
    assert stop.effort(p, 1.2, 0.5) == pytest.approx(-(50.0 * 0.2 + 3.0 * 0.5))
    assert stop.effort(p, -0.7, -0.5) == pytest.approx(50.0 * 0.2 + 3.0 * 0.5)
    assert stop.effort(p, 1.2, -100.0) == 0.0
    assert stop.switches(p, 1.0, -1.0) == pytest.approx((0.0, -1.5, -3.0, -72.0))


def test_stop_returns_what_a_clamped_spring_and_damper_return():
    stop = joint_efforts["stop"]
    K, mass, zeta = 4e4, 2.0, 0.2
    p = {"stiffness": K, "damping": 2 * zeta * math.sqrt(K * mass), "lower": -1.0, "upper": 0.0}

    def rates(t, y):
        return [y[1], stop.effort(p, float(y[0]), float(y[1])) / mass]

    def left(t, y):
        return y[0]

    left.terminal, left.direction = True, -1
    done = solve_ivp(rates, (0.0, 1.0), [1e-12, 0.6], events=left, rtol=1e-10, atol=1e-13, max_step=1e-3)
    s = math.sqrt(1 - zeta**2)
    assert -done.y[1, -1] / 0.6 == pytest.approx(math.exp(-2 * zeta / s * math.atan2(s, zeta)), abs=1e-6)


@pytest.mark.parametrize("name", sorted(friction_laws))
def test_joint_friction_is_the_law_at_a_radius(name):
    law = friction_laws[name]
    p = {
        "mu": 0.1,
        "mu_s": 0.2,
        "vr": 1e-2,
        "smooth": "ramp",
        "v0": 1e-2,
        "v1": 2e-2,
        "xi": 3.0,
        "vs": 0.1,
        "delta": 2.0,
    }
    p |= {"viscous": 0.1, "vt": 0.1, "sigma0": 1e4, "sigma1": 1.0, "sigma2": 0.0, "force_floor": 1e-3}
    states = dict.fromkeys(law.states, 1e-4)
    p |= {"load": 30.0, "radius": 0.05}
    for qd in np.linspace(-2.0, 2.0, 9):
        slip = 0.05 * float(qd)
        assert friction_effort(law, p, float(qd), states) == -0.05 * law.force(p, slip, 30.0, states)
        assert friction_rates(law, p, float(qd), states) == law.rates(p, slip, 30.0, states)
        if not law.states:
            assert friction_effort(law, p, float(qd), states) * qd <= 0.0
