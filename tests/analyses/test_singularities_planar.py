"""Planar mechanisms at poses whose singularity is known from geometry."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import closedchain as cc


def regular(found):
    """Nothing singular."""
    return found.kinds == frozenset() and found.kind == "none" and "Regular" in str(found)


@pytest.mark.parametrize("angle", [0.0, math.pi])
def test_dead_centre_depends_on_what_is_driven(linkages, angle):
    crank = linkages.slider_crank(("A",))
    pose = cc.assemble(crank, {"A": angle})
    found = cc.singularities(crank, pose)
    assert found.kinds == {"inverse"}
    (lost,) = found.directions["inverse"]
    assert (lost.body, lost.translation) == ("slider", True)
    np.testing.assert_allclose(lost.axis, [1, 0, 0], atol=1e-9)
    slider = linkages.slider_crank(("S",))
    found = cc.singularities(slider, cc.assemble(slider, {"A": angle}))
    assert found.kinds == {"forward"}
    (free,) = found.directions["forward"]
    assert free.body == "crank"
    np.testing.assert_allclose(free.point, 0.0, atol=1e-9)
    # The rod turns about the pin: r A' + l (A' + B') = 0 up to sign.
    assert free.rates["B"] / free.rates["A"] == pytest.approx(-1.0 - math.cos(angle) * 0.1 / 0.3)
    assert "S locked" in str(found)


def test_dead_centre_reached_by_the_slider(linkages):
    """At the end of the stroke the slider's value has one solution, known to the square root of rounding only."""
    for driven, kind in (("A", "inverse"), ("S", "forward")):
        m = linkages.slider_crank((driven,))
        assert cc.singularities(m, cc.assemble(m, {"S": 0.1 + 0.3})).kinds == {kind}


def test_away_from_dead_centre_all_is_regular(linkages):
    for driven in ("A", "S"):
        m = linkages.slider_crank((driven,))
        for angle in (1e-3, 0.5, 2.0, math.pi - 1e-3):
            assert regular(cc.singularities(m, cc.assemble(m, {"A": angle})))


def test_both_driven_at_dead_centre(linkages):
    """With a second motor at the slider the crank is held, but still turns with the slider at rest: inverse."""
    m = linkages.slider_crank(("A", "S"))
    assert cc.singularities(m, cc.assemble(m, {"A": 0.0})).kinds == {"inverse"}


def test_transmission_is_the_slider_speed(linkages):
    m = linkages.slider_crank(("A",))
    for angle in (0.3, 1.0, 2.5):
        pose = cc.assemble(m, {"A": angle})
        # x = r cos a + sqrt(l^2 - r^2 sin^2 a)
        r, l = 0.1, 0.3
        slope = -r * math.sin(angle) - r**2 * math.sin(angle) * math.cos(angle) / math.sqrt(
            l**2 - (r * math.sin(angle)) ** 2
        )
        found = cc.singularities(m, pose).measures
        assert found["length"] == pytest.approx(0.3)
        assert found["inverse"] == pytest.approx(abs(slope) / found["length"], rel=1e-9)


def test_without_motors_only_the_constraints_are_judged(linkages):
    m = linkages.slider_crank(())
    found = cc.singularities(m, cc.assemble(m, {"A": 0.0}))
    assert found.kinds == frozenset()
    assert "No joint has an actuator" in str(found)
    assert "forward" not in found.measures


def four_bar_in_line(linkages, driven, coupler_with):
    """A four-bar with its coupler in line with crank or rocker, and its output at the other grounded bar."""
    ground, crank, coupler, rocker = 2.0, 0.5, 1.8, 1.2
    output = {"out": {"point": "rocker.Q" if driven == "A" else "crank.Q"}}
    m = linkages.four_bar(ground, crank, coupler, rocker, actuators=linkages.motors(driven), outputs=output)
    if coupler_with == "crank":
        reach = crank + coupler
        angle = math.acos((ground**2 + reach**2 - rocker**2) / (2 * ground * reach))
        return m, cc.assemble(m, {"A": angle})
    reach = math.acos((ground**2 + (coupler - rocker) ** 2 - crank**2) / (2 * ground * (coupler - rocker)))
    return m, cc.assemble(m, {"D": math.pi - reach})


