"""Freedoms of known mechanisms where counting fails or misleads.

Values from the review of G. Gogu, Mobility of mechanisms: a critical review, Mech. Mach. Theory 40 (2005), and from the
inventors cited; counts by Kutzbach-Gruebler: 6 (bodies - joints) + freedoms of the joints.
"""

import numpy as np
import pytest

import closedchain as cc

THIRDS = 2 * np.pi / 3 * np.arange(3)


def frame(at, z, x):
    return {"at": [float(c) for c in at], "z": [float(c) for c in z], "x": [float(c) for c in x]}


def around(angle):
    """Unit vectors outwards and along the circle."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c, s, 0.0]), np.array([-s, c, 0.0])


def spatial(bodies, joints, output):
    bodies = {name: {"mass": 1.0, **body} if name != "ground" else body for name, body in bodies.items()}
    return cc.Mechanism.from_dict({"bodies": bodies, "joints": joints, "outputs": {"P": {"point": output}}})


def parallelogram():
    """Four parallel revolutes in space."""
    bodies = {
        "ground": {"points": {"A": [0, 0, 0], "B": [0.3, 0, 0]}},
        "left": {"points": {"b": [0.2, 0, 0]}},
        "right": {"points": {"b": [0.2, 0, 0]}},
        "coupler": {"points": {"A": [0, 0, 0], "B": [0.3, 0, 0]}},
    }
    joints = {
        "A": {"type": "revolute", "between": ["ground.A", "left.origin"], "guess": 1.0},
        "B": {"type": "revolute", "between": ["ground.B", "right.origin"], "guess": 1.0},
        "C": {"type": "revolute", "between": ["left.b", "coupler.A"], "guess": -1.0},
        "D": {"type": "revolute", "between": ["right.b", "coupler.B"], "guess": -1.0},
    }
    return spatial(bodies, joints, "coupler.B")


def three_rps():
    """Revolute, prismatic, spherical in three vertical planes (Hunt 1983)."""
    bodies, joints = {"ground": {"points": {}}, "plate": {"points": {}}}, {}
    for k, angle in enumerate(THIRDS, start=1):
        out, along = around(angle)
        bodies["ground"]["points"][f"A{k}"] = frame(0.4 * out, along, out)
        bodies["plate"]["points"][f"B{k}"] = (0.25 * out).tolist()
        bodies[f"cylinder{k}"] = {"points": {"A": frame([0, 0, 0], [0, 1, 0], [0, 0, -1])}}
        bodies[f"rod{k}"] = {}
        joints[f"A{k}"] = {"type": "revolute", "between": [f"ground.A{k}", f"cylinder{k}.A"], "guess": 0.2}
        joints[f"L{k}"] = {"type": "prismatic", "between": [f"cylinder{k}.origin", f"rod{k}.origin"], "guess": 0.6}
        joints[f"S{k}"] = {"type": "spherical", "between": [f"rod{k}.origin", f"plate.B{k}"]}
    return spatial(bodies, joints, "plate.origin")


def three_upu():
    """Universal, prismatic, universal, in the arrangement that translates (Tsai 1996)."""
    bodies, joints = {"ground": {"points": {}}, "plate": {"points": {}}}, {}
    for k, angle in enumerate(THIRDS, start=1):
        out, along = around(angle)
        bodies["ground"]["points"][f"A{k}"] = frame(0.4 * out, along, -out)
        # the second joint starts at the leg's cross axis and ends at the plate's, parallel to the base's
        bodies["plate"]["points"][f"B{k}"] = frame(0.2 * out, -out, along)
        bodies[f"cylinder{k}"] = {"points": {"A": frame([0, 0, 0], [1, 0, 0], [0, 1, 0])}}
        bodies[f"rod{k}"] = {"points": {"B": frame([0, 0, 0], [0, 1, 0], [1, 0, 0])}}
        joints[f"A{k}"] = {"type": "universal", "between": [f"ground.A{k}", f"cylinder{k}.A"], "guess": [-0.3, 0]}
        joints[f"L{k}"] = {"type": "prismatic", "between": [f"cylinder{k}.origin", f"rod{k}.origin"], "guess": 0.6}
        joints[f"B{k}"] = {"type": "universal", "between": [f"rod{k}.B", f"plate.B{k}"], "guess": [0, 0.3]}
    return spatial(bodies, joints, "plate.origin")


def spherical_3rrr():
    """Nine revolutes through one point: orients a plate (Gosselin and Hamel 1994)."""
    bodies, joints = {"ground": {"points": {}}, "plate": {"com": [0.02, 0, 0.1], "points": {"tip": [0, 0, 0.2]}}}, {}
    arc = np.radians(75)
    bent = frame([0, 0, 0], [np.sin(arc), 0, np.cos(arc)], [np.cos(arc), 0, -np.sin(arc)])
    cone = np.radians(50)
    for k, angle in enumerate(THIRDS, start=1):
        out, along = around(angle)
        down = np.array([0, 0, -1.0])
        bodies["ground"]["points"][f"A{k}"] = frame([0, 0, 0], np.cos(cone) * down + np.sin(cone) * out, along)
        bodies["plate"]["points"][f"C{k}"] = frame([0, 0, 0], -np.cos(cone) * down + np.sin(cone) * out, along)
        bodies[f"first{k}"] = {"points": {"bent": bent}}
        bodies[f"second{k}"] = {"points": {"bent": bent}}
        joints[f"A{k}"] = {"type": "revolute", "between": [f"ground.A{k}", f"first{k}.origin"]}
        joints[f"B{k}"] = {"type": "revolute", "between": [f"first{k}.bent", f"second{k}.origin"], "guess": 1.5}
        joints[f"C{k}"] = {"type": "revolute", "between": [f"second{k}.bent", f"plate.C{k}"]}
    return spatial(bodies, joints, "plate.tip")


def three_prismatic_wedge():
    """Three prismatic joints in a plane, a loop in space: one freedom."""
    bodies = {"ground": {"points": {}}, "wedge": {"points": {}}, "slider": {"points": {"P": [0.1, 0, 0]}}}

    def along(angle):
        return frame([0, 0, 0], [np.cos(angle), np.sin(angle), 0], [0, 0, 1])

    bodies["ground"]["points"] = {"a": along(0.0), "c": along(1.2)}
    bodies["wedge"]["points"] = {"a": along(0.0), "b": along(0.5)}
    bodies["slider"]["points"] |= {"b": along(0.5), "c": along(1.2)}
    joints = {
        name: {"type": "prismatic", "between": [f"{base}.{name}", f"{moving}.{name}"]}
        for name, base, moving in (("a", "ground", "wedge"), ("b", "wedge", "slider"), ("c", "ground", "slider"))
    }
    return spatial(bodies, joints, "slider.P")


# name: mechanism, freedoms, count, redundant constraints
TABLE = {
    "parallelogram in space": (parallelogram, 1, -2, 3),
    "3-RPS": (three_rps, 3, 3, 0),
    "3-UPU": (three_upu, 3, 3, 0),
    "spherical 3-RRR": (spherical_3rrr, 3, -3, 6),
    "wedges": (three_prismatic_wedge, 1, -3, 4),
}


@pytest.mark.parametrize("name", TABLE)
def test_freedoms(name):
    build, dof, count, redundant = TABLE[name]
    found = cc.mobility(build())
    assert (found.dof, found.gruebler, found.redundant) == (dof, count, redundant)
    assert (found.idle, found.instantaneous) == (0, 0)
    assert found.rows - found.rank == redundant


def test_3upu_translates():
    """In Tsai's arrangement the plate keeps its direction while the lengths change."""
    m = three_upu()
    start = cc.assemble(m)
    lengths = {f"L{k}": start[f"L{k}"] + 0.03 * k for k in (1, 2, 3)}
    pose = cc.assemble(m, lengths, guess=start)
    np.testing.assert_allclose(pose.frame("plate")[:3, :3], start.frame("plate")[:3, :3], atol=1e-12)
    p = pose.point("plate.origin")
    for k, angle in enumerate(THIRDS, start=1):
        out, _ = around(angle)
        np.testing.assert_allclose(np.linalg.norm(p - 0.2 * out), lengths[f"L{k}"], atol=1e-12)


def test_3rps_keeps_its_joints_in_their_planes():
    """Hunt's plate turns and shifts sideways as its tilt demands: every ball stays in its limb's plane."""
    m = three_rps()
    pose = cc.assemble(m, {"L1": 0.55, "L2": 0.65, "L3": 0.72})
    for k, angle in enumerate(THIRDS, start=1):
        out, along = around(angle)
        ball = pose.point(f"plate.B{k}")
        assert abs(ball @ along) < 1e-12
        np.testing.assert_allclose(np.linalg.norm(ball - 0.4 * out), pose[f"L{k}"], atol=1e-12)
