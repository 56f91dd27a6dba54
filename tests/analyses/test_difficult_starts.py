"""Starts and motions that cannot be: each ends in a clear result or in an error that says what and what to do."""

import numpy as np
import pytest

import closedchain as cc


def rod(mass, length):
    return {"mass": mass, "com": [length / 2, 0], "inertia": mass * length**2 / 12, "points": {"end": [length, 0]}}


def revolute(base, moving, guess=None):
    joint = {"type": "revolute", "between": [base, moving]}
    return joint if guess is None else {**joint, "guess": guess}


def four_bar(**tables):
    data = {
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {
            "ground": {"points": {"D": [0.4, 0]}},
            "crank": rod(0.3, 0.15),
            "coupler": rod(0.7, 0.35),
            "rocker": rod(0.6, 0.3),
        },
        "joints": {
            "A": revolute("ground.origin", "crank.origin", "60 deg"),
            "B": revolute("crank.end", "coupler.origin", "-30 deg"),
            "C": revolute("coupler.end", "rocker.end"),
            "D": revolute("ground.D", "rocker.origin", "80 deg"),
        },
    }
    return cc.Mechanism.from_dict(data | tables)


def slider_crank(**tables):
    data = {
        "mechanism": {"planar": True},
        "bodies": {"ground": {}, "crank": rod(0.3, 0.1), "rod": rod(0.3, 0.3), "slider": {"mass": 0.2}},
        "joints": {
            "A": revolute("ground.origin", "crank.origin", 1.0),
            "B": revolute("crank.end", "rod.origin", -1.3),
            "C": revolute("rod.end", "slider.origin"),
            "S": {"type": "prismatic", "between": ["ground.origin", "slider.origin"], "guess": 0.34},
        },
    }
    return cc.Mechanism.from_dict(data | tables)


def test_start_values_that_leave_a_loop_open_name_the_joint_and_the_gap():
    with pytest.raises(cc.AssemblyError, match="leaves open: C"):
        cc.simulate(four_bar(), 0.1, {"A": 1.0, "D": 3.0})


def test_start_rates_that_tear_a_loop_are_refused():
    m = four_bar()
    pose = cc.assemble(m, {"A": 1.0})
    with pytest.raises(cc.AssemblyError, match="start rates contradict the loops"):
        cc.simulate(m, 0.1, {"A": (1.0, 1.0), "B": (pose["B"], 5.0)})


def test_start_rates_that_fit_are_met_exactly():
    m = four_bar()
    first = cc.simulate(m, 0.1, {"A": (1.0, 2.0)}, [0.0, 0.1])
    again = cc.simulate(m, 0.1, first.isel(time=[0]), [0.0, 0.1])
    assert float(abs(first["q"] - again["q"]).max()) < 1e-9
    assert float(first["qd"].sel(rate="A")[0]) == pytest.approx(2.0, abs=1e-12)


def test_motors_that_ask_for_contradicting_places_are_told_at_once():
    m = four_bar(actuators={"one": {"joint": "A", "motion": "1 + t"}, "two": {"joint": "D", "motion": "1.4 - 3*t"}})
    with pytest.raises(cc.AssemblyError, match="leaves open"):
        cc.simulate(m, 0.1)


def test_motors_that_ask_for_contradicting_rates_are_named():
    place = cc.assemble(four_bar(), {"A": 1.0})["D"]
    motion = {"one": {"joint": "A", "motion": "1 + t"}, "two": {"joint": "D", "motion": f"{place!r} - 3*t"}}
    with pytest.raises(cc.AssemblyError, match="imposed motions of A, D contradict each other"):
        cc.simulate(four_bar(actuators=motion), 0.1)


def test_motors_that_part_ways_later_end_the_run_with_the_time():
    start = cc.simulate(four_bar(), 1e-6, {"A": (1.0, 1.0)}, [0.0])
    place, rate = float(start["q"].sel(coordinate="D")[0]), float(start["qd"].sel(rate="D")[0])
    motion = {"one": {"joint": "A", "motion": "1 + t"}, "two": {"joint": "D", "motion": f"{place!r} + {rate!r}*t"}}
    with pytest.raises(cc.IntegrationError, match="t = "):
        cc.simulate(four_bar(actuators=motion), 0.5)


def test_a_body_without_mass_that_nothing_carries_is_named():
    m = cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True, "gravity": [0, -9.81]},
            "bodies": {"ground": {}, "feather": {}},
            "joints": {"A": revolute("ground.origin", "feather.origin")},
        }
    )
    with pytest.raises(cc.MechanismError, match="joints A can move without moving any mass"):
        cc.simulate(m, 0.1)


def test_a_massless_rod_between_heavy_bodies_is_carried_by_them():
    bodies = {"ground": {"points": {"D": [0.4, 0]}}, "crank": rod(0.3, 0.15), "rocker": rod(0.6, 0.3)}
    bodies["coupler"] = {"points": {"end": [0.35, 0]}}
    light = four_bar(bodies=bodies)
    ds = cc.simulate(light, 0.5, {"A": 1.0}, rtol=1e-10, atol=1e-12)
    energy = ds["kinetic_energy"] + ds["potential_energy"]
    assert float(np.ptp(energy.values)) < 1e-8
    assert float(ds["closure"].max()) < 1e-12


def test_a_slider_that_pulls_its_crank_through_the_dead_centre_is_stopped_there():
    m = slider_crank(actuators={"pull": {"joint": "S", "motion": "0.35 + 0.1*t"}})
    with pytest.raises(cc.IntegrationError, match=r"t = 0\.(5|49).*dead centre.*imposed motion of S"):
        cc.simulate(m, 1.0)


def test_a_pushed_slider_swings_through_the_dead_centre():
    ds = cc.simulate(slider_crank(actuators={"push": {"joint": "S", "effort": 5.0}}), 1.0)
    assert float(ds["q"].sel(coordinate="S").max()) == pytest.approx(0.4, abs=1e-5)
    energy = ds["kinetic_energy"] - ds["input_work"]
    assert float(np.ptp(energy.values)) < 1e-5
    assert float(ds["closure"].max()) < 1e-12


@pytest.mark.parametrize("wrong", [{"rtol": -1.0}, {"rtol": 0, "atol": 0}, {"method": "euler"}, {"until": "soon"}])
def test_wrong_settings_of_a_run_are_named(wrong):
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0]}},
        "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"]}},
    })  # fmt: skip
    with pytest.raises(cc.MechanismError, match=next(iter(wrong))):
        cc.simulate(m, **{"until": 0.1, **wrong})


def test_a_motion_into_a_limit_tells_where_it_stops():
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {"ground": {}, "b": {"mass": 1.0}},
        "joints": {"J": {"type": "revolute", "between": ["ground.origin", "b.origin"], "limits": [-1, 1]}},
        "actuators": {"a": {"joint": "J", "motion": "t"}},
    })  # fmt: skip
    with pytest.raises(cc.AssemblyError, match=r"stops at t = 1: joint 'J' reaches 1,"):
        cc.kinematics(m, [0.0, 0.5, 3.0])
