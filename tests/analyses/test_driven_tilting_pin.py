"""A pin that tilts in its bore has no angle alone: motors and springs there are refused, or taken by multipliers."""

import pytest

import closedchain as cc


def pendulum(**joint):
    clearance = {"kind": "revolute-pin-ends", "radial": 1e-4, "bore": 0.01, "length": 0.04}
    clearance |= {"normal": "flores", "stiffness": 1e9, "restitution": 0.7}
    actuator = joint.pop("actuator", None)
    return cc.Mechanism.from_dict({
        "mechanism": {"gravity": [0, -9.81, 0.5]},
        "bodies": {"ground": {}, "b": {"mass": 1.0, "com": [0.1, 0, 0], "inertia": [1e-3, 1e-2, 1e-2]}},
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "b.origin"], "clearance": clearance, **joint}
        },
        "actuators": {"M": {"joint": "A", **actuator}} if actuator else {},
    })  # fmt: skip


CONTROL = {"kind": "pd", "target": "0.5*t", "kp": 10, "kd": 1}
ACTING = [
    {"actuator": {"effort": "0.2"}},
    {"actuator": {"control": CONTROL}},
    {"damping": 0.01},
    {"stiffness": 1.0},
    {"friction": {"law": "coulomb", "mu": 0.01, "vr": 0.01}},
    {"limits": [-0.2, 0.2], "stop": {"stiffness": 100}},
]


@pytest.mark.parametrize("joint", [*ACTING, {"actuator": {"motion": "0.7 + 10*t"}}])
def test_joint_coordinates(joint):
    with pytest.raises(cc.MechanismError, match=r"joints\.A: its pin tilts in the bore"):
        cc.simulate(pendulum(**joint), 0.01)


@pytest.mark.parametrize("joint", ACTING)
def test_multipliers(joint):
    ds = cc.simulate(pendulum(**joint), 0.01, formulation="multipliers", rtol=1e-10, atol=1e-13)
    balance = (ds.kinetic_energy + ds.potential_energy + ds.dissipated_energy - ds.input_work).values
    assert abs(balance - balance[0]).max() < 1e-8 * float(ds.kinetic_energy.max())
    assert len(ds.contact) > 0
