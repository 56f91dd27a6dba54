"""Linearisation against closed forms, against differences of the nonlinear motion, and against what is simulated."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc
from closedchain.analyses.modes import find_modes

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
G = 9.81


def planar(bodies, joints, **more):
    return cc.Mechanism.from_dict(
        {"mechanism": {"planar": True, "gravity": [0, -G]}, "bodies": {"ground": {}, **bodies}, "joints": joints} | more
    )


def double_pendulum(**second):
    rod = {"mass": 1.0, "com": [0.5, 0.0], "inertia": 1 / 12, "points": {"end": [1, 0]}}
    return planar(
        {"a": rod, "b": rod},
        {
            "A": {"type": "revolute", "between": ["ground.origin", "a.origin"], "guess": "-90 deg"},
            "B": {"type": "revolute", "between": ["a.end", "b.origin"], **second},
        },
    )


def chain(masses, springs, dampers=None):
    """Masses in a row on horizontal sliders, springs between neighbours, the first to ground."""
    bodies = {f"m{k}": {"mass": mass} for k, mass in enumerate(masses)}
    names = ["ground", *bodies]
    joints = {
        f"S{k}": {
            "type": "prismatic",
            "between": [f"{names[k]}.origin", f"{names[k + 1]}.origin"],
            "stiffness": springs[k],
            "damping": (dampers or [0.0] * len(masses))[k],
        }
        for k in range(len(masses))
    }
    return planar(bodies, joints)


def test_double_pendulum_of_rods():
    ds = cc.linearise(double_pendulum())
    assert list(ds["independent"].values) == ["A", "B"]
    assert ds["M"].values == pytest.approx(np.array([[8 / 3, 5 / 6], [5 / 6, 1 / 3]]))
    assert ds["K"].values == pytest.approx(G * np.array([[2.0, 0.5], [0.5, 0.5]]), abs=1e-9)
    assert not ds["C"].values.any()
    # 7 x^2 - 42 x + 27 = 0 of w^2 = x g / l
    exact = np.sqrt(G * (3 + np.array([-1, 1]) * np.sqrt(9 - 27 / 7))) / 2 / np.pi
    assert ds["frequency"].values == pytest.approx(exact, rel=1e-9)
    assert float(ds["unbalance"]) < 1e-9


def test_chain_of_equal_masses_between_wall_and_free_end():
    n, k, mass = 6, 250.0, 0.4
    ds = cc.linearise(chain([mass] * n, [k] * n))
    modes = np.arange(1, n + 1)
    exact = 2 * np.sqrt(k / mass) * np.sin((2 * modes - 1) * np.pi / (2 * (2 * n + 1))) / (2 * np.pi)
    assert ds["frequency"].values == pytest.approx(exact, rel=1e-10)
    # masses move as sines: the shapes of the bodies tell
    shapes = ds["body_shape"].sel(part="real", axis="x").values
    for j in modes:
        sine = np.sin((2 * j - 1) * np.pi / (2 * n + 1) * np.arange(1, n + 1))
        match = shapes[j - 1] * (sine @ shapes[j - 1]) / (shapes[j - 1] @ shapes[j - 1])
        assert match == pytest.approx(sine, abs=1e-9)


def test_damping_ratios_of_one_mass():
    for c, ratio in ((0.4, 0.1), (4.0, 1.0), (6.0, None)):
        ds = cc.linearise(chain([1.0], [4.0], [c]))
        if ratio is None:
            assert ds["eigenvalue_real"].values == pytest.approx([-3 + 5**0.5, -3 - 5**0.5])
            assert not ds["frequency"].values.any()
        else:
            assert ds["damping_ratio"].values[0] == pytest.approx(ratio, abs=1e-6)


def test_unstable_pose_grows_as_the_inverted_pendulum():
    ds = cc.linearise(double_pendulum(), {"A": np.pi / 2, "B": 0.0})
    growth = np.sqrt(G * (3 + np.array([-1, 1]) * np.sqrt(9 - 27 / 7)))
    assert sorted(ds["eigenvalue_real"].values) == pytest.approx(sorted([*growth, *-growth]), rel=1e-9)


def four_bar():
    def rod(mass, length):
        return {"mass": mass, "com": [length / 2, 0], "inertia": mass * length**2 / 12, "points": {"end": [length, 0]}}

    return planar(
        {
            "ground": {"points": {"D": [0.4, 0.1]}},
            "crank": rod(0.3, 0.15),
            "coupler": rod(0.7, 0.35),
            "rocker": rod(0.6, 0.30),
        },
        {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"], "guess": "60 deg"},
            "B": {"type": "revolute", "between": ["crank.end", "coupler.origin"], "guess": "-30 deg"},
            "C": {"type": "revolute", "between": ["coupler.end", "rocker.end"]},
            "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": "80 deg"},
        },
    )


def test_four_bar_swings_about_its_rest_at_its_eigenfrequency():
    m = four_bar()
    rest = cc.equilibrium(m)
    frequency = float(cc.linearise(m, rest)["frequency"][0])
    period = 1.0 / frequency
    ds = cc.simulate(
        m, 2.25 * period, {"A": rest["A"] + 1e-4}, np.linspace(0, 2.25, 901) * period, rtol=1e-11, atol=1e-14
    )
    swing = ds["q"].sel(coordinate="A").values - rest["A"]
    crossings = np.flatnonzero(np.diff(np.sign(swing)))
    t = ds["time"].values
    zeros = [t[k] - swing[k] * (t[k + 1] - t[k]) / (swing[k + 1] - swing[k]) for k in crossings]
    assert zeros[2] - zeros[0] == pytest.approx(period, rel=1e-6)


def test_opened_joints_and_bodies_move_in_a_shape_as_the_loops_ask():
    m = four_bar()
    rest = cc.equilibrium(m)
    ds = cc.linearise(m, rest)
    shape = ds["shape"].sel(mode=1, part="real")
    h = 1e-5
    near = cc.assemble(m, {"A": rest["A"] + h * float(shape.sel(rate="A"))}, guess=rest)
    for joint in "ABCD":
        assert (near[joint] - rest[joint]) / h == pytest.approx(float(shape.sel(rate=joint)), abs=1e-4)
    assert ds["body_turn"].sel(mode=1, part="real", body="rocker") == pytest.approx(float(shape.sel(rate="D")))


@pytest.mark.parametrize(("name", "joint", "rate"), [("spatial_slider_crank", "A", 3.0), ("andrews", "beta", 40.0)])
def test_about_a_moving_state_it_is_the_derivative_of_the_nonlinear_motion(name, joint, rate):
    m = cc.load(EXAMPLES / name / "mechanism.toml")
    pose = cc.assemble(m)
    ds = cc.linearise(m, pose, {joint: rate})
    (independent,) = ds["independent"].values

    def acceleration(value, speed):
        """qdd of the independent coordinate at t = 0."""
        start = {independent: (value, speed)}
        run = cc.simulate(m, 1e-9, start, [0.0])
        return float(run["qdd"].sel(rate=independent)[0])

    start = cc.simulate(m, 1e-9, {joint: (pose[joint], rate)}, [0.0])
    u, w = float(pose[independent]), float(start["qd"].sel(rate=independent)[0])
    h = 1e-4
    by_value = (acceleration(u + h, w) - acceleration(u - h, w)) / (2 * h)
    by_rate = (acceleration(u, w * (1 + h)) - acceleration(u, w * (1 - h))) / (2 * h * w)
    M, C, K = (float(ds[letter].values[0, 0]) for letter in "MCK")
    assert pytest.approx(by_value, rel=1e-5) == -K / M
    assert pytest.approx(by_rate, rel=1e-5) == -C / M


def test_steady_spin_stiffens_a_governor():
    # a rod hinged on a shaft that turns at W about the vertical: I th" + m g r sin th - I W^2 sin th cos th = 0
    m = cc.Mechanism.from_dict(
        {
            "mechanism": {"gravity": [0, 0, -G]},
            "bodies": {
                "ground": {},
                "shaft": {"inertia": [0.1, 0.1, 0.2], "mass": 1.0, "points": {"H": {"at": [0, 0, 0], "z": [0, 1, 0]}}},
                "rod": {
                    "mass": 2.0,
                    "com": [0, 0, -0.5],
                    "points": {"H": {"at": [0, 0, 0], "z": [0, 1, 0]}},
                },
            },
            "joints": {
                "spin": {"type": "revolute", "between": ["ground.origin", "shaft.origin"]},
                "hinge": {"type": "revolute", "between": ["shaft.H", "rod.H"]},
            },
            "actuators": {"motor": {"joint": "spin", "motion": "3.0*t"}},
        }
    )
    still = cc.linearise(m, {"hinge": 0.0})
    assert still["frequency"].values == pytest.approx([np.sqrt(G / 0.5) / 2 / np.pi])
    turning = cc.linearise(m, {"hinge": 0.0}, {"spin": 3.0})
    assert turning["frequency"].values == pytest.approx([np.sqrt(G / 0.5 - 9.0) / 2 / np.pi])


def test_spatial_chain_of_a_ball_joint_has_two_pendulum_modes_and_a_free_spin():
    m = cc.Mechanism.from_dict(
        {
            "mechanism": {"gravity": [0, 0, -G]},
            "bodies": {"ground": {}, "bob": {"mass": 2.0, "com": [0, 0, -0.4], "inertia": [0.03, 0.05, 0.03]}},
            "joints": {"ball": {"type": "spherical", "between": ["ground.origin", "bob.origin"]}},
        }
    )
    ds = cc.linearise(m)
    exact = sorted(np.sqrt(2.0 * G * 0.4 / (inertia + 2.0 * 0.16)) / 2 / np.pi for inertia in (0.03, 0.05))
    assert ds["frequency"].values == pytest.approx([0.0, *exact], abs=1e-9)


def test_a_motion_without_mass_is_named():
    m = planar(
        {"block": {}}, {"S": {"type": "prismatic", "between": ["ground.origin", "block.origin"], "stiffness": 5.0}}
    )
    with pytest.raises(cc.MechanismError, match="S can move without moving any mass"):
        cc.linearise(m)


def test_modes_of_a_symmetric_pair_keep_independent_shapes():
    modes = find_modes(np.eye(2), np.zeros((2, 2)), 9.0 * np.eye(2))
    assert modes.frequency == pytest.approx([3.0 / 2 / np.pi] * 2)
    assert abs(np.linalg.det(modes.shapes)) > 0.1
