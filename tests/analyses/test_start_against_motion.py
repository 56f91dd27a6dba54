"""A start that contradicts an imposed motion is told; one that agrees with it is met."""

import pytest

import closedchain as cc


def driven(root):
    m = cc.load(root / "examples/four_bar/mechanism.toml")
    name = next(iter(m.actuators))
    joint = m.actuators[name].joint.text
    return m.with_table("actuators", name, joint=joint, motion="0.4 + 0.5*t + t**2"), joint


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
def test_a_start_against_an_imposed_motion(root, formulation):
    m, joint = driven(root)
    with pytest.raises(cc.AssemblyError, match=f"{joint} as 0.7, but its imposed motion starts at 0.4"):
        cc.simulate(m, until=0.1, start={joint: 0.7}, formulation=formulation)
    with pytest.raises(cc.AssemblyError, match=f"{joint} as 2, but its imposed motion starts with the rate 0.5"):
        cc.simulate(m, until=0.1, start={joint: (0.4, 2.0)}, formulation=formulation)


def test_a_start_that_agrees_with_an_imposed_motion(root):
    m, joint = driven(root)
    ds = cc.simulate(m, until=0.1, start={joint: (0.4, 0.5)}, times=[0.0, 0.1])
    assert ds.q.sel(coordinate=joint).values.tolist() == pytest.approx([0.4, 0.46], abs=1e-12)


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
def test_controllers_that_follow_the_motion_start_moving_with_it(root, formulation):
    m = cc.load(root / "examples/shift_manipulator/mechanism.toml")
    control = {"kind": "pd", "target": "motion", "kp": 50.0, "kd": 2.0, "feedforward": True}
    for name, actuator in m.actuators.items():
        m = m.with_table("actuators", name, joint=actuator.joint.text, control=control)
    stroke = next(iter(m.motions))
    m = m.with_table("motions", stroke, of="link12.P", x="0.160 + 0.1*t", y="0.115 - 0.05*sin(3*t)")
    times = [0.0, 0.1, 0.2]
    ds = cc.simulate(m, until=0.2, times=times, clearance=False, formulation=formulation, rtol=1e-10, atol=1e-12)
    ideal = cc.kinematics(m, times)
    assert abs(ds.velocity.values - ideal.velocity.values).max() < 1e-8
    assert abs(ds.position.values - ideal.position.values).max() < 1e-9
