"""Kernels: layouts, lengths, constants, reuse of memory, threads, mistakes."""

import ctypes
import threading

import numpy as np
import pytest

from closedchain.compile import ReferenceKernel, compile_kernel, native_lanes, trace
from closedchain.numbers import absolute, cos, exp, maximum, select, sign, sin, sqrt


def swing(q, qd, parameters):
    mass, length, drag = parameters
    inertia = mass * length * length
    effort = -mass * 9.81 * length * sin(q[0]) - drag * qd[0] * sqrt(1.0 + qd[0] ** 2) + exp(-q[1])
    return {"qdd": effort / inertia, "other": [cos(q[0] + q[1]), select(q[1] > 0.0, mass, drag), inertia, 4.0]}


@pytest.fixture(scope="module")
def traced():
    return trace(swing, {"q": 2, "qd": 2}, 3)


@pytest.fixture(scope="module")
def kernel(traced):
    return compile_kernel(traced)


P = np.array([1.2, 0.7, 0.05])


def states(n):
    return np.random.default_rng(n).uniform(-2, 2, (4, n))


@pytest.mark.parametrize("lanes", [4, 8])
@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 7, 8, 9, 16, 23])
def test_every_length_of_batch_writes_its_own_entries_only(traced, kernel, lanes, n):
    reference = ReferenceKernel(traced)
    x = states(n)
    room = np.full((7, n + 6), -7.0)
    out = room[1:6, 3 : n + 3]
    assert kernel.batch(x, kernel.constants(P), out=out, lanes=lanes) is out
    assert out == pytest.approx(reference.batch(x, P), rel=1e-14)
    room[1:6, 3 : n + 3] = -7.0
    assert np.all(room == -7.0)


@pytest.mark.parametrize("n", [0, 1, 5, 8, 13])
def test_parameters_of_its_own_for_every_sample(traced, kernel, n):
    x, p = states(n), np.random.default_rng(1).uniform(0.5, 2, (3, n))
    c = kernel.constants(p)
    assert c.shape == (kernel.n_constants, n)
    expected = ReferenceKernel(traced).batch(x, p)
    for lanes in (4, 8):
        assert kernel.batch(x, c, lanes=lanes) == pytest.approx(expected, rel=1e-14)


def test_same_code_with_other_unread_inputs_has_its_own_batch_loop():
    for count in (40, 3, 40, 7):
        kernel = compile_kernel(trace(lambda x: {"y": [x[2], 1.0, x[0] * x[1]]}, {"x": count}))
        X = np.random.default_rng(count).normal(size=(count, 29))
        np.testing.assert_array_equal(kernel.batch(X), [X[2], np.ones(29), X[0] * X[1]])


def test_single_states_equal_batches_and_accept_any_memory(kernel):
    c = kernel.constants(P)
    x = states(6)
    together = kernel.batch(x, c)
    for i in range(6):
        assert kernel(x[:, i], c) == pytest.approx(together[:, i], rel=1e-14)
        assert kernel(x[:, i].tolist(), c.tolist()) == pytest.approx(together[:, i], rel=1e-14)
    assert kernel.batch(np.asfortranarray(x), c) == pytest.approx(together, rel=1e-15)
    assert kernel.batch(x[:, ::2], c) == pytest.approx(together[:, ::2], rel=1e-15)
    wide = np.zeros((8, 12))
    wide[::2, 2:8] = x
    assert kernel.batch(wide[::2, 2:8], c) == pytest.approx(together, rel=1e-15)
    out = np.empty(10)[::2]
    assert kernel(x[:, 0], c, out=out) is out
    assert out == pytest.approx(together[:, 0], rel=1e-14)


def test_results_are_new_arrays_and_constants_may_change_in_place(kernel):
    c = kernel.constants(P)
    first = kernel([0.1, 0.2, 0.3, 0.4], c)
    kept = first.copy()
    kernel([1.0, 1.0, 1.0, 1.0], c)
    assert first.tolist() == kept.tolist()
    c[:] = kernel.constants(2 * P)
    assert kernel([0.1, 0.2, 0.3, 0.4], c)[2] == pytest.approx(2.4)
    assert kernel([0.1, -0.2, 0.3, 0.4], c)[2] == pytest.approx(0.1)
    assert kernel([0.1, 0.2, 0.3, 0.4], kernel.constants(P)).tolist() == kept.tolist()


