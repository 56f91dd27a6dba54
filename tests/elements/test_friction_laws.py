"""Every friction law answers its contract; LuGre against its published stick-slip test."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from closedchain.compile import trace
from closedchain.compile.evaluate import evaluate
from closedchain.elements.friction_laws import friction_laws

ALL = sorted(friction_laws)
COULOMB = friction_laws["coulomb"]
PLAIN = [name for name in ALL if not friction_laws[name].states]
VALUES = {
    "mu": 0.12,
    "mu_s": 0.2,
    "vr": 2e-3,
    "smooth": "ramp",
    "v0": 1e-3,
    "v1": 4e-3,
    "xi": 30.0,
    "vs": 5e-3,
    "delta": 2.0,
    "viscous": 0.7,
    "vt": 3e-3,
    "sigma0": 1e5,
    "sigma1": 30.0,
    "sigma2": 0.4,
    "force_floor": 1e-3,
}
F_N = 80.0


def values(law, **changed):
    return {parameter.name: VALUES[parameter.name] for parameter in law.parameters} | changed


# each law as it stands, and Coulomb with its other turn
CASES = [pytest.param(friction_laws[name], values(friction_laws[name]), id=name) for name in PLAIN]
CASES.append(pytest.param(COULOMB, values(COULOMB, smooth="tanh"), id="coulomb-tanh"))


@pytest.mark.parametrize("name", ALL)
def test_law_declares_itself(name):
    law = friction_laws[name]
    assert law.name == name
    assert law.meaning
    assert law.source
    assert all(parameter.meaning for parameter in law.parameters)
    assert law.check(values(law)) == ()
    assert len(law.rates(values(law), 0.1, F_N, dict.fromkeys(law.states, 0.0))) == len(law.states)


@pytest.mark.parametrize(("law", "p"), CASES)
def test_friction_opposes_slip_within_its_bound(law, p):
    for v in np.concatenate([np.geomspace(1e-9, 5.0, 200), *(np.array(law.kinks(p)) * s for s in (0.999, 1.0, 1.001))]):
        F = law.force(p, float(v), F_N, {})
        assert law.force(p, -float(v), F_N, {}) == -F
        assert 0.0 <= F <= law.bound(p, float(v), F_N) * (1 + 1e-12)
    assert law.force(p, 0.0, F_N, {}) == 0.0


@pytest.mark.parametrize("name", ALL)
def test_no_friction_without_normal_force(name):
    law = friction_laws[name]
    assert law.force(values(law), 0.3, 0.0, dict.fromkeys(law.states, 1e-6)) == 0.0


@pytest.mark.parametrize(("law", "p"), CASES)
def test_friction_takes_energy_over_a_cycle_of_slip(law, p):
    t = np.linspace(0.0, 1.0, 2001)
    v = 0.01 * np.sin(2 * np.pi * t)
    powers = np.array([law.force(p, float(each), F_N, {}) * each for each in v])
    assert np.all(powers >= 0.0)
    assert (np.trapezoid(powers, t) > 0.0) == (law.name != "none")


@pytest.mark.parametrize(("law", "p"), CASES)
def test_force_is_smooth_between_its_kinks(law, p):
    """Between declared kinks the complex step equals the finite difference."""
    edges = sorted({0.0, *law.kinks(p), 0.05})
    for low, high in pairwise(edges):
        for v in np.linspace(low, high, 9)[1:-1]:
            h = 1e-4 * (high - low)
            slope = law.force(p, complex(v, 1e-40), F_N, {})
            slope = slope.imag / 1e-40 if isinstance(slope, complex) else 0.0
            difference = (law.force(p, v + h, F_N, {}) - law.force(p, v - h, F_N, {})) / (2 * h)
            assert difference == pytest.approx(slope, rel=1e-5, abs=1e-6 * F_N)


@pytest.mark.parametrize(
    ("name", "speed", "share"),
    [
        ("coulomb", 1e-3, 0.12 * 0.5),
        ("coulomb", 1.0, 0.12),
        ("ambrosio", 0.5e-3, 0.0),
        ("ambrosio", 2.5e-3, 0.06),
        ("ambrosio", 1.0, 0.12),
        ("threlfall", 1e-3, 0.12 * (1 - math.exp(-1.5))),
        ("threlfall", 1.0, 0.12 * 0.95),
        ("bengisu-akay", 1e-3, 0.2),
        ("bengisu-akay", 0.5e-3, 0.2 * 0.75),
        ("bengisu-akay", 0.101, 0.12 + 0.08 * math.exp(-3.0)),
        ("stribeck", 5e-3, 0.12 + 0.08 * math.exp(-1.0) + 0.7 * 5e-3 / F_N),
        ("brown-mcphee", 3e-3, 0.12 * math.tanh(4.0) + 0.08),
        ("none", 1.0, 0.0),
    ],
)
def test_values(name, speed, share):
    law = friction_laws[name]
    assert law.force(values(law), speed, F_N, {}) == pytest.approx(share * F_N, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "changed", "key"),
    [
        ("ambrosio", {"v1": 1e-4}, "v1"),
        ("bengisu-akay", {"mu_s": 0.1}, "mu_s"),
        ("stribeck", {"mu_s": 0.1}, "mu_s"),
        ("lugre", {"mu_s": 0.1}, "mu_s"),
        ("brown-mcphee", {"mu_s": 0.1}, "mu_s"),
    ],
)
def test_contradicting_values_are_named(name, changed, key):
    law = friction_laws[name]
    ((found, sentence),) = law.check(values(law, **changed))
    assert found == key
    assert sentence.endswith(".")


def test_lugre_stick_slip():
    """Canudas de Wit and others' test: a mass pulled through a spring whose end moves steadily, from rest."""
    law = friction_laws["lugre"]
    p = {
        "mu": 0.5,
        "mu_s": 0.75,
        "vs": 1e-3,
        "sigma0": 1e5,
        "sigma1": math.sqrt(1e5),
        "sigma2": 0.4,
        "force_floor": 1e-3,
    }
    load = 2.0

    def rates(t, y):
        x, v, z = y.tolist()
        states = {"bristle": z}
        return [v, 2.0 * (0.1 * t - x) - law.force(p, v, load, states), *law.rates(p, v, load, states)]

    done = solve_ivp(rates, (0.0, 25.0), [0.0, 0.0, 0.0], "LSODA", t_eval=[10.0, 25.0], rtol=1e-10, atol=1e-13)
    assert done.y[0] == pytest.approx([0.6275831286, 1.9088392], abs=1e-7)
    assert done.y[1, 0] == pytest.approx(0.0678061402, abs=1e-8)


