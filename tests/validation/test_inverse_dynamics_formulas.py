"""Inverse dynamics against textbook formulas worked out by hand."""

import numpy as np
import pytest

import closedchain as cc

G = 9.81


def machine(**tables):
    """A planar mechanism under gravity."""
    return cc.Mechanism.from_dict({"mechanism": {"planar": True, "gravity": [0, -G]}, **tables})


def test_pendulum_torque_and_bearing_force():
    """tau = I_A theta'' + m g l cos(theta); bearing: m (a_C - g) (any textbook)."""
    m, l, I = 2.0, 0.4, 0.03
    pendulum = machine(
        bodies={"ground": {}, "arm": {"mass": m, "com": [l, 0], "inertia": I}},
        joints={"A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]}},
        actuators={"motor": {"joint": "A", "motion": "0.3 + 1.5*sin(2*t)"}},
    )
    t = np.linspace(0.0, 3.0, 31)
    ds = cc.inverse_dynamics(pendulum, t)
    q, qd, qdd = 0.3 + 1.5 * np.sin(2 * t), 3.0 * np.cos(2 * t), -6.0 * np.sin(2 * t)
    torque = (I + m * l**2) * qdd + m * G * l * np.cos(q)
    e, n = np.array([np.cos(q), np.sin(q)]), np.array([-np.sin(q), np.cos(q)])
    force = m * (l * (qdd * n - qd**2 * e) + np.array([[0.0], [G]]))
    assert np.allclose(ds.effort[:, 0], torque, rtol=0, atol=1e-12)
    assert np.allclose(ds.power[:, 0], torque * qd, rtol=0, atol=1e-12)
    assert np.allclose(ds.reaction_force[:, 0], force.T, rtol=0, atol=1e-11)
    assert np.allclose(ds.reaction_moment, 0.0, atol=1e-13)
    assert np.allclose(ds.kinetic_energy, (I + m * l**2) * qd**2 / 2, rtol=1e-12)


def test_two_link_arm():
    """M q'' + C + g of the planar 2R arm (Craig, Introduction to Robotics, sec. 6.7, with distributed links)."""
    m1, m2, l1, c1, c2, I1, I2 = 3.0, 2.0, 0.5, 0.2, 0.3, 0.04, 0.02
    arm = machine(
        bodies={
            "ground": {},
            "upper": {"mass": m1, "com": [c1, 0], "inertia": I1, "points": {"elbow": [l1, 0]}},
            "lower": {"mass": m2, "com": [c2, 0], "inertia": I2},
        },
        joints={
            "A": {"type": "revolute", "between": ["ground.origin", "upper.origin"]},
            "B": {"type": "revolute", "between": ["upper.elbow", "lower.origin"]},
        },
        actuators={"a": {"joint": "A", "motion": "sin(3*t)"}, "b": {"joint": "B", "motion": "0.5*cos(2*t)"}},
    )
    t = np.linspace(0.0, 2.0, 21)
    q1, q2 = np.sin(3 * t), 0.5 * np.cos(2 * t)
    w1, w2 = 3 * np.cos(3 * t), -np.sin(2 * t)
    a1, a2 = -9 * np.sin(3 * t), -2 * np.cos(2 * t)
    h = m2 * l1 * c2
    M12 = I2 + m2 * c2**2 + h * np.cos(q2)
    M11 = I1 + m1 * c1**2 + m2 * l1**2 + M12 + h * np.cos(q2)
    first = M11 * a1 + M12 * a2 - h * np.sin(q2) * (2 * w1 * w2 + w2**2)
    first += G * ((m1 * c1 + m2 * l1) * np.cos(q1) + m2 * c2 * np.cos(q1 + q2))
    second = M12 * a1 + (I2 + m2 * c2**2) * a2 + h * np.sin(q2) * w1**2 + m2 * c2 * G * np.cos(q1 + q2)
    ds = cc.inverse_dynamics(arm, t)
    assert np.allclose(ds.effort.sel(actuator="a"), first, rtol=0, atol=1e-11)
    assert np.allclose(ds.effort.sel(actuator="b"), second, rtol=0, atol=1e-11)


def test_slider_crank_turns_gas_force_into_torque():
    """Massless engine: torque of the crank = -F dx/dtheta; side thrust = F tan(beta) (Shigley and Uicker, ch. 18)."""
    r, l, F = 0.05, 0.12, 4000.0
    engine = cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {
            "ground": {}, "crank": {"points": {"A": [r, 0]}}, "rod": {"points": {"B": [l, 0]}}, "piston": {},
        },
        "joints": {
            "O": {"type": "revolute", "between": ["ground.origin", "crank.origin"]},
            "A": {"type": "revolute", "between": ["crank.A", "rod.origin"]},
            "B": {"type": "revolute", "between": ["rod.B", "piston.origin"]},
            "guide": {"type": "prismatic", "between": ["ground.origin", "piston.origin"], "guess": r + l},
        },
        "actuators": {"shaft": {"joint": "O", "motion": "100*t"}},
        "forces": {"gas": {"kind": "force", "on": "piston.origin", "vector": [-F, 0]}},
    })  # fmt: skip
    t = np.linspace(0.0, 0.06, 37)
    a = 100 * t
    root = np.sqrt(l**2 - (r * np.sin(a)) ** 2)
    slope = -r * np.sin(a) - r**2 * np.sin(a) * np.cos(a) / root
    ds = cc.inverse_dynamics(engine, t)
    assert np.allclose(ds.effort[:, 0], F * slope, rtol=0, atol=1e-9)
    tangent = r * np.sin(a) / root
    # the gas pushes the piston back, the rod holds it with F/cos(beta), so the guide pushes sideways with F tan(beta)
    assert np.allclose(np.abs(ds.reaction_force.sel(joint="guide", axis="y")), F * np.abs(tangent), rtol=0, atol=1e-9)
    rod = np.hypot(*ds.reaction_force.sel(joint="B").values.T)
    assert np.allclose(rod, F * np.sqrt(1 + tangent**2), rtol=1e-12)
    assert np.allclose(ds.load_power, -F * 100 * slope, rtol=0, atol=1e-7)


