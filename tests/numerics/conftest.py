"""Small problems with exact answers, traced and compiled as the library's own."""

from types import SimpleNamespace

import numpy as np
import pytest

from closedchain.compile import trace
from closedchain.compile.kernels import compile_kernel
from closedchain.numbers import cos, greater, select, sin
from closedchain.numerics.problem import BoundKernel, Event, HybridProblem

GRAVITY = 9.81


def bind(function, inputs, constants=()):
    """function(x, c) -> list of outputs, as a kernel; constants (k,) or one row per member (members, k)."""
    constants = np.asarray(constants, dtype=float)
    traced = trace(lambda x, parameters=(): {"y": function(x, parameters)}, {"x": inputs}, constants.shape[-1])
    kernel = compile_kernel(traced, cache=False)
    rows = np.ascontiguousarray(np.atleast_2d(constants).T)
    values = np.ascontiguousarray(kernel.constants(rows).T)
    return BoundKernel(kernel, values if constants.ndim == 2 else values[0])


def ball(restitution=0.9, direction=-1, terminal=False, **options):
    """A ball above a floor at height 0; restitution a number, or one per member."""
    constants = np.asarray(restitution, dtype=float)
    constants = constants[:, None] if constants.ndim else constants[None]
    rhs = bind(lambda x, c: [x[2], -GRAVITY, x[1]], 3)
    bounce = bind(lambda x, c: [x[1], -c[0] * x[2]], 4, constants)
    return HybridProblem(states=2, rhs=rhs, events=(Event("floor", direction, terminal),), transition=bounce, **options)


def two_balls():
    """Two balls that bounce with restitution 0.9; heights y[0], y[1], velocities y[2], y[3]."""
    rhs = bind(lambda x, c: [x[3], x[4], -GRAVITY, -GRAVITY, x[1], x[2]], 5)

    def bounce(x, c):
        first, second = greater(x[5] * x[5], 0.0), greater(x[6] * x[6], 0.0)
        return [x[1], x[2], select(first, -0.9 * x[3], x[3]), select(second, -0.9 * x[4], x[4])]

    events = (Event("first", -1), Event("second", -1))
    return HybridProblem(states=4, rhs=rhs, events=events, transition=bind(bounce, 7))


def driven_pendulum():
    """θ'' = -sin θ + 0.3 cos 2t: smooth, with no easy answer."""
    return HybridProblem(states=2, rhs=bind(lambda x, c: [x[2], -sin(x[1]) + 0.3 * cos(2.0 * x[0])], 3))


def oscillator(*levels, frequency=1.0):
    """y'' = -ω² y, ω a number or one per member, with an event function y - level for each level, without effect."""
    constants = np.asarray(frequency, dtype=float)
    constants = constants[:, None] if constants.ndim else constants[None]
    rhs = bind(lambda x, c: [x[2], -c[0] * c[0] * x[1], *(x[1] - level for level in levels)], 3, constants)
    return HybridProblem(states=2, rhs=rhs, events=tuple(Event(f"level {level}") for level in levels))


@pytest.fixture(scope="session")
def problems():
    """The makers of problems in this file."""
    return SimpleNamespace(
        bind=bind,
        ball=ball,
        two_balls=two_balls,
        driven_pendulum=driven_pendulum,
        oscillator=oscillator,
        gravity=GRAVITY,
    )
