"""Stiff problems: Radau IIA against published values, and the change of method that the explicit one asks for."""

import numpy as np
import pytest

from closedchain.numbers import greater, select
from closedchain.numerics.driver import integrate
from closedchain.numerics.problem import Event, HybridProblem

# van der Pol, ε = 1e-6, t = 2: test set for IVP solvers (Mazzia, Magherini; University of Bari), problem VDPOL
VAN_DER_POL = (0.1706167732170483e1, -0.8928097010247975)


def van_der_pol(problems, jacobian=True):
    rate = 1e6
    rhs = problems.bind(lambda x, c: [x[2], rate * ((1.0 - x[1] * x[1]) * x[2] - x[1])], 3)
    exact = problems.bind(lambda x, c: [0.0, 1.0, rate * (-2.0 * x[1] * x[2] - 1.0), rate * (1.0 - x[1] * x[1])], 3)
    return HybridProblem(states=2, rhs=rhs, jacobian=exact if jacobian else None)


@pytest.mark.parametrize("jacobian", [True, False])
@pytest.mark.parametrize("method", ["radau", "auto"])
def test_van_der_pol(problems, method, jacobian):
    problem = van_der_pol(problems, jacobian)
    solution = integrate(problem, 0.0, [2.0, 0.0], [], 2.0, rtol=1e-8, atol=1e-10, method=method)
    assert solution.status == "done"
    np.testing.assert_allclose(solution.y_end, VAN_DER_POL, rtol=2e-7)
    assert solution.counts.rhs < 30000
    assert solution.stiff == (method == "auto")


def test_change_of_method_is_told_and_pays(problems):
    solution = integrate(van_der_pol(problems), 0.0, [2.0, 0.0], [], 2.0)
    assert {segment.method for segment in solution.segments} == {"dop853", "radau"}
    assert solution.segments[0].start == 0.0
    assert solution.segments[-1].end == 2.0
    for before, after in zip(solution.segments, solution.segments[1:], strict=False):
        assert before.end == after.start
    assert sum(segment.accepted for segment in solution.segments) == solution.counts.accepted
    assert solution.counts.accepted < 4000


def test_robertson(problems):
    """Robertson's reactions at t = 40; Hairer and Wanner, volume II, section IV.1, values of the IVP test set."""

    def rates(x, c):
        _, a, b, d = x
        return [-0.04 * a + 1e4 * b * d, 0.04 * a - 1e4 * b * d - 3e7 * b * b, 3e7 * b * b]

    problem = HybridProblem(states=3, rhs=problems.bind(rates, 4))
    solution = integrate(problem, 0.0, [1.0, 0.0, 0.0], [], 40.0, rtol=1e-8, atol=[1e-12, 1e-14, 1e-12], method="radau")
    np.testing.assert_allclose(
        solution.y_end, [0.7158270687193941, 9.185534764557338e-6, 0.2841637457458413], rtol=1e-7
    )


def test_a_jump_that_the_motion_hangs_on_ends_with_a_sentence(problems):
    """A stiff part calls the implicit method; a relay, dz/dt = -sign(z), then holds z at its jump: no method passes."""

    def rates(x, c):
        t, y, z = x
        return [-1e5 * (y - 1.0 - t), select(greater(z, 0.0), -1.0, 1.0)]

    solution = integrate(HybridProblem(states=2, rhs=problems.bind(rates, 3)), 0.0, [1.0, 0.5], [], 1.0)
    assert solution.status == "step too small"
    assert "not smooth" in solution.message
    assert abs(solution.t_end - 0.5) < 1e-3
    assert solution.counts.accepted < 1_000_000


def test_smooth_problems_stay_explicit(problems):
    solution = integrate(problems.driven_pendulum(), 0.0, [1.0, 0.5], [], 50.0)
    assert [segment.method for segment in solution.segments] == ["dop853"]
    assert not solution.stiff


def friction_block(problems):
    """A block on a belt: stiff while it sticks; an event where it slips, 100 times less steep."""

    def rates(x, c):
        _, y, v, steep = x
        return [v, -steep * (v - 1.0) - y, y - 0.5]

    def switch(x, c):
        return [x[1], x[2], select(greater(x[3], 1e4), 1.0, 1e7)]

    return HybridProblem(
        states=2,
        memory=1,
        rhs=problems.bind(rates, 4),
        transition=problems.bind(switch, 5),
        events=(Event("slip"),),
    )


@pytest.mark.parametrize("method", ["auto", "radau"])
def test_events_of_stiff_phases(problems, method):
    """While it sticks, y' = 1 - y/k to first order in 1/k: y = k (1 - exp(-t/k)), so 0.5 is met at -k ln(1 - 0.5/k)."""
    problem = friction_block(problems)
    solution = integrate(problem, 0.0, [0.0, 1.0], [1e7], 2.0, rtol=1e-10, atol=1e-12, method=method)
    assert solution.status == "done"
    steep = 1e7
    assert solution.events.t[0] == pytest.approx(-steep * np.log1p(-0.5 / steep), abs=1e-9)
    assert solution.counts.accepted < 3000
    if method == "auto":
        assert solution.stiff


def test_event_times_have_the_order_of_the_method(problems):
    """Radau's interpolant is cubic, but its events are as exact as its steps."""
    problem = problems.oscillator(0.3)
    stopping = HybridProblem(states=2, rhs=problem.rhs, events=(Event("level", 1, True),))
    exact = 2.0 * np.pi - np.arccos(0.3)
    for tolerance in (1e-6, 1e-9):
        solution = integrate(stopping, 0.0, [1.0, 0.0], [], 20.0, rtol=tolerance, atol=tolerance, method="radau")
        assert solution.t_end == pytest.approx(exact, abs=tolerance)
