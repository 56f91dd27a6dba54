"""Starts away from the middle of the bore, and start rates of joints that the program opened."""

import numpy as np
import pytest

import closedchain as cc

LAW = {"radial": 1e-3, "bore": 0.01, "normal": "lankarani-nikravesh", "stiffness": 1e7, "restitution": 0.7}
JOINTS = {
    "A": {"type": "revolute", "between": ["ground.origin", "a.origin"], "guess": 1.0},
    "B": {"type": "revolute", "between": ["a.E", "b.origin"], "guess": -0.4},
    "C": {"type": "revolute", "between": ["c.E", "b.E"]},
    "D": {"type": "revolute", "between": ["ground.D", "c.origin"], "guess": 1.6},
}


def four_bar(further=None, **changes):
    bodies = {
        name: {"mass": 0.5, "com": [0.5 * length, 0], "inertia": 0.01, "points": {"E": [length, 0]}}
        for name, length in (("a", 0.15), ("b", 0.35), ("c", 0.3))
    }
    joints = {name: {**joint, **changes.get(name, {})} for name, joint in JOINTS.items()}
    ground = {"points": {"D": [0.4, 0]}}
    head = {"planar": True, "gravity": [0, -9.81]}
    tables = {"mechanism": head, "bodies": {"ground": ground, **bodies}, "joints": joints}
    return cc.Mechanism.from_dict({**tables, **(further or {})})


def at_start(m, **further):
    return cc.simulate(m, until=1e-3, start={"A": (0.9, 2.0)}, times=[0.0], **further).isel(time=0)


@pytest.mark.parametrize("cut", "ABCD")
def test_start_rate_holds_whichever_joint_is_opened(cut):
    ds = at_start(four_bar(**{cut: {"cut": True}}))
    expected = at_start(four_bar())
    assert ds.qd.sel(rate="A") == pytest.approx(2.0, abs=1e-12)
    assert np.allclose(ds.qd, expected.qd, atol=1e-10)


def test_rates_of_all_joints_that_contradict_each_other_are_told():
    start = {"A": (0.9, 2.0), "B": (-0.35, 0.0), "C": (0.0, 0.0), "D": (1.6, 0.0)}
    with pytest.raises(cc.AssemblyError):
        cc.simulate(four_bar(), until=1e-3, start=start)


def test_a_run_goes_on_from_one_with_stabilised_loops():
    first = cc.simulate(four_bar(), until=0.05, start={"A": (0.9, 2.0)}, formulation="multipliers")
    ds = cc.simulate(four_bar(), until=1e-3, start=first, times=[0.0])
    assert np.allclose(ds.qd[0], first.qd[-1], atol=1e-6)


@pytest.mark.parametrize("cut", "ABCD")
@pytest.mark.parametrize("journal", ["moving", "base"])
def test_initial_eccentricity_is_met_in_ground_axes(cut, journal):
    e = np.array([3e-4, -5e-4])
    play = {"clearance": {**LAW, "initial": e.tolist(), "journal": journal}}
    changes = {cut: {"cut": True}}
    m = four_bar(**{**changes, "C": {**changes.get("C", {}), **play}})
    ds = at_start(m)
    assert np.allclose(ds.eccentricity[0], e, atol=1e-12)
    assert float(ds.qd.sel(rate="A")) == pytest.approx(2.0, abs=1e-12)
    # The pin moves with the point of the bore that it covers: the gap turns with the body of the bore.
    later = cc.simulate(m, until=1e-6, start={"A": (0.9, 2.0)}, times=[0.0, 1e-6])
    bore = "c" if journal == "moving" else "b"
    spin = float(ds.body_angular_velocity.sel(body=bore))
    rate = (later.eccentricity[1, 0] - later.eccentricity[0, 0]) / 1e-6
    assert np.allclose(rate, spin * np.array([-e[1], e[0]]), atol=1e-4)


def test_an_imposed_crank_stays_at_its_motion_with_a_displaced_pin():
    clearance = {"clearance": {**LAW, "initial": [0.0, 8e-4]}}
    driven = four_bar({"actuators": {"k": {"joint": "A", "motion": "0.9 + 3*t"}}}, B=clearance)
    ds = cc.simulate(driven, until=1e-3, times=[0.0]).isel(time=0)
    assert np.allclose(ds.eccentricity[0], [0.0, 8e-4], atol=1e-12)
    assert float(ds.qd.sel(rate="A")) == pytest.approx(3.0, abs=1e-12)
    assert float(ds.closure) < 1e-12


def test_a_slider_with_play_starts_where_the_file_says_and_its_contact_carries_it():
    play = {"kind": "prismatic-slider", "radial": 2e-4, "length": 0.1, "height": 0.04, "initial": [0.0, 1e-4]}
    law = {
        "normal": "hunt-crossley",
        "stiffness": 1e7,
        "restitution": 0.5,
        "friction": "coulomb",
        "mu": 0.2,
        "vr": 1e-3,
    }
    slope = 0.4
    slide = {"type": "prismatic", "between": ["ground.origin", "s.origin"], "axis": [np.cos(slope), np.sin(slope)]}
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {"ground": {}, "s": {"mass": 1.5, "inertia": 0.01}},
        "joints": {"P": {**slide, "clearance": {**play, **law}}},
    })  # fmt: skip
    ds = cc.simulate(m, until=0.2)
    normal = np.array([-np.sin(slope), np.cos(slope)])
    assert np.allclose(ds.eccentricity[0, 0], 1e-4 * np.cos(slope) * normal, atol=1e-12)
    needed = 1.5 * (ds.body_acceleration[:, 0] + np.array([0.0, 9.81]))
    assert np.allclose(ds.contact_force[:, 0], needed, atol=1e-5)
    total = ds.kinetic_energy + ds.potential_energy + ds.dissipated_energy - ds.input_work
    assert float(np.ptp(total.values)) < 1e-8


@pytest.mark.parametrize("journal", ["moving", "base"])
@pytest.mark.parametrize("cut", "ACD")
def test_a_run_goes_on_from_the_last_state_of_a_loose_one(cut, journal):
    play = {"clearance": {**LAW, "initial": [3e-4, -2e-4], "journal": journal}}
    changes = {cut: {"cut": True}}
    m = four_bar(**{**changes, "C": {**changes.get("C", {}), **play}})
    start = {"A": (0.9, 2.0)}
    whole = cc.simulate(m, until=0.008, start=start, times=[0.0, 0.004, 0.008])
    assert len(whole.contact_time) == 0  # in flight, so that a contact's memory has no part
    first = cc.simulate(m, until=0.004, start=start, times=[0.0, 0.004])
    rest = cc.simulate(m, until=0.004, start=first, times=[0.0, 0.004])
    for name in ("eccentricity", "q", "qd", "body_velocity"):
        assert np.allclose(rest[name][0], first[name][-1], atol=1e-9), name
        assert np.allclose(rest[name][-1], whole[name][-1], atol=1e-7), name
