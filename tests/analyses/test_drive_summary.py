"""Figures for choosing a motor against integrals done by hand."""

import numpy as np
import pytest
import xarray.testing

import closedchain as cc

LIFT = cc.Mechanism.from_dict({
    "mechanism": {"gravity": [0, 0, -10]},
    "bodies": {"ground": {}, "car": {"mass": 3.0}, "wheel": {"mass": 1.0, "inertia": [1, 1, 2]}},
    "joints": {
        "rail": {"type": "prismatic", "between": ["ground.origin", "car.origin"]},
        "hub": {"type": "revolute", "between": ["car.origin", "wheel.origin"]},
    },
    "actuators": {
        "hoist": {"joint": "rail", "motion": "0.2*sin(2*pi*t)"},
        "spindle": {"joint": "hub", "motion": "5*t - cos(2*pi*t)/2"},
    },
})  # fmt: skip
T = np.linspace(0.0, 1.0, 201)


@pytest.fixture(scope="module")
def figures():
    return cc.drive_summary(cc.inverse_dynamics(LIFT, T))


def test_figures_of_both_drives(figures):
    w = 2 * np.pi
    a, v, A = 0.2, 0.2 * w, 0.2 * w**2
    assert figures.effort_peak.values == pytest.approx([4 * (10 + A), 2 * w**2 / 2], rel=1e-3)
    # effort of the hoist 4 (10 - A sin), of the spindle 2 (w^2/2) cos; speeds v cos and 5 + (w/2) sin
    assert figures.effort_rms.values == pytest.approx([4 * np.sqrt(100 + A**2 / 2), w**2 / np.sqrt(2)], rel=1e-12)
    assert figures.effort_mean.values == pytest.approx([40.0, 0.0], abs=1e-9)
    assert figures.speed_rms.values == pytest.approx([v / np.sqrt(2), np.sqrt(25 + w**2 / 8)], rel=1e-12)
    assert figures.speed_mean.values == pytest.approx([0.0, 5.0], abs=1e-9)
    assert figures.power_mean.values == pytest.approx([0.0, 0.0], abs=1e-9)
    assert np.allclose(figures.work, figures.work_given - figures.work_taken)
    assert np.allclose(figures.work_given, figures.work_taken, atol=1e-9)
    assert a < figures.work_given[0] < 4 * v * 14


def test_units_and_provenance(figures):
    assert figures.effort_peak.attrs["units"] == "mixed"
    assert figures.work.attrs["units"] == "J"
    assert figures.actuator_unit.values.tolist() == ["N", "N*m"]
    assert figures.attrs["analysis"] == "drive_summary"
    assert "hoist" in figures.attrs["mechanism"]


def test_unequal_times_weigh_by_their_length():
    t = np.concatenate([np.linspace(0, 0.1, 200, endpoint=False), np.linspace(0.1, 1.0, 100)])
    ds = cc.drive_summary(cc.inverse_dynamics(LIFT, t))
    assert float(ds.effort_mean[0]) == pytest.approx(40.0, abs=5e-3)
    assert float(ds.speed_mean[1]) == pytest.approx(5.0, abs=5e-4)


def test_what_has_no_efforts_over_time():
    with pytest.raises(cc.ClosedChainError, match="needs efforts over time"):
        cc.drive_summary(cc.kinematics(LIFT, T[:3]))
    with pytest.raises(cc.ClosedChainError, match="at least two instants"):
        cc.drive_summary(cc.inverse_dynamics(LIFT, [0.0]))
    with pytest.raises(cc.ClosedChainError, match="rising times"):
        cc.drive_summary(cc.inverse_dynamics(LIFT, [0.2, 0.1]))
    zeros = np.zeros(2)
    arrays = {"hoist": (zeros, zeros, zeros), "spindle": (zeros, zeros, zeros)}
    with pytest.raises(cc.ClosedChainError, match="needs efforts over time"):
        cc.drive_summary(cc.inverse_dynamics(LIFT, arrays))


def test_what_comes_earlier_is_left_out():
    whole, later = cc.inverse_dynamics(LIFT, T), cc.inverse_dynamics(LIFT, T[T >= 0.5])
    xarray.testing.assert_allclose(cc.drive_summary(whole, after=0.5), cc.drive_summary(later))
    with pytest.raises(cc.ClosedChainError, match=r"at least two instants from 99 s on"):
        cc.drive_summary(whole, after=99.0)
