"""Assembly: what is given is met, the rest stays near the guess, and what cannot be is said."""

import math

import numpy as np
import pytest

import closedchain as cc


def closed(pose):
    """Closed to rounding, and a number everywhere."""
    values = np.array(list(pose.coordinates.values()))
    return pose.residual < 1e-14 and bool(np.all(np.isfinite(values)))


def test_values_are_met_exactly(linkages):
    m = linkages.four_bar(2, 1, 1.8, 1.2)
    for angle in (0.7, 1.3):
        found = cc.assemble(m, {"A": angle})
        for joint in "ABCD":
            pose = cc.assemble(m, {joint: found[joint]})
            assert closed(pose)
            assert pose[joint] == found[joint]


def test_what_was_asked_for_first_is_met_first(linkages):
    """One freedom, two guesses: the joint of the argument stands where it was asked, whatever the file guesses."""
    m = linkages.four_bar(2, 1, 1.8, 1.2, guess=0.9)
    for wish in (0.5, 1.4):
        pose = cc.assemble(m, guess={"A": wish})
        assert closed(pose)
        assert pose["A"] == pytest.approx(wish, abs=1e-8)
    both = cc.assemble(m, guess={"A": 0.5, "D": 2.0})
    nearest = min(
        np.hypot(cc.assemble(m, {"A": a}, guess=both)["A"] - 0.5, cc.assemble(m, {"A": a}, guess=both)["D"] - 2.0)
        for a in np.linspace(both["A"] - 0.05, both["A"] + 0.05, 21)
    )
    assert np.hypot(both["A"] - 0.5, both["D"] - 2.0) <= nearest + 1e-9


def test_guess_of_an_opened_joint_chooses_the_mode(linkages):
    m = linkages.four_bar(2, 1, 1.8, 1.2)
    modes = cc.assembly_modes(m, {"A": 1.0})
    assert len(modes) == 2
    for joint in "BCD":
        for mode in modes:
            pose = cc.assemble(m, {"A": 1.0}, guess={joint: mode[joint]})
            np.testing.assert_allclose(pose.frame("coupler"), mode.frame("coupler"), atol=1e-12)


def test_assembling_a_pose_again_gives_the_same(linkages):
    base, top = linkages.hexagon(1.0, 0.9), linkages.hexagon(0.6, 0.3)
    flat = linkages.four_bar(2, 1, 2, 1)
    cases = [
        (linkages.four_bar(2, 1, 1.8, 1.2), {}),
        (linkages.rssr(), {"A": 0.4}),
        (linkages.bennett(), {"J1": 1.0}),
        (linkages.stewart(base, top, linkages.transform(1.0, 0.1)), {"L0": 1.2}),
        (flat, {"A": 0.0}),
        (linkages.sarrus(3), {}),
    ]
    for m, values in cases:
        pose = cc.assemble(m, values)
        again = cc.assemble(m, guess=pose)
        for name, value in pose.coordinates.items():
            assert abs(again[name] - value) < 1e-12, name
        kept = cc.assemble(m, values, guess=pose)
        np.testing.assert_allclose(list(kept.coordinates.values()), list(pose.coordinates.values()), atol=1e-12)


def test_special_poses_are_closed_to_rounding(linkages):
    """Where the equations lose rank the residual falls with the error's square: it is brought down all the same."""
    pose = cc.assemble(linkages.four_bar(2, 1, 2, 1), {"A": 0.0})
    assert closed(pose)
    for joint in "BCD":
        assert abs(math.sin(pose[joint])) < 1e-6
    end = cc.assemble(linkages.slider_crank(), {"S": 0.4})
    assert abs(end["A"]) < 1e-6


def test_contradicting_values_say_what_is_left_open(linkages):
    m = linkages.four_bar(2, 1, 1.8, 1.2)
    with pytest.raises(cc.AssemblyError, match=r"given values.*[A-D] 0?\.?\d.* m"):
        cc.assemble(m, {"A": 1.0, "D": 0.1})
    pose = cc.assemble(m, {"A": 1.0})
    both = cc.assemble(m, {"A": 1.0, "D": pose["D"]})
    assert closed(both)
    with pytest.raises(cc.AssemblyError, match="these dimensions"):
        cc.assemble(linkages.four_bar(5, 1, 1.8, 1.2))


