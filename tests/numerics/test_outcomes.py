"""Whatever goes wrong ends with a status, its time and a sentence; nothing hangs."""

import numpy as np
import pytest

from closedchain.numbers import sin, sqrt
from closedchain.numerics import integrators
from closedchain.numerics.driver import integrate
from closedchain.numerics.problem import HybridProblem

METHODS = integrators.names()


@pytest.mark.parametrize("name", ["dop853", "radau"])
def test_growth_without_bound(problems, name):
    """y' = y² from 1 is 1/(1 - t)."""
    problem = HybridProblem(states=1, rhs=problems.bind(lambda x, c: [x[1] * x[1]], 2))
    solution = integrate(problem, 0.0, [1.0], [], 2.0, method=name)
    assert solution.status in ("step too small", "not finite")
    assert not solution.success
    assert solution.t_end == pytest.approx(1.0, abs=1e-6)
    assert "0.99999" in solution.message or "t = 1" in solution.message


def test_rates_beyond_all_bounds_at_time_zero_end(problems):
    """Near t = 0 the spacing of numbers bounds no step: a rate of 1e31 that alternates must not be followed forever."""

    def rates(x, c):
        return [1e31 * sin(1e25 * x[1]), 1e31 * sin(1e25 * x[2] + 1.0)]

    problem = HybridProblem(states=2, rhs=problems.bind(rates, 3))
    solution = integrate(problem, 0.0, [1e-6, 2e-6], [], 1.0, method="dop853")
    assert solution.status in ("step too small", "not finite")
    assert solution.t_end < 1e-15


@pytest.mark.parametrize("name", METHODS)
def test_start_without_value(problems, name):
    problem = HybridProblem(states=1, rhs=problems.bind(lambda x, c: [sqrt(x[1])], 2))
    solution = integrate(problem, 0.0, [-1.0], [], 2.0, samples=[0.0, 1.0], method=name, first_step=0.1)
    assert solution.status == "not finite"
    assert solution.t_end == 0.0
    assert len(solution.t) == 0


@pytest.mark.parametrize("name", ["dop853", "radau"])
def test_end_of_the_domain(problems, name):
    """y' = -1/(2 sqrt(y)) reaches y = 0 at t = 4/3 and has no value beyond."""
    problem = HybridProblem(states=1, rhs=problems.bind(lambda x, c: [-0.5 / sqrt(x[1])], 2))
    solution = integrate(problem, 0.0, [1.0], [], 2.0, method=name)
    assert solution.status in ("step too small", "not finite")
    assert solution.t_end == pytest.approx(4.0 / 3.0, abs=1e-4)
    assert np.all(np.isfinite(solution.y_end))


def test_largest_number_of_steps(problems):
    solution = integrate(problems.oscillator(), 0.0, [1.0, 0.0], [], 1e6, max_steps=100)
    assert solution.status == "too many steps"
    assert solution.counts.accepted + solution.counts.rejected == 100


def test_progress_sees_the_way_and_may_stop(problems):
    seen = []

    def look(part):
        seen.append(part)
        return len(seen) < 3

    solution = integrate(problems.oscillator(), 0.0, [1.0, 0.0], [], 1e7, progress=look)
    assert solution.status == "stopped"
    assert len(seen) == 3
    assert 0.0 < seen[0] < seen[1] < seen[2] < 1.0
    assert solution.t_end == pytest.approx(seen[2] * 1e7)
    assert np.hypot(*solution.y_end) == pytest.approx(1.0, abs=1e-2)


def test_chunks_do_not_change_the_numbers(problems):
    problem = problems.oscillator(0.0)
    whole = integrate(problem, 0.0, [1.0, 0.0], [], 3e4)
    watched = integrate(problem, 0.0, [1.0, 0.0], [], 3e4, progress=lambda part: None)
    np.testing.assert_array_equal(whole.y_end, watched.y_end)
    np.testing.assert_array_equal(whole.events.t, watched.events.t)


def test_interruption_is_passed_on_with_its_time(problems):
    def interrupt(part):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        integrate(problems.oscillator(), 0.0, [1.0, 0.0], [], 1e6, progress=interrupt)
    assert any("stopped at t =" in note for note in caught.value.__notes__)


def test_tolerances_below_rounding_still_end(problems):
    solution = integrate(problems.oscillator(), 0.0, [1.0, 0.0], [], 10.0, rtol=1e-20, atol=1e-300)
    assert solution.status in ("done", "step too small")
    assert solution.counts.accepted < 100000


def test_promised_jacobian_is_made_when_first_needed(problems):
    made = []

    def promise():
        made.append(1)
        return problems.bind(lambda x, c: [-1.0], 2)

    problem = HybridProblem(states=1, rhs=problems.bind(lambda x, c: [-x[1]], 2), jacobian=promise)
    integrate(problem, 0.0, [1.0], [], 1.0)
    assert not made
    solution = integrate(problem, 0.0, [1.0], [], 1.0, method="radau")
    assert made == [1]
    assert solution.y_end[0] == pytest.approx(np.exp(-1.0), rel=1e-7)
