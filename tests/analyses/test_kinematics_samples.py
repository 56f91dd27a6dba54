"""Sampling of motions: turns of opened joints, fine and coarse samples, arrays, predicted curves."""

import numpy as np
import pytest

import closedchain as cc
from closedchain.analyses.continuation import Follower
from closedchain.analyses.kinematics import along, array_path, find_knots, time_path
from closedchain.analyses.kinematics_prediction import predicted
from closedchain.model.rows import find_pattern


def parallelogram(motion):
    """Crank, coupler and rocker of a parallelogram 1 m by 0.4 m; the joint at the end of the rocker is opened."""
    bar = {"points": {"E": [0.4, 0]}}
    joints = {
        "A": {"type": "revolute", "between": ["ground.A", "crank.origin"], "guess": "60 deg"},
        "B": {"type": "revolute", "between": ["crank.E", "coupler.origin"], "guess": "-60 deg"},
        "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": "60 deg"},
        "C": {"type": "revolute", "between": ["coupler.E", "rocker.E"], "guess": "60 deg", "cut": True},
    }
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": {
                "ground": {"points": {"A": [0, 0], "D": [1, 0]}},
                "crank": bar,
                "coupler": {"points": {"E": [1, 0]}},
                "rocker": bar,
            },
            "joints": joints,
            "actuators": {"motor": {"joint": "A", "motion": motion}, "second": {"joint": "D", "motion": motion}},
        }
    )


@pytest.mark.parametrize("samples", [2, 9, 4000])
@pytest.mark.parametrize("motion", ["pi/3 + 40*pi*t", "pi/3 + 30*pi*t**2", "pi/3 - 25*sin(3*t)"])
def test_opened_joints_count_all_turns(samples, motion):
    m = parallelogram(motion)
    ds = cc.kinematics(m, np.linspace(0.0, 1.0, samples))
    crank, opened = (ds.q.sel(coordinate=name).values for name in ("A", "C"))
    assert "C" in cc.compile(m).opened
    np.testing.assert_allclose(opened, crank, atol=1e-9)
    np.testing.assert_allclose(ds.q.sel(coordinate="B").values, -crank, atol=1e-9)


def four_bar(motion="0.4 + 3*t + 0.3*sin(4*t)"):
    """A crank-rocker."""
    bar = {"ground": {"points": {"A": [0, 0], "D": [0.5, 0]}}}
    for name, length in (("crank", 0.12), ("coupler", 0.4), ("rocker", 0.3)):
        bar[name] = {"points": {"E": [length, 0], "P": [0.1, 0.1]}}
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": bar,
            "joints": {
                "A": {"type": "revolute", "between": ["ground.A", "crank.origin"], "guess": 0.4},
                "B": {"type": "revolute", "between": ["crank.E", "coupler.origin"], "guess": 0.4},
                "C": {"type": "revolute", "between": ["coupler.E", "rocker.E"], "guess": 1.0, "cut": True},
                "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": 2.0},
            },
            "actuators": {"motor": {"joint": "A", "motion": motion}},
            "outputs": {"P": {"point": "coupler.P"}},
        }
    )


def test_fine_and_coarse_samples_agree():
    m = four_bar()
    fine = cc.kinematics(m, np.linspace(0.0, 3.0, 30001))
    coarse = cc.kinematics(m, np.linspace(0.0, 3.0, 31))
    for name in fine.data_vars:
        if "time" in fine[name].dims and name != "closure":
            np.testing.assert_allclose(fine[name].values[::1000], coarse[name].values, rtol=1e-9, atol=1e-9)
    assert float(fine.closure.max()) < 1e-12


def test_arrays_of_samples_follow_times():
    m = four_bar()
    t = np.linspace(0.0, 3.0, 20001)
    ds = cc.kinematics(m, t)
    rows = [ds[name].values[:, 0] for name in ("q", "qd", "qdd")]
    again = cc.kinematics(m, {"motor": rows})
    for name in ("q", "qd", "qdd", "position", "acceleration"):
        np.testing.assert_allclose(again[name].values, ds[name].values, rtol=1e-9, atol=1e-9)
    assert float(again.closure.max()) < 1e-12


