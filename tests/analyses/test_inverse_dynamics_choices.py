"""Redundant actuation, given arrays, loads, energy balance, open freedoms, and what is said where there is no
answer."""

import numpy as np
import pytest

import closedchain as cc

TIMES = np.linspace(0.1, 0.3, 5)


@pytest.fixture(scope="module")
def shift():
    """The shift manipulator: three motors, two freedoms."""
    from pathlib import Path

    return cc.load(Path(__file__).parents[2] / "examples" / "shift_manipulator" / "mechanism.toml")


@pytest.fixture(scope="module")
def plain(shift):
    """Its efforts of minimum norm."""
    return cc.inverse_dynamics(shift, TIMES)


def internal(shift, sample):
    """Efforts that do nothing: orthogonal to the rates of the motors in every motion (k,), by differences of poses."""
    pose = cc.assemble(shift, cc.kinematics(shift, TIMES).q[sample].to_series().to_dict())
    G, _ = cc.influence(shift, pose, of="link12.P", wrt=["A1", "A2"])
    rates = [cc.influence(shift, pose, of="link31.B", wrt=["A1", "A2"])[0][0]]
    E = np.vstack([np.eye(2), rates])
    assert G.shape == (3, 2)
    return np.linalg.svd(E.T)[2][2]


def test_minimum_norm_has_no_part_that_does_nothing(shift, plain):
    for sample in (0, 3):
        assert abs(internal(shift, sample) @ plain.effort.values[sample]) < 1e-10


def test_weights_and_preload_move_along_what_does_nothing(shift, plain):
    n = internal(shift, 2)
    w = np.array([4.0, 1.0, 0.25])
    weighted = cc.inverse_dynamics(shift, TIMES, weights={"motor1": 4.0, "motor3": 0.25}).effort.values[2]
    p = np.array([2.0, 0.0, -1.0])
    preloaded = cc.inverse_dynamics(shift, TIMES, preload={"motor1": 2.0, "motor3": -1.0}).effort.values[2]
    both = cc.inverse_dynamics(shift, TIMES, weights={"motor1": 4.0, "motor3": 0.25},
                               preload={"motor1": 2.0, "motor3": -1.0}).effort.values[2]  # fmt: skip
    tau = plain.effort.values[2]
    for found, metric, wish in ((weighted, w, 0 * p), (preloaded, np.ones(3), p), (both, w, p)):
        # the change is internal, and what is left to wish for is orthogonal to it
        assert np.linalg.norm(np.cross(found - tau, n)) < 1e-10 * np.linalg.norm(found - tau)
        assert abs(n @ (metric * (found - wish))) < 1e-10


def test_an_actuator_of_infinite_weight_is_off(shift):
    ds = cc.inverse_dynamics(shift, TIMES, weights={"motor2": np.inf})
    assert np.abs(ds.effort.sel(actuator="motor2")).max() == 0.0
    limit = cc.inverse_dynamics(shift, TIMES, weights={"motor2": 1e12})
    assert np.allclose(ds.effort, limit.effort, rtol=0, atol=1e-9)


def test_reactions_and_power_belong_to_the_chosen_efforts(shift, plain, free_bodies):
    ds = cc.inverse_dynamics(shift, TIMES, preload={"motor1": 5.0, "motor2": 5.0})
    motion = cc.kinematics(shift, TIMES)
    efforts = {(a.joint.joint, 0): ds.effort.values[1, k] for k, a in enumerate(shift.actuators.values())}
    passive = cc.Mechanism.from_dict({**shift.to_dict(), "actuators": {}, "studies": {}})
    expected = free_bodies.FreeBodies(passive, motion, 1).solve(efforts)
    found, _ = free_bodies.numbers(ds, 1, True)
    reactions = np.array([expected.reactions[name] for name in shift.joints])
    assert expected.residual < 1e-11
    assert np.allclose(found, reactions, rtol=0, atol=1e-11 * np.abs(reactions).max())
    assert np.allclose(ds.power.sum("actuator"), plain.power.sum("actuator"), rtol=0, atol=1e-11)


