"""Ensembles: every lane is its own trajectory, whatever its neighbours do."""

import numpy as np
import pytest

from closedchain.numbers import greater, select, sqrt
from closedchain.numerics.driver import integrate
from closedchain.numerics.ensemble import ensemble
from closedchain.numerics.problem import BoundKernel, Event, HybridProblem

LANES = [4, 8]


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("threads", [1, 2])
def test_lanes_are_trajectories(problems, lanes, threads):
    """Different starts, constants and ends; nineteen members do not fill the lanes."""
    count = 19
    restitution = np.linspace(0.75, 0.95, count)
    start = np.stack([np.linspace(0.5, 2.0, count), np.linspace(-1.0, 1.0, count)], axis=1)
    ends = np.linspace(1.0, 2.0, count)
    times = np.linspace(0.0, 2.0, 41)
    problem = problems.ball(restitution)
    many = ensemble(problem, 0.0, start, [], ends, times, lanes=lanes, threads=threads)
    assert np.all(many.success)
    assert not np.any(many.stiff)
    for k in range(count):
        inside = times <= ends[k]
        one = integrate(problem.of(k), 0.0, start[k], [], ends[k], times[inside])
        assert many.status[k] == one.status
        assert many.message[k] == one.message
        assert many.t_end[k] == one.t_end
        np.testing.assert_allclose(many.y_end[k], one.y_end, rtol=0.0, atol=1e-13)
        np.testing.assert_allclose(many.y[k, inside], one.y, rtol=0.0, atol=1e-13)
        assert np.all(np.isnan(many.y[k, ~inside]))
        own = many.event_member == k
        np.testing.assert_allclose(many.events.t[own], one.events.t, rtol=0.0, atol=1e-13)
        np.testing.assert_array_equal(many.events.direction[own], one.events.direction)
        np.testing.assert_allclose(many.events.after[own], one.events.after, rtol=0.0, atol=1e-13)
        for name in ("rhs", "accepted", "rejected", "events"):
            assert many.counts[name][k] == getattr(one.counts, name)


def test_smooth_motion_in_lanes(problems):
    problem = problems.driven_pendulum()
    start = np.stack([np.linspace(-2.0, 2.0, 16), np.linspace(1.0, -1.0, 16)], axis=1)
    many = ensemble(problem, 0.0, start, [], 10.0, [5.0, 10.0], 1e-11, 1e-11)
    for k in range(16):
        one = integrate(problem, 0.0, start[k], [], 10.0, [5.0, 10.0], 1e-11, 1e-11)
        np.testing.assert_allclose(many.y[k], one.y, rtol=0.0, atol=1e-12)
        np.testing.assert_array_equal(many.y[k, -1], many.y_end[k])


def test_failed_members_disturb_no_other(problems):
    """y' = y² grows without bound for members that start above 1/2 before t = 2; one has no value at its start."""
    problem = HybridProblem(states=1, rhs=problems.bind(lambda x, c: [x[1] * sqrt(x[1]) * sqrt(x[1])], 2))
    start = np.linspace(0.11, 1.0, 19)[:, None]
    start[7] = -1.0
    many = ensemble(problem, 0.0, start, [], 2.0, [1.0, 2.0])
    good = (start[:, 0] < 0.5) & (start[:, 0] > 0.0)
    np.testing.assert_array_equal(many.success, good)
    assert many.status[7] == "not finite"
    assert many.t_end[7] == 0.0
    exact = start[good] / (1.0 - 2.0 * start[good])
    np.testing.assert_allclose(many.y_end[good], exact, rtol=1e-6)
    assert np.all(np.isnan(many.y[7]))
    late = start[:, 0] > 0.5
    np.testing.assert_allclose(many.t_end[late], 1.0 / start[late, 0], rtol=1e-5)


def test_chatter_and_terminal_events_are_per_member(problems):
    chatter = ensemble(problems.ball(np.array([0.0, 0.5, 0.9, 0.99])), 0.0, [1.0, 0.0], [], 3.0)
    np.testing.assert_array_equal(chatter.status, ["chatter", "chatter", "done", "done"])
    assert "floor" in chatter.message[0]
    heights = np.stack([np.linspace(1.0, 3.0, 9), np.zeros(9)], axis=1)
    ended = ensemble(problems.ball(0.9, terminal=True), 0.0, heights, [], 0.7)
    fall = np.sqrt(2.0 * heights[:, 0] / problems.gravity)
    np.testing.assert_array_equal(ended.status == "terminal event", fall < 0.7)
    np.testing.assert_allclose(ended.t_end, np.minimum(fall, 0.7), atol=1e-13)


def test_stiff_members_go_on_with_an_implicit_method(problems):
    """y' = -k (y - 1) from 0, k from 1 to 1e8."""
    rate = np.logspace(0.0, 8.0, 9)
    rhs = problems.bind(lambda x, c: [-c[0] * (x[1] - 1.0), x[1] - 0.5], 2, rate[:, None])
    problem = HybridProblem(states=1, rhs=rhs, events=(Event("half"),))
    times = np.linspace(0.0, 10.0, 11)
    many = ensemble(problem, 0.0, [0.0], [], 10.0, times)
    assert np.all(many.success)
    assert np.all(many.stiff[rate > 1e3])
    assert not many.stiff[0]
    np.testing.assert_allclose(many.y[:, :, 0], 1.0 - np.exp(-rate[:, None] * times), atol=1e-7)
    np.testing.assert_allclose(many.events.t, np.log(2.0) / rate, rtol=1e-6)
    np.testing.assert_array_equal(many.event_member, np.arange(9))
    assert np.all(many.counts["rhs"] < 20000)


