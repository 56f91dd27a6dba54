"""Members of a sweep in a few numbers: peaks and RMS are those of the members, however they were kept."""

import numpy as np
import pytest

import closedchain as cc
from closedchain.results import digest, swept_dims


def arm():
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -10]},
        "parameters": {"mass": 1.0},
        "bodies": {"ground": {}, "arm": {"mass": "mass", "com": [0.5, 0], "points": {"P": [1, 0]}}},
        "joints": {"A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]}},
        "actuators": {"motor": {"joint": "A", "motion": "t**2"}},
        "outputs": {"P": {"point": "arm.P"}},
    })  # fmt: skip


TIMES = np.linspace(0.0, 1.0, 11)


@pytest.mark.parametrize("keep", ["samples", "statistics"])
def test_peak_and_rms_are_those_of_every_member(keep):
    masses = [1.0, 2.0, 3.5]
    found = digest(cc.sweep(arm(), {"parameters.mass": masses}, cc.inverse_dynamics, times=TIMES, keep=keep))
    for k, mass in enumerate(masses):
        ds = cc.inverse_dynamics(arm().with_values({"parameters.mass": mass}), TIMES)
        effort = ds.effort.values[:, 0]
        assert found.effort_peak.values[k, 0] == pytest.approx(abs(effort).max())
        assert found.effort_rms.values[k, 0] == pytest.approx(np.sqrt(np.trapezoid(effort**2, TIMES)))
        if keep == "samples":
            speed = np.linalg.norm(ds.velocity.values[:, 0], axis=-1)
            assert found.velocity_peak.values[k, 0] == pytest.approx(speed.max())
    assert found.effort_peak.attrs["units"] == "N*m"


def test_failed_members_are_gaps_and_one_run_is_no_sweep():
    ds = cc.sweep(arm(), {"parameters.mass": [1.0, -1.0]}, cc.inverse_dynamics, times=TIMES)
    assert np.isnan(digest(ds).effort_peak.values[1]).all()
    assert swept_dims(ds) == ("parameters.mass",)
    assert swept_dims(cc.inverse_dynamics(arm(), TIMES)) == ()


def test_results_without_time_are_taken_as_they_are():
    def summary(m, times):
        return cc.drive_summary(cc.inverse_dynamics(m, times))

    ds = cc.sweep(arm(), {"parameters.mass": [1.0, 2.0]}, summary, times=TIMES)
    assert digest(ds).effort_peak.values == pytest.approx(ds.effort_peak.values)
