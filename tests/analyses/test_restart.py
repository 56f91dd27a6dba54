"""Two runs, the second from the last state of the first, are one: contacts, bristles and integrals go on."""

from typing import Any

import numpy as np
import pytest

import closedchain as cc
from closedchain.results import load_result, save

BLOCK = {
    "radial": 2e-4, "bore": 0.01, "normal": "lankarani-nikravesh", "stiffness": 1e8, "exponent": 1.5,
    "restitution": 0.7,
}  # fmt: skip
LUGRE = {"friction": "lugre", "mu": 0.1, "mu_s": 0.2, "vs": 1e-2, "sigma0": 1e5, "sigma1": 100.0}
KINDS = {
    "revolute": {**BLOCK, "friction": "coulomb", "mu": 0.1, "vr": 1e-2},
    "with bristles": {**BLOCK, **LUGRE},
    "ending by force": {
        "radial": 2e-4, "bore": 0.01, "normal": "kelvin-voigt", "stiffness": 1e7, "damping": 500.0,
    },
}  # fmt: skip
CONTROL = {"kind": "pid", "target": 0.3, "kp": 8.0, "kd": 0.05, "ki": 400.0, "limit": 20.0}


def four_bar(clearance):
    rod = {"mass": 0.4, "com": [0.15, 0], "inertia": 3e-3, "points": {"A": [0, 0], "B": [0.3, 0]}}
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {
            "ground": {"points": {"A": [0, 0], "D": [0.3, 0]}},
            "crank": {"mass": 0.3, "com": [0.05, 0], "inertia": 1e-3, "points": {"A": [0, 0], "B": [0.1, 0]}},
            "rod": rod,
            "rocker": {"mass": 0.3, "com": [0.1, 0], "inertia": 1e-3, "points": {"D": [0, 0], "C": [0.2, 0]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.A", "crank.A"], "guess": 0.5},
            "B": {"type": "revolute", "between": ["crank.B", "rod.A"], "clearance": clearance},
            "C": {"type": "revolute", "between": ["rod.B", "rocker.C"], "guess": 1.0},
            "D": {"type": "revolute", "between": ["ground.D", "rocker.D"], "guess": 1.5},
        },
        "actuators": {"motor": {"joint": "A", "control": CONTROL}},
        "outputs": {"P": {"point": "rod.B"}},
    })  # fmt: skip


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
@pytest.mark.parametrize("kind", KINDS)
def test_two_runs_are_one(kind, formulation):
    m = four_bar(KINDS[kind])
    options = {"rtol": 1e-11, "atol": 1e-13, "formulation": formulation}
    start = {"A": (0.5, 3.0)}
    whole = cc.simulate(m, 0.02, start, times=np.linspace(0.0, 0.02, 401), **options)
    touching = np.flatnonzero(whole.in_contact.values[:, 0])
    assert len(touching), "the pin never touches, so there is nothing to test"
    # in the middle of a contact
    split = float(whole.time[touching[len(touching) // 2]])
    first = cc.simulate(m, split, start, times=[0.0, split], **options)
    assert first.in_contact.values[-1, 0]
    second = cc.simulate(m, 0.02 - split, first, times=[0.0, 0.02 - split], **options)
    np.testing.assert_allclose(second.qd[0], first.qd[-1], atol=1e-9)
    np.testing.assert_allclose(second.contact_force[0], first.contact_force[-1], rtol=1e-7, atol=1e-6)
    np.testing.assert_allclose(second.effort[0], first.effort[-1], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(second.position[-1], whole.position[-1], atol=2e-9)
    np.testing.assert_allclose(second.inner_state[-1], whole.inner_state[-1], atol=2e-9)
    ends = whole.contact_time.values[whole.contact_time.values > split] - split
    np.testing.assert_allclose(second.contact_time[-len(ends) :] if len(ends) else [], ends, atol=2e-8)


def test_a_saved_result_goes_on_too(tmp_path):
    m = four_bar(KINDS["with bristles"])
    first = cc.simulate(m, 0.01, {"A": (0.5, 3.0)}, times=[0.0, 0.01])
    save(first, tmp_path / "first.nc")
    one = cc.simulate(m, 0.005, first, times=[0.005])
    other = cc.simulate(m, 0.005, load_result(tmp_path / "first.nc"), times=[0.005])
    np.testing.assert_array_equal(one.position, other.position)


def test_a_pin_that_was_moved_off_its_contact_flies():
    m = four_bar(KINDS["revolute"])
    first = cc.simulate(m, 0.02, {"A": (0.5, 3.0)}, times=np.linspace(0.0, 0.02, 401))
    first = first.isel(time=slice(0, int(np.flatnonzero(first.in_contact.values[:, 0])[0]) + 1))
    wider = m.with_values({"joints.B.clearance.radial": 4e-4})
    second = cc.simulate(wider, 1e-4, first, times=[0.0])
    assert not second.in_contact.values[0, 0]


def tilting(planar):
    body = {
        "mass": 1.0,
        "com": [0.02, 0.01] if planar else [0.2, 0.01, 0.02],
        "inertia": 1e-3 if planar else [1e-2, 2e-2, 3e-2],
    }
    play = (
        {"kind": "prismatic-slider", "length": 0.1, "height": 0.04}
        if planar
        else {"kind": "revolute-pin-ends", "length": 0.03, "axial": 2e-3}
    )
    law = {key: value for key, value in BLOCK.items() if key != "bore" or not planar}
    joint = {"type": "prismatic", "axis": [0.8, 0.6]} if planar else {"type": "revolute", "axis": [0, 1, 0]}
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": planar, "gravity": [0, -9.81] if planar else [0, 1, -9.81]},
        "bodies": {"ground": {}, "b": body},
        "joints": {"J": {**joint, "between": ["ground.origin", "b.origin"], "clearance": law | play}},
        "outputs": {"P": {"point": "b.origin"}},
    })  # fmt: skip


@pytest.mark.parametrize("planar", [True, False])
def test_joints_that_tilt_go_on_as_they_were_left(planar):
    m = tilting(planar)
    options: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-14}
    start = {"J": (0.4, 1.0)}
    whole = cc.simulate(m, 0.03, start, times=np.linspace(0.0, 0.03, 301), **options)
    touching = np.flatnonzero(whole.in_contact.values[:, 0])
    split = float(whole.time[touching[len(touching) // 2]])
    first = cc.simulate(m, split, start, times=[split], **options)
    second = cc.simulate(m, 0.03 - split, first, times=[0.0, 0.03 - split], **options)
    for name in ("position", "body_position", "body_velocity", "body_angular_velocity", "eccentricity"):
        np.testing.assert_allclose(second[name][0], first[name][-1], atol=1e-12, err_msg=name)
        np.testing.assert_allclose(second[name][-1], whole[name][-1], atol=1e-7, err_msg=name)
