"""Freedoms that are instantaneous only, poses where branches meet, freedoms that are idle."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import closedchain as cc
from closedchain.analyses.second_order import definite_combination, quadratic_forms, verdict
from closedchain.analyses.tangent import Configurations


def test_flat_parallelogram_is_where_branches_meet(linkages):
    for space in (False, True):
        m = linkages.four_bar(2, 1, 2, 1, space=space)
        found = cc.mobility(m, cc.assemble(m, {"A": 0.0}))
        assert (found.dof, found.instantaneous, found.second_order) == (1, 1, "cone")
        assert found.rank_at_pose == found.rank - 1
        assert "branches of motion meet" in str(found)
        beside = cc.mobility(m, cc.assemble(m, {"A": 1e-3}))
        assert (beside.dof, beside.instantaneous) == (1, 0)


def test_forms_of_the_flat_parallelogram_have_both_branches(linkages):
    """The directions that pass: the parallelogram's, d = a, and the antiparallelogram's, d = -a (2 + 1) / (2 - 1)."""
    m = linkages.four_bar(2, 1, 2, 1)
    model = cc.compile(m)
    configurations = Configurations(model)
    pose = cc.assemble(m, {"A": 0.0})
    here = configurations.tangents(pose.tree(model)[None])[0]
    (Q,) = quadratic_forms(configurations, here)
    a, d = here.N[model.tree_rates["A"]], here.N[model.tree_rates["D"]]
    roots = np.roots([Q[1, 1], 2 * Q[0, 1], Q[0, 0]])
    ratios = sorted(float((d[0] + d[1] * t) / (a[0] + a[1] * t)) for t in roots.real)
    np.testing.assert_allclose(ratios, [-3.0, 1.0], atol=1e-5)


def test_shaky_structure_does_not_move(linkages):
    shaky = cc.mobility(linkages.three_rods())
    assert (shaky.dof, shaky.gruebler, shaky.instantaneous, shaky.second_order) == (0, 0, 1, "blocked")
    assert "does not move" in str(shaky)
    firm = cc.mobility(linkages.three_rods(turn=0.3))
    assert (firm.dof, firm.instantaneous, firm.redundant) == (0, 0, 0)


def test_stretched_four_bar_is_a_structure(linkages):
    found = cc.mobility(linkages.four_bar(3, 1, 1, 1))
    assert (found.dof, found.instantaneous, found.second_order) == (0, 2, "blocked")


def test_shaky_part_on_a_moving_body(linkages):
    """The same structure on a turning plate: shaky at every pose, one finite freedom."""
    bar, hinge = linkages.bar, linkages.hinge
    carrier = {"mass": 1.0, "com": [1, 0], "points": {"O": [0, 0], "A": [1, 0], "D": [4, 0]}}
    bodies = {"ground": {}, "carrier": carrier, "a": bar(1.0), "b": bar(1.0), "c": bar(1.0)}
    joints = {
        "O": hinge("ground.origin", "carrier.O"),
        "A": hinge("carrier.A", "a.P"),
        "B": hinge("a.Q", "b.P"),
        "C": hinge("b.Q", "c.Q", guess=math.pi),
        "D": hinge("carrier.D", "c.P", guess=math.pi),
    }
    found = cc.mobility(linkages.planar(bodies, joints))
    assert (found.dof, found.gruebler, found.instantaneous) == (1, 2, 2)
    assert "comes back" in str(found)


def test_two_flat_parallelograms_in_a_row(linkages):
    """Two loops flat at once: both extra freedoms are counted, the finite one stays."""
    bar, hinge = linkages.bar, linkages.hinge
    bodies = {"ground": {"points": {f"A{k}": [2.0 * k, 0] for k in range(3)}}}
    bodies |= {f"leg{k}": bar(1.0) for k in range(3)} | {f"top{k}": bar(2.0) for k in range(2)}
    joints = {f"A{k}": hinge(f"ground.A{k}", f"leg{k}.P") for k in range(3)}
    for k in range(2):
        joints[f"B{k}"] = hinge(f"leg{k}.Q", f"top{k}.P")
        joints[f"C{k}"] = hinge(f"top{k}.Q", f"leg{k + 1}.Q")
    m = linkages.planar(bodies, joints)
    found = cc.mobility(m, cc.assemble(m, {"A0": 0.0}))
    assert (found.dof, found.instantaneous) == (1, 2)


@pytest.mark.parametrize("mass", [0.0, 1.0])
def test_rod_between_balls_spins_idly(linkages, mass):
    found = cc.mobility(linkages.rssr(mass))
    assert (found.dof, found.gruebler, found.idle) == (2, 2, 1)
    assert set(found.idle_joints) == {"B", "C"}
    assert found.idle_motions[0].bodies == ("rod",)


def test_origin_of_a_rod_makes_no_difference(linkages):
    for mass in (0.0, 1.0):
        assert cc.mobility(linkages.rssr(mass, origin=(0.1, 0.2, -0.1))).idle == 1


def test_what_moves_something_is_not_idle(linkages):
    source = linkages.rssr().to_dict()
    bent = dict(source["bodies"]["rod"], com=[0.2, 0.1, 0.0])
    assert cc.mobility(cc.Mechanism.from_dict(source | {"bodies": source["bodies"] | {"rod": bent}})).idle == 0
    watched = dict(source["bodies"]["rod"]["points"], W=[0.2, 0.1, 0.0])
    rod = dict(source["bodies"]["rod"], points=watched)
    seen = source | {"bodies": source["bodies"] | {"rod": rod}, "outputs": {"w": {"point": "rod.W"}}}
    assert cc.mobility(cc.Mechanism.from_dict(seen)).idle == 0
    driven = source | {"actuators": {"spin": {"joint": "A"}}}
    assert cc.mobility(cc.Mechanism.from_dict(driven)).idle == 1


@settings(max_examples=40)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 10_000))
def test_definite_combinations_are_found_where_they_exist(k, count, seed):
    draw = np.random.default_rng(seed)
    forms = draw.normal(size=(count, k, k))
    forms = forms + forms.transpose(0, 2, 1)
    G = draw.normal(size=(k, k))
    hidden = G @ G.T + np.eye(k)
    # The last form is such that a combination with the others is `hidden`.
    mix = draw.normal(size=count)
    mix[-1] = 1.0
    forms[-1] = hidden - np.tensordot(mix[:-1], forms[:-1], 1)
    c = definite_combination(forms, rounds=20_000)
    assert c is not None
    assert np.linalg.eigvalsh(np.tensordot(c, forms, 1))[0] > 0.0
    assert verdict(np.zeros((count, k, k))) == "free"
    assert verdict(np.array([np.diag([1.0, -1.0])])) == "cone"