def arrays(shift, names):
    motion = cc.kinematics(shift, TIMES)
    joints = {name: shift.actuators[name].joint.text for name in names}
    return {
        name: tuple(motion[v].sel({d: joint}).values for v, d in (("q", "coordinate"), ("qd", "rate"), ("qdd", "rate")))
        for name, joint in joints.items()
    }


@pytest.mark.parametrize("names", [("motor1", "motor3"), ("motor1", "motor2", "motor3")])
def test_arrays_say_the_same_as_motions(shift, plain, names):
    ds = cc.inverse_dynamics(shift, arrays(shift, names))
    assert np.allclose(ds.effort, plain.effort, rtol=0, atol=1e-11)
    assert np.allclose(ds.reaction_force, plain.reaction_force, rtol=0, atol=1e-10)


def test_arrays_that_contradict_each_other(shift):
    given = arrays(shift, ("motor1", "motor2", "motor3"))
    given["motor3"][0][3] += 1e-3
    with pytest.raises(cc.AssemblyError, match=r"contradict each other at sample = 3: joint 'A3'"):
        cc.inverse_dynamics(shift, given)


SLED = {
    "mechanism": {"planar": True, "gravity": [0, -10]},
    "bodies": {"ground": {}, "sled": {"mass": 2.0}},
    "joints": {"way": {"type": "prismatic", "between": ["ground.origin", "sled.origin"]}},
    "actuators": {"pull": {"joint": "way", "motion": "0.5*t**2"}},
}


def test_forces_of_time_want_instants_beside_arrays():
    m = cc.Mechanism.from_dict(
        {**SLED, "forces": {"wind": {"kind": "force", "on": "sled.origin", "vector": ["3*t", 0]}}}
    )
    arrays = {"pull": (np.array([0.0, 1.0]), np.ones(2), np.zeros(2))}
    with pytest.raises(cc.MechanismError, match="force 'wind' depends on t"):
        cc.inverse_dynamics(m, arrays)
    with pytest.raises(cc.MechanismError, match="3 instants for 2 samples"):
        cc.inverse_dynamics(m, arrays, at=[0.0, 1.0, 2.0])
    assert cc.inverse_dynamics(m, arrays, at=[1.0, 2.0]).effort.values[:, 0].tolist() == [-3.0, -6.0]


def test_friction_and_damping_load_the_motor():
    joint = SLED["joints"]["way"] | {
        "damping": 4.0, "stiffness": 8.0, "friction": {"law": "coulomb", "mu": 3.0, "vr": 1e-3},
    }  # fmt: skip
    m = cc.Mechanism.from_dict({**SLED, "joints": {"way": joint}})
    t = np.array([0.5, 1.0, 2.0])
    ds = cc.inverse_dynamics(m, t)
    assert np.allclose(ds.effort[:, 0], 2.0 + 4.0 * t + 8.0 * 0.5 * t**2 + 3.0, rtol=1e-6)
    assert np.allclose(ds.dissipated_power, 4.0 * t**2 + 3.0 * t, rtol=1e-6)
    # what acts along the way is no reaction
    assert np.allclose(ds.reaction_force[:, 0], [[0.0, 20.0]] * 3, rtol=0, atol=1e-12)


def test_bristles_are_taken_as_settled():
    lugre = {"law": "lugre", "mu": 2.0, "mu_s": 3.0, "vs": 0.5, "sigma0": 1e4, "sigma1": 10.0, "sigma2": 0.7}
    m = cc.Mechanism.from_dict({**SLED, "joints": {"way": SLED["joints"]["way"] | {"friction": lugre}}})
    v = np.array([0.0, 0.2, 1.5])
    ds = cc.inverse_dynamics(m, {"pull": (np.zeros(3) + np.arange(3), v, np.zeros(3))})
    stribeck = (2.0 + 1.0 * np.exp(-((v / 0.5) ** 2)) + 0.7 * v) * (v > 0)
    assert np.allclose(ds.effort[:, 0], stribeck, rtol=1e-12)


