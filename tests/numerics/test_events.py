"""Events: located to rounding, together where they coincide, never twice at one root, and never without end."""

import math
from dataclasses import replace

import numpy as np
import pytest

from closedchain.numbers import absolute, greater, logical_and, maximum, select, sin, sqrt
from closedchain.numerics import integrators
from closedchain.numerics.driver import integrate
from closedchain.numerics.problem import Event, HybridProblem

METHODS = integrators.names()
G = 9.81


def bounces(count, restitution, height=1.0):
    """Exact times of a ball dropped from rest."""
    fall = math.sqrt(2.0 * height / G)
    flights = 2.0 * fall * restitution ** np.arange(1, count)
    return fall + np.concatenate([[0.0], np.cumsum(flights)])


@pytest.mark.parametrize("name", METHODS)
def test_bouncing_ball_at_exact_times(problems, name):
    solution = integrate(problems.ball(0.9), 0.0, [1.0, 0.0], [], 3.0, method=name, first_step=0.07)
    assert solution.status == "done"
    np.testing.assert_allclose(solution.events.t, bounces(4, 0.9), rtol=0.0, atol=1e-13)
    np.testing.assert_array_equal(solution.events.direction, -1)
    np.testing.assert_allclose(solution.events.after[:, 1], -0.9 * solution.events.before[:, 1])
    np.testing.assert_allclose(solution.events.before[:, 0], 0.0, atol=1e-14)


def test_late_times_lose_only_the_rounding_of_the_time(problems):
    solution = integrate(problems.ball(0.9), 1e6, [1.0, 0.0], [], 1e6 + 3.0)
    np.testing.assert_allclose(solution.events.t - 1e6, bounces(4, 0.9), rtol=0.0, atol=1e-9)


def test_hundred_elastic_bounces_keep_the_energy(problems):
    solution = integrate(problems.ball(1.0), 0.0, [1.0, 0.0], [], 100.0)
    fall = math.sqrt(2.0 / G)
    np.testing.assert_allclose(solution.events.t, fall * (2.0 * np.arange(111) + 1.0), rtol=0.0, atol=1e-9)
    y, v = solution.y_end
    assert G * y + 0.5 * v * v == pytest.approx(G, rel=1e-11)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("restitution", [0.0, 0.1, 0.9])
def test_bounces_without_end_are_chatter(problems, name, restitution):
    solution = integrate(problems.ball(restitution), 0.0, [1.0, 0.0], [], 20.0, method=name, first_step=0.1)
    stop = math.sqrt(2.0 / G) * (1.0 + 2.0 * restitution / (1.0 - restitution))
    assert solution.status == "chatter"
    assert not solution.success
    assert "floor" in solution.message
    assert f"{solution.t_end:.9g}" in solution.message
    assert solution.t_end == pytest.approx(stop, abs=1e-7)
    np.testing.assert_allclose(solution.y_end, 0.0, atol=1e-7)
    assert len(solution.events) < 300


def test_chatter_ends_in_rest_where_the_transition_knows_it(problems):
    def rates(x, c):
        _, y, v, resting = x
        awake = select(greater(resting, 0.5), 0.0, 1.0)
        return [v * awake, -G * awake, select(greater(resting, 0.5), 1.0, y)]

    def bounce(x, c):
        _, y, v, resting, flag = x
        rests = greater(absolute(flag), 1.5)
        return [select(rests, 0.0, y), select(rests, 0.0, -0.5 * v), select(rests, 1.0, resting)]

    problem = HybridProblem(
        states=2,
        memory=1,
        rhs=problems.bind(rates, 4),
        transition=problems.bind(bounce, 5),
        events=(Event("floor", -1),),
        rest=True,
    )
    solution = integrate(problem, 0.0, [1.0, 0.0], [0.0], 5.0, samples=[1.0, 4.0])
    assert solution.status == "done"
    np.testing.assert_array_equal(solution.memory[:, 0], [0.0, 1.0])
    np.testing.assert_array_equal(solution.y_end, 0.0)
    assert solution.events.t[-1] == pytest.approx(3.0 * math.sqrt(2.0 / G), abs=1e-8)


