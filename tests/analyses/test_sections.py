"""Poincaré sections and bifurcation diagrams of motions known in closed form."""

import numpy as np
import pytest

import closedchain as cc
from closedchain.analyses.poincare import passages

K, C, M = 40.0, 0.8, 1.0


@pytest.fixture(scope="module")
def oscillator():
    """A mass on a spring and a damper, driven by a harmonic force: x'' M + C x' + K x = cos(w t)."""
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "parameters": {"w": 5.0, "f": 1.0},
            "bodies": {"ground": {}, "block": {"mass": M}},
            "joints": {
                "S": {
                    "type": "prismatic",
                    "between": ["ground.origin", "block.origin"],
                    "stiffness": K,
                    "damping": C,
                }
            },
            "actuators": {"shaker": {"joint": "S", "effort": "f*cos(w*t)"}},
            "outputs": {"block": {"point": "block.origin"}},
        }
    )


def settled(w, t, f=1.0):
    """Steady state x and x' of the oscillator."""
    response = f / (K - M * w**2 + 1j * w * C)
    x = response * np.exp(1j * w * np.asarray(t))
    return x.real, (1j * w * x).real


def test_stroboscope_of_a_simulated_mechanism_settles_to_one_point(oscillator):
    ds = cc.poincare(oscillator, period="2*pi/w", until=60.0, transient=55.0, channels=["q.S", "qd.S"])
    x, v = settled(5.0, ds["crossing_time"].values)
    assert len(ds["crossing"]) == 4
    np.testing.assert_allclose(ds["section"], np.array([x, v]).T, atol=1e-7)
    assert np.ptp(ds["section"].values, axis=0).max() < 1e-7


def test_surface_is_met_where_the_motion_passes_it(oscillator):
    ds = cc.simulate(oscillator, 60.0, times=np.linspace(0.0, 60.0, 6001))
    for direction, sign in ((1, 1.0), (-1, -1.0)):
        event = {"channel": "q.S", "value": 0.01, "direction": direction}
        section = cc.poincare(ds, event=event, channels="qd.S", transient=55.0)
        t = section["crossing_time"].values
        np.testing.assert_allclose(settled(5.0, t)[0], 0.01, atol=1e-6)
        np.testing.assert_allclose(section["section"][:, 0], settled(5.0, t)[1], atol=1e-5)
        assert (sign * section["section"] > 0.0).all()
    both = cc.poincare(ds, event={"channel": "q.S", "value": 0.01, "direction": 0}, channels="qd.S", transient=55.0)
    assert len(both["crossing"]) in (8, 9, 10)


def test_bifurcation_of_a_linear_oscillator_is_its_resonance_curve(oscillator):
    speeds = [3.0, 5.0, "6.5"]
    ds = cc.bifurcation(
        oscillator, "parameters.w", speeds, period="2*pi/w", transient=40, keep=3, channel=["q.S", "qd.S"]
    )
    assert ds["section"].dims == ("parameters.w", "strobe", "channel")
    np.testing.assert_allclose(ds["parameters.w"], [3.0, 5.0, 6.5])
    for k, w in enumerate((3.0, 5.0, 6.5)):
        x, v = settled(w, 0.0)
        np.testing.assert_allclose(ds["section"][k], np.tile([x, v], (3, 1)), atol=1e-6)


def test_failed_members_of_a_diagram_are_nan_with_their_reason(oscillator):
    ds = cc.bifurcation(oscillator, "bodies.block.mass", [1.0, -1.0], period=1.0, transient=1, keep=2, channel="q.S")
    assert ds.status.values.tolist() == ["done", "failed"]
    assert np.isnan(ds["section"][1]).all()
    assert "mass" in str(ds.reason.values[1])


def test_mistakes_are_named(oscillator):
    ds = cc.simulate(oscillator, 1.0)
    with pytest.raises(cc.MechanismError, match="not both"):
        cc.poincare(ds, period=1.0, event="q.S")
    with pytest.raises(cc.MechanismError, match=r"q\.T"):
        cc.poincare(ds, period=0.1, channels=["q.T"])
    with pytest.raises(cc.MechanismError, match="position"):
        cc.poincare(ds, period=0.1, channels=["position.block"])
    with pytest.raises(cc.MechanismError, match="contacts"):
        cc.poincare(ds, event="contact")
    with pytest.raises(cc.MechanismError, match="channel"):
        cc.bifurcation(oscillator, "parameters.w", [1.0], period=1.0)
    with pytest.raises(cc.MechanismError, match=r"q\.T"):
        cc.bifurcation(oscillator, "parameters.w", [1.0], period=1.0, transient=0, keep=1, channel="q.T")


def test_the_period_of_a_result_may_be_a_quantity_or_an_expression_of_its_mechanism(oscillator):
    ds = cc.simulate(oscillator, until=2.0)
    seconds = cc.poincare(ds, period=0.2, channels=["q.S"])
    for period in ("200 ms", "1/w"):
        assert cc.poincare(ds, period=period, channels=["q.S"]).section.values == pytest.approx(seconds.section.values)
    with pytest.raises(cc.MechanismError, match="nonsense"):
        cc.poincare(ds, period="nonsense")


def test_a_channel_that_rests_on_the_surface_or_touches_it_does_not_pass_it():
    t = np.linspace(0.0, 6.0, 601)
    rests = np.maximum(np.sin(np.pi * t), 0.0)
    through = np.where((t > 1.0) & (t < 3.0), 0.0, np.sin(np.pi * t))
    touches = 1.0 - np.cos(np.pi * t)
    for channel, expected in ((rests, []), (touches, []), (through, [4.0]), (-through, [1.0, 5.0])):
        assert passages(t, channel, 1) == pytest.approx(expected, abs=1e-9)
    assert passages(t, through, 0) == pytest.approx([1.0, 4.0, 5.0], abs=0.011)
    doubled = np.sort(np.concatenate([t, t[200:203]]))
    assert passages(doubled, np.cos(np.pi * doubled), -1) == pytest.approx([0.5, 2.5, 4.5], abs=1e-9)


def test_a_diagram_of_no_channel_is_an_error(oscillator):
    for channel in ("zz", "q.zz", ["q", "zz.A"]):
        with pytest.raises(cc.MechanismError, match="zz"):
            cc.bifurcation(oscillator, "parameters.w", [4.0, 5.0], period=1.0, transient=1, keep=2, channel=channel)
