"""Freedom, rank, redundancy and loops of mechanisms of known mobility, and of random chains, where counting does."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import closedchain as cc

FREEDOMS = {"revolute": 1, "prismatic": 1, "cylindrical": 2, "universal": 2, "spherical": 3, "planar": 3}


def consistent(found, bodies, per_body=6):
    """The counts that belong together."""
    assert found.bodies == bodies
    assert found.gruebler == per_body * bodies - found.rows
    assert found.redundant == found.rows - found.rank
    assert found.dof == per_body * bodies - found.rank


def test_bennett_moves_against_the_count(linkages):
    found = cc.mobility(linkages.bennett())
    assert (found.dof, found.gruebler, found.rows, found.rank, found.redundant) == (1, -2, 20, 17, 3)
    assert (found.idle, found.loops, found.instantaneous) == (0, 1, 0)
    assert found.redundancies[0].members == ("J1", "J2", "J3", "J4")
    consistent(found, 3)


@settings(max_examples=25)
@given(a=st.floats(0.1, 0.5), alpha=st.floats(0.4, 1.4), beta=st.floats(1.7, 2.8))
def test_every_bennett_moves(linkages, a, alpha, beta):
    m = linkages.bennett(a, alpha, beta)
    found = cc.mobility(m, cc.assemble(m, {"J1": 1.0}))
    assert (found.dof, found.redundant) == (1, 3)


def test_a_spoilt_bennett_does_not_move(linkages):
    m = linkages.bennett().with_values({"bodies.link1.points.far.0": 0.23})
    for pose in cc.assembly_modes(m):
        assert cc.mobility(m, pose).dof == 0
    with pytest.raises(cc.AssemblyError, match="cannot be closed"):
        cc.assemble(m, {"J1": 1.0})


@pytest.mark.parametrize(("pairs", "redundant"), [(2, 1), (3, 4)])
def test_sarrus(linkages, pairs, redundant):
    found = cc.mobility(linkages.sarrus(pairs))
    assert (found.dof, found.redundant, found.loops) == (1, redundant, pairs - 1)
    consistent(found, 2 * pairs + 1)


def test_four_bar_in_plane_and_in_space(linkages):
    flat, deep = (
        cc.mobility(linkages.four_bar(2, 1, 1.8, 1.2)),
        cc.mobility(linkages.four_bar(2, 1, 1.8, 1.2, space=True)),
    )
    assert (flat.dof, flat.gruebler, flat.redundant) == (1, 1, 0)
    assert (deep.dof, deep.gruebler, deep.redundant) == (1, -2, 3)
    consistent(flat, 3, 3)
    consistent(deep, 3)


def test_third_parallel_bar_is_redundant(linkages):
    bar, hinge = linkages.bar, linkages.hinge
    bodies = {
        "ground": {"points": {"A": [0, 0], "D": [2, 0], "E": [1, 0]}},
        "first": bar(1.0),
        "last": bar(1.0),
        "third": bar(1.0),
        "coupler": {"mass": 1.0, "points": {"P": [0, 0], "M": [1, 0], "Q": [2, 0]}},
    }
    joints = {
        "A": hinge("ground.A", "first.P", guess=1.0),
        "B": hinge("first.Q", "coupler.P", guess=-1.0),
        "C": hinge("coupler.Q", "last.Q"),
        "D": hinge("ground.D", "last.P", guess=1.0),
        "E": hinge("ground.E", "third.P", guess=1.0),
        "F": hinge("third.Q", "coupler.M", guess=-1.0),
    }
    found = cc.mobility(linkages.planar(bodies, joints))
    assert (found.dof, found.gruebler, found.redundant, found.loops) == (1, 0, 1, 2)
    # Another foot for the third bar, its length as it fits at 1 rad: it holds the parallelogram there.
    fitting = math.hypot(math.cos(1.0) + 1.0 - 1.3, math.sin(1.0))
    bodies["ground"] = {"points": {"A": [0, 0], "D": [2, 0], "E": [1.3, 0]}}
    held = cc.mobility(linkages.planar(bodies | {"third": bar(fitting)}, joints))
    assert (held.dof, held.gruebler, held.redundant) == (0, 0, 0)


@pytest.mark.parametrize("seed", range(4))
def test_random_open_chain(linkages, seed):
    kinds = np.random.default_rng(seed).choice(list(FREEDOMS), 4).tolist()
    found = cc.mobility(linkages.chain(kinds, seed))
    assert found.dof == found.gruebler == sum(FREEDOMS[kind] for kind in kinds)
    assert (found.redundant, found.loops) == (0, 0)


@pytest.mark.parametrize("kinds", [
    ["revolute"] * 7,
    ["revolute"] * 6,
    ["revolute", "cylindrical", "cylindrical", "cylindrical"],
    ["universal", "prismatic", "spherical", "revolute"],
    ["planar", "spherical", "prismatic", "revolute"],
])  # fmt: skip
def test_random_closed_loop(linkages, kinds):
    found = cc.mobility(linkages.chain(kinds, 3, closed=True))
    freedom = sum(FREEDOMS[kind] for kind in kinds) - 6
    assert (found.dof, found.gruebler, found.redundant, found.loops) == (freedom, freedom, 0, 1)


def test_platform_on_six_legs(linkages):
    base, top = linkages.hexagon(1.0, 0.9), linkages.hexagon(0.6, 0.3)
    found = cc.mobility(linkages.stewart(base, top, linkages.transform(1.0, 0.2, 0.1, -0.1)))
    assert (found.dof, found.gruebler, found.redundant, found.idle, found.loops) == (6, 6, 0, 0, 5)
    balls = cc.mobility(linkages.stewart(base, top, linkages.transform(1.0), first="spherical"))
    assert (balls.dof, balls.idle) == (12, 6)
    assert len(balls.idle_motions) == 6


def test_nothing_moves_and_nothing_holds():
    empty = cc.mobility(cc.Mechanism.from_dict({"bodies": {"ground": {}}}))
    assert (empty.dof, empty.rows, empty.rank, empty.loops) == (0, 0, 0, 0)
    bodies = {"ground": {}, "b": {"mass": 1.0}}
    ends = {"between": ["ground.origin", "b.origin"]}
    free = cc.mobility(cc.Mechanism.from_dict({"bodies": bodies, "joints": {"F": {"type": "free", **ends}}}))
    assert (free.dof, free.rows) == (6, 0)
    twice = {"F": {"type": "fixed", **ends}, "G": {"type": "fixed", **ends}}
    fixed = cc.mobility(cc.Mechanism.from_dict({"bodies": bodies, "joints": twice}))
    assert (fixed.dof, fixed.gruebler, fixed.redundant) == (0, -6, 6)
    assert "structure" in str(fixed)


def test_couplings_are_rows(linkages):
    bodies = {"ground": {}, "a": {"mass": 1.0, "com": [0.1, 0]}, "b": {"mass": 1.0, "com": [0.1, 0]}}
    joints = {"A": linkages.hinge("ground.origin", "a.origin"), "B": linkages.hinge("ground.origin", "b.origin")}
    one = {"gear": {"sum": {"A": 1, "B": 2.5}}}
    found = cc.mobility(linkages.planar(bodies, joints, couplings=one))
    assert (found.dof, found.rows, found.redundant) == (1, 5, 0)
    again = cc.mobility(linkages.planar(bodies, joints, couplings=one | {"same": {"sum": {"A": 2, "B": 5}}}))
    assert (again.dof, again.rows, again.redundant) == (1, 6, 1)
    assert again.redundancies[0].members == ("gear", "same")


def test_pose_chooses_where_to_look(linkages):
    m = linkages.four_bar(2, 1, 1.8, 1.2)
    assert cc.mobility(m, cc.assemble(m, {"A": 2.0})).dof == 1


def test_wrong_poses_are_refused(linkages):
    m = linkages.four_bar(2, 1, 1.8, 1.2)
    with pytest.raises(cc.MechanismError, match="another mechanism"):
        cc.mobility(m, cc.assemble(linkages.slider_crank()))
    longer = linkages.four_bar(2, 1.1, 1.8, 1.2)
    with pytest.raises(cc.AssemblyError, match="open"):
        cc.mobility(longer, cc.assemble(m))
    with pytest.raises(cc.AssemblyError, match="cannot be closed"):
        cc.mobility(linkages.four_bar(5, 1, 1.8, 1.2))


def test_explanation_names_what_matters(linkages):
    text = str(cc.mobility(linkages.four_bar(2, 1, 1.8, 1.2, space=True)))
    assert "1 freedom" in text
    assert "gives -2" in text
    assert "3 redundant rows shared by A, B, C and D" in text
    assert "rod moves in B and C" in str(cc.mobility(linkages.rssr()))


@settings(max_examples=25)
@given(order=st.permutations(["A", "B", "C", "D"]), flips=st.tuples(*[st.booleans()] * 4))
def test_order_and_sense_of_joints_make_no_difference(linkages, order, flips):
    source = linkages.four_bar(2, 1, 1.8, 1.2, space=True).to_dict()
    joints = {}
    for name, flip in zip(order, flips, strict=True):
        entry = dict(source["joints"][name])
        entry.pop("guess", None)
        entry["between"] = list(entry["between"])[:: -1 if flip else 1]
        joints[name] = entry
    found = cc.mobility(cc.Mechanism.from_dict(source | {"joints": joints}))
    assert (found.dof, found.rank, found.redundant) == (1, 17, 3)
    assert set(found.redundancies[0].members) == set("ABCD")


def test_many_bars_in_a_row(linkages):
    """A ladder of parallelograms: N coupled loops with one freedom, all rows independent."""
    count = 12
    bodies = {"ground": {"points": {f"A{k}": [float(k), 0] for k in range(count + 1)}}}
    joints = {}
    for k in range(count + 1):
        bodies[f"leg{k}"] = linkages.bar(1.0)
        joints[f"A{k}"] = linkages.hinge(f"ground.A{k}", f"leg{k}.P", guess=1.0)
    for k in range(count):
        bodies[f"top{k}"] = linkages.bar(1.0)
        joints[f"B{k}"] = linkages.hinge(f"leg{k}.Q", f"top{k}.P", guess=-1.0)
        joints[f"C{k}"] = linkages.hinge(f"top{k}.Q", f"leg{k + 1}.Q")
    found = cc.mobility(linkages.planar(bodies, joints))
    assert (found.dof, found.redundant, found.loops) == (1, 0, count)


def test_three_intersecting_planes_of_motion(linkages):
    """Three revolutes through a point with a fourth between random directions: the spherical four-bar, 1 against -2."""
    draw = np.random.default_rng(5)
    axes = draw.normal(size=(4, 3))
    names = ["ground", "a", "b", "c", "ground"]
    bodies = {name: {"mass": 1.0, "com": [0.1, 0.2, 0.3], "points": {}} for name in names[1:4]}
    bodies["ground"] = {"points": {}}
    joints = {}
    for k, (base, moving) in enumerate(itertools.pairwise(names)):
        frame = {"at": [0.0, 0.0, 0.0], "z": axes[k].tolist()}
        bodies[base]["points"][f"j{k}"] = bodies[moving]["points"][f"j{k}"] = frame
        joints[f"j{k}"] = linkages.hinge(f"{base}.j{k}", f"{moving}.j{k}")
    found = cc.mobility(linkages.spatial(bodies, joints))
    assert (found.dof, found.gruebler, found.redundant) == (1, -2, 3)
    assert math.isclose(cc.assemble(linkages.spatial(bodies, joints), {"j0": 0.3}).residual, 0.0, abs_tol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_random_loops_have_the_freedoms_they_were_given(loops, seed):
    freedoms = 1 + seed % 3
    m = cc.Mechanism.from_dict(loops.random_loop(seed, planar=seed % 2 == 0, loops=1 + seed % 2, freedoms=freedoms))
    found = cc.mobility(m)
    assert (found.dof, found.gruebler, found.redundant, found.instantaneous) == (freedoms, freedoms, 0, 0)