def test_what_depends_on_parameters_alone_leaves_the_kernel(kernel):
    # mass*length*9.81, drag, 1/inertia or inertia, mass: nothing of the parameters is computed per state
    assert kernel.n_constants <= 5
    only_parameters = compile_kernel(trace(lambda x, parameters: {"y": sin(parameters[0]) ** 2 + 1.0}, {"x": 1}, 1))
    assert only_parameters.instructions == 0
    assert only_parameters([0.0], only_parameters.constants([0.5]))[0] == pytest.approx(np.sin(0.5) ** 2 + 1)


def test_a_condition_of_parameters_alone(traced):
    def switched(x, parameters):
        loose = parameters[0] > parameters[1]
        return {"y": select(loose, x[0], -x[0]), "flag": loose, "mask": select(parameters[1], 1.0, 2.0)}

    kernel = compile_kernel(trace(switched, {"x": 1}, 2))
    for p, expected in (([2.0, 1.0], [3.0, 1.0, 1.0]), ([0.0, 1.0], [-3.0, 0.0, 1.0]), ([-1.0, 0.0], [-3.0, 0.0, 2.0])):
        assert kernel([3.0], kernel.constants(p)).tolist() == expected
        assert kernel.batch(np.full((1, 9), 3.0), kernel.constants(p))[:, 8].tolist() == expected


def test_conditions_and_masks_as_numbers():
    def function(x):
        inside = (x[0] > -1.0) & ~(x[0] > 1.0)
        return {"y": [inside, inside * 2.0, select(x[1], 5.0, 6.0), (x[0] > 0.0) | (x[1] > 0.0)]}

    kernel = compile_kernel(trace(function, {"x": 2}))
    assert kernel([0.5, 0.0]).tolist() == [1.0, 2.0, 6.0, 1.0]
    assert kernel([-2.0, 1.0]).tolist() == [0.0, 0.0, 5.0, 1.0]
    assert kernel.batch(np.array([[0.5, -2.0], [0.0, 1.0]])).T.tolist() == [[1.0, 2.0, 6.0, 1.0], [0.0, 0.0, 5.0, 1.0]]


def test_comparisons_at_equality():
    def function(x):
        a, b = x
        return {"y": [a < b, a <= b, a > b, a >= b, a < 1.0, a <= 1.0, a > 1.0, a >= 1.0, sign(a - b), absolute(b - a)]}

    kernel = compile_kernel(trace(function, {"x": 2}))
    assert kernel([1.0, 1.0]).tolist() == [0, 1, 0, 1, 0, 1, 0, 1, 0, 0]
    assert kernel([1.0, 2.0]).tolist() == [1, 1, 0, 0, 0, 1, 0, 1, -1, 1]
    assert kernel([3.0, 2.0]).tolist() == [0, 0, 1, 1, 0, 0, 1, 1, 1, 1]
    assert kernel.batch(np.ones((2, 8)))[:, 5].tolist() == [0, 1, 0, 1, 0, 1, 0, 1, 0, 0]


def test_ieee_values_instead_of_exceptions(traced):
    kernel = compile_kernel(
        trace(lambda x: {"y": [1.0 / x[0], sqrt(x[0]), maximum(x[0], 0.0), x[0] / x[0] ** 2]}, {"x": 1})
    )
    assert kernel([0.0])[0] == np.inf
    assert np.isnan(kernel([-1.0])[1])
    reference = ReferenceKernel(trace(lambda x: {"y": 1.0 / x[0]}, {"x": 1}))
    assert reference([0.0])[0] == np.inf


def test_the_reference_is_called_by_address_too(traced, kernel):
    reference = ReferenceKernel(traced)
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)
    for lanes in (1, 4):
        x, y = np.ascontiguousarray(states(lanes)), np.empty((5, lanes))
        call(reference.address(lanes))(x.ctypes.data, P.ctypes.data, y.ctypes.data)
        assert y == pytest.approx(kernel.batch(x, kernel.constants(P)), rel=1e-14)
        many = np.repeat(P[:, None], lanes, axis=1) * np.linspace(1, 2, lanes)
        call(reference.address(lanes, per_lane=True))(x.ctypes.data, many.ctypes.data, y.ctypes.data)
        assert y == pytest.approx(kernel.batch(x, kernel.constants(many)), rel=1e-14)


