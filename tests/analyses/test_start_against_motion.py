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


def two_motors(motion):
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {
            "ground": {},
            "crank": {"mass": 1.0, "inertia": 0.1, "points": {"A": [0, 0], "B": [0.05, 0]}},
            "rod": {"mass": 1.0, "inertia": 0.1, "points": {"B": [0, 0], "C": [0.12, 0]}},
            "slider": {"mass": 1.0, "inertia": 0.1},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.A"]},
            "B": {"type": "revolute", "between": ["crank.B", "rod.B"]},
            "C": {"type": "revolute", "between": ["rod.C", "slider.origin"]},
            "guide": {"type": "prismatic", "between": ["ground.origin", "slider.origin"], "guess": 0.17},
        },
        "actuators": {"turn": {"joint": "A", "motion": "10*t"}, "push": {"joint": "guide", "motion": motion}},
    })  # fmt: skip


def test_motions_that_agree_at_first_only():
    with pytest.raises(
        cc.AssemblyError, match=r"motions of A, guide contradict each other from t = 0 on\..* 1 freedom"
    ):
        cc.kinematics(two_motors("0.17 - 0.1*t"), [0.0, 0.1])


def test_too_many_given_values_are_counted():
    m = two_motors("0.17")
    with pytest.raises(cc.AssemblyError, match=r"2 given values \(A, guide\) and, by counting, 1 freedom"):
        cc.assemble(m, {"A": 0.5, "guide": 0.3})
    with pytest.raises(cc.AssemblyError) as alone:
        cc.assemble(m, {"guide": 0.9})
    assert "given values (" not in str(alone.value)


def test_arguments_of_studies_in_python_are_told_what_python_takes():
    m = two_motors("0.17")
    with pytest.raises(cc.MechanismError, match=r"no argument 'samples'. Give times=np.linspace"):
        cc.sweep(m, {"bodies.rod.mass": [1.0]}, cc.simulate, until=0.1, samples=10)
    with pytest.raises(cc.MechanismError, match=r"no argument 'formulatoin'. Did you mean formulation\?"):
        cc.sweep(m, {"bodies.rod.mass": [1.0]}, cc.simulate, until=0.1, formulatoin="loop")
