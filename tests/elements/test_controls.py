"""Controllers follow their target within their limit."""

import math

import pytest
from scipy.integrate import solve_ivp

from closedchain.compile import trace
from closedchain.compile.evaluate import evaluate
from closedchain.elements.controls import control_kinds

ALL = sorted(control_kinds)
VALUES = {"kp": 40.0, "kd": 6.0, "ki": 25.0, "limit": 30.0}


def values(kind, **changed):
    return {parameter.name: VALUES[parameter.name] for parameter in kind.parameters} | changed


def states(kind, value=0.0):
    return dict.fromkeys(kind.states, value)


@pytest.mark.parametrize("name", ALL)
def test_effort_formula_limit_and_feedforward(name):
    kind = control_kinds[name]
    p = values(kind)
    assert kind.meaning
    assert {each.name for each in kind.common} == {"target", "feedforward"}
    arguments = (0.2, 1.0, 0.5, 1.5)
    expected = 40.0 * 0.3 + 6.0 * 0.5 + (25.0 * 0.1 if kind.states else 0.0)
    assert kind.effort(p, *arguments, 0.0, states(kind, 0.1)) == pytest.approx(expected)
    assert kind.effort(p, *arguments, -4.0, states(kind, 0.1)) == pytest.approx(expected - 4.0)
    assert kind.effort(p, *arguments, 100.0, states(kind)) == 30.0
    assert kind.effort(p, *arguments, -100.0, states(kind)) == -30.0
    assert kind.effort(values(kind, limit=math.inf), *arguments, 100.0, states(kind)) == pytest.approx(115.0)
    assert len(kind.rates(p, *arguments, 0.0, states(kind))) == len(kind.states)


def test_integral_rests_while_the_effort_is_saturated():
    pid = control_kinds["pid"]
    p = values(pid)
    assert pid.rates(p, 0.0, 0.0, 0.5, 0.0, 0.0, {"integral": 0.0}) == (0.5,)
    assert pid.rates(p, 0.0, 0.0, 1.0, 0.0, 0.0, {"integral": 0.0}) == (0.0,)
    assert pid.rates(values(pid, limit=math.inf), 0.0, 0.0, 9.0, 0.0, 0.0, {"integral": 0.0}) == (9.0,)


@pytest.mark.parametrize("name", ALL)
def test_mass_under_load_reaches_the_target_only_with_an_integral(name):
    kind = control_kinds[name]
    p = values(kind)

    def rates(t, y):
        q, qd, *mine = y.tolist()
        arguments = (p, q, qd, 1.0, 0.0, 0.0, dict(zip(kind.states, mine, strict=True)))
        return [qd, kind.effort(*arguments) - 8.0, *kind.rates(*arguments)]

    done = solve_ivp(rates, (0.0, 40.0), [0.0, 0.0, *states(kind).values()], rtol=1e-7, atol=1e-9)
    assert done.y[0, -1] == pytest.approx(1.0 if kind.states else 1.0 - 8.0 / 40.0, abs=1e-4)


@pytest.mark.parametrize("limit", [30.0, math.inf])
@pytest.mark.parametrize("name", ALL)
def test_traced_controller_is_the_controller(name, limit):
    kind = control_kinds[name]
    p = values(kind, limit=limit)

    def outputs(x):
        q, qd, target, target_rate, feedforward, integral = x
        arguments = (p, q, qd, target, target_rate, feedforward, states(kind, integral))
        return {"y": [kind.effort(*arguments), *kind.rates(*arguments)]}

    traced = trace(outputs, {"x": 6})
    for x in ([0.2, 1.0, 0.5, 1.5, 0.0, 0.1], [0.0, 0.0, 5.0, 0.0, 1.0, 0.2], [0.0, 0.0, -5.0, 0.0, 1.0, 0.2]):
        numbers = dict(zip(traced.input_symbols, x, strict=True))
        assert evaluate(traced.expressions, numbers) == pytest.approx(outputs(x)["y"], rel=1e-14)
