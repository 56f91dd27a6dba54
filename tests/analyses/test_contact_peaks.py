"""Peaks of contacts that are shorter than the samples lie apart: against dense samples, and against Hertz's energy."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import closedchain as cc

LAWS = {
    "flores": {"normal": "flores", "restitution": 0.6, "friction": "none"},
    "rubbing": {"normal": "lankarani-nikravesh", "restitution": 0.8, "friction": "ambrosio", "mu": 0.1, "v0": 1e-3,
                "v1": 1e-2},
    "bristles": {"normal": "hunt-crossley", "restitution": 0.7, "friction": "lugre", "mu_s": 0.2, "mu": 0.1,
                 "vs": 1e-2, "sigma0": 1e5, "sigma1": 1.0, "sigma2": 0.0},
}  # fmt: skip


def slider_crank(law, also=()):
    clearance = {"radial": 2e-4, "bore": 0.01, "stiffness": 6e9, **LAWS[law]}
    bodies = {
        "ground": {"points": {"O": [0, 0]}},
        "crank": {"mass": 0.3, "inertia": 1e-4, "points": {"O": [0, 0], "A": [0.05, 0]}},
        "rod": {"mass": 0.21, "com": [0.06, 0], "inertia": 2.5e-4, "points": {"A": [0, 0], "B": [0.12, 0]}},
        "slider": {"mass": 0.14, "points": {"pin": [0, 0]}},
    }
    joints = {
        "O": {"type": "revolute", "between": ["ground.O", "crank.O"]},
        "A": {"type": "revolute", "between": ["crank.A", "rod.A"]},
        "B": {"type": "revolute", "between": ["rod.B", "slider.pin"], "clearance": clearance},
        "guide": {"type": "prismatic", "between": ["ground.O", "slider.pin"], "axis": [1, 0], "guess": 0.17},
    }
    for name in also:
        joints[name]["clearance"] = clearance
    motor = {"motor": {"joint": "O", "motion": "60*t"}}
    return cc.Mechanism.from_dict(
        {"mechanism": {"planar": True}, "bodies": bodies, "joints": joints, "actuators": motor}
    )


def dense_peaks(m, until, formulation):
    """Largest force and depth of every contact from samples a microsecond apart."""
    ds = cc.simulate(m, until, times=np.linspace(0.0, until, 60001), formulation=formulation)
    force = np.linalg.norm(ds.contact_force.values, axis=-1)
    found = []
    for joint, start, end in zip(ds.contact_joint.values, ds.contact_time.values, ds.contact_end.values, strict=True):
        inside = (ds.time.values >= start) & (ds.time.values <= (until if np.isnan(end) else end))
        column = list(ds.loose_joint.values).index(joint)
        found.append((force[inside, column].max(), ds.penetration.values[inside, column].max()))
    return np.array(found).T


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
@pytest.mark.parametrize(("law", "also"), [("flores", ()), ("rubbing", ()), ("rubbing", ("A",)), ("bristles", ())])
def test_peaks_do_not_depend_on_the_samples(law, also, formulation):
    m = slider_crank(law, also)
    until = 0.03
    force, depth = dense_peaks(m, until, formulation)
    ds = cc.simulate(m, until, times=np.linspace(0.0, until, 31), formulation=formulation)
    at_samples = float(np.linalg.norm(ds.contact_force.values, axis=-1).max())
    assert at_samples < 0.9 * force.max(), "the samples alone miss the peak"
    # contacts that last are known closely where they begin
    hard = force > 0.2 * force.max()
    assert ds.contact_peak.values[hard] == pytest.approx(force[hard], rel=1e-3)
    assert ds.contact_depth.values[hard] == pytest.approx(depth[hard], rel=1e-3)
    figures = cc.contact_statistics(ds)
    assert float(figures.peak_force.max()) == pytest.approx(force.max(), rel=1e-3)
    assert float(figures.samples_per_contact.min()) < 1.0


def test_peak_of_an_elastic_impact_is_that_of_its_energy():
    # A ball falls into the bore: m v^2 / 2 + m g delta = 2/5 K delta^(5/2) at the turn, for F = K delta^(3/2) (Hertz)
    K, mass, g = 1e8, 0.5, 9.81
    clearance = {"radial": 1e-3, "bore": 0.02, "normal": "hertz", "stiffness": K, "friction": "none"}
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -g]},
        "bodies": {"ground": {}, "ball": {"mass": mass, "inertia": 1.0}},
        "joints": {"J": {"type": "revolute", "between": ["ground.origin", "ball.origin"], "clearance": clearance}},
    })  # fmt: skip
    ds = cc.simulate(m, 0.08, times=[0.0, 0.08], rtol=1e-10)
    assert ds.sizes["contact"] > 2
    for speed, found, force in zip(ds.contact_speed, ds.contact_depth, ds.contact_peak, strict=True):
        depth: Any = brentq(lambda d, v=float(speed): 0.5 * v**2 + g * d - 0.4 * K / mass * d**2.5, 1e-7, 1e-3)
        assert float(found) == pytest.approx(depth, rel=2e-4)
        assert float(force) == pytest.approx(K * depth**1.5, rel=2e-4)


@pytest.mark.parametrize("keep", ["samples", "events", "statistics", ["contact_peak"]])
def test_members_of_a_sweep_have_the_peaks_of_single_runs(keep):
    m = slider_crank("flores")
    path, radials = "joints.B.clearance.radial", [1e-4, 2e-4, 3e-4, 4e-4, 5e-4]
    ds = cc.sweep(m, {path: radials}, cc.simulate, until=0.01, keep=keep)
    for k, radial in enumerate(radials):
        alone = cc.simulate(m.with_values({path: radial}), 0.01).contact_peak.values
        found = ds.contact_peak.values[k]
        if keep == "statistics":
            assert found[0] == pytest.approx(alone.max(), rel=5e-4)
        else:
            assert found[: len(alone)] == pytest.approx(alone, rel=5e-4)