def test_lugre_energy_balance_and_bound_over_a_cycle():
    law = friction_laws["lugre"]
    p = values(law, sigma1=0.0)
    speed, period = 0.02, 0.05

    def slip(t):
        return speed * math.sin(2 * math.pi * t / period)

    def rates(t, y):
        v, states = slip(t), {"bristle": y[0]}
        (z_dot,) = law.rates(p, v, F_N, states)
        F = law.force(p, v, F_N, states)
        return [z_dot, F * v, F * v - p["sigma0"] * y[0] * z_dot]

    done = solve_ivp(rates, (0.0, period), [0.0, 0.0, 0.0], "LSODA", rtol=1e-9, atol=1e-12, dense_output=True)
    bristle, work, lost = done.y[:, -1]
    assert work == pytest.approx(lost + law.stored_energy(p, {"bristle": bristle}), rel=1e-6)
    assert np.all(np.diff(done.y[2]) >= -1e-12)
    for t in np.linspace(0.0, period, 200):
        F = law.force(p, slip(t), F_N, {"bristle": done.sol(t)[0]})
        assert abs(F) <= law.bound(p, slip(t), F_N) * (1 + 1e-6)


def test_lugre_steady_slip_follows_stribeck():
    law = friction_laws["lugre"]
    p = values(law)
    for v in (1e-3, 0.02, -0.02):
        G = (0.12 + 0.08 * math.exp(-((v / p["vs"]) ** 2))) * F_N / p["sigma0"]
        states = {"bristle": math.copysign(G, v)}
        assert law.rates(p, v, F_N, states)[0] == pytest.approx(0.0, abs=1e-15)
        assert law.force(p, v, F_N, states) == pytest.approx(math.copysign(G, v) * 1e5 + 0.4 * v, rel=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_traced_law_is_the_law_and_its_derivatives_stay_finite(name):
    law = friction_laws[name]
    p = values(law)
    structural = {parameter.name for parameter in law.parameters if parameter.structural or parameter.choices}
    names = [each for each in p if each not in structural]

    def outputs(x, states, parameters=()):
        given = p | dict(zip(names, parameters, strict=True))
        mine = dict(zip(law.states, states, strict=True))
        return {"force": law.force(given, x[0], x[1], mine), "rates": [*law.rates(given, x[0], x[1], mine), 0.0]}

    traced = trace(outputs, {"x": 2, "states": len(law.states)}, len(names))
    slopes = traced.jacobian("force", "x")[0] + traced.jacobian("rates", "x")[0]
    leaves = [*traced.input_symbols, *traced.parameter_symbols]
    for v in (0.3, -0.3, 1e-3, 2e-3, -5e-4, 0.0):
        for load in (F_N, 0.0):
            bristle = dict.fromkeys(law.states, 1e-6)
            numbers = dict(zip(leaves, [v, load, *bristle.values(), *(p[each] for each in names)], strict=True))
            expected = [law.force(p, v, load, bristle), *law.rates(p, v, load, bristle), 0.0]
            assert evaluate(traced.expressions, numbers) == pytest.approx(expected, rel=1e-13, abs=1e-30)
            assert np.all(np.isfinite(np.array(evaluate(slopes, numbers), dtype=float)))


@pytest.mark.parametrize(("law", "p"), CASES)
def test_pieces_are_the_law_between_its_kinks_and_go_on_smoothly(law, p):
    pieces = law.pieces(p)
    if not pieces:
        return
    kinks = law.kinks(p)
    edges = [0.0, *(kink for kink in kinks if kink > 0.0), 1.0]
    assert len(pieces) == len(edges) - 1
    for piece, (low, high) in zip(pieces, pairwise(edges), strict=True):
        for v in np.linspace(low, high, 7)[1:-1]:
            assert piece(p, float(v), F_N) == pytest.approx(law.force(p, float(v), F_N, {}), rel=1e-12)
            assert -piece(p, float(v), F_N) == pytest.approx(law.force(p, -float(v), F_N, {}), rel=1e-12)
        # beyond its kinks: no corner in second differences over a step across them
        for edge in (low, high):
            h = 1e-3 * (high - low)
            second = [
                piece(p, edge + k * h, F_N) - 2.0 * piece(p, edge, F_N) + piece(p, edge - k * h, F_N) for k in (1, 2)
            ]
            assert abs(second[1] - 4.0 * second[0]) < 1e-5 * F_N
    if 0.0 not in kinks:
        assert pieces[0](p, -1e-4, F_N) == pytest.approx(-pieces[0](p, 1e-4, F_N), abs=1e-12)


def test_a_law_without_a_dead_band_has_one_piece_less():
    law = friction_laws["ambrosio"]
    p = values(law, v0=0.0)
    assert len(law.pieces(p)) == 2
    assert law.kinks(p) == (p["v1"],)
    assert law.pieces(p)[0](p, 2e-3, F_N) == pytest.approx(law.force(p, 2e-3, F_N, {}))
