"""The general Gough-Stewart platform with forty real postures.

P. Dietmaier, The Stewart-Gough platform of general geometry can have 40 real postures, in Advances in Robot Kinematics
(1998), table 1: base points a, platform points b and leg lengths L; |p + R b - a| = L has exactly 40 real solutions.
The postures below are found outside the library, by Newton's method on those six equations from scattered starts.
"""

import numpy as np
import pytest

import closedchain as cc

BASE = np.array(
    [
        (0, 0, 0),
        (1.107915, 0, 0),
        (0.549094, 0.756063, 0),
        (0.735077, -0.223935, 0.525991),
        (0.514188, -0.526063, -0.368418),
        (0.590473, 0.094733, -0.205018),
    ]
)
TOP = np.array(
    [
        (0, 0, 0),
        (0.542805, 0, 0),
        (0.956919, -0.528915, 0),
        (0.665885, -0.353482, 1.402538),
        (0.478359, 1.158742, 0.107672),
        (-0.137087, -0.235121, 0.353913),
    ]
)
LEGS = np.array([1, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071])


def turn(v):
    """Rotation matrices (n, 3, 3) of rotation vectors (n, 3), Rodrigues."""
    angle = np.linalg.norm(v, axis=1)[:, None, None]
    K = np.zeros((len(v), 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -v[:, 2], v[:, 1], -v[:, 0]
    K = K - K.transpose(0, 2, 1)
    return np.eye(3) + np.sinc(angle / np.pi) * K + 0.5 * np.sinc(angle / 2 / np.pi) ** 2 * K @ K


def newton(p, R, steps=60):
    """Postures that meet the leg lengths, from starts p (n, 3), R (n, 3, 3); those that do not arrive are left out."""
    for _ in range(steps):
        arms = np.einsum("nij,kj->nki", R, TOP)
        legs = p[:, None] + arms - BASE
        gap = np.sum(legs**2, axis=2) - LEGS**2
        J = 2 * np.concatenate([np.cross(arms, legs), legs], axis=2)
        JT = J.transpose(0, 2, 1)
        damping = 1e-3 * np.minimum(np.linalg.norm(gap, axis=1), 1)[:, None, None] * np.eye(6)
        step = -np.linalg.solve(JT @ J + damping**2, (JT @ gap[:, :, None]))[:, :, 0]
        step *= np.minimum(1, 0.7 / np.maximum(np.linalg.norm(step, axis=1), 1e-300))[:, None]
        R, p = turn(step[:, :3]) @ R, p + step[:, 3:]
    good = np.max(np.abs(gap), axis=1) < 1e-12
    return p[good], R[good]


def different(p, R):
    """Postures without repetition."""
    kept = []
    for place, turned in zip(p, R):
        if all(np.abs(place - q).max() + np.abs(turned - S).max() > 1e-5 for q, S in kept):
            kept.append((place, turned))
    return kept


@pytest.fixture(scope="module")
def postures():
    draw = np.random.default_rng(1)
    vectors = draw.normal(size=(3000, 3))
    vectors *= draw.uniform(0, np.pi, (3000, 1)) / np.linalg.norm(vectors, axis=1)[:, None]
    return different(*newton(draw.uniform(-1, 1, (3000, 3)), turn(vectors)))


def six_ups():
    """Legs on universal joints whose first axis is z of the ground, and on balls at the platform."""
    bodies = {
        "ground": {"points": {f"A{i + 1}": BASE[i].tolist() for i in range(6)}},
        "platform": {"mass": 1.0, "points": {f"B{i + 1}": TOP[i].tolist() for i in range(6)}},
    }
    joints = {}
    for i in range(1, 7):
        # the leg is along z of its bodies and along y of the universal joint's frame
        bodies[f"cylinder{i}"] = {"points": {"A": {"at": [0, 0, 0], "z": [1, 0, 0], "x": [0, 1, 0]}}}
        bodies[f"rod{i}"] = {}
        joints[f"U{i}"] = {"type": "universal", "between": [f"ground.A{i}", f"cylinder{i}.A"]}
        joints[f"L{i}"] = {
            "type": "prismatic",
            "between": [f"cylinder{i}.origin", f"rod{i}.origin"],
            "guess": float(LEGS[i - 1]),
        }
        joints[f"S{i}"] = {"type": "spherical", "between": [f"rod{i}.origin", f"platform.B{i}"]}
    return cc.Mechanism.from_dict(
        {
            "bodies": bodies,
            "joints": joints,
            "actuators": {f"leg{i}": {"joint": f"L{i}"} for i in range(1, 7)},
            "outputs": {"P": {"point": "platform.origin"}},
        }
    )


def guess_near(p, R):
    """Joint angles of the legs towards a platform pose."""
    guess = {}
    for i in range(6):
        leg = p + R @ TOP[i] - BASE[i]
        u = leg / np.linalg.norm(leg)
        # leg = Rz(angle1) Rx(angle2) y
        angle2 = np.arcsin(np.clip(u[2], -1, 1))
        angle1 = np.arctan2(-u[0], u[1])
        guess[f"U{i + 1}"] = [angle1, angle2]
        base = turn(np.array([[0, 0, angle1]]))[0] @ turn(np.array([[angle2, 0, 0]]))[0]
        leg_axes = base @ np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])  # leg's x, y, z are the joint's z, x, y
        guess[f"S{i + 1}"] = quaternion(leg_axes.T @ R)
    return guess


def quaternion(R):
    """w, x, y, z of a rotation matrix: the eigenvector of Bar-Itzhack's symmetric matrix (2000)."""
    (a, b, c), (d, e, f), (g, h, i) = R
    K = np.array(
        [
            [a + e + i, h - f, c - g, d - b],
            [h - f, a - e - i, b + d, c + g],
            [c - g, b + d, e - a - i, f + h],
            [d - b, c + g, f + h, i - a - e],
        ]
    )
    return np.linalg.eigh(K)[1][:, -1].tolist()


def test_there_are_forty(postures):
    assert len(postures) == 40


def test_every_posture_assembles_from_near_by(postures):
    m = six_ups()
    draw = np.random.default_rng(2)
    found = []
    for p, R in postures:
        near = p + draw.uniform(-1e-4, 1e-4, 3), turn(draw.uniform(-1e-4, 1e-4, (1, 3)))[0] @ R
        pose = cc.assemble(m, {f"L{i + 1}": LEGS[i] for i in range(6)}, guess=guess_near(*near))
        assert pose.residual < 1e-12
        frame = pose.frame("platform")
        gap = np.linalg.norm(frame[:3, 3] + TOP @ frame[:3, :3].T - BASE, axis=1) - LEGS
        np.testing.assert_allclose(gap, 0, atol=1e-13)
        found.append((frame[:3, 3], frame[:3, :3]))
    assert len(different(*zip(*found))) == 40
