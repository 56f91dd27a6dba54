"""Shafts with universal joints against the formulas of machine design.

One joint: tan(out) = tan(in) cos(bend), speed ratio cos(bend) / (1 - sin²(in) sin²(bend)) (R. Hooke; Seherr-Thoss,
Schmelz, Aucktor, Universal Joints and Driveshafts, 2nd ed., ch. 1.2). Two joints: the middle shaft's angle passes
through the law once more, from the yoke's own angle.
"""

import numpy as np
import pytest

import closedchain as cc

YOKE = {"at": [0, 0, 0], "z": [1, 0, 0], "x": [0, 1, 0]}  # y along the shaft, as a universal joint in line


def bearing(at, bend):
    """Frame whose z lies in the x-y plane at `bend` to x, and whose x is the normal of the bend plane."""
    return {"at": at, "z": [float(np.cos(bend)), float(np.sin(bend)), 0], "x": [0, 0, 1]}


def hooke(bend, start):
    """Input along x, output bent by `bend`; `start` turns the input yoke out of the normal of the bend plane."""
    tilt = {"at": [0, 0, 0], "z": [float(np.cos(start)), float(np.sin(start)), 0]}
    tilt["x"] = [-float(np.sin(start)), float(np.cos(start)), 0]
    return cc.Mechanism.from_dict(
        {
            "bodies": {
                "ground": {"points": {"in": bearing([0, 0, 0], 0), "out": bearing([0, 0, 0], bend)}},
                "input": {"mass": 1.0, "points": {"yoke": tilt}},
                "output": {"mass": 1.0, "points": {"yoke": YOKE, "rim": [0.1, 0, 0.2]}},
            },
            "joints": {
                "in": {"type": "revolute", "between": ["ground.in", "input.origin"]},
                "cross": {"type": "universal", "between": ["input.yoke", "output.yoke"]},
                "out": {"type": "revolute", "between": ["ground.out", "output.origin"], "guess": float(start)},
            },
            "actuators": {"motor": {"joint": "in"}},
            "outputs": {"rim": {"point": "output.rim"}},
        }
    )


@pytest.mark.parametrize("bend", np.radians([0, 5, 20, 45, 75]))
@pytest.mark.parametrize("start", [0.0, 1.0])
def test_single_joint(bend, start):
    angle = np.linspace(0, 2 * np.pi, 25)
    ds = cc.kinematics(hooke(bend, start), {"motor": (angle, 3 * np.ones(25), 5 * np.ones(25))})
    theta = angle + start
    found, speed, rise = (
        ds["q"].sel(coordinate="out"),
        ds["qd"].sel(rate="out"),
        ds["qdd"].sel(rate="out"),
    )
    W = 1 - (np.sin(theta) * np.sin(bend)) ** 2
    slope = np.cos(bend) / W
    curvature = slope * np.sin(bend) ** 2 * np.sin(2 * theta) / W
    expected = np.arctan2(np.sin(theta) * np.cos(bend), np.cos(theta))
    np.testing.assert_allclose(np.exp(1j * found.values), np.exp(1j * expected), atol=1e-12)
    np.testing.assert_allclose(speed, 3 * slope, rtol=1e-11)
    np.testing.assert_allclose(rise, 5 * slope + 9 * curvature, rtol=1e-10, atol=1e-9)
    assert ds["closure"].max() < 1e-12


def double(bends, phase):
    """Input along x, middle bent by bends[0], output back by bends[1]; `phase` turns the middle's second yoke."""
    first, second = bends
    middle, out = first, first - second
    joint = np.array([0.5 * np.cos(middle), 0.5 * np.sin(middle), 0.0])
    c, s = float(np.cos(phase)), float(np.sin(phase))
    return cc.Mechanism.from_dict(
        {
            "bodies": {
                "ground": {"points": {"in": bearing([0, 0, 0], 0), "out": bearing(joint.tolist(), out)}},
                "input": {"mass": 1.0, "points": {"yoke": YOKE}},
                "middle": {
                    "mass": 1.0,
                    # the second yoke's arm, in line with the first one's for phase 0
                    "points": {"first": YOKE, "second": {"at": [0, 0, 0.5], "z": [-s, c, 0], "x": [-c, -s, 0]}},
                },
                "output": {"mass": 1.0, "points": {"yoke": {"at": [0, 0, 0], "z": [0, 1, 0], "x": [-1, 0, 0]}}},
            },
            "joints": {
                "in": {"type": "revolute", "between": ["ground.in", "input.origin"]},
                "first": {"type": "universal", "between": ["input.yoke", "middle.first"]},
                "second": {"type": "universal", "between": ["middle.second", "output.yoke"]},
                "out": {"type": "revolute", "between": ["ground.out", "output.origin"]},
            },
            "actuators": {"motor": {"joint": "in"}},
        }
    )


def middle_angle(theta, bend):
    return np.arctan2(np.sin(theta) * np.cos(bend), np.cos(theta))


@pytest.mark.parametrize(("first", "second"), [(30, 30), (25, 40), (30, -30)])
@pytest.mark.parametrize("phase", [0, 40, 90])
def test_double_joint(first, second, phase):
    """The second joint passes on the angle of the middle's second yoke, a quarter turn ahead of the first one's."""
    first, second, phase = np.radians([first, second, phase])
    theta = np.linspace(0, 2 * np.pi, 13)
    ds = cc.kinematics(double((first, second), phase), {"motor": (theta, np.ones(13), np.zeros(13))})
    yoke = middle_angle(theta, first) + phase + np.pi / 2
    expected = middle_angle(yoke, second) - np.pi / 2
    found = ds["q"].sel(coordinate="out").values
    np.testing.assert_allclose(np.exp(1j * found), np.exp(1j * (expected - expected[0] + found[0])), atol=1e-12)
    assert ds["closure"].max() < 1e-12
    if first == second and phase == 0:
        np.testing.assert_allclose(found, theta, atol=1e-12)
        np.testing.assert_allclose(ds["qd"].sel(rate="out"), 1, atol=1e-12)
        np.testing.assert_allclose(ds["qdd"].sel(rate="out"), 0, atol=1e-12)
