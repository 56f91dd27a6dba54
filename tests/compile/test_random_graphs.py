"""Random expression graphs: every way to evaluate and differentiate them gives the same numbers."""

import casadi
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from closedchain import numbers as n
from closedchain.compile import (
    ReferenceKernel,
    compile_kernel,
    directional_derivative,
    gradient,
    jacobian,
    trace,
)
from closedchain.compile.evaluate import evaluate

N_X, N_P = 3, 2

# slopes are bounded and arguments stay inside the domains, so that rounding is not amplified
OPERATIONS = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: n.sin(a * b),
    lambda a, b: a / (1.0 + b * b),
    lambda a, b: -a,
    lambda a, b: n.sqrt(1.0 + a * a),
    lambda a, b: n.sin(a) * n.cos(b),
    lambda a, b: n.tan(n.tanh(a)),
    lambda a, b: n.asin(0.8 * n.tanh(a)),
    lambda a, b: n.acos(0.8 * n.sin(a)),
    lambda a, b: n.atan(a),
    lambda a, b: n.atan2(a, 1.5 + n.sin(b)),
    lambda a, b: n.exp(n.sin(a)),
    lambda a, b: n.log(1.0 + a * a),
    lambda a, b: n.tanh(a),
    lambda a, b: n.absolute(a),
    lambda a, b: n.minimum(a, b),
    lambda a, b: n.maximum(a, 0.3),
    lambda a, b: n.sign(a) * b,
    lambda a, b: n.floor(a) * 0.1 + a,
    lambda a, b: n.power(1.1 + n.sin(a), n.cos(b)),
    lambda a, b: n.power(n.absolute(a) + 0.1, 2.5) * 0.1,
    lambda a, b: n.power(2.0, n.sin(b)),
    lambda a, b: n.power(a, 3) * 0.05,
    lambda a, b: n.select(n.less(a, b), a * 0.5, b),
    lambda a, b: n.select(n.logical_or(n.greater(a, 0.2), n.logical_not(n.less_equal(b, 0.1))), b, a),
    lambda a, b: n.select(n.logical_and(n.less(a, 0.7), n.greater_equal(b, -0.5)), 1.5, a),
    lambda a, b: 2.5 * a,
    lambda a, b: 1.0 - a,
    lambda a, b: 3.0 / (2.0 + n.sin(a)),
]

steps = st.tuples(st.integers(0, len(OPERATIONS) - 1), st.integers(0, 30), st.integers(0, 30))
graphs = st.lists(steps, min_size=10, max_size=40)


def function_of(graph):
    def function(x, parameters):
        values = [*x, *parameters, 0.0, 1.0, 0.7]
        for operation, i, j in graph:
            values.append(OPERATIONS[operation](values[-1 - i % len(values)], values[-1 - j % len(values)]))
        return {"last": values[-3:], "mixed": [values[-1] * 2.0, 0.25]}

    return function


def samples(seed, count):
    rng = np.random.default_rng(seed)
    return rng.uniform(-2, 2, (N_X, count)), rng.uniform(-2, 2, (N_P, count))


def close(expected):
    return pytest.approx(expected, rel=1e-11, abs=1e-11)


def floats(values):
    return np.array([float(value) for value in values])


@given(graphs, st.integers(0, 10**6), st.integers(1, 19))
@settings(max_examples=25)
def test_all_forms_agree(graph, seed, count):
    traced = trace(function_of(graph), {"x": N_X}, N_P)
    X, P = samples(seed, count)
    reference = ReferenceKernel(traced)
    expected = reference.batch(X, P)
    kernel = compile_kernel(traced, cache=False)
    C = kernel.constants(P)
    assert close(expected) == np.array([kernel(X[:, i], C[:, i].copy()) for i in range(count)]).T
    shared = reference.batch(X, P[:, 0])
    c = kernel.constants(P[:, 0])
    for lanes in (4, 8):
        assert kernel.batch(X, C, lanes=lanes) == close(expected)
        assert kernel.batch(X, c, lanes=lanes) == close(shared)
    quick = compile_kernel(traced, level=0, cache=False)
    assert quick(X[:, 0], quick.constants(P[:, 0])) == close(expected[:, 0])
    leaves = dict(zip([*traced.input_symbols, *traced.parameter_symbols], [*X, *P]))
    interpreted = evaluate(traced.expressions, leaves)
    assert np.array([np.broadcast_to(row, count) for row in interpreted]) == close(expected)


