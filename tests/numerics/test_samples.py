"""Samples, breaks and ends: kept exactly where they were asked for."""

import numpy as np
import pytest

from closedchain.numbers import greater, select
from closedchain.numerics import integrators
from closedchain.numerics.driver import integrate
from closedchain.numerics.problem import HybridProblem

METHODS = integrators.names()


@pytest.mark.parametrize("name", METHODS)
def test_samples_at_both_ends_and_between(problems, name):
    times = np.linspace(0.0, 2.0, 11)
    solution = integrate(
        problems.oscillator(), 0.0, [1.0, 0.0], [], 2.0, times, 1e-10, 1e-10, method=name, first_step=0.013
    )
    np.testing.assert_array_equal(solution.t, times)
    np.testing.assert_array_equal(solution.y[0], [1.0, 0.0])
    np.testing.assert_array_equal(solution.y[-1], solution.y_end)
    np.testing.assert_allclose(solution.y[:, 0], np.cos(times), atol=3e-9)


def test_no_samples(problems):
    solution = integrate(problems.oscillator(), 0.0, [1.0, 0.0], [], 2.0)
    assert solution.y.shape == (0, 2)
    assert solution.memory.shape == (0, 0)
    np.testing.assert_allclose(solution.y_end, [np.cos(2.0), -np.sin(2.0)], atol=1e-7)


def test_repeated_samples(problems):
    solution = integrate(problems.oscillator(), 0.0, [1.0, 0.0], [], 2.0, samples=[0.0, 0.0, 1.5, 1.5, 2.0, 2.0])
    np.testing.assert_array_equal(solution.y[::2], solution.y[1::2])


def test_no_time_at_all(problems):
    solution = integrate(problems.oscillator(), 1.0, [1.0, 0.0], [], 1.0, samples=[1.0])
    assert solution.status == "done"
    np.testing.assert_array_equal(solution.y, [[1.0, 0.0]])


def test_sample_at_an_event_shows_the_state_after_it(problems):
    problem = problems.ball(0.5)
    first = integrate(problem, 0.0, [1.0, 0.0], [], 1.0).events
    solution = integrate(problem, 0.0, [1.0, 0.0], [], 1.0, samples=[0.1, first.t[0], 0.9])
    np.testing.assert_array_equal(solution.y[1], first.after[0])


def test_samples_do_not_change_the_steps(problems):
    problem = problems.driven_pendulum()
    few = integrate(problem, 0.0, [1.0, 0.5], [], 5.0)
    many = integrate(problem, 0.0, [1.0, 0.5], [], 5.0, samples=np.linspace(0.0, 5.0, 1001))
    np.testing.assert_array_equal(few.y_end, many.y_end)
    assert few.counts.accepted == many.counts.accepted


@pytest.mark.parametrize("name", METHODS)
def test_breaks_are_met_exactly(problems, name):
    """A force that jumps at t = 0.7: with the break the parabolas on both sides are exact."""
    problem = HybridProblem(
        states=2, rhs=problems.bind(lambda x, c: [x[2], select(greater(x[0], 0.6999999999999999), -3.0, 5.0)], 3)
    )
    solution = integrate(problem, 0.0, [0.0, 0.0], [], 2.0, [0.7, 2.0], method=name, first_step=0.3, breaks=[0.7])
    speed = 5.0 * 0.7
    np.testing.assert_allclose(solution.y[0], [2.5 * 0.49, speed], rtol=1e-14)
    np.testing.assert_allclose(solution.y[1], [2.5 * 0.49 + speed * 1.3 - 1.5 * 1.69, speed - 3.9], rtol=1e-13)
    assert solution.counts.rejected == 0


@pytest.mark.parametrize(
    ("samples", "message"),
    [([0.5, 0.2], "in the order"), ([-0.1, 0.5], "reach beyond"), ([0.5, 1.1], "reach beyond"), ([np.nan], "finite")],
)
def test_samples_that_cannot_be_are_refused(problems, samples, message):
    with pytest.raises(ValueError, match=message):
        integrate(problems.oscillator(), 0.0, [1.0, 0.0], [], 1.0, samples)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, [1.0], [], 1.0), "y0 has 1 numbers; the problem has 2"),
        ((0.0, [1.0, np.inf], [], 1.0), "y0 is not finite"),
        ((0.0, [1.0, 0.0], [1.0], 1.0), "memory0 has 1 numbers; the problem has 0"),
        ((0.0, [1.0, 0.0], [], np.nan), "finite times"),
    ],
)
def test_starts_that_make_no_sense_are_refused(problems, arguments, message):
    with pytest.raises(ValueError, match=message):
        integrate(problems.oscillator(), *arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rtol": 0.0, "atol": 0.0}, "must not both be 0"),
        ({"rtol": -1e-3}, "must not be negative"),
        ({"max_step": 0.0}, "max_step"),
        ({"first_step": -1.0}, "first_step"),
        ({"method": "rk4"}, "give it as first_step"),
    ],
)
def test_options_that_make_no_sense_are_refused(problems, options, message):
    with pytest.raises(ValueError, match=message):
        integrate(problems.oscillator(), 0.0, [1.0, 0.0], [], 1.0, **options)