def test_results_of_earlier_calls_stay():
    m = four_bar()
    t = np.linspace(0.0, 3.0, 20001)
    first = cc.kinematics(m, t)
    kept = first.acceleration.values.copy()
    velocity = cc.kinematics(m, t).velocity
    cc.kinematics(m, 0.5 * t)
    np.testing.assert_array_equal(first.acceleration.values, kept)
    np.testing.assert_array_equal(velocity.values, first.velocity.values)


@pytest.mark.parametrize("arrays", [False, True])
def test_a_refined_curve_misses_by_less_than_a_newton_step_heals(arrays):
    t = np.linspace(0.0, 3.0, 20001)
    path = time_path(cc.compile(four_bar()), t)
    values = along(path, t)
    samples = t
    if arrays:
        parts = (values["q"][0], values["qd"][0], values["qdd"][0])
        path, samples = array_path(cc.compile(four_bar()), {"motor": parts}), np.arange(20001.0)
    model = path.model
    labels = sorted(model.tree_coordinates, key=model.tree_coordinates.__getitem__)
    truth = values["q"][[model.coordinates.index(name) for name in labels]]
    pattern = find_pattern(model, path.drive, truth[:, 0], path.goals(samples[:1])[0][:, 0])
    follower = Follower(model, path.drive, pattern)
    knots = find_knots(follower, path, truth[:, 0], samples)
    near = np.empty((1 + len(truth), len(samples)))
    predicted(follower, path, knots, len(samples)).fill(samples, near)
    assert np.abs(near[1:] - truth).max() < 1e-7
    assert np.abs(near[0] - values["q"][model.coordinates.index("C")]).max() < 1e-7


@pytest.mark.parametrize("samples", [21, 6001])
def test_opened_quaternions_keep_their_sign_through_whole_turns(samples):
    m = cc.Mechanism.from_dict(
        {
            "bodies": {"ground": {}, "rod": {"points": {"E": [1, 0, 0]}}, "slider": {}},
            "joints": {
                "A": {"type": "spherical", "between": ["ground.origin", "rod.origin"], "cut": True},
                "T": {"type": "cylindrical", "between": ["ground.origin", "slider.origin"], "axis": [1, 0, 0]},
                "B": {
                    "type": "prismatic",
                    "between": ["slider.origin", "rod.E"],
                    "axis": [1, 0, 0],
                    "guess": -1.0,
                },
            },
            "actuators": {
                "turn": {"joint": "T.angle", "motion": "0.1 + 11*t"},
                "push": {"joint": "T.length", "motion": "0.1*sin(t)"},
            },
        }
    )
    model = cc.compile(m)
    assert "A" in model.opened
    ds = cc.kinematics(m, np.linspace(0.0, 2.0, samples))
    q = ds.q.sel(coordinate=[f"A.{part}" for part in ("qw", "qx", "qy", "qz")]).values
    half = 0.5 * (0.1 + 11.0 * ds.time.values)
    np.testing.assert_allclose(q[:, 0], np.cos(half), atol=1e-9)
    np.testing.assert_allclose(q[:, 1], np.sin(half), atol=1e-9)
    assert float(ds.closure.max()) < 1e-12


@pytest.mark.parametrize("turns", [-1, 0, 2])
@pytest.mark.parametrize("times", [[0.05], [0.0, 0.05], [-0.05, 0.05], [0.05, 0.1]])
def test_an_opened_joint_starts_in_the_turn_of_its_guess(turns, times):
    """Also at half a turn, where rounding says on which side its angle is read."""
    half = np.pi * (1 + 2 * turns)
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {
            "ground": {"points": {"A": [0, 0], "D": [0, 0.3]}},
            "a": {"points": {"A": [0, 0], "B": [0.1, 0]}},
            "b": {"points": {"B": [0, 0], "C": [0.3, 0]}},
            "c": {"points": {"D": [0, 0], "C": [0.1, 0]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.A", "a.A"], "guess": half, "cut": True,
                  "limits": [half - 2, half + 2]},
            "B": {"type": "revolute", "between": ["a.B", "b.B"], "guess": -np.pi / 2},
            "C": {"type": "revolute", "between": ["b.C", "c.C"]},
            "D": {"type": "revolute", "between": ["ground.D", "c.D"], "guess": np.pi},
        },
        "actuators": {"m": {"joint": "D", "motion": "pi + 0.5*t"}},
    })  # fmt: skip
    found = cc.kinematics(m, times).q.sel(coordinate="A").values
    np.testing.assert_allclose(found, half + 0.5 * np.array(times), atol=1e-9)