def test_memory_of_each_lane(problems):
    """A switch: y' = ±1 by memory, turned at y = 0 and y = 1; members differ in their speed."""
    speed = np.linspace(0.31, 2.03, 11)

    def rates(x, c):
        _, y, up = x
        return [select(greater(up, 0.5), c[0], -c[0]), select(greater(up, 0.5), 1.0 - y, y)]

    def turn(x, c):
        return [x[1], select(greater(x[2], 0.5), 0.0, 1.0)]

    rhs = problems.bind(rates, 3, speed[:, None])
    problem = HybridProblem(states=1, memory=1, rhs=rhs, transition=problems.bind(turn, 4), events=(Event("end", -1),))
    many = ensemble(problem, 0.0, [0.5], [1.0], 10.0, np.linspace(0.0, 10.0, 21))
    way = 0.5 + speed[:, None] * many.t
    np.testing.assert_allclose(many.y[:, :, 0], np.abs((way + 1.0) % 2.0 - 1.0), atol=1e-12)
    np.testing.assert_array_equal(many.counts["events"], np.floor(0.5 + speed * 10.0))
    assert set(np.unique(many.memory)) == {0.0, 1.0}


def test_breaks_in_lanes(problems):
    rhs = problems.bind(
        lambda x, c: [x[2], select(greater(x[0], 0.6999999999999999), -3.0, c[0])], 3, np.arange(5.0)[:, None]
    )
    many = ensemble(HybridProblem(states=2, rhs=rhs), 0.0, [0.0, 0.0], [], 2.0, breaks=[0.7])
    speed = 0.7 * np.arange(5.0)
    np.testing.assert_allclose(many.y_end[:, 1], speed - 3.9, atol=1e-12)
    np.testing.assert_allclose(many.y_end[:, 0], 0.35 * speed + 1.3 * speed - 1.5 * 1.69, atol=1e-12)


def test_projection_in_lanes(problems):
    """A point on a circle, in Cartesian coordinates, with its own speed per member."""

    def rates(x, c):
        _, p, q, u, v = x
        pull = (u * u + v * v) / (p * p + q * q)
        return [u, v, -pull * p, -pull * q]

    def onto(x, c):
        _, p, q, u, v = x
        length = sqrt(p * p + q * q)
        p, q = p / length, q / length
        along = u * p + v * q
        return [p, q, u - along * p, v - along * q, p * p + q * q - 1.0, 1.0]

    problem = HybridProblem(states=4, rhs=problems.bind(rates, 5), projection=problems.bind(onto, 5))
    speed = np.linspace(0.1, 3.0, 10)
    start = np.stack([np.ones(10), np.zeros(10), np.zeros(10), speed], axis=1)
    many = ensemble(problem, 0.0, start, [], 5.0, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(many.y_end[:, 0], np.cos(5.0 * speed), atol=1e-8)
    np.testing.assert_allclose(np.hypot(many.y_end[:, 0], many.y_end[:, 1]), 1.0, atol=1e-15)
    assert np.all(many.residual < 1e-15)
    assert np.all(many.counts["projections"] > 0)


def test_events_may_be_counted_only(problems):
    problem = problems.oscillator(0.0, frequency=np.array([100.0, 200.0, 300.0]))
    kept = ensemble(problem, 0.0, [1.0, 0.0], [], 5.0)
    counted = ensemble(problem, 0.0, [1.0, 0.0], [], 5.0, keep_events=False)
    assert len(counted.events) == 0
    np.testing.assert_array_equal(kept.counts["events"], [159, 318, 477])
    np.testing.assert_array_equal(counted.counts["events"], kept.counts["events"])
    np.testing.assert_array_equal(np.bincount(kept.event_member), kept.counts["events"])
    for k in range(3):
        assert np.all(np.diff(kept.events.t[kept.event_member == k]) > 0.0)


def test_backwards(problems):
    problem = problems.oscillator(frequency=np.array([1.0, 2.0]))
    many = ensemble(problem, 3.0, [1.0, 0.0], [], 0.0, [3.0, 1.0, 0.0], 1e-10, 1e-10)
    expected = np.cos(np.array([[1.0], [2.0]]) * (np.array([3.0, 1.0, 0.0]) - 3.0))
    np.testing.assert_allclose(many.y[:, :, 0], expected, atol=1e-8)


def test_progress_and_stop(problems):
    problem = problems.oscillator()
    start = np.tile([1.0, 0.0], (64, 1))
    seen = []

    def look(part):
        seen.append(part)
        return False

    many = ensemble(problem, 0.0, start, [], 1e6, progress=look, threads=1)
    assert seen
    assert set(many.status) <= {"stopped", "done"}
    assert "stopped" in many.status


def test_numbers_of_members_must_agree(problems):
    with pytest.raises(ValueError, match=r"different numbers of members: \[2, 3\]"):
        ensemble(problems.ball(np.array([0.1, 0.2])), 0.0, np.zeros((3, 2)), [], 1.0)
    with pytest.raises(ValueError, match="one direction"):
        ensemble(problems.ball(0.5), 0.0, [1.0, 0.0], [], [1.0, -1.0])
    with pytest.raises(ValueError, match="no form for lanes"):
        ensemble(HybridProblem(states=1, rhs=BoundKernel(12345)), 0.0, [1.0], [], 1.0, members=4)
