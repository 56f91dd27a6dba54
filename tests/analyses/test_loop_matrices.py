"""Loop equations against kinematics along motions, closed forms, and for every choice of the intermediate body."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(name):
    m = cc.load(EXAMPLES / name / "mechanism.toml")
    return m, cc.assemble(m)


def driven_state(m, labels, seed=1):
    """A pose, with rates and accelerations of all joints for random driven ones, by way of kinematics."""
    start = cc.assemble(m)
    values = {label: start[label] for label in labels}
    draw = np.random.default_rng(seed)
    names = {actuator.joint.text: name for name, actuator in m.actuators.items()}
    arrays = {names[label]: tuple([value] for value in (values[label], *draw.normal(size=2))) for label in labels}
    ds = cc.kinematics(m, arrays)
    pose = cc.assemble(m, values)
    return (
        pose,
        {name: ds.qd.sel(rate=name).item() for name in ds.rate.values},
        {name: ds.qdd.sel(rate=name).item() for name in ds.rate.values},
    )


ALL = ["four_bar", "slider_crank", "five_bar", "planar_3rrr", "bennett", "bricard", "six_r_six", "gough_stewart",
       "jansen_leg", "universal_shaft", "rssr", "delta"]  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_rates_and_accelerations_of_kinematics_satisfy_the_equations(name):
    m, pose = example(name)
    pose, qd, qdd = driven_state(m, cc.loop_matrices(m, pose).driven)
    equations = cc.loop_matrices(m, pose)
    qp, qa = (np.array([qd[name] for name in names]) for names in (equations.passive, equations.driven))
    qpp, qaa = (np.array([qdd[name] for name in names]) for names in (equations.passive, equations.driven))
    c = equations.c(np.concatenate([qp, qa]))
    scale = 1.0 + np.abs(c).max()
    assert np.abs(equations.W @ qp + equations.U @ qa).max() < 1e-11 * scale
    assert np.abs(equations.W @ qpp + equations.U @ qaa + c).max() < 1e-10 * scale
    assert c == pytest.approx(equations.c(qd), abs=1e-14)
    if not equations.idle:
        assert equations.passive_rates(qa) == pytest.approx(qp, abs=1e-10)
        assert equations.passive_accelerations(qa, qaa) == pytest.approx(qpp, abs=1e-9 * scale)
    found = equations.passive_rates(dict(zip(equations.driven, qa, strict=True)))
    assert np.abs(equations.W @ found + equations.U @ qa).max() < 1e-11 * scale


def test_columns_are_those_of_the_textbook():
    """x_r = (1 - s_r) h_r e_r, y_r = h_r ((1 - s_r) e_r x rho_r + s_r e_r) for the slider-crank."""
    m, _ = example("slider_crank")
    pose = cc.assemble(m, {"O": 0.8})
    equations = cc.loop_matrices(m, pose, intermediate="rod.B")
    h = dict.fromkeys(equations.right[0], 1.0) | dict.fromkeys(equations.left[0], -1.0)
    # A joint that its path passes from the moving to the base side turns against its own axis.
    against = {name: -1.0 if m.joints[name].moving.body in path_bodies(m, equations, name) else 1.0 for name in h}
    columns = dict(zip((*equations.passive, *equations.driven), np.hstack([equations.W, equations.U]).T, strict=True))
    for name in ("O", "A", "B"):
        e = np.array([0.0, 0.0, against[name]])
        rho = np.append(pose.point("rod.B") - pose.point(m.joints[name].base.text), 0.0)
        assert columns[name] == pytest.approx(h[name] * np.array([e[2], *np.cross(e, rho)[:2]]), abs=1e-13)
    e = against["guide"] * np.array([1.0, 0.0])
    assert columns["guide"] == pytest.approx(h["guide"] * np.array([0.0, *e]), abs=1e-13)


def path_bodies(m, equations, name):
    """Bodies that the path passes before it reaches the joint."""
    path = equations.right[0] if name in equations.right[0] else equations.left[0]
    bodies = ["ground"]
    for joint in path[: path.index(name)]:
        ends = m.joints[joint].base.body, m.joints[joint].moving.body
        bodies.append(ends[1] if ends[0] == bodies[-1] else ends[0])
    return bodies[-1:]


@pytest.mark.parametrize("name", ["four_bar", "bennett", "planar_3rrr", "rssr", "universal_shaft"])
def test_every_intermediate_body_gives_the_same_rates(name):
    m, pose = example(name)
    reference = cc.loop_matrices(m, pose)
    loops = reference.loops
    for loop in loops:
        single = cc.loop_matrices(m, pose, loop=loop)
        joints = (*single.right[0], *single.left[0])
        bodies = {m.joints[joint].moving.body for joint in joints} | {m.joints[joint].base.body for joint in joints}
        base = base_of(m, single)
        for body in bodies - {base}:
            cut = cc.loop_matrices(m, pose, intermediate={loop: body})
            assert cut.intermediate[loops.index(loop)] == f"{body}.origin"
            assert cut.rank == reference.rank
            assert cut.dqp_dqa == pytest.approx(reference.dqp_dqa, abs=1e-11)
            draw = np.random.default_rng(2)
            qa, qaa = draw.normal(size=(2, len(cut.driven)))
            expected = reference.passive_accelerations(qa, qaa)
            assert cut.passive_accelerations(qa, qaa) == pytest.approx(expected, abs=1e-9)
        with pytest.raises(cc.MechanismError, match="is the base of"):
            cc.loop_matrices(m, pose, intermediate={loop: base})


def base_of(m, single):
    """The body at which both paths of a loop start."""
    first = [m.joints[path[0][0]] for path in (single.right, single.left)]
    ends = [{joint.base.body, joint.moving.body} for joint in first]
    common = ends[0] & ends[1]
    return "ground" if "ground" in common else common.pop()


def test_dropped_rows_follow_from_the_kept_ones():
    """Bennett's loop has three independent rows of six; any consistent choice gives the same rates."""
    m, _ = example("bennett")
    pose = cc.assemble(m, {"J1": 1.1})
    equations = cc.loop_matrices(m, pose)
    assert (equations.rank, len(equations.independent), equations.freedoms) == (3, 3, 1)
    assert np.linalg.matrix_rank(equations.W0, tol=1e-8) == 3
    assert equations.dqp_dqa == pytest.approx(-np.linalg.solve(equations.W0, equations.U0), abs=1e-11)
    assert equations.W @ equations.dqp_dqa == pytest.approx(-equations.U, abs=1e-12)
    slope = equations.dqp_dqa[equations.passive.index("J2"), 0]
    assert slope == pytest.approx(-np.sin(pose["J2"]) / np.sin(pose["J1"]), abs=1e-11)