def test_balls_that_touch_together_fire_together(problems):
    solution = integrate(problems.two_balls(), 0.0, [1.0, 1.0, 0.0, 0.0], [], 3.0)
    np.testing.assert_array_equal(solution.events.index, [0, 1] * 4)
    np.testing.assert_array_equal(solution.events.t[::2], solution.events.t[1::2])
    np.testing.assert_allclose(solution.events.t[::2], bounces(4, 0.9), atol=1e-13)


def test_balls_apart_keep_their_own_times(problems):
    solution = integrate(problems.two_balls(), 0.0, [1.0, 1.3, 0.0, 0.0], [], 3.0)
    np.testing.assert_allclose(solution.events.of(0).t, bounces(4, 0.9), atol=1e-13)
    np.testing.assert_allclose(solution.events.of(1).t, bounces(3, 0.9, 1.3), atol=1e-13)


@pytest.mark.parametrize("gap", [1e-15, 1e-13, 1e-9])
def test_balls_almost_together_both_bounce(problems, gap):
    solution = integrate(problems.two_balls(), 0.0, [1.0, 1.0 + gap, 0.0, 0.0], [], 3.0)
    np.testing.assert_array_equal(np.bincount(solution.events.index), [4, 4])
    np.testing.assert_allclose(solution.events.of(1).t, bounces(4, 0.9), atol=10.0 * gap + 1e-13)


@pytest.mark.parametrize("direction", [-1, 0])
@pytest.mark.parametrize("start", [0.0, 1e-18, -1e-18])
def test_start_on_the_floor_is_no_bounce(problems, direction, start):
    solution = integrate(problems.ball(0.9, direction), 0.0, [start, 3.0], [], 1.0)
    np.testing.assert_allclose(solution.events.t, [6.0 / G], atol=1e-13)


@pytest.mark.parametrize("speed", [1.0, 1e-3, 1e-6, 1e-8])
def test_quick_return_to_the_floor_is_seen(problems, speed):
    """A step much longer than the flight still finds the landing, however short the flight."""
    solution = integrate(problems.ball(0.0), 0.0, [0.0, speed], [], 1e3, first_step=10.0)
    assert solution.status == "chatter"
    assert solution.t_end == pytest.approx(2.0 * speed / G, rel=1e-9)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("level", [0.0, 0.5, 0.95, 0.9999])
def test_crossing_and_return_within_a_step(problems, name, level):
    """cos t dips through a level twice per period; the steps are long against the dips."""
    problem = problems.oscillator(level)
    solution = integrate(problem, 0.0, [1.0, 0.0], [], 20.0, rtol=1e-8, atol=1e-8, method=name, first_step=0.1)
    down = math.acos(level)
    turns = 2.0 * np.pi * np.arange(4)
    exact = np.sort(np.concatenate([turns + down, turns[1:] - down]))
    np.testing.assert_allclose(solution.events.t, exact[exact < 20.0], atol=1e-3 if level > 0.99 else 2e-5)
    np.testing.assert_array_equal(solution.events.direction[:2], [-1, 1])


def test_grazing_without_crossing_is_no_event(problems):
    """cos t - 1.0001 comes near zero and turns back."""
    solution = integrate(problems.oscillator(1.0001, -1.0001), 0.0, [0.0, 1.0], [], 40.0, rtol=1e-10, atol=1e-10)
    assert len(solution.events) == 0


def test_only_the_stated_direction_counts(problems):
    problem = problems.oscillator(0.5)
    for direction in (-1, 1):
        events = (Event("level", direction),)
        one = HybridProblem(states=2, rhs=problem.rhs, events=events)
        solution = integrate(one, 0.0, [0.0, 1.0], [], 20.0, rtol=1e-10, atol=1e-10)
        first = math.asin(0.5) if direction > 0 else np.pi - math.asin(0.5)
        np.testing.assert_array_equal(solution.events.direction, direction)
        np.testing.assert_allclose(solution.events.t, first + 2.0 * np.pi * np.arange(len(solution.events)), atol=1e-8)