def test_couplings_that_contradict_are_named(linkages):
    bodies = {"ground": {}, "a": {"mass": 1.0, "com": [0.1, 0]}, "b": {"mass": 1.0, "com": [0.1, 0]}}
    joints = {"A": linkages.hinge("ground.origin", "a.origin"), "B": linkages.hinge("ground.origin", "b.origin")}
    m = linkages.planar(bodies, joints, couplings={"gear": {"sum": {"A": 1, "B": 2.5}, "equals": 0.5}})
    pose = cc.assemble(m, {"A": 1.0})
    assert pose["A"] + 2.5 * pose["B"] == pytest.approx(0.5, abs=1e-14)
    with pytest.raises(cc.AssemblyError, match="gear"):
        cc.assemble(m, {"A": 1.0, "B": 1.0})


def test_limits_choose_the_mode_or_stop_assembly(linkages):
    low = linkages.slider_crank(limits=[-1.0, 0.0])
    assert cc.assemble(low, {"A": 1.0})["S"] < 0.0
    high = linkages.slider_crank(limits=[0.0, 1.0])
    assert cc.assemble(high, {"A": 1.0})["S"] > 0.0
    with pytest.raises(cc.AssemblyError, match=r"'S' would have to stand at .*outside its limits"):
        cc.assemble(linkages.slider_crank(limits=[0.5, 1.0]), {"A": 1.0})
    with pytest.raises(cc.AssemblyError, match="outside its limits"):
        cc.assemble(high, {"S": -0.2})


def test_limits_of_opened_joints(linkages):
    """A limit on a joint that is read off its two bodies chooses the mode too, by whichever turn fits."""
    source = linkages.four_bar(2, 1, 1.8, 1.2).to_dict()
    modes = cc.assembly_modes(linkages.four_bar(2, 1, 1.8, 1.2), {"A": 1.0})
    for joint in "BCD":
        for mode in modes:
            for turn in (0.0, 2 * math.pi):
                value = mode[joint] + turn
                joints = source["joints"] | {joint: source["joints"][joint] | {"limits": [value - 0.1, value + 0.1]}}
                joints = {
                    name: {key: v for key, v in entry.items() if key != "guess"} for name, entry in joints.items()
                }
                pose = cc.assemble(cc.Mechanism.from_dict(source | {"joints": joints}), {"A": 1.0})
                assert pose[joint] == pytest.approx(value, abs=1e-9)


def test_open_chain_goes_to_its_guess_within_limits():
    links = {"ground": {}, "a": {"points": {"Q": [1, 0]}}, "b": {"points": {"Q": [1, 0]}}}
    joints = {
        "q1": {"type": "revolute", "between": ["ground.origin", "a.origin"], "limits": [0.2, 1.0]},
        "q2": {"type": "revolute", "between": ["a.Q", "b.origin"], "limits": [-0.5, 0.5]},
    }
    m = cc.Mechanism.from_dict({"mechanism": {"planar": True}, "bodies": links, "joints": joints})
    assert cc.assemble(m).coordinates == {"q1": 0.6, "q2": 0.0}
    pose = cc.assemble(m, guess={"q1": 0.4, "q2": 2.0})
    assert pose.coordinates == {"q1": 0.4, "q2": 0.5}


@pytest.mark.parametrize("joint", ["B", "C"])
def test_orientations_as_quaternion_or_rotation_vector(linkages, joint):
    m = linkages.rssr()
    pose = cc.assemble(m, {"A": 0.4})
    q = pose[joint]
    vector = 2.0 * math.atan2(np.linalg.norm(q[1:]), q[0]) * q[1:] / np.linalg.norm(q[1:])
    for value in (q, -q, 3.0 * q, vector, list(vector)):
        same = cc.assemble(m, {"A": 0.4, joint: value})
        assert closed(same)
        np.testing.assert_allclose(same.frame("rod"), pose.frame("rod"), atol=1e-9)