def test_lane_layout_through_addresses(kernel):
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)
    c = kernel.constants(P)
    for lanes in (1, 4, 8):
        x = np.ascontiguousarray(states(lanes))
        for per_lane in (False, True):
            constants = np.repeat(c[:, None], lanes, axis=1).copy() if per_lane else c
            y = np.empty((kernel.n_outputs, lanes))
            call(kernel.address(lanes, per_lane))(x.ctypes.data, constants.ctypes.data, y.ctypes.data)
            assert y == pytest.approx(kernel.batch(x, c), rel=1e-14)
        p = np.repeat(P[:, None], lanes, axis=1).copy()
        many = np.empty((kernel.n_constants, lanes))
        call(kernel.constants_address(lanes))(p.ctypes.data, None, many.ctypes.data)
        assert many == pytest.approx(np.repeat(c[:, None], lanes, axis=1), rel=1e-15)
    assert native_lanes() in (4, 8)


def test_threads_do_not_share_buffers(kernel):
    c = kernel.constants(P)
    x = states(4)
    expected = kernel.batch(x, c)
    wrong = []

    def work(i):
        for _ in range(500):
            if not np.allclose(kernel(x[:, i], c), expected[:, i], rtol=1e-13):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda k, c: k([1.0, 2.0], c), "4 inputs"),
        (lambda k, c: k(np.ones((4, 2)), c), "4 inputs"),
        (lambda k, c: k(np.ones(4)), "parameters"),
        (lambda k, c: k(np.ones(4), c[:-1]), "constants"),
        (lambda k, c: k(np.ones(4), np.ones((len(c), 2))), "batch"),
        (lambda k, c: k(np.ones(4), c, out=np.ones(3)), "outputs"),
        (lambda k, c: k.batch(np.ones(4), c), "two dimensions"),
        (lambda k, c: k.batch(np.ones((3, 4)), c), "4 inputs"),
        (lambda k, c: k.batch(np.ones((4, 5)), np.ones((len(c), 4))), "columns of constants"),
        (lambda k, c: k.batch(np.ones((4, 5)), c, out=np.ones((5, 4))), "shape"),
        (lambda k, c: k.batch(np.ones((4, 5)), c, lanes=3), "lanes"),
        (lambda k, c: k.constants([1.0]), "3 parameters"),
    ],
)
def test_mistakes_are_named(kernel, call, message):
    with pytest.raises(ValueError, match=message):
        call(kernel, kernel.constants(P))


def test_long_batches_are_computed_in_blocks_that_equal_single_states():
    traced = trace(lambda x, parameters: {"y": [parameters[0] * x[0] * j + x[1] for j in range(150)]}, {"x": 2}, 1)
    kernel = compile_kernel(traced)
    n = 1003
    x, p = np.random.default_rng(0).uniform(-1, 1, (2, n)), np.linspace(1.0, 2.0, n)[None]
    out = np.zeros((150, n + 5))
    expected = np.arange(150)[:, None] * p * x[0] + x[1]
    kernel.batch(x, kernel.constants(p), out=out[:, :n])
    assert out[:, :n] == pytest.approx(expected, rel=1e-14, abs=1e-15)
    assert not out[:, n:].any()
    assert kernel.batch(x, kernel.constants([2.0])) == pytest.approx(
        np.arange(150)[:, None] * 2.0 * x[0] + x[1], abs=1e-13
    )


def test_kernels_for_few_evaluations_are_compiled_quickly_and_agree():
    def function(x):
        values = list(x)
        for _ in range(25):
            values = [sin(value) * 0.5 + values[0] for value in values]
        return {"y": values}

    traced = trace(function, {"x": 4})
    kernel = compile_kernel(traced)
    few, many = kernel.sized(10), kernel.sized(10_000_000)
    assert few is not kernel
    assert many is kernel
    assert few.sized(10) is few
    x = states(11)
    assert few.batch(x) == pytest.approx(kernel.batch(x), rel=1e-13)
    assert few(x[:, 0]) == pytest.approx(kernel(x[:, 0]), rel=1e-13)
    small = compile_kernel(trace(lambda x: {"y": x[0] + x[1]}, {"x": 2}))
    assert small.sized(1) is small
    assert compile_kernel(traced, level=1).sized(1).instructions == kernel.instructions