@pytest.mark.parametrize("name", ["four_bar", "gough_stewart", "bennett", "planar_3rrr"])
def test_work_of_the_actuators_is_energy_and_loss(root, name):
    """Over one period, by Fourier derivatives of the energies: d(T + V)/dt = power + loads - losses."""
    data = cc.load(root / "examples" / name / "mechanism.toml").to_dict()
    period = PERIODS[name]
    first, last = list(data["bodies"])[1], list(data["bodies"])[-1]
    joint = next(joint for joint in data["joints"].values() if joint["type"] == "revolute" or name == "gough_stewart")
    joint["damping"] = [0.4, 0.2] if joint["type"] == "universal" else 0.4
    size = 2 if data["mechanism"].get("planar") else 3
    data["forces"] = {
        "rope": {
            "kind": "spring-damper",
            "between": ["ground.origin", f"{last}.origin"],
            "stiffness": 90,
            "damping": 5,
        },
        "wind": {"kind": "force", "on": f"{first}.origin", "vector": [f"20*cos(2*pi*t/{period})", 3, 4][:size]},
    }
    m = cc.Mechanism.from_dict(data)
    n = 256
    ds = cc.inverse_dynamics(m, period * np.arange(n) / n)
    energy = (ds.kinetic_energy + ds.potential_energy).values
    k = np.fft.rfftfreq(n, period / n) * 2j * np.pi
    rate = np.fft.irfft(k * np.fft.rfft(energy), n)
    power = (ds.power.sum("actuator") + ds.load_power - ds.dissipated_power).values
    assert np.abs(ds.dissipated_power).max() > 1e-3
    assert np.abs(rate - power).max() < 1e-10 * max(np.abs(power).max(), np.abs(energy).max())


PERIODS = {"four_bar": 1.0, "gough_stewart": 2.0, "bennett": 1.0, "planar_3rrr": 1.0}


@pytest.mark.parametrize(
    ("name", "rods"), [("rssr", ["rod"]), ("delta", ["rod1a", "rod1b", "rod2a", "rod2b", "rod3a", "rod3b"])]
)
def test_rods_between_balls_do_not_spin(root, free_bodies, name, rods):
    """A symmetric rod that nothing turns about itself keeps no spin: with that motion all bodies are in balance."""
    m = cc.load(root / "examples" / name / "mechanism.toml")
    times = [0.0, 0.2]
    motion = cc.kinematics(m, times).copy(deep=True)
    for rod in rods:
        u = motion.body_rotation.sel(body=rod).values[:, :, 0]
        w, e = (motion[v].sel(body=rod).values for v in ("body_angular_velocity", "body_angular_acceleration"))
        s = np.sum(w * u, axis=1, keepdims=True)
        across = w - s * u
        growth = e - s * np.cross(across, u)
        motion.body_angular_velocity.loc[{"body": rod}] = across
        motion.body_angular_acceleration.loc[{"body": rod}] = growth - np.sum(growth * u, axis=1, keepdims=True) * u
    ds = cc.inverse_dynamics(m, times)
    for sample in range(2):
        expected = free_bodies.FreeBodies(m, motion, sample).solve()
        found, sure = free_bodies.numbers(ds, sample, False)
        reactions = np.array([expected.reactions[joint] for joint in m.joints])
        scale = np.abs(reactions).max()
        assert expected.residual < 1e-12 * scale
        assert np.allclose(ds.effort.values[sample], expected.efforts, rtol=0, atol=1e-12 * scale)
        assert np.allclose(found, reactions, rtol=0, atol=1e-11 * scale)
        assert sure.all()


