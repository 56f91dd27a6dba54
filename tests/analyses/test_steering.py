"""Steering and pulling by hand: values met exactly, branches kept, limits and dead points told, nothing stretched."""

import numpy as np
import pytest

import closedchain as cc
from closedchain.analyses.handles import handles, standing_still
from closedchain.analyses.reaching import reach
from closedchain.analyses.steering import Steering, steer

EXAMPLES = "examples/{}/mechanism.toml"


def load(name):
    m = cc.load(EXAMPLES.format(name))
    return m, cc.assemble(m), Steering(m)


def slider_crank(crank, rod, **guide):
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": {
                "ground": {},
                "crank": {"points": {"B": [crank, 0]}},
                "rod": {"points": {"C": [rod, 0]}},
                "slider": {},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"]},
                "B": {"type": "revolute", "between": ["crank.B", "rod.origin"]},
                "C": {"type": "revolute", "between": ["rod.C", "slider.origin"]},
                "S": {"type": "prismatic", "between": ["ground.origin", "slider.origin"], "guess": 0.4, **guide},
            },
            "actuators": {"motor": {"joint": "A"}},
            "outputs": {"pin": {"point": "slider.origin"}, "B": {"point": "crank.B"}},
        }
    )


@pytest.mark.parametrize("turn", [2.0 * np.pi, -3.0, 14.0])
def test_a_crank_turns_as_far_as_asked_and_the_slider_follows(turn):
    m = slider_crank(0.1, 0.3)
    start = cc.assemble(m, {"A": 0.2})
    moved = steer(Steering(m), start, {"A": 0.2 + turn})
    angle = 0.2 + turn
    assert moved.obstacle is None
    assert moved.pose["A"] == pytest.approx(angle, abs=1e-14)
    assert moved.pose["S"] == pytest.approx(0.1 * np.cos(angle) + np.sqrt(0.09 - 0.01 * np.sin(angle) ** 2), abs=1e-12)
    assert moved.pose.residual < 1e-12


def test_a_crank_longer_than_the_rod_stops_where_the_rod_stands_upright():
    m = slider_crank(0.3, 0.1)
    moved = steer(Steering(m), cc.assemble(m, {"A": 0.0}), {"A": 1.0})
    assert moved.pose["A"] == pytest.approx(np.arcsin(1.0 / 3.0), abs=1e-6)
    assert moved.pose.residual < 1e-12
    assert moved.obstacle is not None
    assert "limit position" in str(moved.obstacle)
    assert moved.obstacle.joint in {"B", "C"}


def test_a_limit_of_a_passive_joint_ends_the_way_exactly_there():
    m = slider_crank(0.1, 0.3, limits=[0.25, 1.0])
    moved = steer(Steering(m), cc.assemble(m, {"A": 0.0}), {"A": 3.0})
    assert moved.pose["S"] == pytest.approx(0.25, abs=1e-4)
    assert moved.pose["S"] >= 0.25 - 1e-9
    assert moved.obstacle is not None
    assert (moved.obstacle.joint, moved.obstacle.low, moved.obstacle.unit) == ("S", 0.25, "m")


def test_a_value_beyond_the_own_limit_stops_on_it():
    m = slider_crank(0.1, 0.3, limits=[0.25, 1.0])
    moved = steer(Steering(m), cc.assemble(m, {"A": 1.0}), {"S": 0.2})
    assert moved.pose["S"] == pytest.approx(0.25, abs=1e-12)
    assert moved.obstacle is not None


@pytest.mark.parametrize("name", ["bennett", "delta", "shift_manipulator", "universal_shaft", "rssr", "six_r_six"])
def test_back_and_forth_ends_where_it_began(name):
    m, start, steering = load(name)
    every = handles(steering, start)
    first = every[0]
    still = standing_still(steering, start, first, every)
    there = steer(steering, start, {first: start[first] + 0.2}, still)
    back = steer(steering, there.pose, {first: start[first]}, still)
    assert there.obstacle is None
    assert max(there.pose.residual, back.pose.residual) < 1e-12
    for output in m.outputs:  # idle rods may have turned
        assert back.pose.point(output) == pytest.approx(start.point(output), abs=1e-9)
    # Redundant motors follow, independent ones stand still.
    moving = [label for label in every[1:] if abs(there.pose[label] - start[label]) > 1e-9]
    assert moving == (["A3"] if name == "shift_manipulator" else [])


