"""Spatial mechanisms and arms at poses whose singularity is known from geometry."""

import math
from typing import Any

import numpy as np
import pytest

import closedchain as cc


def regular(found):
    """Nothing singular."""
    return found.kinds == frozenset() and found.kind == "none"


@pytest.mark.parametrize("first", ["universal", "spherical"])
def test_fichter_turns_the_platform_a_quarter(linkages, first):
    """With the platform turned 90 degrees about z all legs belong to one screw about z (Fichter 1986)."""
    base, top = linkages.hexagon(1.0, 0.9), linkages.hexagon(0.6, 0.3)
    m = linkages.stewart(base, top, linkages.transform(1.0, math.pi / 2), first=first)
    pose = cc.assemble(m)
    found = cc.singularities(m, pose)
    assert found.kinds == {"forward"}
    (screw,) = found.directions["forward"]
    assert screw.body == "platform"
    np.testing.assert_allclose(screw.axis, [0, 0, 1], atol=1e-5)
    np.testing.assert_allclose(screw.point[:2], 0.0, atol=1e-5)
    # No leg is lengthened: pitch l_z + (b x l)_z = 0 with l the leg and b its upper end from the axis.
    for k in range(6):
        b = pose.point(f"platform.B{k}")
        leg = b - pose.point(f"ground.A{k}")
        assert screw.pitch * leg[2] + np.cross(b, leg)[2] == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("yaw", [0.0, 0.4, 1.2])
def test_platform_is_regular_elsewhere(linkages, yaw):
    base, top = linkages.hexagon(1.0, 0.9), linkages.hexagon(0.6, 0.3)
    m = linkages.stewart(base, top, linkages.transform(1.0, yaw, 0.1, -0.05, 0.1))
    found = cc.singularities(m, cc.assemble(m))
    assert regular(found)
    assert found.measures["forward"] > 0.01
    assert {f"limb.U{k}" for k in range(6)} <= set(found.measures)


def test_similar_hexagons_are_singular_everywhere(linkages):
    """Base and platform of one shape: the legs never hold the platform (architecture singularity, Ma 1992)."""
    base, top = linkages.hexagon(1.0, 0.5), linkages.hexagon(0.6, 0.5)
    m = linkages.stewart(base, top, linkages.transform(1.0, 0.3, 0.1, -0.1, 0.05, 0.1))
    assert cc.singularities(m, cc.assemble(m)).kinds == {"forward"}


def test_3upu_of_equal_plates_gains_freedom(linkages):
    m = linkages.translating_3upu(0.5, 0.5, 0.8)
    found = cc.singularities(m, cc.assemble(m))
    assert "constraint" in found.kinds
    assert found.kind == "constraint"
    assert (found.freedoms, found.generic_freedoms) == (5, 3)
    m = linkages.translating_3upu(0.5, 0.3, 0.8)
    assert regular(cc.singularities(m, cc.assemble(m)))


def test_bennett_is_never_constraint_singular(linkages):
    m = linkages.bennett()
    for angle in np.linspace(0.05, 6.2, 15):
        found = cc.singularities(m, cc.assemble(m, {"J1": float(angle)}))
        assert "constraint" not in found.kinds
        assert (found.freedoms, found.generic_freedoms) == (1, 1)
        assert found.measures["constraint"] > 0.1


def planar_arm(links, space=False, motors=True, outputs=True):
    """An arm of revolutes with parallel axes."""
    names = ["ground", *(f"l{k}" for k in range(len(links)))]
    z = [0.0] if space else []
    bodies: dict[str, Any] = {"ground": {"points": {"Q": [0.0, 0.0, *z]}}}
    joints = {}
    for k, length in enumerate(links):
        bodies[f"l{k}"] = {"mass": 1.0, "points": {"P": [0.0, 0.0, *z], "Q": [length, 0.0, *z]}}
        joints[f"q{k}"] = {"type": "revolute", "between": [f"{names[k]}.Q", f"{names[k + 1]}.P"]}
    document = {"mechanism": {"planar": not space}, "bodies": bodies, "joints": joints}
    if motors:
        document["actuators"] = {f"m{k}": {"joint": f"q{k}"} for k in range(len(links))}
    if outputs:
        document["outputs"] = {"tip": {"point": f"{names[-1]}.Q"}}
    return cc.Mechanism.from_dict(document)


@pytest.mark.parametrize("space", [False, True])
@pytest.mark.parametrize("motors", [False, True])
def test_stretched_two_link_arm(space, motors):
    m = planar_arm([0.4, 0.3], space, motors)
    found = cc.singularities(m, cc.assemble(m, {"q0": 0.6, "q1": 0.0}))
    assert found.kinds == {"inverse"}
    (lost,) = found.directions["inverse"]
    np.testing.assert_allclose(lost.axis, [math.cos(0.6), math.sin(0.6), 0], atol=1e-9)
    bent = cc.singularities(m, cc.assemble(m, {"q0": 0.6, "q1": 0.9}))
    assert regular(bent)
    size = bent.measures["length"]
    assert bent.measures["manipulability.tip"] == pytest.approx(0.4 * 0.3 * math.sin(0.9) / size**2, rel=1e-9)