def test_reciprocating_mass_of_an_engine():
    """Torque of the piston's inertia = m x'' dx/dtheta at constant speed (Shigley and Uicker, eq. 18-23 without
    series)."""
    r, l, m, speed = 0.05, 0.15, 0.8, 300.0
    engine = cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {
            "ground": {}, "crank": {"points": {"A": [r, 0]}}, "rod": {"points": {"B": [l, 0]}}, "piston": {"mass": m},
        },
        "joints": {
            "O": {"type": "revolute", "between": ["ground.origin", "crank.origin"]},
            "A": {"type": "revolute", "between": ["crank.A", "rod.origin"]},
            "B": {"type": "revolute", "between": ["rod.B", "piston.origin"]},
            "guide": {"type": "prismatic", "between": ["ground.origin", "piston.origin"], "guess": r + l},
        },
        "actuators": {"shaft": {"joint": "O", "motion": f"{speed}*t"}},
    })  # fmt: skip
    t = np.linspace(0.0, 2 * np.pi / speed, 49)
    a = speed * t
    s, c = np.sin(a), np.cos(a)
    root = np.sqrt(l**2 - (r * s) ** 2)
    slope = -r * s - r**2 * s * c / root
    second = -r * c - r**2 * np.cos(2 * a) / root - r**4 * (s * c) ** 2 / root**3
    ds = cc.inverse_dynamics(engine, t)
    assert np.allclose(ds.effort[:, 0], m * speed**2 * second * slope, rtol=0, atol=1e-8)


