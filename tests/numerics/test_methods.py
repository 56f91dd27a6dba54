"""Every method: order of convergence, order of its interpolant, exact ends, both directions of time."""

import inspect
from typing import Any

import numpy as np
import pytest

from closedchain.numerics import integrators
from closedchain.numerics.driver import integrate
from closedchain.numerics.problem import HybridProblem

METHODS = integrators.names()


@pytest.fixture(scope="module")
def reference(problems):
    """The driven pendulum to rounding: end state, and samples at 41 times."""
    times = np.linspace(0.0, 5.0, 41)
    problem = problems.driven_pendulum()
    solution = integrate(problem, 0.0, [1.0, 0.5], [], 5.0, times, rtol=1e-14, atol=1e-14, max_step=0.05)
    return problem, times, solution


def test_reference_agrees_with_scipy(reference):
    from scipy.integrate import solve_ivp

    _, times, solution = reference

    def rates(t, y):
        return [y[1], -np.sin(y[0]) + 0.3 * np.cos(2.0 * t)]

    independent = solve_ivp(rates, (0.0, 5.0), [1.0, 0.5], "DOP853", times, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(solution.y, independent.y.T, atol=2e-12)


@pytest.mark.parametrize("name", METHODS)
def test_contract(name):
    method = integrators.find(name)
    assert method.name == name
    assert method.title
    assert method.nodes[-1] == 1.0
    assert all(a < b for a, b in zip(method.nodes, method.nodes[1:], strict=False))
    module = inspect.getmodule(method.advance)
    assert module is not None
    assert any(word in (inspect.getdoc(module) or "") for word in ("Hairer", "Kutta"))


def test_unknown_method_is_named_with_those_there_are(problems):
    with pytest.raises(ValueError, match="no integration method 'euler'; there are auto, dop853, radau, rk4"):
        integrate(problems.driven_pendulum(), 0.0, [1.0, 0.5], [], 1.0, method="euler")


@pytest.mark.parametrize(("name", "steps"), [("rk4", (0.1, 0.05, 0.025)), ("dop853", (0.8, 0.4, 0.2))])
def test_halved_steps_show_the_order(reference, name, steps):
    problem, _, _ = reference
    options: dict[str, Any] = {"rtol": 1.0, "atol": 1.0, "method": name}
    ends = [
        integrate(problem, 0.0, [1.0, 0.5], [], 4.8, first_step=h, max_step=h, samples=[4.8], **options) for h in steps
    ]
    at_end = integrate(problem, 0.0, [1.0, 0.5], [], 4.8, rtol=1e-14, atol=1e-14).y_end
    errors = [np.abs(end.y_end - at_end).max() for end in ends]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert abs(orders[-1] - integrators.find(name).order) < 1.0
    assert np.all(orders > integrators.find(name).order - 1.0)


def test_implicit_error_against_steps_shows_the_order(reference):
    problem, _, exact = reference
    errors, steps = [], []
    for tolerance in (1e-4, 1e-9):
        solution = integrate(problem, 0.0, [1.0, 0.5], [], 5.0, rtol=tolerance, atol=tolerance, method="radau")
        errors.append(np.abs(solution.y_end - exact.y_end).max())
        steps.append(solution.counts.accepted)
    order = np.log(errors[0] / errors[1]) / np.log(steps[1] / steps[0])
    assert order == pytest.approx(integrators.find("radau").order, abs=1.0)


@pytest.mark.parametrize("name", ["dop853", "radau"])
@pytest.mark.parametrize("tolerance", [1e-5, 1e-8, 1e-11])
def test_errors_are_near_the_tolerance(reference, name, tolerance):
    problem, _, exact = reference
    solution = integrate(problem, 0.0, [1.0, 0.5], [], 5.0, rtol=tolerance, atol=tolerance, method=name)
    assert 1e-4 * tolerance < np.abs(solution.y_end - exact.y_end).max() < 20.0 * tolerance


@pytest.mark.parametrize("name", METHODS)
def test_interpolant_has_the_stated_order(reference, name):
    problem, times, exact = reference
    method = integrators.find(name)
    errors = []
    for step in (0.2, 0.1):
        options: dict[str, Any] = {"first_step": step}
        if not method.fixed:
            options |= {"max_step": step, "rtol": 0.1, "atol": 0.1}
        solution = integrate(problem, 0.0, [1.0, 0.5], [], 5.0, times, method=name, **options)
        errors.append(np.abs(solution.y - exact.y).max())
    # an interpolant of degree p leaves step ** (p + 1), unless the end points of the steps are less exact
    order = min(method.order, method.dense_order + 1)
    assert np.log2(errors[0] / errors[1]) > order - 0.6


@pytest.mark.parametrize("name", METHODS)
def test_there_and_back(problems, name):
    problem, step = problems.driven_pendulum(), 0.005
    there = integrate(problem, 0.0, [1.0, 0.5], [], 2.0, rtol=1e-10, atol=1e-10, method=name, first_step=step)
    back = integrate(problem, 2.0, there.y_end, [], 0.0, [2.0, 1.0, 0.0], 1e-10, 1e-10, name, first_step=step)
    assert back.status == "done"
    np.testing.assert_array_equal(back.y[0], there.y_end)
    np.testing.assert_array_equal(back.y[2], back.y_end)
    np.testing.assert_allclose(back.y_end, [1.0, 0.5], atol=2e-9)


def test_arenstorf_orbit_closes(problems):
    """Arenstorf's orbit in the restricted three-body problem; from Hairer, Nørsett, Wanner, volume I, II.0."""
    mu, period = 0.012277471, 17.0652165601579625588917206249
    start = [0.994, 0.0, 0.0, -2.00158510637908252240537862224]

    def rates(x, c):
        _, p, q, u, v = x
        far = ((p + mu) * (p + mu) + q * q) ** 1.5
        near = ((p - 1.0 + mu) * (p - 1.0 + mu) + q * q) ** 1.5
        pull = (1.0 - mu) * (p + mu) / far + mu * (p - 1.0 + mu) / near
        return [u, v, p + 2.0 * v - pull, q - 2.0 * u - (1.0 - mu) * q / far - mu * q / near]

    orbit = HybridProblem(states=4, rhs=problems.bind(rates, 5))
    solution = integrate(orbit, 0.0, start, [], period, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(solution.y_end[:2], start[:2], atol=5e-11)
    assert solution.counts.rhs < 4500


def test_stage_combinations_do_not_depend_on_the_number_of_states(problems):
    """Blocks of eight, of four and single entries of the vector code give the same digits."""
    ends = []
    for n in (1, 3, 4, 7, 8, 13, 64, 67):
        rhs = problems.bind(lambda x, c, n=n: [-0.5 * x[1 + i] for i in range(n)], 1 + n)
        solution = integrate(HybridProblem(states=n, rhs=rhs), 0.0, np.ones(n), [], 3.0, rtol=1e-9, atol=1e-9)
        assert len(set(solution.y_end)) == 1
        ends.append(solution.y_end[0])
    np.testing.assert_allclose(ends, np.exp(-1.5), rtol=1e-9)
