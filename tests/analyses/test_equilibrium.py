"""Static equilibrium against closed forms, the potential energy, and what a damped simulation settles to."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import closedchain as cc

G = 9.81


def mechanism(bodies, joints, planar=True, **more):
    gravity = [0, -G] if planar else [0, 0, -G]
    tables = {"mechanism": {"planar": planar, "gravity": gravity}, "bodies": {"ground": {}, **bodies}, "joints": joints}
    return cc.Mechanism.from_dict(tables | more)


def pendulum(**joint):
    ends = {"type": "revolute", "between": ["ground.origin", "bob.origin"]}
    return mechanism({"bob": {"mass": 2.0, "com": [0.5, 0.0]}}, {"A": ends | joint})


def four_bar(**more):
    def rod(mass, length):
        return {"mass": mass, "com": [length / 2, 0], "inertia": mass * length**2 / 12, "points": {"end": [length, 0]}}

    bodies = {
        "ground": {"points": {"A": [0, 0], "D": [0.4, 0.1]}},
        "crank": rod(0.3, 0.15),
        "coupler": rod(0.7, 0.35),
        "rocker": rod(0.6, 0.30),
    }
    joints = {
        "A": {"type": "revolute", "between": ["ground.A", "crank.origin"], "guess": "60 deg", "damping": 0.05},
        "B": {"type": "revolute", "between": ["crank.end", "coupler.origin"], "guess": "-30 deg"},
        "C": {"type": "revolute", "between": ["coupler.end", "rocker.end"]},
        "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": "80 deg"},
    }
    return mechanism(bodies, joints, **more)


def test_a_pendulum_hangs_and_a_balanced_one_stays_upright():
    low = cc.equilibrium(pendulum(guess=1.0))
    assert low["A"] == pytest.approx(-np.pi / 2, abs=1e-10)
    assert low.stable
    assert low.stiffness == pytest.approx([2.0 * 0.5 * G])
    high = cc.equilibrium(pendulum(), {"A": np.pi / 2})
    assert high["A"] == pytest.approx(np.pi / 2, abs=1e-12)
    assert high.stability == "unstable"
    assert cc.equilibrium(pendulum(), {"A": np.pi / 2 - 1e-3}).stable


def test_an_arm_on_a_spring_sags_to_where_moments_balance():
    rest = cc.equilibrium(pendulum(stiffness=30.0))
    assert 30.0 * rest["A"] == pytest.approx(-2.0 * G * 0.5 * np.cos(rest["A"]), abs=1e-9)
    assert rest.stiffness == pytest.approx([30.0 - 2.0 * G * 0.5 * np.sin(rest["A"])])


def test_a_held_coordinate_tells_the_effort_that_holds_it():
    rest = cc.equilibrium(pendulum(), values={"A": 0.3})
    assert rest["A"] == 0.3
    assert rest.efforts["A"] == pytest.approx(2.0 * G * 0.5 * np.cos(0.3))
    assert rest.stability == "stable"


def test_constant_efforts_and_forces_count():
    m = pendulum()
    pushed = cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True, "gravity": [0, -G]},
            "bodies": {"ground": {}, "bob": {"mass": 2.0, "com": [0.5, 0.0], "points": {"P": [1.0, 0]}}},
            "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "guess": -1.0}},
            "actuators": {"motor": {"joint": "A", "effort": "3.0*cos(t)"}},
            "forces": {"wind": {"kind": "force", "on": "bob.P", "vector": [1.5, 0.0]}},
        }
    )
    rest = cc.equilibrium(pushed)
    moment = 3.0 - 1.5 * np.sin(rest["A"]) - 2.0 * G * 0.5 * np.cos(rest["A"])
    assert moment == pytest.approx(0.0, abs=1e-9)
    assert cc.equilibrium(m)["A"] < rest["A"]


def test_a_closed_loop_rests_where_its_energy_is_lowest():
    m = four_bar()
    rest = cc.equilibrium(m)
    assert rest.stable
    assert rest.residual < 1e-13

    def energy(angle):
        pose = cc.assemble(m, {"A": angle}, guess=rest)
        centres = {"crank": [0.075, 0], "coupler": [0.175, 0], "rocker": [0.15, 0]}
        masses = {"crank": 0.3, "coupler": 0.7, "rocker": 0.6}
        return sum(masses[body] * G * (pose.frame(body) @ [*centre, 0.0, 1.0])[1] for body, centre in centres.items())

    h = 1e-3
    low, middle, high = (energy(rest["A"] + k * h) for k in (-1, 0, 1))
    assert abs(high - low) / (2 * h) < 1e-6
    assert (high - 2 * middle + low) / h**2 > 0.0


def test_a_damped_simulation_settles_in_the_equilibrium():
    m = four_bar()
    rest = cc.equilibrium(m)
    last = cc.simulate(m, 30.0, times=[30.0]).isel(time=-1)
    turns = (float(last["q"].sel(coordinate="A")) - rest["A"]) / (2 * np.pi)
    assert turns == pytest.approx(round(turns), abs=1e-7)


def test_a_spatial_linkage_with_an_idle_rod_is_indifferent_to_its_spin():
    file = Path(__file__).resolve().parents[2] / "examples" / "rssr" / "mechanism.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    for actuator in data["actuators"].values():
        actuator.pop("motion", None)
    data.pop("motions", None)
    data.pop("studies", None)
    rest = cc.equilibrium(cc.Mechanism.from_dict(data))
    assert rest.stability == "indifferent"
    assert rest.stiffness[0] == pytest.approx(0.0, abs=1e-9)
    assert rest.stiffness[1] > 0.0


def test_springs_alone_find_their_lengths_without_any_mass():
    m = cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": {"ground": {"points": {"W": [1.0, 0]}}, "block": {}},
            "joints": {"S": {"type": "prismatic", "between": ["ground.origin", "block.origin"], "guess": 0.2}},
            "forces": {
                "left": {"kind": "spring-damper", "between": ["ground.origin", "block.origin"], "stiffness": 300.0},
                "right": {"kind": "spring-damper", "between": ["block.origin", "ground.W"], "stiffness": 100.0},
            },
        }
    )
    rest = cc.equilibrium(m)
    assert rest["S"] == pytest.approx(0.25, abs=1e-10)
    assert rest.stable


def test_what_nothing_holds_is_named():
    m = mechanism(
        {"block": {"mass": 1.0}},
        {"S": {"type": "prismatic", "between": ["ground.origin", "block.origin"], "axis": [0, 1]}},
    )
    with pytest.raises(cc.SingularConfigurationError, match="nothing holds S"):
        cc.equilibrium(m)


def test_names_and_contradictions_are_told():
    with pytest.raises(cc.MechanismError, match="'Z' is not a joint"):
        cc.equilibrium(pendulum(), values={"Z": 0.1})
    with pytest.raises(cc.AssemblyError):
        cc.equilibrium(four_bar(), values={"A": 1.0, "D": 3.0})
