"""cc.chain_influence on random chains against an independent forward kinematics in 50 digits."""

import mpmath as mp
import numpy as np
import pytest

import closedchain as cc

SEEDS = range(6)


def random_chain(seed, count=6):
    """A chain of revolute and prismatic joints with random axes through random points; and the same as plain arrays."""
    draw = np.random.default_rng(seed)
    kinds = ["prismatic" if draw.random() < 0.4 else "revolute" for _ in range(count)]
    axes = [(axis / np.linalg.norm(axis)).tolist() for axis in draw.normal(size=(count, 3))]
    places = draw.uniform(-0.5, 0.5, (count + 1, 3)).tolist()
    q = draw.uniform(-1.5, 1.5, count).tolist()
    bodies = {"ground": {"points": {"J": places[0]}}}
    joints = {}
    for k in range(count):
        points = {"next": places[k + 1]}
        bodies[f"b{k}"] = {"points": points}
        carrier = "ground.J" if k == 0 else f"b{k - 1}.next"
        joints[f"q{k}"] = {"type": kinds[k], "between": [carrier, f"b{k}.origin"], "axis": axes[k]}
    m = cc.Mechanism.from_dict({"bodies": bodies, "joints": joints})
    return m, kinds, axes, places, q


def rodrigues(axis, angle):
    """Rotation about a unit axis, in high precision."""
    x, y, z = axis
    K = mp.matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return mp.eye(3) + mp.sin(angle) * K + (1 - mp.cos(angle)) * K * K


def forward(kinds, axes, places, q):
    """Rotation of the last body and position of its point: every body's axes are the carrier's, turned by the joint."""
    R, p = mp.eye(3), mp.matrix(places[0])
    for kind, axis, place, value in zip(kinds, axes, places[1:], q, strict=True):
        unit = mp.matrix(axis) / mp.norm(mp.matrix(axis))
        if kind == "revolute":
            R = R * rodrigues(unit, value)
        else:
            p = p + R * unit * value
        p = p + R * mp.matrix(place)
    return R, p


def derivatives(kinds, axes, places, q):
    """G and H from central differences with steps of 1e-15 in 50 digits: exact to 1e-20."""
    n, h = len(q), mp.mpf(10) ** -15

    def at(*shifts):
        moved = [mp.mpf(value) for value in q]
        for k, sign in shifts:
            moved[k] += sign * h
        return forward(kinds, axes, places, moved)

    def spin(dR, R):
        W = dR * R.T
        return [W[2, 1], W[0, 2], W[1, 0]]

    def first(*shifts):
        """Columns (w, v) of every rate at shifted coordinates."""
        R, _ = at(*shifts)
        columns = []
        for k in range(n):
            (Ra, pa), (Rb, pb) = at(*shifts, (k, 1)), at(*shifts, (k, -1))
            columns.append([*spin((Ra - Rb) / (2 * h), R), *((pa - pb) / (2 * h))])
        return mp.matrix(columns)

    G = first()
    H = np.zeros((6, n, n))
    for m in range(n):
        slope = (first((m, 1)) - first((m, -1))) / (2 * h)
        H[:, m] = np.array([[float(slope[k, i]) for k in range(n)] for i in range(6)])
    return np.array([[float(G[k, i]) for k in range(n)] for i in range(6)]), H


