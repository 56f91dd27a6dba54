"""Contact statistics against counting by hand on a made-up run, and against the samples of a real one."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc
from closedchain.results import dataset

SHIFT = Path(__file__).resolve().parents[2] / "examples" / "shift_manipulator" / "mechanism.toml"


def made_up():
    """Two joints over ten seconds: A touches from 1 to 3 and from 6 on, B from before the start to 0.5."""
    t = np.linspace(0.0, 10.0, 1001)
    touch = np.stack([((t >= 1) & (t <= 3)) | (t >= 6), t <= 0.5], axis=1)
    force = np.zeros((len(t), 2, 2))
    force[..., 0], force[..., 1] = 3.0 * touch, 4.0 * touch
    return dataset(
        {
            "contact_force": force,
            "penetration": np.where(touch, 1e-6, -1e-4),
            "contact_joint": np.array(["B", "A", "A"]),
            "contact_time": np.array([0.0, 1.0, 6.0]),
            "contact_end": np.array([0.5, 3.0, np.nan]),
            "contact_speed": np.array([0.0, 0.2, 0.4]),
        },
        {"time": t, "loose_joint": ["A", "B"], "axis": ["x", "y"]},
        analysis="simulate",
    )


def figures(ds, joint):
    return {str(name): float(ds[name].sel(loose_joint=joint)) for name in ds.data_vars}


def test_figures_are_those_counted_by_hand():
    ds = cc.contact_statistics(made_up())
    a, b = figures(ds, "A"), figures(ds, "B")
    assert (a["contacts"], b["contacts"]) == (2, 1)
    assert a["share"] == pytest.approx(0.6)
    assert b["share"] == pytest.approx(0.05)
    assert (a["longest"], a["mean_duration"], a["longest_flight"]) == pytest.approx((4.0, 3.0, 3.0))
    assert b["longest_flight"] == pytest.approx(9.5)
    assert (a["impact_speed_largest"], a["impact_speed_mean"]) == pytest.approx((0.4, 0.3))
    assert a["peak_force"] == pytest.approx(5.0)
    assert a["impulse"] == pytest.approx(5.0 * 6.0, rel=3e-3)
    assert a["mean_force"] == pytest.approx(3.0, rel=3e-3)
    assert a["rms_force"] == pytest.approx(5.0 * np.sqrt(0.6), rel=3e-3)
    assert a["deepest"] == pytest.approx(1e-6)


def test_what_comes_earlier_is_left_out():
    ds = cc.contact_statistics(made_up(), after=2.0)
    a, b = figures(ds, "A"), figures(ds, "B")
    assert a["contacts"] == 1, "the one that started before is in contact, but did not start"
    assert a["share"] == pytest.approx(5.0 / 8.0)
    assert a["longest"] == pytest.approx(4.0)
    assert (b["contacts"], b["share"], b["longest_flight"], b["peak_force"]) == (0, 0.0, 8.0, 0.0)


def test_a_real_run_agrees_with_its_samples():
    run = cc.simulate(cc.load(SHIFT), 0.05, times=np.linspace(0.0, 0.05, 4001))
    ds = cc.contact_statistics(run)
    assert int(ds.contacts.sum()) == run.sizes["contact"]
    share = run.in_contact.mean("time")
    assert ds.share.values == pytest.approx(share.values, abs=5e-3)
    assert (ds.longest <= 0.05).all()
    assert ds.impact_speed_largest.max() == pytest.approx(float(run.contact_speed.max()))


def test_results_without_contacts_say_so():
    m = cc.load(SHIFT)
    with pytest.raises(cc.MechanismError, match="no loose joint"):
        cc.contact_statistics(cc.kinematics(m, [0.0, 0.1]))
    with pytest.raises(cc.MechanismError, match="no time is left"):
        cc.contact_statistics(made_up(), after=10.0)
