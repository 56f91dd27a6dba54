"""Overconstrained loops against their published closure relations.

Bennett 4R: G. T. Bennett, A new mechanism, Engineering 76 (1903). Sarrus 6R: P. T. Sarrus, C. R. Acad. Sci. 36 (1853).
Spherical four-bar: C. H. Chiang, Kinematics of Spherical Mechanisms (1988), ch. 2: the cosine law of spherical
quadrilaterals. Bricard 6R, orthogonal trihedral form: R. Bricard, Leçons de cinématique II (1927); J. E. Baker, An
analysis of the Bricard linkages, Mech. Mach. Theory 15 (1980): a1² + a3² + a5² = a2² + a4² + a6².
"""

import numpy as np
import pytest

import closedchain as cc


def loop(lengths, twists, guess, driven="J1"):
    """Closed loop of revolutes by Denavit-Hartenberg links without offsets; the last link is the ground."""

    def far(a, alpha):
        return {"at": [a, 0, 0], "z": [0, -float(np.sin(alpha)), float(np.cos(alpha))], "x": [1, 0, 0]}

    a, alpha, n = lengths[-1], twists[-1], len(lengths)
    last = {"at": [-a, 0, 0], "z": [0, float(np.sin(alpha)), float(np.cos(alpha))], "x": [1, 0, 0]}
    links = {
        f"link{k}": {"mass": 1.0, "points": {"near": [0, 0, 0], "far": far(lengths[k - 1], twists[k - 1])}}
        for k in range(1, n)
    }
    bodies = {"ground": {"points": {"near": [0, 0, 0], "last": last}}, **links}
    joints = {}
    for k in range(1, n + 1):
        base = "ground.near" if k == 1 else f"link{k - 1}.far"
        moving = "ground.last" if k == n else f"link{k}.near"
        joints[f"J{k}"] = {"type": "revolute", "between": [base, moving], "guess": float(guess[k - 1])}
    return cc.Mechanism.from_dict(
        {
            "bodies": bodies,
            "joints": joints,
            "actuators": {"motor": {"joint": driven}},
            "outputs": {"P": {"point": "link2.far"}},
        }
    )


def bennett_second(ratio, first):
    """Angle 2 from tan(q1/2) tan(q2/2) = ratio and its first two derivatives by q1."""
    c, s = ratio * np.cos(first / 2), np.sin(first / 2)
    value = 2 * np.arctan2(c, s)
    slope = -ratio / (s**2 + c**2)
    curvature = ratio * (1 - ratio**2) * np.sin(first) / 2 / (s**2 + c**2) ** 2
    return value, slope, curvature


@pytest.mark.parametrize(("a", "alpha", "beta"), [(0.22, 90, 150), (0.3, 40, 110), (0.1, 75, 25)])
def test_bennett(a, alpha, beta):
    alpha, beta = np.radians([alpha, beta])
    b = a * np.sin(beta) / np.sin(alpha)
    ratio = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    second = bennett_second(ratio, 1.0)[0]
    m = loop((a, b, a, b), (alpha, beta, alpha, beta), (1, second + 0.1, -1.1, 0.1 - second))
    mobility = cc.mobility(m)
    assert (mobility.dof, mobility.gruebler, mobility.rows, mobility.rank) == (1, -2, 20, 17)
    first = np.linspace(1.0, 5.0, 9)
    ds = cc.kinematics(m, {"motor": (first, 2 * np.ones(9), 3 * np.ones(9))})
    value, slope, curvature = bennett_second(ratio, first)
    q = ds["q"].sel(coordinate="J2").values
    np.testing.assert_allclose(np.exp(1j * q), np.exp(1j * value), atol=1e-12)
    np.testing.assert_allclose(ds["qd"].sel(rate="J2"), 2 * slope, atol=1e-11)
    np.testing.assert_allclose(ds["qdd"].sel(rate="J2"), 3 * slope + 4 * curvature, atol=1e-10)
    assert ds["closure"].max() < 1e-12


def test_bennett_needs_its_proportions():
    alpha, beta = np.radians([90, 150])
    ratio = np.sqrt(3)
    second = bennett_second(ratio, 1.0)[0]
    broken = loop((0.22, 0.12, 0.22, 0.12), (alpha, beta, alpha, beta), (1, second, -1, -second))
    with pytest.raises(cc.AssemblyError):
        cc.assemble(broken, {"J1": 1.0})


def test_trihedral_bricard_moves():
    lengths = np.array([0.30, 0.25, 0.20, 0.22, 0.18, 0.0])
    lengths[5] = np.sqrt(lengths[0] ** 2 + lengths[2] ** 2 + lengths[4] ** 2 - lengths[1] ** 2 - lengths[3] ** 2)
    right = np.pi / 2
    m = loop(tuple(lengths.tolist()), (right, -right) * 3, (0.3, -2.0, 0.3, -2.0, 0.3, -2.0))
    start = cc.assemble(m)
    mobility = cc.mobility(m, start)
    assert (mobility.dof, mobility.gruebler, mobility.redundant) == (1, 0, 1)
    first = start["J1"] + np.linspace(0, 0.3, 4)
    ds = cc.kinematics(m, {"motor": (first, np.ones(4), np.zeros(4))})
    assert ds["closure"].max() < 1e-12
    for q in ds["q"].sel(coordinate=[f"J{k}" for k in range(1, 7)]).values:
        product = np.eye(4)
        for angle, a, alpha in zip(q, lengths, (right, -right) * 3):
            c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(alpha), np.sin(alpha)
            link = [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, 0], [0, 0, 0, 1]]
            product = product @ np.array(link)
        np.testing.assert_allclose(product, np.eye(4), atol=1e-12)


