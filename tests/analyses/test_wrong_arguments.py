"""Numbers that no run can have are errors in words, in every analysis that takes them."""

from typing import Any

import numpy as np
import pytest

import closedchain as cc

NAN = float("nan")
TOLERANCES = [{"rtol": 0.0, "atol": 0.0}, {"rtol": -1e-8}, {"rtol": NAN}, {"rtol": "small"}, {"rtol": True},
              {"rtol": None}, {"atol": -1.0}, {"atol": NAN}, {"atol": np.array([1e-8])}]  # fmt: skip
PATH = "bodies.bob.mass"


@pytest.fixture(scope="module")
def swing():
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "parameters": {"pace": 10.0},
        "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0]}},
        "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "guess": "-60 deg"}},
    })  # fmt: skip


ANALYSES = {
    "simulate": lambda m, **k: cc.simulate(m, **{"until": 0.01, **k}),
    "multipliers": lambda m, **k: cc.simulate(m, **{"until": 0.01, "formulation": "multipliers", **k}),
    "ensemble": lambda m, **k: cc.ensemble(m, **{"until": 0.01, "starts": [{"A": 0.1}], **k}),
    "sweep": lambda m, **k: cc.sweep(m, {PATH: [1.0]}, cc.simulate, **{"until": 0.01, **k}),
    "lyapunov": lambda m, **k: cc.lyapunov(m, **{"until": 0.01, **k}),
    "poincare": lambda m, **k: cc.poincare(m, **{"period": 0.01, "until": 0.05, **k}),
    "bifurcation": lambda m, **k: cc.bifurcation(
        m, **{"path": PATH, "values": [1.0], "period": 0.01, "transient": 1, "keep": 1, "channel": "q.A", **k}
    ),
}


@pytest.mark.parametrize("given", TOLERANCES, ids=str)
@pytest.mark.parametrize("name", ANALYSES)
def test_tolerances(swing, name, given):
    with pytest.raises(cc.MechanismError, match=r"rtol|atol"):
        ANALYSES[name](swing, **given)


@pytest.mark.parametrize("until", [0.0, -1.0, NAN, np.inf, "soon", None, True, [1.0]], ids=str)
@pytest.mark.parametrize("name", ["simulate", "multipliers", "ensemble", "sweep", "lyapunov", "poincare"])
def test_ends(swing, name, until):
    with pytest.raises(cc.MechanismError, match="until"):
        ANALYSES[name](swing, until=until)


@pytest.mark.parametrize("times", [[0.0, 0.02], [0.01, 0.0], [NAN], [-1.0], "abc", [[0.0, 0.01]]], ids=str)
@pytest.mark.parametrize("name", ["simulate", "multipliers", "ensemble", "sweep"])
def test_instants(swing, name, times):
    with pytest.raises(cc.MechanismError, match="times"):
        ANALYSES[name](swing, times=times)


@pytest.mark.parametrize(
    ("name", "given", "word"),
    [
        *(("simulate", {"step": step}, "step") for step in (0.0, -1.0, NAN, "a")),
        ("simulate", {"method": "rk4"}, "step"),
        *((name, {"method": "euler"}, "dop853") for name in ("simulate", "ensemble", "sweep", "bifurcation")),
        *(("multipliers", {"alpha": value}, "alpha") for value in (-1.0, NAN, "a")),
        ("simulate", {"beta": NAN}, "beta"),
        ("simulate", {"clearance": 3}, "clearance"),
        *(("lyapunov", {"interval": value}, "interval") for value in (0.0, NAN, "a")),
        *(("lyapunov", {"transient": value}, "transient") for value in (-1.0, NAN, "a", 5.0)),
        *(("poincare", {"transient": value}, "transient") for value in (-1.0, NAN, "a")),
        *(("poincare", {"phase": value}, "phase") for value in (NAN, "a")),
        *(("bifurcation", {"period": value}, "period") for value in (0.0, -1.0, NAN, None, "1 kg", "pac", "pace - 10")),
        *(("bifurcation", {"transient": value}, "transient") for value in (-1, 1.5, "a")),
        *(("bifurcation", {"keep": value}, "keep") for value in (0, 1.5, "a")),
        *(("bifurcation", {"phase": value}, "phase") for value in (NAN, "a", -1.0)),
        ("bifurcation", {"values": []}, PATH),
        ("ensemble", {"starts": 5}, "starts"),
        ("ensemble", {"starts": {"A": 0.1}}, "starts"),
        ("ensemble", {"starts": None, "values": {PATH: ["heavy", 2.0]}}, "heavy"),
    ],
    ids=str,
)
def test_the_rest(swing, name, given, word):
    with pytest.raises(cc.MechanismError, match=word):
        ANALYSES[name](swing, **given)


def test_a_value_without_a_period_fails_alone(swing):
    ds = cc.bifurcation(
        swing, "parameters.pace", [10.0, 0.0], period="0.1*pace", transient=1, keep=1, channel="q.A", rtol=1e-6
    )
    assert ds.status.values.tolist() == ["done", "failed"]
    assert "period" in str(ds.reason.values[1])
    assert np.isnan(ds.section.values[1]).all()


@pytest.mark.parametrize("number", [np.float32(0.01), np.float64(0.01), np.array(0.01)])
def test_numbers_of_numpy_are_numbers(swing, number):
    assert cc.simulate(swing, number, rtol=number).sizes["time"] == 1001


def test_results_that_are_none_are_named():
    nothing: Any = 3
    with pytest.raises(cc.MechanismError, match="results over time"):
        cc.deviation(nothing, nothing)