def test_a_dead_point_stays_one_however_often_it_is_pushed():
    _, start, steering = load("shift_manipulator")
    still = standing_still(steering, start, "A1", handles(steering, start))
    assert still == ("A2",)
    first = steer(steering, start, {"A1": 3.0}, still)
    again = first
    for value in (2.2, 2.5, 3.0):
        again = steer(steering, again.pose, {"A1": value}, still)
        assert again.obstacle is not None
    assert again.pose["A1"] == pytest.approx(first.pose["A1"], abs=1e-6)
    assert again.pose["A2"] == pytest.approx(start["A2"], abs=1e-12)
    back = steer(steering, again.pose, {"A1": start["A1"]}, still)
    assert back.pose.point("P") == pytest.approx(start.point("P"), abs=1e-9)


def test_handles_leave_idle_freedoms_only():
    m, pose, steering = load("flyball_governor")
    assert len(handles(steering, pose)) == cc.mobility(m, pose).dof - cc.mobility(m, pose).idle
    m, pose, steering = load("rssr")
    assert handles(steering, pose) == ("A",)


@pytest.mark.parametrize(
    ("joint", "expected"),
    [
        ("revolute", ("J",)),
        ("cylindrical", ("J.angle", "J.length")),
        ("universal", ("J.angle1", "J.angle2")),
        ("planar", ("J.x", "J.y", "J.angle")),
        ("spherical", ("J",)),
        ("free", ("J.x", "J.y", "J.z", "J")),
    ],
)
def test_every_joint_of_a_lone_body_has_its_handles(joint, expected):
    body = {"points": {"P": [0.5, 0, 0.1], "Q": [0, 0.2, 0]}}
    m = cc.Mechanism.from_dict(
        {
            "bodies": {"ground": {}, "body": body},
            "joints": {"J": {"type": joint, "between": ["ground.origin", "body.origin"]}},
        }
    )
    assert handles(Steering(m), cc.assemble(m)) == expected


def test_a_ball_joint_is_turned_as_a_whole():
    m = cc.Mechanism.from_dict(
        {
            "bodies": {"ground": {}, "arm": {"mass": 1, "points": {"P": [0.5, 0, 0], "Q": [0, 0.2, 0]}}},
            "joints": {"J": {"type": "spherical", "between": ["ground.origin", "arm.origin"]}},
            "outputs": {"P": {"point": "arm.P"}, "Q": {"point": "arm.Q"}},
        }
    )
    pose, steering = cc.assemble(m), Steering(m)
    assert handles(steering, pose) == ("J",)
    moved = steer(steering, pose, {"J": [0.0, 0.0, 0.5 * np.pi]})
    assert moved.pose.point("P") == pytest.approx([0.0, 0.5, 0.0], abs=1e-12)


def test_stopping_early_leaves_a_closed_pose():
    _, start, steering = load("four_bar")
    asked = iter([False, False, True])
    moved = steer(steering, start, {"A": start["A"] + 3.0}, stop=lambda: next(asked))
    assert start["A"] < moved.pose["A"] < start["A"] + 1.0
    assert moved.pose.residual < 1e-12


@pytest.mark.parametrize("name", ["five_bar", "delta", "gough_stewart", "dh_arm", "shift_manipulator"])
def test_a_point_goes_where_it_is_pulled(name):
    m, start, steering = load(name)
    output = next(iter(m.outputs))
    goal = start.point(output) + 0.02 * steering.model.size * np.array([1.0, -1.0, 0.5])[: len(start.point(output))]
    pulled = reach(steering, start, output, goal)
    assert pulled.gap < 1e-8 * steering.model.size
    assert pulled.pose.point(output) == pytest.approx(goal, abs=1e-8)
    assert pulled.pose.residual < 1e-12


def test_a_point_on_a_circle_follows_to_the_nearest_place_of_the_circle():
    m = slider_crank(0.1, 0.3)
    pulled = reach(Steering(m), cc.assemble(m, {"A": 0.3}), "B", np.array([-0.3, 0.4]))
    assert pulled.pose.point("B") == pytest.approx([-0.06, 0.08], abs=1e-7)
    assert pulled.gap == pytest.approx(0.4, abs=1e-9)


def test_a_point_at_its_dead_centre_can_be_pulled_off_it():
    m = slider_crank(0.1, 0.3)
    pulled = reach(Steering(m), cc.assemble(m, {"A": 0.0}), "pin", np.array([0.3, 0.0]))
    assert pulled.pose.point("pin") == pytest.approx([0.3, 0.0], abs=1e-9)


def test_a_pulled_point_respects_limits():
    m = slider_crank(0.1, 0.3, limits=[0.25, 0.35])
    pulled = reach(Steering(m), cc.assemble(m, {"A": 1.0}), "pin", np.array([0.5, 0.0]))
    assert pulled.pose["S"] == pytest.approx(0.35, abs=1e-6)
    assert pulled.pose["S"] <= 0.35 + 1e-9
