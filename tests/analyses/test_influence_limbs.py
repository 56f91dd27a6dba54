"""Limb coefficients, and a platform's coefficients made from its limbs as in the textbook."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(name, shift=None):
    m = cc.load(EXAMPLES / name / "mechanism.toml")
    pose = cc.assemble(m)
    if shift:
        pose = cc.assemble(m, {label: pose[label] + change for label, change in shift.items()}, guess=pose)
    return m, pose


def from_limbs(limbs):
    """G_Vq and H_Vqq of the platform from its limbs, one driven rate in each."""
    rows = [limb.rates.index(limb.driven[0]) for limb in limbs]
    G_qV = np.array([limb.rate_map[row] for limb, row in zip(limbs, rows, strict=True)])
    G = np.linalg.inv(G_qV)
    L = np.zeros((len(limbs),) * 3)
    for k, (limb, row) in enumerate(zip(limbs, rows, strict=True)):
        g = limb.rate_map @ G
        L[k] = g.T @ np.einsum("i,imn->mn", limb.rate_map[row], limb.H) @ g
    return G, np.einsum("ik,kmn->imn", G, L)


@pytest.mark.parametrize(
    ("name", "of", "labels"),
    [
        ("six_r_six", "platform.C1", [f"limb{k}.1" for k in range(1, 7)]),
        ("gough_stewart", "platform.B2", [f"L{k}" for k in range(1, 7)]),
        ("planar_3rrr", "platform.origin", ["A1", "A2", "A3"]),
    ],
)
def test_platform_from_its_limbs_equals_influence(name, of, labels):
    """G_Vq = G_qV^-1, H_Vqq = G_Vq * L, L[r] = g^T (row * H^(r)) g."""
    m, pose = example(name, {label: 0.04 * (-1) ** k for k, label in enumerate(labels)})
    limbs = cc.limb_influence(m, pose, of)
    assert [limb.driven for limb in limbs] == [(label,) for label in labels]
    assert all(limb.inverts and not limb.singular for limb in limbs)
    G, H = from_limbs(limbs)
    G_all, H_all = cc.influence(m, pose, of)
    scale = np.abs(H_all).max()
    assert np.abs(G - G_all).max() < 1e-10 * np.abs(G_all).max()
    assert np.abs(H - H_all).max() < 1e-10 * scale


def test_each_limb_is_the_serial_chain_to_the_platform():
    m, pose = example("gough_stewart")
    limbs = cc.limb_influence(m, pose, "platform.centre")
    G, H, names = cc.chain_influence(m, pose, "platform.centre")
    assert limbs[0].rates == names
    assert pytest.approx(G, abs=1e-14) == limbs[0].G
    assert pytest.approx(H, abs=1e-14) == limbs[0].H
    assert "limb U1: joints U1, L1, S1; 6 rates, rank 6 of 6, rate map: inverse; driven: L1" in str(limbs[0])


def test_rates_of_the_limbs_agree_with_the_whole_mechanism():
    m, pose = example("planar_3rrr")
    V, A = np.array([0.4, -0.3, 0.2]), np.array([-0.1, 0.5, 0.7])
    ds = cc.platform_inverse(m, pose, "platform.origin", V, A)
    for limb in cc.limb_influence(m, pose, "platform.origin"):
        rates = limb.rate_map @ V
        bend = np.einsum("imn,m,n->i", limb.H, rates, rates)
        assert ds.qd.sel(rate=list(limb.rates)).values == pytest.approx(rates, abs=1e-12)
        assert ds.qdd.sel(rate=list(limb.rates)).values == pytest.approx(limb.rate_map @ (A - bend), abs=1e-11)


def three_rps():
    """3-RPS: three limbs of five rates, each forbids one motion of the platform."""
    c, s = np.cos(2 * np.pi / 3), np.sin(2 * np.pi / 3)
    around = [(1.0, 0.0), (c, s), (c, -s)]
    bodies = {"ground": {"points": {}}, "platform": {"points": {}}}
    joints, actuators = {}, {}
    for k, (x, y) in enumerate(around, 1):
        bodies["ground"]["points"][f"A{k}"] = {"at": [0.5 * x, 0.5 * y, 0], "z": [-y, x, 0], "x": [0, 0, 1]}
        bodies["platform"]["points"][f"C{k}"] = [0.3 * x, 0.3 * y, 0]
        bodies[f"leg{k}"] = {"points": {"A": {"at": [0, 0, 0], "z": [0, 1, 0], "x": [0, 0, 1]}}}
        bodies[f"rod{k}"] = {}
        joints[f"R{k}"] = {"type": "revolute", "between": [f"ground.A{k}", f"leg{k}.A"], "guess": 0.0}
        joints[f"P{k}"] = {"type": "prismatic", "between": [f"leg{k}.origin", f"rod{k}.origin"], "guess": 0.8}
        joints[f"S{k}"] = {"type": "spherical", "between": [f"rod{k}.origin", f"platform.C{k}"]}
        actuators[f"m{k}"] = {"joint": f"P{k}"}
    m = cc.Mechanism.from_dict({"bodies": bodies, "joints": joints, "actuators": actuators,
                                "outputs": {"C1": {"point": "platform.C1"}}})  # fmt: skip
    return m, cc.assemble(m, {"P1": 0.8, "P2": 0.83, "P3": 0.77})


def test_limbs_with_five_joints_name_what_they_forbid():
    m, pose = three_rps()
    limbs = cc.limb_influence(m, pose, "platform.origin")
    G, _ = cc.influence(m, pose, "platform.origin")
    for limb in limbs:
        assert limb.G.shape == (6, 5)
        assert (limb.rank, limb.inverts, limb.singular) == (5, False, False)
        assert limb.forbidden.shape == (1, 6)
        assert np.abs(limb.forbidden @ G).max() < 1e-12
        assert np.abs(limb.G @ limb.rate_map @ G - G).max() < 1e-12
    # Together they leave exactly the platform's three freedoms.
    assert np.linalg.matrix_rank(np.vstack([limb.forbidden for limb in limbs])) == 3


def test_a_stretched_limb_is_singular():
    m, _ = example("slider_crank")
    limb = cc.limb_influence(m, cc.assemble(m, {"O": 0.0}), "slider.origin")[0]
    assert limb.singular
    assert limb.rank == 2
    assert not cc.limb_influence(m, cc.assemble(m, {"O": 0.4}), "slider.origin")[0].singular


def test_bodies_fixed_to_each_other_are_one_and_dead_ends_do_not_count():
    m, pose = example("shift_manipulator")
    limbs = cc.limb_influence(m, pose, "handle.tip")
    assert [limb.name for limb in limbs] == ["A1", "A2", "A3"]
    assert limbs[1].rates == ("A2", "B2", "P2")
    m = m.body("flag", points={"end": [0.1, 0]}).joint("F", "revolute", between=("link21.A", "flag.origin"))
    more = cc.limb_influence(m, cc.assemble(m, guess=dict(pose.coordinates)), "handle.tip")
    assert [limb.rates for limb in more] == [limb.rates for limb in limbs]


def test_branching_limbs_are_named():
    m, pose = example("delta")
    with pytest.raises(cc.MechanismError, match=r"branches at body 'arm1' \(joints A1, B1a, B1b\)"):
        cc.limb_influence(m, pose, "platform.tool")
    with pytest.raises(cc.MechanismError, match="fixed to ground"):
        cc.limb_influence(m, pose, "ground.A1")