def test_part_of_an_orientation_is_refused(linkages):
    with pytest.raises(cc.MechanismError, match=r"'B.qw' alone says no orientation; give B.qx, B.qy, B.qz"):
        cc.assemble(linkages.rssr(), {"B.qw": 1.0})


@pytest.mark.parametrize(("values", "words"), [
    ({"Z": 1.0}, "not a joint"),
    ({"A": "fast"}, "not a number"),
    ({"A": math.nan}, "finite"),
    ({"A": [1.0, 2.0]}, "1 coordinates|not a number"),
    ({"B": [0.0, 0.0, 0.0, 0.0]}, "zero"),
    ({"B": [1.0, 2.0]}, "2 values"),
    ({"B.angle": 1.0}, "not a coordinate"),
])  # fmt: skip
def test_wrong_values_are_refused(linkages, values, words):
    for way in ("values", "guess"):
        with pytest.raises(cc.MechanismError, match=words):
            cc.assemble(linkages.rssr(), **{way: values})


def test_offsets_belong_to_the_coordinate(linkages):
    source = linkages.slider_crank().to_dict()
    for joint, offset in (("S", 0.05), ("A", 0.3), ("C", -1.0)):
        shifted = source["joints"] | {joint: source["joints"][joint] | {"offset": offset}}
        m = cc.Mechanism.from_dict(source | {"joints": shifted})
        plain = cc.assemble(linkages.slider_crank(), {"A": 1.0})
        with_offset = cc.assemble(m, {joint: plain[joint] + offset}, guess=plain)
        np.testing.assert_allclose(with_offset.frame("rod"), plain.frame("rod"), atol=1e-9)
        assert with_offset[joint] == pytest.approx(plain[joint] + offset, abs=1e-12)


def test_motions_hold_at_the_start_and_give_way_to_values(linkages):
    m = linkages.four_bar(2, 0.5, 1.8, 1.2, actuators={"m": {"joint": "A", "motion": "0.7 + t"}})
    assert cc.assemble(m)["A"] == pytest.approx(0.7, abs=1e-14)
    assert cc.assemble(m, {"A": 1.0})["A"] == 1.0
    pose = cc.assemble(m, {"D": 2.2})
    assert pose["D"] == pytest.approx(2.2, abs=1e-12)
    assert closed(pose)


def test_a_far_guess_leads_to_the_nearest_mode(linkages):
    """Newton from far away may close elsewhere; of the modes the one nearest to the guess is taken."""
    m = linkages.slider_crank()
    for angle in np.linspace(-3.0, 3.0, 13):
        assert cc.assemble(m, {"A": float(angle)})["S"] > 0.0


def test_values_may_be_quantities_as_in_a_file():
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "parameters": {"a": 0.2},
        "bodies": {"ground": {}, "arm": {}, "block": {}},
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]},
            "S": {"type": "prismatic", "between": ["arm.origin", "block.origin"]},
        },
    })  # fmt: skip
    pose = cc.assemble(m, {"A": "30 deg", "S": "2*a"})
    assert (pose["A"], pose["S"]) == (pytest.approx(np.pi / 6), 0.4)
    for values, told in (({"A": "30 mm"}, "is a length"), ({"S": "2*b"}, "no parameter"), ({"A": "1 +"}, "too early")):
        with pytest.raises(cc.MechanismError, match=told):
            cc.assemble(m, values)


def test_more_motions_than_freedoms_are_counted_where_they_contradict_each_other():
    arm = {"points": {"B": [0.5, 0]}}
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {"ground": {"points": {"D": [0.4, 0]}}, "one": arm, "two": arm, "bar": {"points": {"C": [0.4, 0]}}},
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "one.origin"]},
            "B": {"type": "revolute", "between": ["one.B", "bar.origin"]},
            "C": {"type": "revolute", "between": ["bar.C", "two.B"]},
            "D": {"type": "revolute", "between": ["ground.D", "two.origin"]},
        },
        "actuators": {"m1": {"joint": "A", "motion": "1.0"}, "m2": {"joint": "D", "motion": "2.9"}},
    })  # fmt: skip
    with pytest.raises(cc.AssemblyError, match=r"2 prescribed motions \(A, D\) and, by counting, 1 freedom"):
        cc.assemble(m)