@pytest.mark.parametrize("seed", SEEDS)
def test_random_chains_equal_derivatives_in_fifty_digits(seed):
    m, kinds, axes, places, q = random_chain(seed)
    pose = cc.assemble(m, {f"q{k}": value for k, value in enumerate(q)})
    G, H, names = cc.chain_influence(m, pose, of="b5.next")
    assert names == tuple(f"q{k}" for k in range(6))
    with mp.workdps(50):
        G_exact, H_exact = derivatives(kinds, axes, places, q)
    assert pytest.approx(G_exact, abs=1e-12) == G
    assert pytest.approx(H_exact, abs=1e-12) == H
    closed_G, closed_H = cc.influence(m, pose, of="b5.next", wrt=names)
    assert closed_G == pytest.approx(G, abs=1e-10)
    assert closed_H == pytest.approx(H, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_chains_equal_finite_differences(seed):
    m, *_, q = random_chain(seed)
    names = [f"q{k}" for k in range(6)]
    G, H, _ = cc.chain_influence(m, cc.assemble(m, dict(zip(names, q, strict=True))), of="b5.next")
    h = 1e-5
    for k in range(6):
        ahead, behind = (
            cc.assemble(m, {name: q[j] + (sign * h if j == k else 0.0) for j, name in enumerate(names)})
            for sign in (1.0, -1.0)
        )
        slope = (ahead.point("b5.next") - behind.point("b5.next")) / (2 * h)
        assert G[3:, k] == pytest.approx(slope, abs=1e-8)
        turned = [cc.chain_influence(m, pose, of="b5.next")[0] for pose in (ahead, behind)]
        assert H[:, k] == pytest.approx((turned[0] - turned[1]) / (2 * h), abs=1e-8)


def test_denavit_hartenberg_arm_inverts():
    """q' = G^-1 V and q'' = G^-1 (A - q'^T H q'), against the motion itself."""
    rows = [
        {"a": 0.0, "alpha": "90 deg", "d": 0.4, "theta": 0, "type": "revolute"},
        {"a": 0.35, "alpha": 0, "d": 0, "theta": 0, "type": "revolute"},
        {"a": 0.05, "alpha": "90 deg", "d": 0, "theta": 0, "type": "revolute"},
        {"a": 0, "alpha": "-90 deg", "d": 0.3, "theta": 0, "type": "revolute"},
        {"a": 0, "alpha": "90 deg", "d": 0, "theta": 0, "type": "revolute"},
        {"a": 0, "alpha": 0, "d": 0.1, "theta": 0, "type": "revolute"},
    ]
    m = cc.Mechanism.from_dict(
        {
            "bodies": {"ground": {}, "arm.6": {"points": {"tool": [0.02, 0.0, 0.15]}}},
            "chains": {"arm": {"from": "ground.origin", "convention": "standard", "rows": rows}},
            "outputs": {"tool": {"point": "arm.6.tool"}},
            "actuators": {f"m{k}": {"joint": f"arm.{k}"} for k in range(1, 7)},
        }
    )
    q = np.array([0.3, 0.9, -0.7, 0.5, 0.8, -0.4])
    pose = cc.assemble(m, {f"arm.{k}": value for k, value in enumerate(q, 1)})
    G, H, names = cc.chain_influence(m, pose, of="tool")
    draw = np.random.default_rng(4)
    V, A = draw.normal(size=6), draw.normal(size=6)
    rates = np.linalg.solve(G, V)
    accelerations = np.linalg.solve(G, A - np.einsum("imn,m,n->i", H, rates, rates))
    ds = cc.platform_inverse(m, pose, "tool", V, A)
    assert ds.qd.sel(rate=list(names)).values == pytest.approx(rates, abs=1e-10)
    assert ds.qdd.sel(rate=list(names)).values == pytest.approx(accelerations, abs=1e-8)
    motion = cc.kinematics(m, {f"m{k}": ([q[k - 1]], [rates[k - 1]], [accelerations[k - 1]]) for k in range(1, 7)})
    assert motion.velocity.sel(point="tool").values[0] == pytest.approx(V[3:], abs=1e-11)
    assert motion.acceleration.sel(point="tool").values[0] == pytest.approx(A[3:], abs=1e-10)
    assert motion.body_angular_acceleration.sel(body="arm.6").values[0] == pytest.approx(A[:3], abs=1e-10)


def test_the_path_has_fewest_joints_and_may_cross_the_joint_the_tree_opens():
    link = {"points": {"end": [0.4, 0.0], "far": [0.8, 0.1]}}
    loop = {
        "mechanism": {"planar": True},
        "bodies": {"ground": {"points": {"D": [0.6, 0]}}, "a": link, "b": link, "c": link},
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "a.origin"], "guess": 1.3},
            "B": {"type": "revolute", "between": ["a.end", "b.origin"], "guess": -1.3},
            "D": {"type": "revolute", "between": ["c.origin", "ground.D"], "guess": -1.7, "cut": True},
            "C": {"type": "revolute", "between": ["b.end", "c.end"], "guess": 1.7},
        },
    }
    m = cc.Mechanism.from_dict(loop)
    pose = cc.assemble(m, {"A": 1.2})
    G, H, names = cc.chain_influence(m, pose, of="c.far")
    assert names == ("D",)
    r = pose.point("c.far") - [0.6, 0.0]
    assert G[:, 0] == pytest.approx([-1.0, r[1], -r[0]], abs=1e-13)
    assert H[:, 0, 0] == pytest.approx([0.0, -r[0], -r[1]], abs=1e-13)
    assert cc.chain_influence(m, pose, of="b.far")[2] == ("A", "B")
    G0, H0, none = cc.chain_influence(m, pose, of="ground.D")
    assert G0.shape == (3, 0)
    assert H0.shape == (3, 0, 0)
    assert none == ()