def spatial_four_bar(R):
    """A plane four-bar written in space, the whole of it turned by R."""
    axis = R[:, 2].tolist()
    bar = {"mass": 1.0, "com": [0.1, 0, 0.02], "inertia": [0.001, 0.01, 0.01]}

    def link(length):
        return {**bar, "points": {"a": [0, 0, 0], "b": [length, 0, 0]}}

    frame = {"z": axis, "x": R[:, 0].tolist()}
    return cc.Mechanism.from_dict({
        "mechanism": {"gravity": (R @ [0, -9.81, -2.0]).tolist()},
        "bodies": {
            "ground": {"points": {"A": {"at": [0, 0, 0], **frame}, "D": {"at": (R @ [0.5, 0, 0]).tolist(), **frame}}},
            "crank": link(0.15), "coupler": link(0.45), "rocker": link(0.35),
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.A", "crank.a"], "guess": 1.0},
            "B": {"type": "revolute", "between": ["crank.b", "coupler.a"], "guess": -0.5},
            "C": {"type": "revolute", "between": ["coupler.b", "rocker.b"], "guess": 1.0},
            "D": {"type": "revolute", "between": ["ground.D", "rocker.a"], "guess": 1.7},
        },
        "actuators": {"motor": {"joint": "A", "motion": "1.0 + 3*t"}},
    })  # fmt: skip


def test_turning_the_whole_model_turns_the_reactions_and_their_flags():
    a, b = 0.7, -0.4
    R = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    R = R @ np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    times = [0.0, 0.3]
    straight, turned = (cc.inverse_dynamics(spatial_four_bar(Q), times) for Q in (np.eye(3), R))
    assert np.allclose(straight.effort, turned.effort, rtol=0, atol=1e-12)
    for name in ("reaction_force", "reaction_moment"):
        assert np.allclose(straight[name].values @ R.T, turned[name].values, rtol=0, atol=1e-12)
    # in its own plane: x and y forces and the z moment are determined, the others are not
    assert (straight.reaction_determined.values == [True, True, False]).all()
    assert (straight.reaction_moment_determined.values == [False, False, True]).all()
    # turned: a component is determined when it has no part along the normal (forces) or across it (moments)
    assert (turned.reaction_determined.values == (np.abs(R[:, 2]) < 1e-9)).all()
    assert not turned.reaction_moment_determined.values.any()


def test_flags_hold_at_the_pose():
    """Two parallel cranks stretched along the base: there, and only there, the force along the bars is open."""
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {
            "ground": {"points": {"D": [0.4, 0]}},
            "left": {"mass": 1.0, "points": {"b": [0.2, 0]}}, "right": {"mass": 1.0, "points": {"b": [0.2, 0]}},
            "bar": {"mass": 1.0, "points": {"r": [0.4, 0]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "left.origin"], "guess": 0.5},
            "B": {"type": "revolute", "between": ["left.b", "bar.origin"], "guess": -0.5},
            "C": {"type": "revolute", "between": ["bar.r", "right.b"], "guess": 0.5},
            "D": {"type": "revolute", "between": ["ground.D", "right.origin"], "guess": 0.5},
        },
        "actuators": {"a": {"joint": "A", "motion": "0.5*t"}, "d": {"joint": "D", "motion": "0.5*t"}},
    })  # fmt: skip
    ds = cc.inverse_dynamics(m, [0.0, 1.0])
    assert ds.reaction_determined[1].values.all()
    assert ds.reaction_determined[0].values.tolist() == [[False, True]] * 4


def test_motion_that_nothing_can_bring():
    arm = {
        "mechanism": {"planar": True, "gravity": [0, -10]},
        "bodies": {
            "ground": {},
            "arm": {"mass": 2.0, "com": [0.5, 0], "points": {"tip": [1, 0]}},
            "hand": {"mass": 1.0},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]},
            "B": {"type": "revolute", "between": ["arm.tip", "hand.origin"]},
        },
        "actuators": {"wrist": {"joint": "B"}},
        "motions": {"a": {"of": "arm.tip", "angle": "0"}, "b": {"of": "hand.origin", "angle": "0"}},
    }
    with pytest.raises(
        cc.MechanismError, match=r"nothing acts on the freedom of joint A.*needs 20 N m along joint 'A'"
    ):
        cc.inverse_dynamics(cc.Mechanism.from_dict(arm), [0.0])
    arm["actuators"] = {}
    with pytest.raises(cc.MechanismError, match="there are none"):
        cc.inverse_dynamics(cc.Mechanism.from_dict(arm), [0.0])


