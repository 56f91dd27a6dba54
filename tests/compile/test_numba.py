"""Numba functions call kernels by address: one compilation of the loop for all kernels."""

import numpy as np
import pytest

from closedchain.compile import compile_kernel, trace
from closedchain.numbers import cos, sin

numba = pytest.importorskip("numba")


@numba.njit
def run(f, x, c, y, times):
    for _ in range(times):
        f(np.uintp(x.ctypes.data), np.uintp(c.ctypes.data), np.uintp(y.ctypes.data))
        x[0] += y[0]


def test_one_loop_serves_every_kernel():
    kernels = [
        compile_kernel(trace(lambda x, parameters: {"y": parameters[0] * sin(x[0])}, {"x": 1}, 1)),
        compile_kernel(trace(lambda x, parameters: {"y": [cos(x[0]) + parameters[0], x[0]]}, {"x": 1}, 1)),
    ]
    for kernel in kernels:
        c, x, y = kernel.constants([0.1]), np.array([0.3]), np.empty(2)
        run(kernel.function(), x, c, y, 3)
        by_hand = np.array([0.3])
        for _ in range(3):
            by_hand[0] += kernel(by_hand, c)[0]
        assert x[0] == pytest.approx(by_hand[0], rel=1e-15)
    assert len(run.signatures) == 1


def test_lanes():
    kernel = compile_kernel(trace(lambda x, parameters: {"y": parameters[0] * sin(x[0])}, {"x": 1}, 1))
    x = np.linspace(0, 1, 8).reshape(1, 8)
    p = np.linspace(1, 2, 8).reshape(1, 8)
    y = np.empty((1, 8))
    start = x.copy()
    run(kernel.function(8, per_lane=True), x.reshape(-1), kernel.constants(p).reshape(-1), y.reshape(-1), 1)
    assert y == pytest.approx(p * np.sin(start), rel=1e-15)