@given(graphs, st.integers(0, 10**6))
@settings(max_examples=60)
def test_values_and_derivatives_agree_with_casadi(graph, seed):
    traced = trace(function_of(graph), {"x": N_X}, N_P)
    X, P = samples(seed, 1)
    kernel = compile_kernel(
        traced.with_outputs({"J": jacobian(traced.expressions, traced.input_symbols)}), level=0, cache=False
    )
    y = kernel(X[:, 0], kernel.constants(P[:, 0]))
    x, p = casadi.SX.sym("x", N_X), casadi.SX.sym("p", N_P)
    symbols = {s: x[i] for i, s in enumerate(traced.input_symbols)}
    symbols |= {s: p[i] for i, s in enumerate(traced.parameter_symbols)}
    outputs = casadi.vertcat(*evaluate(traced.expressions, symbols, n))
    both = casadi.Function("f", [x, p], [outputs, casadi.jacobian(outputs, x)])
    values, slopes = both(X[:, 0], P[:, 0])
    size = traced.n_outputs
    scale = 1.0 + np.abs(y).max()
    assert y[:size] == pytest.approx(np.array(values).ravel(), rel=1e-12, abs=1e-12 * scale)
    assert y[size:].reshape(size, N_X) == pytest.approx(np.array(slopes), rel=1e-11, abs=1e-12 * scale)


@given(graphs, st.integers(0, 10**6))
@settings(max_examples=60)
def test_derivatives_agree_with_complex_step_and_each_other(graph, seed):
    function = function_of(graph)
    traced = trace(function, {"x": N_X}, N_P)
    X, P = (v[:, 0] for v in samples(seed, 1))
    direction = np.random.default_rng(seed + 1).normal(size=N_X)
    x = [complex(value, 1e-40 * rate) for value, rate in zip(X, direction)]
    stepped = function(x=x, parameters=P.tolist())
    expected = [complex(value).imag / 1e-40 for part in stepped.values() for value in part]
    leaves = dict(zip([*traced.input_symbols, *traced.parameter_symbols], [*X, *P]))

    along = directional_derivative(traced.expressions, dict(zip(traced.input_symbols, map(float, direction))))
    assert floats(evaluate(along, leaves)) == close(expected)
    rows = [floats(evaluate(row, leaves)) for row in jacobian(traced.expressions, traced.input_symbols)]
    assert np.array(rows) @ direction == close(expected)
    for row, y in zip(rows, traced.expressions):
        assert floats(evaluate(gradient(y, traced.input_symbols), leaves)) == close(row)


@given(graphs, st.integers(0, 10**6))
@settings(max_examples=25)
def test_second_derivatives_are_derivatives_of_derivatives(graph, seed):
    traced = trace(function_of(graph), {"x": N_X}, N_P)
    X, P = (v[:, 0] for v in samples(seed, 1))
    y, x = traced.expressions[0], traced.input_symbols
    leaves = dict(zip([*x, *traced.parameter_symbols], [*X, *P]))
    hessian = jacobian(gradient(y, x), x)
    forward = jacobian(jacobian([y], x)[0], x)
    H = np.array([floats(evaluate(row, leaves)) for row in hessian])
    assert pytest.approx(H.T, rel=1e-9, abs=1e-9) == H
    assert np.array([floats(evaluate(row, leaves)) for row in forward]) == pytest.approx(H, rel=1e-9, abs=1e-9)