def test_motion_that_needs_nobody():
    fall = {
        "mechanism": {"planar": True, "gravity": [0, -10]},
        "bodies": {"ground": {}, "ball": {"mass": 2.0}},
        "joints": {"J": {"type": "free", "between": ["ground.origin", "ball.origin"]}},
        "motions": {"throw": {"of": "ball.origin", "x": "3*t", "y": "4*t - 5*t**2", "angle": "2*t"}},
    }
    ds = cc.inverse_dynamics(cc.Mechanism.from_dict(fall), [0.0, 0.5, 1.0])
    assert ds.effort.shape == (3, 0)
    assert np.abs(ds.reaction_force).max() < 1e-12


def test_forward_singularity_on_the_way(root):
    """A piston that has to turn the crank through its dead centre under a load."""
    data = cc.load(root / "examples" / "slider_crank" / "mechanism.toml").to_dict()
    data["actuators"] = {"piston": {"joint": "guide"}}
    data["motions"] = {"turn": {"of": "crank.A", "angle": "t"}}
    data["forces"] = {"brake": {"kind": "moment", "on": "crank", "vector": [-3]}}
    m = cc.Mechanism.from_dict(data)
    ds = cc.inverse_dynamics(m, [0.5, 1.0])
    assert np.abs(ds.effort).min() > 1.0
    with pytest.raises(cc.SingularConfigurationError, match=r"at t = 0 the actuators \(piston\) have no effect"):
        cc.inverse_dynamics(m, [0.0, 0.5])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weights": {"m": 1}}, "weights names 'm'"),
        ({"weights": {"motor1": 0}}, "weight of actuator 'motor1' is 0"),
        ({"weights": {"motor1": "heavy"}}, "'heavy'"),
        ({"preload": {"motor1": float("nan")}}, "preload of actuator 'motor1'"),
        ({"redundancy": "least"}, "redundancy is 'least'"),
        ({"weights": {"motor1": np.inf, "motor2": np.inf}}, r"the actuators \(motor3\) cannot bring"),
    ],
)
def test_choices_that_mean_nothing(shift, arguments, message):
    with pytest.raises(cc.MechanismError, match=message):
        cc.inverse_dynamics(shift, TIMES, **arguments)


def test_a_parallelogram_carries_no_load_in_its_flat_pose():
    arm = {"mass": 1.0, "com": [0.1, 0]}
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -10]},
        "bodies": {
            "ground": {"points": {"D": [0.4, 0]}},
            "crank": {**arm, "points": {"B": [0.2, 0]}},
            "coupler": {"mass": 1.0, "com": [0.2, 0], "inertia": 0.01, "points": {"C": [0.4, 0]}},
            "rocker": {**arm, "points": {"C": [0.2, 0]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"]},
            "B": {"type": "revolute", "between": ["crank.B", "coupler.origin"]},
            "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
            "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"]},
        },
        "actuators": {"motor": {"joint": "A", "motion": "t - 0.3"}},
    })  # fmt: skip
    # all links move in parallel: virtual work gives m g l cos A of two arms at half length and one coupler
    efforts = cc.inverse_dynamics(m, [0.1, 0.5]).effort.values[:, 0]
    assert np.allclose(efforts, 4.0 * np.cos(0.2), rtol=1e-9)
    singular = pytest.warns(UserWarning, match="singular")
    with singular, pytest.raises(cc.SingularConfigurationError, match="constraint singularity"):
        cc.inverse_dynamics(m, [0.1, 0.3, 0.5])
