"""Reactions in a simulation: those of inverse dynamics for the same motion, and the contact force of a loose joint."""

import numpy as np
import pytest

import closedchain as cc

LAW = {"radial": 1e-3, "bore": 0.01, "normal": "lankarani-nikravesh", "stiffness": 1e7, "restitution": 0.7}
AXIS = [0.3, -0.5, 0.8]


def four_bar(planar, cut="C", **changes):
    def vector(x, y=0.0):
        return [x, y] if planar else [x, y, 0.0]

    bodies = {
        name: {"mass": 0.5, "com": vector(0.5 * length, 0.02), "points": {"E": vector(length)}}
        for name, length in (("a", 0.15), ("b", 0.35), ("c", 0.3))
    }
    for body in bodies.values():
        body["inertia"] = 0.01 if planar else [0.01, 0.02, 0.015]
    joints = {
        "A": {"between": ["ground.origin", "a.origin"], "guess": 1.0},
        "B": {"between": ["b.origin", "a.E"], "guess": 0.4},
        "C": {"between": ["c.E", "b.E"]},
        "D": {"between": ["ground.D", "c.origin"], "guess": 1.6},
    }
    joints = {name: {"type": "revolute", **joint, **changes.get(name, {})} for name, joint in joints.items()}
    joints[cut]["cut"] = True
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": planar, "gravity": vector(1.0, -9.81)},
        "bodies": {"ground": {"points": {"D": vector(0.4)}}, **bodies},
        "joints": joints,
        "actuators": {"k": {"joint": "A", "motion": "1 + 3*t + 0.5*sin(7*t)"}},
        "forces": {"f": {"kind": "force", "on": "b.E", "vector": [1.0, "3*t", 2.0][: 2 if planar else 3]}},
    })  # fmt: skip


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("cut", ["A", "B", "C"])
def test_reactions_are_those_of_inverse_dynamics(planar, cut):
    m = four_bar(planar, cut)
    ds = cc.simulate(m, until=0.2, times=np.linspace(0.0, 0.2, 5))
    expected = cc.inverse_dynamics(m, ds.time.values)
    for name in ("reaction_force", "reaction_moment"):
        assert np.allclose(ds[name], expected[name], atol=1e-6), name
    for name in ("reaction_determined", "reaction_moment_determined"):
        assert np.array_equal(ds[name], expected[name]), name


@pytest.mark.parametrize("journal", ["moving", "base"])
@pytest.mark.parametrize("cut", ["B", "C"])
def test_the_reaction_of_a_loose_joint_is_its_contact_force(cut, journal):
    m = four_bar(True, cut, C={"clearance": {**LAW, "journal": journal}})
    ds = cc.simulate(m, until=0.05)
    sign = 1.0 if journal == "moving" else -1.0
    assert float(np.abs(ds.contact_force).max()) > 1.0
    assert np.allclose(ds.reaction_force.sel(joint="C"), sign * ds.contact_force.sel(loose_joint="C"), atol=1e-9)


def test_a_loose_joint_in_space_carries_weight_along_its_axis_too():
    m = cc.Mechanism.from_dict({
        "mechanism": {"gravity": [0, 0, -9.81]},
        "bodies": {"ground": {}, "b": {"mass": 2.0, "com": [0.1, 0.2, 0.3], "inertia": [0.1, 0.2, 0.25]}},
        "joints": {"J": {"type": "revolute", "between": ["ground.origin", "b.origin"], "axis": AXIS, "clearance": LAW}},
    })  # fmt: skip
    ds = cc.simulate(m, until=0.05)
    needed = 2.0 * (ds.body_acceleration[:, 0].values + np.array([0.0, 0.0, 9.81]))
    assert np.allclose(ds.reaction_force[:, 0], needed, atol=1e-6)


CASES = {
    "planar": four_bar(True),
    "redundant": four_bar(False, "B"),
    "a moving side on ground": four_bar(False, D={"between": ["c.origin", "ground.D"], "guess": -1.6}),
    "loose": four_bar(True, C={"clearance": LAW}),
    "loose in space": four_bar(False, C={"clearance": {**LAW, "journal": "base"}}),
}


@pytest.mark.parametrize("case", CASES)
def test_both_formulations_report_the_same_reactions(case):
    times = np.linspace(0.0, 0.02, 5)
    options = {"times": times, "rtol": 1e-12, "atol": 1e-14}
    one, other = (cc.simulate(CASES[case], 0.02, formulation=name, **options) for name in ("loop", "multipliers"))
    for name in ("reaction_force", "reaction_moment", "effort", "power"):
        scale = max(1.0, float(np.abs(one[name]).max()))
        np.testing.assert_allclose(other[name], one[name], rtol=0, atol=1e-8 * scale, err_msg=name)
    for name in ("reaction_determined", "reaction_moment_determined"):
        np.testing.assert_array_equal(other[name], one[name], err_msg=name)
    assert one.reaction_determined.values.all() == (case in ("planar", "loose"))
