"""Sine and cosine in kernels keep the accuracy that is stated, against mpmath."""

import platform

import mpmath
import numpy as np
import pytest

from closedchain.compile import cache, compile_kernel, jit, trace
from closedchain.numbers import cos, sin, tan


def turns(x):
    return {"s": sin(x[0]), "c": cos(x[0]), "t": tan(x[0])}


@pytest.fixture(scope="module")
def kernel():
    return compile_kernel(trace(turns, {"x": 1}))


def exact(values):
    with mpmath.workdps(40):
        numbers = [mpmath.mpf(float(x)) for x in values]
        return [[mpmath.sin(x) for x in numbers], [mpmath.cos(x) for x in numbers]]


def largest_error(row, reference):
    with mpmath.workdps(40):
        return float(max(abs(mpmath.mpf(float(y)) - r) for y, r in zip(row, reference)))


@pytest.mark.parametrize(("limit", "tolerance"), [(np.pi / 4, 1e-16), (10.0, 1e-16), (1e3, 1e-16), (1e6, 1e-15)])
def test_absolute_error(kernel, limit, tolerance):
    rng = np.random.default_rng(7)
    # multiples of π/4, where the branches meet and where results vanish, and their neighbours
    edges = np.round(rng.uniform(-limit, limit, 200) / (np.pi / 4)) * (np.pi / 4)
    edges = edges[np.abs(edges) <= limit]
    x = np.concatenate([rng.uniform(-limit, limit, 800), edges, np.nextafter(edges, 0)])
    y, reference = kernel.batch(x[None, :]), exact(x)
    assert largest_error(y[0], reference[0]) <= tolerance
    assert largest_error(y[1], reference[1]) <= tolerance
    one_by_one = np.array([kernel([at]) for at in x[:200]]).T
    assert largest_error(one_by_one[0], reference[0][:200]) <= tolerance


def test_without_optimisation_the_range_holds_too():
    kernel = compile_kernel(trace(turns, {"x": 1}), level=0)
    x = np.random.default_rng(3).uniform(-1e6, 1e6, 600)
    y, reference = kernel.batch(x[None, :]), exact(x)
    assert largest_error(y[0], reference[0]) <= 1e-15
    assert largest_error(y[1], reference[1]) <= 1e-15


@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="the plainest processor is x86's")
def test_without_fused_multiply_add_the_range_holds_too(monkeypatch):
    triple = jit.host()[0]
    key = cache.object_key
    monkeypatch.setattr(jit, "host", lambda: (triple, "x86-64", ""))
    monkeypatch.setattr(cache, "object_key", lambda *parts: "plain" + key(*parts))
    jit._code_generator.cache_clear()
    try:
        kernel = compile_kernel(trace(turns, {"x": 1}), cache=False)
        for limit, tolerance in ((1e3, 1e-16), (1e6, 1e-15)):
            x = np.random.default_rng(3).uniform(-limit, limit, 600)
            y, reference = kernel.batch(x[None, :]), exact(x)
            assert largest_error(y[0], reference[0]) <= tolerance
            assert largest_error(y[1], reference[1]) <= tolerance
    finally:
        jit._code_generator.cache_clear()


def test_tangent_and_special_values(kernel):
    x = np.linspace(-1.5, 1.5, 301)
    assert kernel.batch(x[None, :])[2] == pytest.approx(np.tan(x), rel=1e-15)
    assert kernel([0.0]).tolist() == [0.0, 1.0, 0.0]
    for at in (np.inf, -np.inf, np.nan):
        assert np.isnan(kernel([at])).all()


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 9])
def test_any_number_of_angles_in_one_state(count):
    # single-state kernels compute several angles together
    def many(q):
        inner = sum(q[1:], q[0])
        return {"s": [sin(x) for x in q], "c": [cos(x) for x in q], "deep": sin(cos(inner) + q[0]), "t": tan(inner)}

    kernel = compile_kernel(trace(many, {"q": count}))
    q = np.random.default_rng(count).uniform(-3, 3, count)
    y = kernel.split(kernel(q))
    assert y["s"] == pytest.approx(np.sin(q), abs=2e-16)
    assert y["c"] == pytest.approx(np.cos(q), abs=2e-16)
    assert y["deep"] == pytest.approx(np.sin(np.cos(q.sum()) + q[0]), abs=1e-15)
    assert y["t"] == pytest.approx(np.tan(q.sum()), rel=1e-13)