def spherical_output(sides, first):
    """Rocker angle of a spherical four-bar with arcs crank, coupler, rocker, base: X cos + Y sin = K; both."""
    crank, coupler, rocker, base = sides
    X = np.sin(rocker) * (np.sin(crank) * np.cos(base) * np.cos(first) - np.cos(crank) * np.sin(base))
    Y = np.sin(rocker) * np.sin(crank) * np.sin(first)
    K = np.cos(coupler) - np.cos(rocker) * (np.cos(crank) * np.cos(base) + np.sin(crank) * np.sin(base) * np.cos(first))
    middle, spread = np.arctan2(Y, X), np.arccos(K / np.hypot(X, Y))
    return middle + spread, middle - spread


def test_spherical_four_bar():
    """Axes through one point at arcs 40, 70, 60 degrees, base 80: three redundant constraints, one freedom."""
    sides = np.radians([40, 70, 60, 80])
    m = spherical_four_bar(sides)
    mobility = cc.mobility(m)
    assert (mobility.dof, mobility.gruebler, mobility.redundant) == (1, -2, 3)
    first = np.linspace(0.6, 2.6, 9)
    ds = cc.kinematics(m, {"motor": (first, np.ones(9), np.zeros(9))})
    found = ds["q"].sel(coordinate="rocker").values
    roots = np.array(spherical_output(sides, first))
    np.testing.assert_allclose(np.min(np.abs(np.exp(1j * roots) - np.exp(1j * found)), axis=0), 0, atol=1e-12)
    assert ds["closure"].max() < 1e-12


def spherical_four_bar(sides):
    """Axes in the x-z plane of every body at the given arcs; all frames lie in the common point."""
    crank, coupler, rocker, base = (float(side) for side in sides)

    def axis(arc):
        c, s = float(np.cos(arc)), float(np.sin(arc))
        return {"at": [0, 0, 0], "z": [s, 0, c], "x": [c, 0, -s]}

    return cc.Mechanism.from_dict(
        {
            "bodies": {
                "ground": {"points": {"A": axis(0), "D": axis(base)}},
                "crank": {"mass": 1.0, "points": {"A": axis(0), "B": axis(crank), "tip": [0.1, 0, 0.2]}},
                "coupler": {"mass": 1.0, "points": {"B": axis(0), "C": axis(coupler)}},
                "rocker": {"mass": 1.0, "points": {"D": axis(0), "C": axis(rocker)}},
            },
            "joints": {
                "crank": {"type": "revolute", "between": ["ground.A", "crank.A"], "guess": 0.6},
                "B": {"type": "revolute", "between": ["crank.B", "coupler.B"]},
                "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
                "rocker": {"type": "revolute", "between": ["ground.D", "rocker.D"], "guess": 1.5},
            },
            "actuators": {"motor": {"joint": "crank"}},
            "outputs": {"tip": {"point": "crank.tip"}},
        }
    )


def sarrus():
    """Two plates joined by two pairs of hinged flaps in planes at right angles."""
    side, flap = 0.1, 0.12
    bodies = {"ground": {"points": {}}, "plate": {"mass": 1.0, "points": {"centre": [0, 0, 0]}}}
    joints = {}
    for name, x, z in (("a", [1, 0, 0], [0, -1, 0]), ("b", [0, 1, 0], [1, 0, 0])):
        edge = {"at": [side * c for c in x], "z": z, "x": x}
        bodies["ground"]["points"][name] = edge
        bodies["plate"]["points"][name] = edge
        for half in ("lower", "upper"):
            bodies[f"{half}_{name}"] = {"mass": 0.2, "points": {"near": [0, 0, 0], "far": [flap, 0, 0]}}
        joints |= {
            f"{name}1": {"type": "revolute", "between": [f"ground.{name}", f"lower_{name}.near"], "guess": 0.9},
            f"{name}2": {"type": "revolute", "between": [f"lower_{name}.far", f"upper_{name}.near"], "guess": 1.4},
            f"{name}3": {"type": "revolute", "between": [f"upper_{name}.far", f"plate.{name}"], "guess": -2.3},
        }
    return cc.Mechanism.from_dict(
        {
            "bodies": bodies,
            "joints": joints,
            "actuators": {"motor": {"joint": "a1"}},
            "outputs": {"centre": {"point": "plate.centre"}},
        }
    )


def test_sarrus_plate_moves_straight():
    """The plate stays level and rises by 2 flap sin(angle); one freedom though counting says none."""
    m = sarrus()
    mobility = cc.mobility(m)
    assert (mobility.dof, mobility.gruebler, mobility.redundant) == (1, 0, 1)
    angle = np.linspace(0.9, 0.4, 6)
    ds = cc.kinematics(m, {"motor": (angle, -np.ones(6), np.zeros(6))})
    height, zero = 0.24 * np.sin(angle), np.zeros(6)
    np.testing.assert_allclose(ds["position"].sel(point="centre"), np.array([zero, zero, height]).T, atol=1e-13)
    np.testing.assert_allclose(ds["velocity"].sel(point="centre", axis="z"), -0.24 * np.cos(angle), atol=1e-12)
    np.testing.assert_allclose(ds["acceleration"].sel(point="centre", axis="z"), -height, atol=1e-12)
    np.testing.assert_allclose(ds["body_rotation"].sel(body="plate"), np.tile(np.eye(3), (6, 1, 1)), atol=1e-13)
