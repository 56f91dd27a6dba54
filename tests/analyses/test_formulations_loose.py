"""Loose joints that carry their bodies alone: gap, tilt and angle come out the same in both formulations."""

import numpy as np
import pytest

import closedchain as cc

CONTACT = {"radial": 2e-4, "bore": 0.01, "normal": "lankarani-nikravesh", "stiffness": 1e8, "exponent": 1.5,
           "restitution": 0.7}  # fmt: skip
SPATIAL = {
    "spherical": {"kind": "spherical-socket"},
    "revolute": {"kind": "revolute-pin-ends", "length": 0.03, "axial": 2e-3},
}


def double_pendulum(kind):
    body = {"mass": 1.0, "com": [0.2, 0.01, 0.02], "inertia": [1e-2, 2e-2, 3e-2], "points": {"E": [0.5, 0, 0]}}
    return {
        "mechanism": {"gravity": [0, 1, -9.81]},
        "bodies": {"ground": {}, "b1": body, "b2": body},
        "joints": {
            "J1": {"type": "revolute", "between": ["ground.origin", "b1.origin"], "axis": [0, 1, 0]},
            "J2": {"type": kind, "between": ["b1.E", "b2.origin"], "clearance": CONTACT | SPATIAL[kind]},
        },
    }


@pytest.mark.parametrize("kind", SPATIAL)
def test_a_loose_joint_in_space_tilts_the_same_way(formulations, kind):
    m = cc.Mechanism.from_dict(double_pendulum(kind))
    options = {"clearance": True, "start": {"J1": (0.2, 1.0), **({"J2": (0.4, 2.0)} if kind == "revolute" else {})}}
    pair = formulations.both(m, 0.03, rtol=1e-10, samples=4, **options)
    assert formulations.difference(*pair) < 1e-6
    assert max(formulations.energy_error(ds) for ds in pair) < 1e-8
    for ds in pair:
        assert ds.in_contact.values.any() or len(ds.contact)
        if kind == "revolute":
            assert float(ds.q.sel(coordinate="J2")[0]) == pytest.approx(0.4, abs=1e-12)
            assert float(ds.qd.sel(rate="J2")[0]) == pytest.approx(2.0, abs=1e-12)


def test_a_loose_pivot_keeps_its_angle_in_q(formulations):
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [0.3, 0], "inertia": 0.01}},
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "guess": 0.3, "clearance": CONTACT}
        },
    })  # fmt: skip
    pair = formulations.both(m, 0.05, rtol=1e-10, samples=4, clearance=True)
    assert formulations.difference(*pair) < 1e-6
    for ds in pair:
        assert ds.q.values[:, 0] == pytest.approx(ds.body_angle.values[:, 0], abs=1e-9)
        assert ds.qd.values[:, 0] == pytest.approx(ds.body_angular_velocity.values[:, 0], abs=1e-9)
        assert np.abs(ds.eccentricity.values).max() > 1e-4


def tilted_pin(initial, kind="revolute-pin", **more):
    return cc.Mechanism.from_dict({
        "bodies": {"ground": {}, "b": {"mass": 1.0, "inertia": [1e-2] * 3, "com": [0.2, 0, 0]}},
        "joints": {
            "J": {
                "type": "revolute", "between": ["ground.origin", "b.origin"], "axis": [1, 1, 0],
                "clearance": CONTACT | {"kind": kind, "initial": initial} | more,
            }
        },
    })  # fmt: skip


@pytest.mark.parametrize("initial", [[5e-5, 0], [5e-5, 0, 0], [1e-5, 2e-5, 3e-5]])
def test_an_eccentricity_along_an_axis_without_play_is_an_error(initial):
    with pytest.raises(cc.MechanismError, match=r"joints\.J\.clearance\.initial.*no play") as caught:
        cc.simulate(tilted_pin(initial), 1e-4)
    across = [float(x) for x in str(caught.value).split("[")[1].split("]")[0].split(",")]
    ds = cc.simulate(tilted_pin(across), 1e-4, times=[0.0])
    assert ds.eccentricity.values.ravel() == pytest.approx(across, abs=1e-12)


def test_an_eccentricity_may_lie_where_there_is_play():
    ends = cc.simulate(tilted_pin([5e-5, 5e-5], "revolute-pin-ends", length=0.02, axial=1e-3), 1e-4, times=[0.0])
    assert ends.eccentricity.values.ravel() == pytest.approx(0.0, abs=1e-12)
    plane = cc.simulate(tilted_pin([5e-5, -5e-5]), 1e-4, times=[0.0])
    assert plane.eccentricity.values.ravel() == pytest.approx([5e-5, -5e-5, 0.0], abs=1e-12)
