"""Expressions: arithmetic, the whitelist, its limits, time functions and their exact derivatives."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closedchain.compile import trace
from closedchain.compile.evaluate import evaluate
from closedchain.description.expressions import ExpressionError, check_constants
from closedchain.description.functions import FUNCTIONS, cycloid, step, trapezoid
from closedchain.description.grammar import DEEPEST, LONGEST, parse


def value(text, **names):
    return parse(text).run({name: float(number) for name, number in names.items()})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("2**3**2", 512.0),
        ("2^3^2", 512.0),
        ("-2**2", -4.0),
        ("2**-1", 0.5),
        ("2*-3", -6.0),
        ("--2", 2.0),
        ("+2", 2.0),
        ("8/4/2", 1.0),
        ("7 - 4 - 2", 1.0),
        (".5 + 1. + 1e-1", 1.6),
        ("2*pi", 2 * math.pi),
        ("sin(pi/6)", 0.5),
        ("atan2(1, -1)", 3 * math.pi / 4),
        ("max(1, 3, 2) - min(4, 2, 5)", 1.0),
        ("abs(-2) + sign(-3) + floor(-0.5)", 0.0),
        ("sqrt(16) + log(exp(2)) + tanh(0)", 6.0),
        ("acos(0) + asin(1) + atan(0) + tan(0)", math.pi),
        ("1\n + 1", 2.0),
    ],
)
def test_arithmetic(text, expected):
    assert value(text) == pytest.approx(expected, rel=1e-14, abs=1e-14)


def test_names_are_looked_up():
    expression = parse("a*sin(b) + t")
    assert expression.names == {"a", "b", "t"}
    assert expression.uses_time
    assert expression.run({"a": 2.0, "b": 0.0, "t": 3.0}) == 3.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("1 +", "ends too early"),
        ("(1", "')' belongs there"),
        ("1)", "cannot be read at ')'"),
        ("2 3", "cannot be read at '3'"),
        ("a b", "cannot be read at 'b'"),
        ("a.b", "cannot be read at '.'"),
        ("a[0]", "cannot be read at '['"),
        ("a if b else c", "cannot be read"),
        ("lambda: 1", "cannot be read"),
        ("1 == 1", "cannot be read at '='"),
        ("'text'", "cannot be read"),
        ("1_000", "cannot be read"),
        ("0x10", "cannot be read"),
        ("1j", "cannot be read"),
        ("__import__('os')", "no function __import__"),
        ("eval(1)", "no function eval"),
        ("sine(1)", "no function sine"),
        ("sin", "'(' belongs there"),
        ("sin()", "cannot be read"),
        ("sin(1, 2)", "2 arguments"),
        ("atan2(1)", "1 argument"),
        ("min(1)", "1 argument"),
        ("step(t, 1)", "2 arguments"),
        ("t(1)", "no function t"),
        ("table(t)", 'usage: table("file.csv", t)'),
        ("é", "cannot be read at 'é'"),
        ("１", "cannot be read"),
        ("1 # comment", "cannot be read at '#'"),
        ("1;2", "cannot be read at ';'"),
        ("a := 1", "cannot be read"),
        ("\x00", "cannot be read"),
        ("1e999", "beyond the range"),
    ],
)
def test_everything_else_is_refused(text, told):
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert told in str(caught.value)


def test_nearest_function_is_named():
    with pytest.raises(ExpressionError) as caught:
        parse("sqr(2)")
    assert caught.value.remedy == "Did you mean sqrt?"


def test_length_and_depth_are_limited():
    assert parse("0" * LONGEST).text
    with pytest.raises(ExpressionError, match="1001 characters"):
        parse("1" * (LONGEST + 1))
    for left, right in [("(", ")"), ("-", ""), ("sin(", ")"), ("2**", "")]:
        parse(left * DEEPEST + "1" + right * DEEPEST)
        with pytest.raises(ExpressionError, match="nested more than 50 deep"):
            parse(left * (DEEPEST + 1) + "1" + right * (DEEPEST + 1))


def test_long_sums_are_not_deep():
    assert value("+".join(["1"] * 500)) == 500.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1/0", "divides by zero"),
        ("0**-1", "no finite value"),
        ("sqrt(-1)", "sqrt has no finite value"),
        ("log(0)", "log has no finite value"),
        ("acos(2)", "acos has no finite value"),
        ("exp(1000)", "exp has no finite value"),
        ("(-8)**(1/3)", "power has no finite value"),
        ("1e308*10", "product has no finite value"),
        ("1/exp(1000)", "exp has no finite value"),
        ("step(1, 2, 2, 0, 1)", "not after its start"),
        ("trapezoid(1, 0, 1, 0, 1, 0.6)", "fraction"),
    ],
)
def test_values_are_finite(text, told):
    with pytest.raises(ExpressionError) as caught:
        value(text)
    assert told in str(caught.value)


@given(st.text(max_size=60))
def test_garbage_is_an_expression_error_or_an_expression(text):
    try:
        expression = parse(text)
    except ExpressionError:
        return
    names = dict.fromkeys(expression.names, 0.3)
    try:
        result = expression.run(names, lambda name, x: x)
    except ExpressionError:
        return
    assert math.isfinite(result)


PIECES = [
    "1",
    "2.5",
    "x",
    "t",
    "pi",
    "+",
    "-",
    "*",
    "/",
    "**",
    "^",
    "(",
    ")",
    ",",
    *FUNCTIONS,
    "table",
    '"f.csv"',
    ".",
    "e",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_shuffled_grammar_is_an_expression_error_or_an_expression(pieces):
    test_garbage_is_an_expression_error_or_an_expression.hypothesis.inner_test("".join(pieces))


@given(st.floats(-3, 3), st.floats(0.1, 3))
def test_symbols_and_floats_agree(a, b):
    text = "atan2(a, b)*b**2 - max(a, b)/(1 + a*a) + step(t, 0, 1, a, b) + cycloid(t, 0, 1, a, b) + tanh(a)**3"
    traced = trace(lambda a, b, t: {"y": parse(text).run({"a": a[0], "b": b[0], "t": t[0]})}, {"a": 1, "b": 1, "t": 1})
    (y,) = evaluate(traced.expressions, dict(zip(traced.input_symbols, (a, b, 0.3))))
    assert y == pytest.approx(value(text, a=a, b=b, t=0.3), rel=1e-13, abs=1e-13)


TIME_FUNCTIONS = [
    lambda t: step(t, 0.5, 2.0, 1.0, 3.0),
    lambda t: cycloid(t, 0.5, 2.0, 1.0, 3.0),
    lambda t: trapezoid(t, 0.5, 2.0, 1.0, 3.0, 0.25),
    lambda t: trapezoid(t, 0.5, 2.0, 1.0, 3.0, 0.5),
]


@pytest.mark.parametrize("function", TIME_FUNCTIONS)
def test_time_functions_start_and_end_at_rest(function):
    assert function(0.0) == function(0.5) == 1.0
    assert function(2.0) == function(9.0) == pytest.approx(3.0, rel=1e-15)
    assert function(1.25) == pytest.approx(2.0, rel=1e-15)
    rate = np.array([(function(0.5 + 1e-6) - 1.0) / 1e-6, (3.0 - function(2.0 - 1e-6)) / 1e-6])
    assert np.all(abs(rate) < 1e-4)


def test_step_has_no_rate_and_acceleration_at_its_ends():
    h = 1e-4
    assert abs(step(0.5 + h, 0.5, 2.0, 0.0, 1.0)) < 1e-10
    # the quintic polynomial at a third
    u = 1 / 3
    assert step(0.5 + 1.5 * u, 0.5, 2.0, 0.0, 1.0) == pytest.approx(10 * u**3 - 15 * u**4 + 6 * u**5, rel=1e-14)


def test_trapezoid_runs_at_constant_rate_between_its_ramps():
    t = np.linspace(0.5 + 0.25 * 1.5, 2.0 - 0.25 * 1.5, 9)[1:-1]
    y = np.array([trapezoid(float(x), 0.5, 2.0, 0.0, 3.0, 0.25) for x in t])
    assert np.diff(y) / np.diff(t) == pytest.approx(np.full(6, 3.0 / 1.5 / 0.75), rel=1e-12)


@pytest.mark.parametrize("function", TIME_FUNCTIONS)
def test_traced_derivatives_of_time_functions_match_differences(function):
    traced = trace(lambda t: {"y": function(t[0])}, {"t": 1})
    first = traced.with_outputs({"yd": traced.derivative("y", {"t": [1.0]})})
    second = first.with_outputs({"ydd": first.derivative("yd", {"t": [1.0]})})
    for t in (0.2, 0.6, 0.8, 1.2, 1.7, 1.9, 3.0):
        y, yd, ydd = evaluate(second.expressions, dict(zip(second.input_symbols, (t,))))
        assert y == pytest.approx(function(t), abs=1e-14)
        assert yd == pytest.approx((function(t + 1e-6) - function(t - 1e-6)) / 2e-6, abs=1e-7)
        assert ydd == pytest.approx((function(t + 1e-4) - 2 * y + function(t - 1e-4)) / 1e-8, abs=1e-5)


def test_time_functions_take_arrays():
    t = np.linspace(-1, 3, 11)
    for function in TIME_FUNCTIONS:
        assert function(t) == pytest.approx([function(float(x)) for x in t], rel=1e-14)


@pytest.mark.parametrize(
    "text", ["1/0 + t", "t*sqrt(-1)", "step(t, 2, 1, 0, 1)", "trapezoid(t, 0, 1, 0, 1, 0)", "sin(log(-1))*t"]
)
def test_constant_parts_of_time_functions_are_checked(text):
    with pytest.raises(ExpressionError):
        check_constants(parse(text).program, {})


@pytest.mark.parametrize(
    "text", ["1/t", "log(t - 5)", "sqrt(-t)", "step(t, t, 1, 0, 1)", 'table("f.csv", t)', "step(2*t, 0, a, 0, 1)"]
)
def test_what_depends_on_time_is_not_judged(text):
    check_constants(parse(text).program, {"a": 1.0})
