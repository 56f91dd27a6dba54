"""A loose slider-crank in any plane of space: nothing depends on directions, the order of joints, or the cut."""

import numpy as np
import pytest

import closedchain as cc

L1, L2 = 0.05, 0.12
TIMES = np.linspace(0.0, 0.006, 13)
# a rotation about (1, 2, 3) by some angle: columns are the images of the axes
AXIS = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
CROSS = np.cross(np.eye(3), AXIS)
TURN = np.eye(3) - np.sin(2.2) * CROSS + (1.0 - np.cos(2.2)) * CROSS @ CROSS

CASES = {
    "wrist pin": {"loose": "C"},
    "wrist pin in the slider's bore": {"loose": "C", "journal": "base"},
    "wrist pin with two ends": {"loose": "C", "kind": "revolute-pin-ends", "length": 0.02, "axial": 1e-3},
    "with friction": {"loose": "C", "normal": "flores", "friction": "coulomb", "mu": 0.1, "vr": 1e-2},
    "all three pins": {"loose": "ABC"},
}


def slider_crank(turn, loose, order="ABCS", cut=None, **play):
    """The mechanism in the plane z = 0, turned; its joints in that order."""

    def turned(*at):
        return (turn @ np.array(at, float)).tolist()

    def pin(*at):
        return {"at": list(at), "z": [0, 0, 1], "x": [1, 0, 0]}

    ground = {
        "A": {"at": [0, 0, 0], "z": turned(0, 0, 1), "x": turned(1, 0, 0)},
        "S": {"at": [0, 0, 0], "z": turned(1, 0, 0), "x": turned(0, 1, 0)},
    }
    play = {
        "radial": 5e-4,
        "bore": 0.01,
        "normal": "lankarani-nikravesh",
        "stiffness": 6.6e10,
        "restitution": 0.9,
    } | play
    joints = {
        "A": {"type": "revolute", "between": ["ground.A", "crank.A"], "guess": 0.1},
        "B": {"type": "revolute", "between": ["crank.B", "rod.B"]},
        "C": {"type": "revolute", "between": ["rod.C", "slider.C"]},
        "S": {"type": "prismatic", "between": ["ground.S", "slider.S"], "guess": L1 + L2},
    }
    for name in loose:
        joints[name]["clearance"] = play
    if cut:
        joints[cut]["cut"] = True
    slider = {"C": pin(0, 0, 0), "S": {"at": [0, 0, 0], "z": [1, 0, 0], "x": [0, 1, 0]}}
    return cc.Mechanism.from_dict({
        "mechanism": {"gravity": turned(0, -9.81, 0)},
        "bodies": {
            "ground": {"points": ground},
            "crank": {"mass": 0.3, "com": [L1 / 2, 0, 0], "inertia": [1e-5, 1e-4, 1e-4],
                      "points": {"A": pin(0, 0, 0), "B": pin(L1, 0, 0)}},
            "rod": {"mass": 0.21, "com": [L2 / 2, 0, 0], "inertia": [1e-5, 2.5e-4, 2.5e-4],
                    "points": {"B": pin(0, 0, 0), "C": pin(L2, 0, 0)}},
            "slider": {"mass": 0.14, "inertia": [1e-5, 1e-5, 1e-5], "points": slider},
        },
        "joints": {name: joints[name] for name in order},
        "actuators": {"motor": {"joint": "A", "motion": "0.1 + 100*t"}},
        "outputs": {"P": {"point": "slider.C"}},
    })  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_results_turn_with_the_mechanism(case):
    how = {"until": float(TIMES[-1]), "times": TIMES, "rtol": 1e-11, "atol": 1e-13}
    straight = cc.simulate(slider_crank(np.eye(3), **CASES[case]), **how)
    assert straight.sizes["contact"] >= 2
    others = [
        cc.simulate(slider_crank(TURN, **CASES[case]), **how),
        cc.simulate(slider_crank(TURN, order="SCBA", cut="B", **CASES[case]), **how),
        cc.simulate(slider_crank(TURN, **CASES[case]), formulation="multipliers", **how),
    ]
    for ds in others:
        np.testing.assert_allclose(ds.position.values @ TURN, straight.position, atol=1e-9)
        np.testing.assert_allclose(ds.eccentricity.sel(loose_joint=straight.loose_joint).values @ TURN,
                                   straight.eccentricity, atol=1e-9)  # fmt: skip
        np.testing.assert_allclose(ds.contact_time[:2], straight.contact_time[:2], atol=1e-9)