def test_three_link_arm_loses_its_twist_when_straight():
    m = planar_arm([0.4, 0.3, 0.2])
    found = cc.singularities(m, cc.assemble(m, {"q0": 0.2, "q1": 0.0, "q2": 0.7}))
    assert found.kinds == {"inverse"}
    assert found.losses == ("tip.body",)
    assert regular(cc.singularities(m, cc.assemble(m, {"q0": 0.2, "q1": 0.5, "q2": 0.7})))
    folded = cc.singularities(m, cc.assemble(m, {"q0": 0.2, "q1": 0.0, "q2": 0.0}))
    assert set(folded.losses) == {"tip", "tip.body"}


def test_redundant_arm_is_regular_until_all_is_straight():
    m = planar_arm([0.4, 0.3, 0.2, 0.25])
    assert regular(cc.singularities(m, cc.assemble(m, {"q0": 0.1, "q1": 0.5, "q2": -0.4, "q3": 0.8})))
    assert cc.singularities(m, cc.assemble(m, {f"q{k}": 0.0 for k in range(4)})).kinds == {"inverse"}


H = math.pi / 2
ROWS = [(0, H, 0, 0), (0.43, 0, 0.15, 0), (0.02, -H, 0, 0), (0, H, 0.35, 0), (0, -H, 0, 0), (0, 0, 0.1, 0)]


def arm(motors=True, outputs=True):
    """A six-joint arm with a spherical wrist."""
    rows = [dict(zip(("a", "alpha", "d", "theta"), row, strict=True), type="revolute") for row in ROWS]
    document = {
        "bodies": {"ground": {}},
        "chains": {"arm": {"from": "ground.origin", "convention": "standard", "rows": rows}},
    }
    if motors:
        document["actuators"] = {f"m{k}": {"joint": f"arm.{k}"} for k in range(1, 7)}
    if outputs:
        document["outputs"] = {"tool": {"point": "arm.6.origin"}}
    return cc.Mechanism.from_dict(document)


@pytest.mark.parametrize(("motors", "outputs"), [(True, True), (False, True), (True, False), (False, False)])
def test_wrist_of_a_six_joint_arm(motors, outputs):
    m = arm(motors, outputs)
    q = {f"arm.{k}": value for k, value in enumerate([0.3, 0.7, -0.4, 0.9, 0.8, -0.5], start=1)}
    assert regular(cc.singularities(m, cc.assemble(m, q)))
    found = cc.singularities(m, cc.assemble(m, q | {"arm.5": 0.0}))
    assert found.kinds == {"inverse"}
    assert len(found.directions["inverse"]) == 1


@pytest.mark.parametrize("folded", [0.0, math.pi])
def test_elbow_of_a_six_joint_arm(folded):
    """Where the wrist centre is farthest from the shoulder, or nearest, the elbow cannot change its distance."""
    m = arm()
    q = {f"arm.{k}": value for k, value in enumerate([0.3, 0.7, -0.4, 0.9, 0.8, -0.5], start=1)}

    def reach(angle):
        pose = cc.assemble(m, q | {"arm.3": angle})
        return float(np.sum((pose.point("arm.4.origin") - pose.point("arm.1.origin")) ** 2))

    # reach = a + b cos(angle - straight)
    straight = math.atan2(reach(math.pi / 2) - reach(-math.pi / 2), reach(0.0) - reach(math.pi))
    assert cc.singularities(m, cc.assemble(m, q | {"arm.3": straight + folded})).kinds == {"inverse"}
    assert regular(cc.singularities(m, cc.assemble(m, q | {"arm.3": straight + folded + 1e-3})))


def test_measures_fall_with_the_distance():
    m = arm()
    q = {f"arm.{k}": value for k, value in enumerate([0.3, 0.7, -0.4, 0.9, 0.8, -0.5], start=1)}
    near, nearer = (cc.singularities(m, cc.assemble(m, q | {"arm.5": angle})) for angle in (1e-2, 1e-3))
    assert regular(near)
    assert regular(nearer)
    assert near.measures["inverse"] / nearer.measures["inverse"] == pytest.approx(10.0, rel=0.05)


def test_wrong_pose_is_refused(linkages):
    with pytest.raises(cc.MechanismError, match="another mechanism"):
        cc.singularities(arm(), cc.assemble(linkages.bennett(), {"J1": 1.0}))