def test_convective_terms_are_the_derivative_of_the_columns():
    """C[:, m, n] = dA[:, n]/dq_m along joint m alone, from the geometry of the paths moved apart."""
    m, _ = example("four_bar")
    pose = cc.assemble(m, {"A": 0.9})
    equations = cc.loop_matrices(m, pose)
    names = (*equations.passive, *equations.driven)
    h = 1e-6

    def columns(name, change):
        coordinates = dict(pose.coordinates)
        coordinates[name] += change
        apart = cc.Pose(m, coordinates, pose.frames, 0.0)
        moved = cc.loop_matrices(m, apart)
        return np.hstack([moved.W, moved.U])

    for k, name in enumerate(names):
        slope = (columns(name, h) - columns(name, -h)) / (2 * h)
        assert equations.C[:, k] == pytest.approx(slope, abs=1e-8)


def test_idle_rods_take_the_least_rates():
    m, pose = example("rssr")
    equations = cc.loop_matrices(m, pose)
    assert (equations.rank, equations.idle, equations.freedoms) == (6, 1, 2)
    assert "freedoms: 2, 1 of them idle" in str(equations)
    assert equations.W @ equations.dqp_dqa == pytest.approx(-equations.U, abs=1e-12)
    G, _ = cc.influence(m, pose, of="rocker.origin")
    at = equations.passive.index("D")
    axis = G[:3, 0]
    assert abs(equations.dqp_dqa[at, 0]) == pytest.approx(np.linalg.norm(axis), abs=1e-12)


