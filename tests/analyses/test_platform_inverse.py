"""All joint rates and accelerations for a motion of the platform, against kinematics of the same motion."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(name):
    m = cc.load(EXAMPLES / name / "mechanism.toml")
    return m, cc.assemble(m)


@pytest.mark.parametrize(
    ("name", "of", "driven"),
    [
        ("gough_stewart", "platform.B1", None),
        ("six_r_six", "platform.C1", None),
        ("planar_3rrr", "platform.origin", None),
        ("delta", "platform.tool", None),
        ("five_bar", "forearm1.P", None),
        ("shift_manipulator", "handle.tip", ["A1", "A2"]),
        ("rssr", "rocker.origin", None),
        ("bennett", "link2.far", None),
    ],
)
def test_returns_the_rates_that_made_the_motion(name, of, driven):
    """Rates -> kinematics -> platform's V and A -> all rates and accelerations again."""
    m, pose = example(name)
    labels = driven or [actuator.joint.text for actuator in m.actuators.values()]
    names = [name for name, actuator in m.actuators.items() if actuator.joint.text in labels]
    draw = np.random.default_rng(3)
    y, yy = draw.normal(size=(2, len(labels)))
    motion = cc.kinematics(
        m, {n: ([pose[label]], [a], [b]) for n, label, a, b in zip(names, labels, y, yy, strict=True)}
    )
    G, H = cc.influence(m, pose, of, wrt=labels)
    V, A = G @ y, G @ yy + np.einsum("imn,m,n->i", H, y, y)
    ds = cc.platform_inverse(m, pose, of, V, A)
    idle = cc.mobility(m, pose).idle
    rates = list(motion.rate.values) if not idle else labels
    scale = 1.0 + np.abs(motion.qdd.values).max()
    assert ds.qd.sel(rate=rates).values == pytest.approx(motion.qd.sel(rate=rates).values[0], abs=1e-10 * scale)
    assert ds.qdd.sel(rate=rates).values == pytest.approx(motion.qdd.sel(rate=rates).values[0], abs=1e-9 * scale)
    assert list(ds.rate.values) == list(motion.rate.values)
    assert ds.attrs["analysis"] == "platform_inverse"


def test_forbidden_motions_of_the_delta_are_named():
    m, pose = example("delta")
    ds = cc.platform_inverse(m, pose, "platform.tool", [0, 0, 0, 0.1, -0.2, 0.3])
    assert ds.qd.sel(rate="A1").item() != 0.0
    with pytest.raises(cc.MechanismError, match=r"V: .*forbid is wx = 0.5, wy = 0.1.* 3 freedoms"):
        cc.platform_inverse(m, pose, "platform.tool", [0.5, 0.1, 0, 0.1, -0.2, 0.3])
    with pytest.raises(cc.MechanismError, match=r"A: .*forbid is wz = -2"):
        cc.platform_inverse(m, pose, "platform.tool", [0, 0, 0, 0.1, -0.2, 0.3], [0, 0, -2, 0, 0, 0])


def test_acceleration_defaults_to_zero_and_bends():
    """At constant platform velocity the joints still accelerate."""
    m, pose = example("five_bar")
    G, _ = cc.influence(m, pose, "forearm1.P")
    V = G @ np.linalg.solve(G[1:], [0.4, -0.2])
    with pytest.raises(cc.MechanismError, match="A: "):
        cc.platform_inverse(m, pose, "forearm1.P", V)
    legs, here = example("gough_stewart")
    ds = cc.platform_inverse(legs, here, "platform.centre", [0, 0, 0, 0.3, 0, 0])
    h = 1e-4
    legs_at = {k: here.point(f"platform.B{k}") - here.point(f"ground.A{k}") for k in range(1, 7)}
    lengths = [[np.linalg.norm(leg + np.array([0.3 * t, 0.0, 0.0])) for t in (-h, 0.0, h)] for leg in legs_at.values()]
    first = [(after - before) / (2 * h) for before, _, after in lengths]
    second = [(after - 2 * now + before) / h**2 for before, now, after in lengths]
    names = [f"L{k}" for k in range(1, 7)]
    assert ds.qd.sel(rate=names).values == pytest.approx(first, abs=1e-9)
    assert ds.qdd.sel(rate=names).values == pytest.approx(second, abs=1e-6)


def test_a_singular_limb_and_a_body_that_is_no_platform():
    m, _ = example("slider_crank")
    with pytest.raises(cc.SingularConfigurationError, match=r"O, A, B can move.*a limb is singular"):
        cc.platform_inverse(m, cc.assemble(m, {"O": 0.0}), "slider.origin", [0, 0, 0])
    five, pose = example("five_bar")
    with pytest.raises(cc.MechanismError, match=r"can move while the body of 'arm1\.B' stands"):
        cc.platform_inverse(five, pose, "arm1.B", [0, 0, 0])


def test_twists_are_checked():
    m, pose = example("five_bar")
    with pytest.raises(cc.MechanismError, match="V has shape"):
        cc.platform_inverse(m, pose, "forearm1.P", [0, 0, 0, 0, 0, 0])
    with pytest.raises(cc.MechanismError, match=r"V: .*not numbers"):
        cc.platform_inverse(m, pose, "forearm1.P", ["fast", 0, 0])
    with pytest.raises(cc.MechanismError, match="not finite"):
        cc.platform_inverse(m, pose, "forearm1.P", [0, 0, 0], [np.nan, 0, 0])