def test_four_bar_with_crank_and_coupler_in_line(linkages):
    m, pose = four_bar_in_line(linkages, "A", "crank")
    found = cc.singularities(m, pose)
    assert found.kinds == {"inverse"}
    (lost,) = found.directions["inverse"]
    assert lost.body == "rocker"
    np.testing.assert_allclose(lost.point, [2.0, 0, 0], atol=1e-6)
    m, pose = four_bar_in_line(linkages, "D", "crank")
    found = cc.singularities(m, pose)
    assert found.kinds == {"forward"}
    np.testing.assert_allclose(found.directions["forward"][0].point, 0.0, atol=1e-6)


def test_coupler_and_rocker_in_line(linkages):
    bars = (2.0, 1.9, 1.5, 1.0)
    angle = math.acos((2.0**2 + 1.9**2 - 2.5**2) / (2 * 2.0 * 1.9))
    m = linkages.four_bar(*bars, actuators=linkages.motors("A"), outputs={"out": {"point": "rocker.Q"}})
    found = cc.singularities(m, cc.assemble(m, {"A": angle}))
    assert found.kinds == {"forward"}
    assert found.measures["forward"] < 1e-6
    turned = linkages.four_bar(*bars, actuators=linkages.motors("D"), outputs={"out": {"point": "crank.Q"}})
    assert cc.singularities(turned, cc.assemble(turned, {"A": angle})).kinds == {"inverse"}


@pytest.mark.parametrize("output", ["coupler.Q", "rocker.Q", "crank.Q"])
@pytest.mark.parametrize("space", [False, True])
def test_flat_parallelogram_is_a_constraint_singularity(linkages, output, space):
    keys = {"actuators": linkages.motors("A"), "outputs": {"out": {"point": output}}}
    m = linkages.four_bar(2, 1, 2, 1, space=space, **keys)
    found = cc.singularities(m, cc.assemble(m, {"A": 0.0}))
    assert (found.kinds, found.kind) == ({"constraint"}, "constraint")
    assert (found.freedoms, found.generic_freedoms) == (2, 1)
    assert found.measures["constraint"] < 1e-6
    assert regular(cc.singularities(m, cc.assemble(m, {"A": 1e-3})))


def test_shaky_structure_is_a_constraint_singularity(linkages):
    m = linkages.three_rods()
    found = cc.singularities(m, cc.assemble(m))
    assert found.kinds == {"constraint"}
    (screw,) = found.directions["constraint"]
    assert screw.body == "plate"
    np.testing.assert_allclose(screw.point, 0.0, atol=1e-9)
    firm = linkages.three_rods(turn=0.3)
    assert regular(cc.singularities(firm, cc.assemble(firm)))


def test_five_bar_with_a_stretched_arm(linkages):
    m = linkages.five_bar()
    assert regular(cc.singularities(m, cc.assemble(m)))
    pose = cc.assemble(m, {"B1": 0.0})
    found = cc.singularities(m, pose)
    assert found.kinds == {"inverse"}
    (lost,) = found.directions["inverse"]
    along = pose.point("forearm1.Q") - pose.point("ground.A1")
    np.testing.assert_allclose(np.abs(along @ lost.axis[:2]), np.linalg.norm(along), rtol=1e-9)
    assert found.measures["inverse"] < 1e-9
    other = cc.singularities(m, cc.assemble(m, {"B2": 0.0}))
    assert other.kinds == {"inverse"}
    assert any("limb" in name for name in other.losses)


def test_five_bar_with_forearms_in_line(linkages):
    m = linkages.five_bar()
    pose = cc.assemble(m, {"P": math.pi})
    found = cc.singularities(m, pose)
    assert found.kinds == {"forward"}
    (free,) = found.directions["forward"]
    # P moves across the forearms, so the forearm turns about its elbow.
    np.testing.assert_allclose(free.point[:2], pose.point("forearm1.P"), atol=1e-9)
    assert not {"A1", "A2"} & set(free.rates)


def test_a_third_motor_removes_the_forward_singularity(linkages):
    m = linkages.five_bar(("A1", "A2", "B1"))
    pose = cc.assemble(m, {"P": math.pi})
    assert regular(cc.singularities(m, pose))
    assert regular(cc.singularities(m, cc.assemble(m)))