def test_events_without_effect_cost_no_steps(problems):
    plain = HybridProblem(states=2, rhs=problems.oscillator().rhs)
    without = integrate(plain, 0.0, [1.0, 0.0], [], 50.0)
    watched = integrate(problems.oscillator(0.0, 0.3), 0.0, [1.0, 0.0], [], 50.0)
    assert watched.counts.accepted == without.counts.accepted
    np.testing.assert_array_equal(watched.y_end, without.y_end)
    assert watched.counts.events == 32


def test_terminal_event_ends_before_its_transition(problems):
    solution = integrate(problems.ball(0.9, terminal=True), 0.0, [1.0, 0.0], [], 3.0, samples=np.linspace(0.0, 3.0, 31))
    assert solution.status == "terminal event"
    assert solution.success
    assert "floor" in solution.message
    assert solution.t_end == pytest.approx(math.sqrt(2.0 / G), abs=1e-14)
    assert solution.y_end[1] == pytest.approx(-math.sqrt(2.0 * G))
    assert len(solution.t) == len(solution.y) == 5


def contact(problems):
    """A mass between two walls with Hertzian contact; memory: touching, approach speed."""
    gap, stiffness, mass = 2e-4, 6.6e10, 0.5

    def rates(x, c):
        t, q, v, touching, speed = x
        side = select(greater(q, 0.0), 1.0, -1.0)
        depth = absolute(q) - gap
        pressed = maximum(depth, 0.0)
        force = stiffness * pressed * sqrt(pressed) * (1.0 + 0.75 * (1.0 - 0.81) * side * v / speed)
        force = select(logical_and(greater(touching, 0.5), greater(depth, 0.0)), force, 0.0)
        return [v, -side * force / mass + 300.0 * sin(400.0 * t), depth]

    def switch(x, c):
        _, q, v, _, speed, flag = x
        begins = greater(flag, 0.0)
        return [q, v, select(begins, 1.0, 0.0), select(begins, maximum(absolute(v), 1e-4), speed)]

    rhs, transition = problems.bind(rates, 5), problems.bind(switch, 6)
    return HybridProblem(states=2, memory=2, rhs=rhs, transition=transition, events=(Event("wall"),))


def test_contact_switches_alternate_and_latch_the_approach_speed(problems):
    """One function, both directions, two modes: it never fires twice at a root; the times are those of 1e-13."""
    problem = contact(problems)
    fine = integrate(problem, 0.0, [0.0, 0.1], [0.0, 1.0], 0.05, rtol=1e-13, atol=1e-16)
    solution = integrate(problem, 0.0, [0.0, 0.1], [0.0, 1.0], 0.05, rtol=1e-8, atol=[1e-12, 1e-9])
    assert len(solution.events) == len(fine.events) == 44
    np.testing.assert_array_equal(solution.events.direction, [1, -1] * 22)
    np.testing.assert_array_equal(solution.events.memory[:, 0], [1.0, 0.0] * 22)
    np.testing.assert_array_equal(solution.events.memory[::2, 1], np.abs(solution.events.before[::2, 1]))
    np.testing.assert_allclose(solution.events.t, fine.events.t, atol=1e-7)
    np.testing.assert_allclose(solution.events.t[:3], fine.events.t[:3], atol=1e-11)
    assert solution.counts.rhs < 7500


def test_the_log_grows_beyond_one_chunk(problems):
    solution = integrate(problems.oscillator(0.0, frequency=1000.0), 0.0, [1.0, 0.0], [], 2.0, rtol=1e-9, atol=1e-9)
    assert len(solution.events) == solution.counts.events == 637
    np.testing.assert_allclose(solution.events.t, (np.arange(637) + 0.5) * np.pi / 1000.0, atol=1e-8)


def test_direction_must_be_a_sign(problems):
    with pytest.raises(ValueError, match="direction of event floor is 2"):
        problems.ball(0.9, direction=2)


