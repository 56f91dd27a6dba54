"""Loop equations and the inverse form of platforms against differences of assembled poses, made without them.

A motion of the driven joints is followed by assembling the mechanism at nine instants; rates and accelerations of all
joints, the twist of a platform and its derivative come from central differences of eighth order (Fornberg 1988).
"""

import numpy as np
import pytest
from followed import Followed
from scipy.spatial.transform import Rotation

import closedchain as cc


def three_rps(turn):
    """Limbs of a tilted revolute, a driven prismatic and a ball: five freedoms each, all turned in space."""
    R = Rotation.from_rotvec(turn).as_matrix()
    ground, platform = {}, {}
    bodies = {"ground": {"points": ground}, "platform": {"points": platform}}
    joints = {}
    for k, angle in enumerate((0.1, 2.3, 4.2)):
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        side = np.array([-np.sin(angle), np.cos(angle), 0.15 * k])
        up = np.cross(out, side)
        ground[f"B{k}"] = {"at": (R @ (0.5 * out)).tolist(), "z": (R @ side).tolist(), "x": (R @ up).tolist()}
        platform[f"S{k}"] = (0.3 * out + [0, 0, 0.02 * k]).tolist()
        bodies[f"low{k}"] = {"points": {"P": {"at": [0, 0, 0], "z": [1, 0, 0]}}}
        bodies[f"up{k}"] = {"points": {"P": {"at": [0, 0, 0], "z": [1, 0, 0]}}}
        joints[f"R{k}"] = {"type": "revolute", "between": [f"ground.B{k}", f"low{k}.origin"], "guess": 0.2}
        joints[f"P{k}"] = {"type": "prismatic", "between": [f"low{k}.P", f"up{k}.P"], "guess": 0.6}
        joints[f"S{k}"] = {"type": "spherical", "between": [f"up{k}.origin", f"platform.S{k}"]}
    actuators = {f"m{k}": {"joint": f"P{k}"} for k in range(3)}
    return cc.Mechanism.from_dict({"bodies": bodies, "joints": joints, "actuators": actuators})


def watt():
    """A planar six-bar: two loops that share the rocker."""
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {
            "ground": {"points": {"A": [0, 0], "D": [0.4, 0.05], "G": [0.75, -0.1]}},
            "crank": {"points": {"B": [0.12, 0]}},
            "coupler": {"points": {"C": [0.38, 0.03]}},
            "rocker": {"points": {"C": [0.3, 0], "E": [0.25, 0.12]}},
            "link": {"points": {"F": [0.36, -0.02]}},
            "output": {"points": {"F": [0.28, 0]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.A", "crank.origin"]},
            "B": {"type": "revolute", "between": ["crank.B", "coupler.origin"], "guess": -0.4},
            "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"], "guess": 1.0},
            "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": 1.6},
            "E": {"type": "revolute", "between": ["rocker.E", "link.origin"], "guess": -1.2},
            "F": {"type": "revolute", "between": ["link.F", "output.F"]},
            "G": {"type": "revolute", "between": ["ground.G", "output.origin"], "guess": 1.4},
        },
        "actuators": {"motor": {"joint": "A"}},
    })  # fmt: skip


def rssr_like(turn):
    """A spatial loop of revolutes, a universal joint and a ball, its axes turned in space."""
    R = Rotation.from_rotvec(turn).as_matrix()
    at = {"A": ([0, 0, 0], [0.2, 0.1, 1]), "D": ([0.5, 0.1, 0.05], [1, 0.3, 0.2])}
    ground = {}
    for name, (p, z) in at.items():
        x = np.cross([0, 1, 0], z)
        ground[name] = {key: (R @ np.array(each)).tolist() for key, each in (("at", p), ("z", z), ("x", x))}
    return cc.Mechanism.from_dict({
        "bodies": {
            "ground": {"points": ground},
            "crank": {"points": {"B": [0.1, 0, 0.02]}},
            "rod": {"points": {"C": [0, 0.5, 0]}},
            "rocker": {"points": {"C": [0, 0.25, 0.03]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.A", "crank.origin"]},
            "B": {"type": "universal", "between": ["crank.B", "rod.origin"]},
            "C": {"type": "spherical", "between": ["rod.C", "rocker.C"]},
            "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"]},
        },
        "actuators": {"motor": {"joint": "A"}},
    })  # fmt: skip


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.7, -1.1, 0.4)])
def test_a_platform_on_limbs_of_five_freedoms(turn):
    m = three_rps(turn)
    motion = Followed(
        m, {"P0": 0.60, "P1": 0.66, "P2": 0.63}, {"P0": 0.3, "P1": -0.2, "P2": 0.5}, {"P0": 1.0, "P1": 0.4, "P2": -0.7}
    )
    V, A = motion.twist("platform", "S1")
    ds = cc.platform_inverse(m, motion.pose, "platform.S1", V, A)
    qd, qdd = motion.by_label([str(label) for label in ds.rate.values])
    assert np.abs(V).min() > 1e-4
    assert ds.qd.values == pytest.approx(qd, abs=1e-8)
    assert ds.qdd.values == pytest.approx(qdd, abs=1e-6)
    for wrong in (V + np.eye(6)[0] / 10, V + np.eye(6)[4] / 10, np.eye(6)[2]):
        with pytest.raises(cc.MechanismError, match="V"):
            cc.platform_inverse(m, motion.pose, "platform.S1", wrong, A)
    with pytest.raises(cc.MechanismError, match="A"):
        cc.platform_inverse(m, motion.pose, "platform.S1", V, A + np.eye(6)[0] / 3)


@pytest.mark.parametrize("intermediate", [None, "crank", "coupler", "rocker", "coupler.C", "rocker.E"])
def test_loop_equations_of_a_six_bar_at_any_body(intermediate):
    m = watt()
    motion = Followed(m, {"A": 0.9}, {"A": 2.0}, {"A": -3.0})
    loop = None if intermediate is None else "C"
    check(m, motion, loop, intermediate)


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (-0.4, 0.9, 1.3)])
@pytest.mark.parametrize("intermediate", [None, "crank", "rod", "rocker"])
def test_loop_equations_in_space_at_any_body(intermediate, turn):
    m = rssr_like(turn)
    motion = Followed(m, {"A": 0.4}, {"A": 1.5}, {"A": 2.0})
    check(m, motion, None, intermediate)


def check(m, motion, loop, intermediate):
    """W q_p' + U q_a' = 0, W q_p'' + U q_a'' + c = 0, and what the driven rates determine."""
    found = cc.loop_matrices(m, motion.pose, loop, intermediate)
    everything = [str(label) for label in cc.kinematics(m, {"motor": ([0.9], [0.0], [0.0])}).rate.values]
    qd, qdd = (dict(zip(everything, values, strict=True)) for values in motion.by_label(everything))
    p, a = ([rates[name] for name in found.passive] for rates in (qd, qdd))
    pa, aa = ([rates[name] for name in found.driven] for rates in (qd, qdd))
    assert found.W @ p + found.U @ pa == pytest.approx(0.0, abs=1e-8)
    assert found.W @ a + found.U @ aa + found.c([*p, *pa]) == pytest.approx(0.0, abs=1e-6)
    if found.freedoms == len(found.driven) == 1:
        assert found.dqp_dqa @ pa == pytest.approx(p, abs=1e-8)
        assert found.passive_accelerations(pa, aa) == pytest.approx(a, abs=1e-6)
