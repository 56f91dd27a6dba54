"""Inverse dynamics against Newton's and Euler's equations of all bodies cut free, and what it says when it cannot."""

import numpy as np
import pytest

import closedchain as cc

# (planar, seed, loops, freedoms, further actuators): random mechanisms that move freely over the sampled times.
RANDOM = [
    (True, 0, 1, 1, 0), (True, 2, 1, 1, 0), (True, 0, 2, 2, 0), (True, 7, 2, 2, 0), (True, 0, 2, 1, 1),
    (True, 3, 3, 1, 0), (False, 4, 1, 1, 0), (False, 6, 1, 1, 0), (False, 9, 1, 1, 0), (False, 3, 2, 2, 0),
    (False, 6, 2, 2, 0), (False, 0, 2, 1, 1), (False, 1, 2, 1, 1),
]  # fmt: skip
EXAMPLES = (
    "bennett", "bricard", "dh_arm", "five_bar", "gough_stewart", "planar_3rrr", "shift_manipulator", "slider_crank",
    "universal_shaft",
)  # fmt: skip


def agree(free_bodies, m, times):
    """Efforts, reactions and flags at every time within 1e-11 of the largest reaction."""
    ds, motion = cc.inverse_dynamics(m, times), cc.kinematics(m, times)
    for sample in range(len(times)):
        expected = free_bodies.FreeBodies(m, motion, sample).solve()
        found, sure = free_bodies.numbers(ds, sample, m.planar)
        reactions = np.array([expected.reactions[name] for name in m.joints])
        scale = np.abs(reactions).max()
        assert np.abs(ds.effort.values[sample] - expected.efforts).max(initial=0.0) < 1e-11 * scale
        assert np.abs(found - reactions).max() < 1e-11 * scale
        assert np.array_equal(sure, np.array([expected.determined[name] for name in m.joints]))
    return ds


@pytest.mark.parametrize("case", RANDOM, ids=lambda case: "-".join(str(int(part)) for part in case))
def test_random_mechanisms(loops, free_bodies, case):
    planar, seed, count, freedoms, redundant = case
    m = cc.Mechanism.from_dict(loops.random_loop(seed, planar, count, freedoms, redundant))
    agree(free_bodies, m, [0.0, 0.05, 0.1])


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(root, free_bodies, name):
    m = cc.load(root / "examples" / name / "mechanism.toml")
    agree(free_bodies, m, [0.0, 0.1, 0.3])


@pytest.mark.parametrize("case", [(True, 2, 1, 1, 0), (True, 7, 2, 2, 0), (False, 6, 1, 1, 0), (False, 9, 1, 1, 0)])
def test_dampers_and_springs_in_every_joint(loops, free_bodies, case):
    """Every joint then keeps its coordinates, also those that close loops; what acts along them is known to both."""
    planar, seed, count, freedoms, redundant = case
    data = loops.random_loop(seed, planar, count, freedoms, redundant)
    forms = {name: joint.form for name, joint in cc.Mechanism.from_dict(data).joints.items()}
    draw = np.random.default_rng(seed)
    laws = {}
    for name, form in forms.items():
        scalar = all(not part.startswith("q") for part in form.coordinates)
        c, k = draw.uniform(0.1, 1.0, (2, form.freedoms))
        data["joints"][name]["damping"] = c.tolist() if form.freedoms > 1 else float(c[0])
        if scalar:
            data["joints"][name]["stiffness"] = k.tolist() if form.freedoms > 1 else float(k[0])
        laws[name] = c, k if scalar else 0 * k
    m = cc.Mechanism.from_dict(data)
    times = [0.0, 0.1]
    ds, motion = cc.inverse_dynamics(m, times), cc.kinematics(m, times)
    for sample in range(2):
        efforts = {}
        for name, form in forms.items():
            for index, part in enumerate(form.rates):
                label = f"{name}.{part}" if part else name
                c, k = (law[index] for law in laws[name])
                value = -c * float(motion.qd.sel(rate=label)[sample])
                efforts[name, index] = value - (k * float(motion.q.sel(coordinate=label)[sample]) if k else 0.0)
        expected = free_bodies.FreeBodies(m, motion, sample).solve(efforts)
        found, sure = free_bodies.numbers(ds, sample, planar)
        reactions = np.array([expected.reactions[name] for name in m.joints])
        scale = np.abs(reactions).max()
        assert np.allclose(ds.effort.values[sample], expected.efforts, rtol=0, atol=1e-11 * scale)
        assert np.allclose(found, reactions, rtol=0, atol=1e-11 * scale)
        assert np.array_equal(sure, np.array([expected.determined[name] for name in m.joints]))


def test_gears_carry_the_load():
    """Two wheels with q_A + 2 q_B = 0: the motor of A feels I_A + I_B/4 and half the torque on B, signs turned."""
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {"ground": {"points": {"B": [1, 0]}}, "a": {"inertia": 0.3}, "b": {"inertia": 0.8}},
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "a.origin"]},
            "B": {"type": "revolute", "between": ["ground.B", "b.origin"]},
        },
        "couplings": {"gears": {"sum": {"A": 1, "B": 2}, "equals": 0}},
        "actuators": {"motor": {"joint": "A", "motion": "2*t**2"}},
        "forces": {"load": {"kind": "moment", "on": "b", "vector": [-6]}},
    })  # fmt: skip
    ds = cc.inverse_dynamics(m, [0.0, 1.0])
    assert ds.effort.values[:, 0] == pytest.approx([4 * (0.3 + 0.2) - 3.0] * 2, rel=1e-12)
    assert np.abs(ds.reaction_moment).max() < 1e-12
    assert ds.reaction_determined.values.all()


def test_no_times_give_an_empty_result(root):
    ds = cc.inverse_dynamics(cc.load(root / "examples" / "four_bar" / "mechanism.toml"), [])
    assert ds.sizes["time"] == 0
    assert ds.effort.shape == (0, 1)
    assert ds.reaction_force.shape == (0, 4, 2)


def test_the_motion_of_all_bodies_is_in_the_result(root):
    m, times = cc.load(root / "examples/four_bar/mechanism.toml"), [0.0, 0.1, 0.2]
    ds, motion = cc.inverse_dynamics(m, times), cc.kinematics(m, times)
    for name in ("body_position", "body_angle", "body_velocity", "body_angular_acceleration"):
        assert ds[name].dims == motion[name].dims
        np.testing.assert_array_equal(ds[name], motion[name])
