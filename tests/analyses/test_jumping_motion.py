"""A motion that jumps, and values that name no joints, are told as what they are."""

import pytest

import closedchain as cc

SLIDER = {
    "mechanism": {"planar": True},
    "bodies": {"ground": {}, "block": {}},
    "joints": {"S": {"type": "prismatic", "between": ["ground.origin", "block.origin"]}},
    "actuators": {"m": {"joint": "S", "motion": "0.1 + floor(t)"}},
}


def test_a_motion_that_jumps():
    with pytest.raises(cc.AssemblyError, match=r"the motion of S jumps at t = .*, from 0\.1 to 1\.1"):
        cc.kinematics(cc.Mechanism.from_dict(SLIDER), [0.0, 0.5, 1.5])


def test_values_without_names():
    with pytest.raises(cc.MechanismError, match="names no joints"):
        cc.assemble(cc.Mechanism.from_dict(SLIDER), [1, 2])  # pyright: ignore[reportArgumentType]


def test_a_rotation_in_a_planar_mechanism():
    motions = {"m": {"of": "block.origin", "rotation": ["t", "0", "0"]}}
    with pytest.raises(cc.MechanismError, match=r"rotation: 3 numbers are given\. A planar mechanism has nothing"):
        cc.Mechanism.from_dict({**SLIDER, "motions": motions})