@pytest.mark.parametrize("load", [(0, 0, -500, 0, 0, 0), (120, -80, 0, 0, 0, 0), (0, 0, 0, 30, -20, 50)])
def test_static_stewart_platform(root, load):
    """Leg forces f with sum f_i u_i = -F and sum f_i b_i x u_i = -M (Merlet, Parallel Robots, 2nd ed., sec. 9.2)."""
    data = cc.load(root / "examples" / "gough_stewart" / "mechanism.toml").to_dict()
    for body in data["bodies"].values():
        body.pop("mass", None)
        body.pop("inertia", None)
    data["motions"]["ride"] |= {"x": 0.1, "y": -0.05, "z": 1.2, "rotation": [0.1, -0.2, 0.3]}
    data["forces"] = {
        "push": {"kind": "force", "on": "platform.centre", "vector": list(load[:3])},
        "turn": {"kind": "moment", "on": "platform", "vector": list(load[3:])},
    }
    m = cc.Mechanism.from_dict(data)
    ds = cc.inverse_dynamics(m, [0.0])
    pose = cc.assemble(m)
    centre = pose.point("platform.centre")
    ends = [(pose.point(f"ground.A{k}"), pose.point(f"platform.B{k}")) for k in range(1, 7)]
    u = np.array([(B - A) / np.linalg.norm(B - A) for A, B in ends])
    arms = np.array([np.cross(B - centre, direction) for (_, B), direction in zip(ends, u, strict=True)])
    legs = np.linalg.solve(np.vstack([u.T, arms.T]), -np.array(load, float))
    assert np.allclose(ds.effort[0], legs, rtol=0, atol=1e-9)
    for k in range(6):
        assert np.allclose(ds.reaction_force.sel(joint=f"S{k + 1}")[0], legs[k] * u[k], rtol=0, atol=1e-9)


def test_beam_on_two_pins():
    """Vertical forces follow from moments, horizontal ones share the thrust equally as nothing tells them apart."""
    beam = machine(
        bodies={
            "ground": {"points": {"R": [2.0, 0]}},
            "beam": {"mass": 10.0, "com": [0.5, 0], "points": {"R": [2.0, 0]}},
        },
        joints={
            "left": {"type": "revolute", "between": ["ground.origin", "beam.origin"]},
            "right": {"type": "revolute", "between": ["ground.R", "beam.R"]},
        },
        forces={"thrust": {"kind": "force", "on": "beam.R", "vector": [60, 0]}},
    )
    ds = cc.inverse_dynamics(beam, [0.0])
    assert np.allclose(ds.reaction_force[0], [[-30.0, 75.0 * G / 10], [-30.0, 25.0 * G / 10]], rtol=0, atol=1e-10)
    assert ds.reaction_determined[0].values.tolist() == [[False, True], [False, True]]
    assert ds.reaction_moment_determined.values.all()


def test_door_on_two_hinges():
    """In space two coaxial hinges leave the axial force and a pair of moments open; the door's weight goes half and
    half."""
    door = cc.Mechanism.from_dict({
        "mechanism": {"gravity": [0, 0, -G]},
        "bodies": {
            "ground": {"points": {"low": [0, 0, 0.2], "high": [0, 0, 1.8]}},
            "door": {
                "mass": 20.0, "com": [0.4, 0, 1.0], "inertia": [2, 3, 1],
                "points": {"low": [0, 0, 0.2], "high": [0, 0, 1.8]},
            },
        },
        "joints": {
            "low": {"type": "revolute", "between": ["ground.low", "door.low"]},
            "high": {"type": "revolute", "between": ["ground.high", "door.high"]},
        },
        "actuators": {"closer": {"joint": "low", "motion": "0.2*t"}},
    })  # fmt: skip
    ds = cc.inverse_dynamics(door, [0.0])
    weight, w = 20.0 * G, 0.2
    assert np.allclose(ds.reaction_force[0, :, 2], weight / 2, rtol=1e-12)
    assert np.allclose(ds.reaction_force[0, :, 0].sum(), -20.0 * w**2 * 0.4, rtol=1e-10)
    assert not ds.reaction_determined[0, :, 2].values.any()
    assert not ds.reaction_moment_determined[0, :, :2].values.any()
    assert ds.reaction_moment_determined[0, :, 2].values.all()