def test_redundant_drives_and_a_choice_among_them():
    m, pose = example("shift_manipulator")
    equations = cc.loop_matrices(m, pose)
    assert equations.driven == ("A1", "A2", "A3")
    assert equations.freedoms == 2
    with pytest.raises(cc.MechanismError, match="A1, A2, A3 depend on each other: 2 freedoms"):
        _ = equations.dqp_dqa
    chosen = cc.loop_matrices(m, pose, driven=["A1", "A2"])
    third = chosen.dqp_dqa[chosen.passive.index("A3")]
    qa = np.array([0.3, -0.8])
    rates = np.array([*qa, third @ qa])
    qp = np.linalg.lstsq(equations.W, -equations.U @ rates, rcond=None)[0]
    assert np.abs(equations.W @ qp + equations.U @ rates).max() < 1e-12


def test_a_singular_pose_is_reported_not_hidden():
    m, _ = example("slider_crank")
    dead = cc.assemble(m, {"O": 0.0})
    equations = cc.loop_matrices(m, dead, driven=["guide"])
    assert equations.rank == 2
    assert "rank of W: 2 of 3" in str(equations)
    with pytest.raises(cc.SingularConfigurationError, match="rank 2 for 3 passive rates"):
        _ = equations.dqp_dqa


def test_couplings_are_rows_too():
    m = cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": {
                "ground": {"points": {"D": [0.6, 0]}},
                "a": {"points": {"end": [0.4, 0]}},
                "b": {"points": {"end": [0.5, 0]}},
                "c": {"points": {"end": [0.45, 0]}},
                "wheel": {},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.origin", "a.origin"], "guess": 1.2},
                "B": {"type": "revolute", "between": ["a.end", "b.origin"], "guess": -1.2},
                "D": {"type": "revolute", "between": ["ground.D", "c.origin"], "guess": 1.6},
                "C": {"type": "revolute", "between": ["b.end", "c.end"], "guess": 1.6},
                "motor": {"type": "revolute", "between": ["ground.origin", "wheel.origin"]},
            },
            "couplings": {"gear": {"sum": {"A": 3.0, "motor": 1.0}, "equals": 0}},
            "actuators": {"drive": {"joint": "motor"}},
        }
    )
    pose = cc.assemble(m, {"A": 1.1})
    equations = cc.loop_matrices(m, pose)
    assert equations.rows[-1] == "gear"
    assert equations.dqp_dqa[equations.passive.index("A"), 0] == pytest.approx(-1.0 / 3.0, abs=1e-14)
    G, _ = cc.influence(m, pose, of="c.origin")
    assert equations.dqp_dqa[equations.passive.index("D"), 0] == pytest.approx(G[0, 0], abs=1e-12)


def test_names_of_loops_and_bodies():
    m, pose = example("jansen_leg")
    stacked = cc.loop_matrices(m, pose)
    assert len(stacked.loops) == 3
    one = cc.loop_matrices(m, pose, loop=stacked.loops[1])
    assert one.loops == (stacked.loops[1],)
    assert one.W.shape[0] == 3
    assert cc.loop_matrices(m, pose, loop=1).rows == one.rows
    with pytest.raises(cc.MechanismError, match="no loop passes 'nothing'"):
        cc.loop_matrices(m, pose, loop="nothing")
    with pytest.raises(cc.MechanismError, match="there is no loop 7"):
        cc.loop_matrices(m, pose, loop=7)
    with pytest.raises(cc.MechanismError, match="no loop passes body 'ground'"):
        cc.loop_matrices(m, pose, intermediate="ground")
    with pytest.raises(cc.MechanismError, match="is not a rate"):
        cc.loop_matrices(m, pose, driven=["nothing"])
    arm, still = example("dh_arm")
    with pytest.raises(cc.MechanismError, match="no closed loop"):
        cc.loop_matrices(arm, still)