def test_a_missing_motor_is_no_singularity(linkages):
    """With one motor for two freedoms something can move at every pose: that is no special configuration."""
    m = linkages.five_bar(("A1",))
    assert regular(cc.singularities(m, cc.assemble(m)))


def test_two_motors_on_the_same_freedom(linkages):
    """Enough motors by number, but not placed to hold the mechanism: uncontrolled at every pose."""
    keys = {"actuators": linkages.motors("A1", "gear")}
    bodies = linkages.five_bar().to_dict()
    bodies["bodies"]["wheel"] = {"mass": 1.0, "com": [0.1, 0]}
    bodies["joints"]["gear"] = linkages.hinge("ground.origin", "wheel.origin")
    bodies["couplings"] = {"pair": {"sum": {"A1": 1, "gear": 2}}}
    m = cc.Mechanism.from_dict(bodies | keys)
    assert cc.singularities(m, cc.assemble(m)).kinds == {"forward"}


def test_concurrent_forearms_of_the_3rrr(linkages):
    m = linkages.three_rrr()
    pose = cc.assemble(m)
    found = cc.singularities(m, pose)
    assert found.kinds == {"forward"}
    (free,) = found.directions["forward"]
    assert (free.body, free.translation) == ("platform", False)
    np.testing.assert_allclose(free.point, 0.0, atol=1e-9)
    assert regular(cc.singularities(m, cc.assemble(m, {"A0": 1.3, "A1": 3.3, "A2": 5.3})))


@pytest.mark.parametrize("meet", [(0.05, -0.03), (-0.4, 0.3)])
def test_forearms_that_meet_elsewhere(linkages, meet):
    m = linkages.three_rrr(meet=meet)
    found = cc.singularities(m, cc.assemble(m))
    assert found.kinds == {"forward"}
    np.testing.assert_allclose(found.directions["forward"][0].point[:2], meet, atol=1e-9)


def test_stretched_limb_of_the_3rrr(linkages):
    m = linkages.three_rrr()
    pose = cc.assemble(m, {"B0": 0.0})
    found = cc.singularities(m, pose)
    assert found.kinds == {"inverse"}
    assert "limb A0" in found.losses
    assert found.measures["limb.A0"] < 1e-9 < found.measures["limb.A1"]
    (lost,) = found.directions["inverse"]
    # What is lost moves C0 along the stretched limb: its velocity there, w z x r, is not across the limb.
    along = pose.point("platform.C0") - pose.point("ground.A0")
    r = pose.point("platform.C0") - np.array(lost.point[:2])
    assert abs(np.array([-r[1], r[0]]) @ along) > 1e-3


@settings(max_examples=20)
@given(st.floats(-math.pi, math.pi), st.floats(-2, 2), st.floats(-2, 2))
def test_placement_makes_no_difference(linkages, turn, x, y):
    """The same mechanism placed elsewhere is singular where it was, and its screws move along."""
    c, s = math.cos(turn), math.sin(turn)
    source = linkages.three_rrr().to_dict()
    for point in source["bodies"]["ground"]["points"]:
        u, v = source["bodies"]["ground"]["points"][point]
        source["bodies"]["ground"]["points"][point] = [c * u - s * v + x, s * u + c * v + y]
    for k in range(3):
        source["joints"][f"A{k}"]["guess"] += turn
    m = cc.Mechanism.from_dict(source)
    found = cc.singularities(m, cc.assemble(m))
    assert found.kinds == {"forward"}
    np.testing.assert_allclose(found.directions["forward"][0].point[:2], [x, y], atol=1e-8)


def test_motors_that_never_suffice_are_called_so(linkages):
    m = linkages.five_bar()
    assert not cc.singularities(m, cc.assemble(m, {"P": math.pi})).everywhere
    bodies = m.to_dict()
    bodies["bodies"]["wheel"] = {"mass": 1.0, "com": [0.1, 0]}
    bodies["joints"]["gear"] = linkages.hinge("ground.origin", "wheel.origin")
    bodies["couplings"] = {"pair": {"sum": {"A1": 1, "gear": 2}}}
    twice = cc.Mechanism.from_dict(bodies | {"actuators": linkages.motors("A1", "gear")})
    found = cc.singularities(twice, cc.assemble(twice))
    assert found.everywhere
    assert found.measures["forward"] < 1e-9
    assert "do not suffice" in str(found)