@pytest.mark.parametrize("name", METHODS)
def test_guard_locates_the_same_events_at_less_cost(problems, name):
    """The event functions alone, as a kernel of their own, do everything that is done with values only."""
    plain = problems.ball(0.9)
    guarded = replace(plain, guard=problems.bind(lambda x, c: [x[1]], 3))
    both = [integrate(each, 0.0, [1.0, 0.0], [], 3.0, method=name, first_step=0.1) for each in (plain, guarded)]
    np.testing.assert_array_equal(both[0].events.t, both[1].events.t)
    np.testing.assert_array_equal(both[0].y_end, both[1].y_end)
    assert both[0].counts.guards == 0
    assert both[1].counts.guards + both[1].counts.rhs == both[0].counts.rhs
    assert both[1].counts.guards >= 4 * 6


def test_flat_roots_end(problems):
    """A function that ends with the power 1.5, or 5, still has its root found in time."""
    for power in (1.5, 5.0):

        def rates(x, c, power=power):
            rest = 1.234567 - x[1]
            return [1.0, select(greater(rest, 0.0), 1.0, -1.0) * absolute(rest) ** power]

        problem = HybridProblem(states=1, rhs=problems.bind(rates, 2), events=(Event("end", -1, terminal=True),))
        solution = integrate(problem, 0.0, [0.0], [], 2.0, max_step=0.5)
        assert solution.t_end == pytest.approx(1.234567, abs=1e-12)
        assert solution.counts.rhs < 215


def grazing(problems, count, seed=5):
    """Throws inside a circle of radius 1 whose parabola touches it and dips through by little: states, first roots."""
    rhs = problems.bind(lambda x, c: [x[3], x[4], 0.0, -1.0, sqrt(x[1] * x[1] + x[2] * x[2]) - 1.0], 5)
    problem = HybridProblem(states=4, rhs=rhs, events=(Event("wall", 1, terminal=True),))
    draw = np.random.default_rng(seed)
    while count:
        angle, depth = draw.uniform(0.2, np.pi - 0.2), 10.0 ** draw.uniform(-6.0, -2.0)
        speed = draw.uniform(0.1, 0.95) * math.sqrt(math.sin(angle)) * draw.choice([-1.0, 1.0])
        back = draw.uniform(0.3, 1.2)
        u, v = -speed * math.sin(angle), speed * math.cos(angle)
        at = (1.0 + depth) * np.array([math.cos(angle), math.sin(angle)]) - back * np.array([u, v + 0.5 * back])
        x, y = [u, at[0]], [-0.5, v + back, at[1]]
        roots = np.roots(np.polyadd(np.polyadd(np.polymul(x, x), np.polymul(y, y)), [-1.0]))
        roots = np.sort(roots[(np.abs(roots.imag) < 1e-12) & (roots.real > 0.0)].real)
        if np.hypot(*at) < 0.98 and len(roots) > 1 and roots[0] < back < roots[1]:
            count -= 1
            yield problem, [*at, u, v + back], roots


def test_a_wall_that_is_touched_inside_a_long_step_is_met(problems):
    """A flight is one step, whatever its length; the wall is met where the quartic says, before any later landing."""
    for problem, state, roots in grazing(problems, 100):
        solution = integrate(problem, 0.0, state, [], roots[1] + 0.1, rtol=1e-8, atol=1e-10)
        assert solution.t_end == pytest.approx(roots[0], abs=1e-9)


def test_a_crossing_before_another_is_not_passed_in_a_long_step(problems):
    """Between two samples of a step the first function rises through zero and falls again, the second one rises
    between: as a pin that touches its bore and would go on through it while another pin touches too."""

    def rates(x, c):
        t, y = x
        return [1.0 + 0.0 * y, 1e-4 - (t - 50.05) * (t - 50.05), t - 50.05]

    events = (Event("touch", direction=1), Event("other", direction=1))
    solution = integrate(HybridProblem(states=1, rhs=problems.bind(rates, 2), events=events), 0.0, [0.0], [], 100.0)
    assert solution.counts.accepted < 30, "the steps are long"
    assert solution.events.index.tolist() == [0, 1]
    np.testing.assert_allclose(solution.events.t, [50.04, 50.05], atol=1e-12)
