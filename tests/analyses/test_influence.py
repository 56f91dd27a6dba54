"""Coefficients of closed mechanisms against differences of assembled poses, closed forms and complex step."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import closedchain as cc
from closedchain.algorithms.chain import place
from closedchain.algorithms.constraints import retract
from closedchain.algorithms.influence import frame_rate
from closedchain.algorithms.tree import Frame
from closedchain.analyses.influence import find_transfer
from closedchain.analyses.loop_rates import as_arrays, constraint_rows, loop_rates, loop_rates_at
from closedchain.analyses.pose import find_point
from closedchain.analyses.variables import expand, find_variable

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(name):
    m = cc.load(EXAMPLES / name / "mechanism.toml")
    return m, cc.assemble(m)


def last_output(m):
    return list(m.outputs.values())[-1].point.text


def richardson(f, levels=3, h=0.02):
    """Derivative of f at 0 by central differences at h, h/2, ... extrapolated (error h^(2 levels))."""
    table = [(f(h / 2**k) - f(-h / 2**k)) / (2 * h / 2**k) for k in range(levels)]
    for order in range(1, levels):
        table = [(4**order * b - a) / (4**order - 1) for a, b in pairwise(table)]
    return table[-1]


DRIVEN = {
    "four_bar": ["A"],
    "slider_crank": ["O"],
    "five_bar": ["A1", "A2"],
    "planar_3rrr": ["A1", "A2", "A3"],
    "shift_manipulator": ["A1", "A2"],
    "bennett": ["J1"],
    "bricard": ["link.1"],
    "six_r_six": [f"limb{k}.1" for k in range(1, 7)],
    "gough_stewart": [f"L{k}" for k in range(1, 7)],
    "delta": ["A1", "A2", "A3"],
    "universal_shaft": ["motor"],
    "jansen_leg": ["O"],
}


@pytest.mark.parametrize("name", DRIVEN)
def test_equals_differences_of_assembled_poses(name):
    """First order from positions and rotations, second from first, closing the loops anew for every difference."""
    m, start = example(name)
    wrt, of = DRIVEN[name], last_output(m)
    body = find_point(m, of).body
    offset = {label: 0.03 * (-1) ** k for k, label in enumerate(wrt)}
    here = {label: start[label] + offset[label] for label in wrt}
    pose = cc.assemble(m, here, guess=start)
    G, H = cc.influence(m, pose, of, wrt=wrt)
    rows = 3 if m.planar else 6
    assert G.shape == (rows, len(wrt))
    assert H.shape == (rows, len(wrt), len(wrt))
    h = 0.02

    scale = max(1.0, np.abs(H).max())
    for k in {0, len(wrt) - 1}:

        def near(change, label=wrt[k]):
            return cc.assemble(m, here | {label: here[label] + change}, guess=pose)

        def placed(change, near=near):
            moved = near(change)
            return np.concatenate([moved.frame(body)[:3, :3].ravel(), moved.point(of)])

        slope = richardson(placed, h=h)
        spin = slope[:9].reshape(3, 3) @ pose.frame(body)[:3, :3].T
        w = [spin[2, 1], spin[0, 2], spin[1, 0]]
        expected = [w[2], *slope[9:]] if m.planar else [*w, *slope[9:]]
        assert G[:, k] == pytest.approx(expected, abs=1e-10)
        turned = richardson(lambda change, near=near: cc.influence(m, near(change), of, wrt=wrt)[0], h=h)
        assert np.abs(H[:, k] - turned).max() < 1e-9 * scale


CHOSEN = {
    "four_bar": [["A"], ["D"], ["C"], ["B"]],
    "slider_crank": [["A"], ["O"]],
    "five_bar": [["A1", "A2"], ["B2", "A1"], ["P", "B1"]],
    "planar_3rrr": [["A1", "A2", "A3"], ["C1", "C2", "A3"]],
    "shift_manipulator": [["A1", "A2"], ["A3", "P2"]],
    "bennett": [["J1"], ["J3"], ["J4"]],
    "bricard": [["link.1"], ["J6"]],
    "six_r_six": [None, ["C1", "limb2.1", "limb3.1", "limb4.3", "limb5.1", "limb6.2"]],
    "gough_stewart": [None, ["pose"], ["pose.x", "pose.yaw", "L1", "U3.angle1", "L5", "S2.wx"]],
    "universal_shaft": [None, ["pump"]],
    "jansen_leg": [None, ["Z"]],
    "dh_arm": [None],
}


def with_motion(name):
    """The example; the Stewart platform with a motion of its platform under the name `pose`."""
    m, pose = example(name)
    if name == "gough_stewart":
        data = m.to_dict()
        data["motions"] = {"pose": {"of": "platform.B1", "x": 0, "y": 0, "z": 1, "rotation": [0, 0, 0]}}
        m = cc.Mechanism.from_dict(data)
        pose = cc.assemble(m, {f"L{k}": pose[f"L{k}"] + 0.02 * k for k in range(1, 7)}, guess=dict(pose.coordinates))
    return m, pose


@pytest.mark.parametrize(("name", "wrt"), [(name, wrt) for name, sets in CHOSEN.items() for wrt in sets])
def test_second_order_equals_complex_step(name, wrt):
    """G(q + i h g_m) with the loop equations solved in complex numbers, for joints anywhere and motion components."""
    m, pose = with_motion(name)
    rates = loop_rates(m, pose)
    variables = [find_variable(rates, label) for label in expand(rates, wrt)]
    transfer = find_transfer(rates, variables)
    of = last_output(m)
    G, H = transfer.point(of)
    assert G.shape[1] == len(variables)
    for k in range(len(variables)):
        q = retract(rates.system.tree, rates.q.astype(complex).tolist(), (1e-30j * transfer.g[:, k]).tolist())
        turned = complex_first_order(rates, variables, of, q)
        assert turned.real == pytest.approx(G, abs=1e-11 * max(1.0, np.abs(G).max()))
        assert turned.imag / 1e-30 == pytest.approx(H[:, k], abs=1e-10 * max(1.0, np.abs(H).max()))


def complex_first_order(rates, variables, of, q):
    """G at complex coordinates by normal equations without conjugation."""
    placed = place(rates.system.tree, q)
    rows = constraint_rows(rates.system, q)
    J = np.zeros((len(rows), len(rates.unit)), complex)
    for index, row in enumerate(rows):
        for rate, value in row.entries.items():
            J[index, rate] = value
    S = np.zeros((len(variables), len(rates.unit)), complex)
    for index, variable in enumerate(variables):
        if variable.name in rates.model.tree_rates:
            S[index, rates.model.tree_rates[variable.name]] = 1.0
        else:
            motion, _, part = variable.name.rpartition(".")
            at = rates.model.mechanism.motions[motion].of
            frame = Frame(*at.point.pose(rates.model.parameters.evaluator()))
            link = rates.model.topology.link_of[at.body]
            for rate, value in frame_rate(placed[link], frame, part, rates.planar).entries.items():
                S[index, rate] = value
    A, e = np.vstack([J, S]), np.vstack([np.zeros((len(rows), len(variables))), np.eye(len(variables))])
    normal = A.T @ A
    g = np.linalg.solve(normal, A.T @ e)
    g += np.linalg.solve(normal, A.T @ (e - A @ g))
    at = find_point(rates.model.mechanism, of)
    body = placed[rates.model.topology.link_of[at.body]]
    P = body.frame.p + body.frame.R @ at.point.position(rates.model.parameters.evaluator())
    G = np.zeros((6, len(rates.unit)), complex)
    for column in body.columns:
        G[:, column.rate] = [*column.s, *column.at(P)]
    return (G[[2, 3, 4]] if rates.planar else G) @ g


def test_an_idle_rod_takes_the_least_rates_and_their_exact_derivative():
    """A point off the axis of a rod that may spin between two ball joints."""
    m, _ = example("rssr")
    rod = m.joints["B"].moving.body
    said = m.to_dict()["bodies"][rod]
    m = m.body(rod, **said | {"points": said["points"] | {"off": [0.01, 0.2, -0.1]}})
    rates = loop_rates(m, cc.assemble(m, {"A": 0.7}))
    transfer = find_transfer(rates, [find_variable(rates, "A")])
    _, idle = rates.split_idle(["A"])
    assert idle.shape[1] == 1
    assert abs(idle[:, 0] @ (transfer.g[:, 0] / rates.unit)) < 1e-12
    G, H = transfer.point(f"{rod}.off")
    assert np.abs(G).max() > 0.1
    h = 1e-5
    ahead, behind = (beside(rates, sign * h * transfer.g[:, 0]) for sign in (1.0, -1.0))
    ends = [find_transfer(there, [find_variable(there, "A")]).point(f"{rod}.off")[0] for there in (ahead, behind)]
    assert (ends[0] - ends[1]) / (2 * h) == pytest.approx(H[:, 0], abs=1e-8)


def beside(rates, step):
    """The loop equations at closed coordinates a small step away."""
    q = retract(rates.system.tree, rates.q.tolist(), step.tolist())
    for _ in range(4):
        values, _, J = as_arrays(constraint_rows(rates.system, q), rates.unit, rates.model.size)
        q = retract(rates.system.tree, q, (-rates.unit * np.linalg.lstsq(J, values, rcond=1e-8)[0]).tolist())
    return loop_rates_at(rates.model, np.array(q))


def test_six_r_six_equals_the_closed_form_of_its_limbs():
    """|platform joint - elbow| = rod, differentiated by hand once and by complex step once more."""
    m, pose = example("six_r_six")
    third = 2 * np.pi / 3
    ba, ta = np.radians(16), np.radians(14)
    base = np.array([ba, third - ba, third + ba, -third - ba, -third + ba, -ba])
    top = np.pi / 3 + np.array([-ta, ta, third - ta, third + ta, -third - ta, -third + ta])
    out = np.array([np.cos(base), np.sin(base), np.zeros(6)]).T
    C = 0.16 * np.array([np.cos(top), np.sin(top), np.zeros(6)]).T
    up = np.array([0.0, 0.0, 1.0])

    def first_order(p, R, q):
        elbow = 0.30 * out + 0.14 * (np.cos(q)[:, None] * out + np.sin(q)[:, None] * up)
        swing = 0.14 * (-np.sin(q)[:, None] * out + np.cos(q)[:, None] * up)
        arms = C @ R.T
        d = p + arms - elbow
        return np.linalg.solve(np.hstack([np.cross(arms, d), d]), np.diag(np.sum(d * swing, axis=1))), d

    q = np.array([pose[f"limb{k}.1"] for k in range(1, 7)])
    R, p = pose.frame("platform")[:3, :3], pose.frame("platform")[:3, 3]
    expected, d = first_order(p, R, q)
    assert np.linalg.norm(d, axis=1) == pytest.approx(np.full(6, 0.38), abs=1e-13)
    G, H = cc.influence(m, pose, of="platform.centre")
    assert pytest.approx(expected, abs=1e-11) == G
    for k in range(6):
        w, v = G[:3, k], G[3:, k]
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        step = 1e-30j
        moved, _ = first_order(p + step * v, R + step * skew @ R, q + step * np.eye(6)[k])
        assert H[:, k] == pytest.approx(np.imag(moved) / 1e-30, abs=1e-10)


def test_bennett_keeps_its_ratio_of_rates():
    """tan(q1/2) tan(q2/2) = sqrt(3): rates of joint 2 against joint 1, and their derivative."""
    m, _ = example("bennett")
    for angle in (0.4, 1.3, 2.5):
        pose = cc.assemble(m, {"J1": angle})
        rates = loop_rates(m, pose)
        transfer = find_transfer(rates, [find_variable(rates, "J1")])
        at = rates.model.tree_rates["J2"]
        q1, q2 = pose["J1"], pose["J2"]
        slope = -np.sin(q2) / np.sin(q1)
        bend = -(np.cos(q2) * slope * np.sin(q1) - np.sin(q2) * np.cos(q1)) / np.sin(q1) ** 2
        assert transfer.g[at, 0] == pytest.approx(slope, abs=1e-11)
        assert transfer.dg[at, 0, 0] == pytest.approx(bend, abs=1e-10)


def test_the_parts_of_a_motion_are_the_pose_itself():
    m, pose = with_motion("gough_stewart")
    G, H = cc.influence(m, pose, of="platform.B1", wrt="pose")
    assert G[3:] == pytest.approx(np.eye(6)[:3], abs=1e-12)
    assert np.abs(H[3:]).max() < 1e-11
    R = pose.frame("platform")[:3, :3]
    yaw, pitch = np.arctan2(R[1, 0], R[0, 0]), -np.arcsin(R[2, 0])
    axes = np.array([[np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), -np.sin(pitch)],
                     [-np.sin(yaw), np.cos(yaw), 0.0], [0.0, 0.0, 1.0]]).T  # fmt: skip
    assert G[:3, :3] == pytest.approx(np.zeros((3, 3)), abs=1e-12)
    assert G[:3, 3:] == pytest.approx(axes, abs=1e-12)


def test_redundant_actuation_names_an_independent_set():
    m, pose = example("shift_manipulator")
    with pytest.raises(cc.MechanismError, match=r"A1, A2, A3 are 3 variables for 2 freedoms.*set is A1, A2\."):
        cc.influence(m, pose, of="handle.tip")
    G, _ = cc.influence(m, pose, of="handle.tip", wrt=["A1", "A2"])
    assert G.shape == (3, 2)


def test_incomplete_and_repeated_sets_are_named():
    m, pose = example("five_bar")
    with pytest.raises(cc.MechanismError, match=r"A2 leave 1 of 2 freedoms open.*A2, A1"):
        cc.influence(m, pose, of="forearm1.P", wrt="A2")
    with pytest.raises(cc.MechanismError, match="A1 is named twice"):
        cc.influence(m, pose, of="forearm1.P", wrt=["A1", "motor1"])
    with pytest.raises(cc.MechanismError, match="did you mean 'A1'"):
        cc.influence(m, pose, of="forearm1.P", wrt=["A11"])
    with pytest.raises(cc.MechanismError, match="names no variable"):
        cc.influence(m, pose, of="forearm1.P", wrt=[2])  # pyright: ignore[reportArgumentType]
    with pytest.raises(cc.MechanismError, match="not a point"):
        cc.influence(m, pose, of="forearm1.Q")


def test_a_dead_centre_is_told_from_a_wrong_choice():
    m, _ = example("slider_crank")
    dead = cc.assemble(m, {"O": 0.0})
    with pytest.raises(cc.SingularConfigurationError, match="O, A, B can move while guide stand still"):
        cc.influence(m, dead, of="rod.origin", wrt=["guide"])
    G, _ = cc.influence(m, dead, of="rod.origin", wrt=["O"])
    assert np.isfinite(G).all()


def test_a_flat_parallelogram_is_singular_whatever_is_chosen():
    link = {"points": {"end": [0.3, 0]}}
    m = cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": {
                "ground": {"points": {"D": [0.5, 0]}},
                "a": link,
                "b": {"points": {"end": [0.5, 0]}},
                "c": link,
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.origin", "a.origin"], "guess": 0.6},
                "B": {"type": "revolute", "between": ["a.end", "b.origin"], "guess": -0.6},
                "D": {"type": "revolute", "between": ["ground.D", "c.origin"], "guess": 0.6},
                "C": {"type": "revolute", "between": ["c.end", "b.end"], "guess": -0.6},
            },
        }
    )
    G, H = cc.influence(m, cc.assemble(m, {"A": 0.8}), of="b.origin", wrt=["A"])
    assert G[:, 0] == pytest.approx([0.0, -0.3 * np.sin(0.8), 0.3 * np.cos(0.8)], abs=1e-12)
    assert H[:, 0, 0] == pytest.approx([0.0, -0.3 * np.cos(0.8), -0.3 * np.sin(0.8)], abs=1e-12)
    with pytest.raises(cc.SingularConfigurationError, match="lose rank at this pose"):
        cc.influence(m, cc.assemble(m, {"A": 0.0}), of="b.origin", wrt=["A"])


def test_spatial_parallelogram_is_as_good_as_a_planar_one():
    """Three redundant rows in space."""
    flat, _ = example("four_bar")
    data = flat.to_dict()
    data["mechanism"] = {key: value for key, value in data["mechanism"].items() if key not in ("planar", "gravity")}
    for body in data["bodies"].values():
        body.pop("com", None)
        body.pop("inertia", None)
        body["points"] = {key: [*value, 0] for key, value in body.get("points", {}).items()}
    data.pop("studies", None)
    spatial = cc.Mechanism.from_dict(data)
    G, H = cc.influence(flat, cc.assemble(flat, {"A": 0.9}), of="coupler.P")
    G3, H3 = cc.influence(spatial, cc.assemble(spatial, {"A": 0.9}), of="coupler.P")
    assert G3[[2, 3, 4]] == pytest.approx(G, abs=1e-12)
    assert H3[[2, 3, 4]] == pytest.approx(H, abs=1e-12)
    assert np.abs(G3[[0, 1, 5]]).max() < 1e-13


def test_a_pose_of_another_mechanism_is_refused():
    m, _ = example("four_bar")
    other, pose = example("five_bar")
    with pytest.raises(cc.MechanismError, match="another mechanism"):
        cc.influence(m, pose, of="coupler.P")
    longer = other.with_values({"parameters.arm": 0.25})
    with pytest.raises(cc.MechanismError, match="leaves the loops open"):
        cc.influence(longer, pose, of="forearm1.P")


def test_couplings_count_as_loops():
    """A rack on a pinion: one freedom for two joints."""
    m = cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": {"ground": {}, "pinion": {}, "rack": {}},
            "joints": {
                "turn": {"type": "revolute", "between": ["ground.origin", "pinion.origin"]},
                "slide": {"type": "prismatic", "between": ["ground.origin", "rack.origin"]},
            },
            "couplings": {"teeth": {"sum": {"slide": 1, "turn": -0.05}}},
        }
    )
    G, H = cc.influence(m, cc.assemble(m), of="rack.origin", wrt=["turn"])
    assert G[:, 0] == pytest.approx([0.0, 0.05, 0.0], abs=1e-15)
    assert np.abs(H).max() < 1e-15
    with pytest.raises(cc.MechanismError, match="2 variables for 1 freedom"):
        cc.influence(m, cc.assemble(m), of="rack.origin", wrt=["turn", "slide"])
