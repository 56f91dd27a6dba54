"""Loose joints as a demanding user tries them: many at once, anywhere, sticking, bouncing to rest, grazing."""

import json
from importlib import import_module

import numpy as np
import pytest

import closedchain as cc

LAW = {
    "radial": 2e-4, "bore": 0.01, "normal": "lankarani-nikravesh", "stiffness": 1e8, "exponent": 1.5,
    "restitution": 0.7,
}  # fmt: skip


def spatial(clearances, gravity, tool=None):
    """A four-bar whose hinges are redundant in space, with a tool on a joint of the tree."""
    lengths = {"a": 0.15, "b": 0.35, "c": 0.3}
    bodies = {
        name: {"mass": 0.5, "com": [0.5 * length, 0.02, 0.01], "inertia": [0.01, 0.02, 0.015],
               "points": {"E": [length, 0, 0]}}
        for name, length in lengths.items()
    }  # fmt: skip
    bodies |= {"tool": {"mass": 0.2, "com": [0.05, 0.01, 0], "inertia": [1e-4, 2e-4, 2e-4]}} if tool else {}
    joints = {
        "A": {"type": "revolute", "between": ["ground.origin", "a.origin"], "guess": 1.0},
        "B": {"type": "revolute", "between": ["b.origin", "a.E"], "guess": 0.4},
        "C": {"type": "revolute", "between": ["c.E", "b.E"]},
        "D": {"type": "revolute", "between": ["ground.D", "c.origin"], "guess": 1.6},
    }
    joints |= {"T": {"between": ["b.E", "tool.origin"], **tool}} if tool else {}
    for name, clearance in clearances.items():
        joints[name]["clearance"] = {**LAW, **clearance}
    return cc.Mechanism.from_dict({
        "mechanism": {"gravity": gravity},
        "bodies": {"ground": {"points": {"D": [0.4, 0, 0]}}, **bodies},
        "joints": joints,
    })  # fmt: skip


SPATIAL = {
    "all of a redundant loop, and a tool on a bore": (
        {"A": {}, "B": {}, "C": {}, "D": {}, "T": {"journal": "base"}}, [0, 1, -9.81],
        {"type": "revolute", "axis": [0, 1, 0]},
    ),
    "floating without gravity": ({"B": {}}, [0, 0, 0], None),
}  # fmt: skip


@pytest.mark.parametrize("case", SPATIAL)
def test_many_at_once_and_anywhere_in_both_formulations(formulations, case):
    clearances, gravity, tool = SPATIAL[case]
    m = spatial(clearances, gravity, tool)
    pair = formulations.both(m, 0.03, rtol=1e-11, samples=4, clearance=True, start={"A": (1.0, 2.0)})
    assert formulations.difference(*pair) < 1e-8
    assert max(formulations.energy_error(ds) for ds in pair) < 1e-8
    assert set(pair[0].loose_joint.values) == set(clearances)
    assert pair[0].sizes["contact"] == pair[1].sizes["contact"] > 0


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
def test_a_body_that_turns_without_moving_mass_once_its_pin_is_loose_is_named(formulation):
    """A point mass on an arm is fine on an ideal pin; on a loose one the arm may turn about the mass."""
    bob = {"mass": 1.0, "com": [1.0, 0.0]}
    joint = {"type": "revolute", "between": ["ground.origin", "bob.origin"], "clearance": LAW}
    m = cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True, "gravity": [0, -9.81]},
            "bodies": {"ground": {}, "bob": bob},
            "joints": {"A": joint},
        }
    )
    assert float(cc.simulate(m, 0.01, clearance=False, formulation=formulation).qd[-1, 0]) < 0.0
    with pytest.raises(cc.MechanismError, match=r"A.* can move without moving any mass.*inertia"):
        cc.simulate(m, 0.01, formulation=formulation)


def dropped(gravity=-9.81, com=(0.0, -0.3), **law):
    """A bob on a loose pin, the pin in the middle of its bore at the start."""
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, gravity]},
        "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": list(com), "inertia": 0.01}},
        "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "clearance": {**LAW, **law}}},
    })  # fmt: skip


@pytest.mark.parametrize("restitution", [0.2, 0.5, 0.8])
def test_bounces_end_in_a_contact_at_rest(restitution):
    ds = cc.simulate(dropped(restitution=restitution), 1.0, times=[0.0, 1.0])
    assert ds.sizes["contact"] > 1
    assert np.isnan(ds.contact_end.values[-1])
    assert ds.in_contact.values[-1, 0]
    assert ds.contact_force.values[-1, 0] == pytest.approx([0.0, 9.81], abs=1e-3)
    assert abs(float(ds.body_velocity[-1, 0, 1])) < 1e-6


STICKING = {
    "lugre": {"mu": 0.2, "mu_s": 0.3, "vs": 1e-3, "sigma0": 1e7, "sigma1": 3e3},
    "brown-mcphee": {"mu": 0.2, "mu_s": 0.3, "vt": 1e-5},
    "coulomb": {"mu": 0.2, "vr": 1e-5},
}


@pytest.mark.parametrize("friction", STICKING)
def test_sticking_is_found_stiff_and_handed_to_an_implicit_method(formulations, friction):
    m = dropped(com=(0.01, -0.3), restitution=0.3, friction=friction, **STICKING[friction])
    ds = cc.simulate(m, 1.0, times=np.linspace(0.0, 1.0, 3))
    settings = json.loads(ds.attrs["settings"])
    assert {"dop853", "radau"} <= set(settings["method"])
    # a second of rest with a time constant of some 1e-6 s: without an implicit method far above a million
    assert settings["evaluations"] < 250_000
    assert ds.in_contact.values[-1, 0]
    assert formulations.energy_error(ds) < 1e-7


KINKED = {
    "coulomb": {"mu": 0.2, "vr": 2e-2},
    "ambrosio": {"mu": 0.2, "v0": 5e-3, "v1": 3e-2},
    "ambrosio without a dead band": {"mu": 0.2, "v0": 0.0, "v1": 3e-2},
    "threlfall": {"mu": 0.2, "vr": 2e-2},
    "bengisu-akay": {"mu": 0.2, "mu_s": 0.3, "v0": 2e-2, "xi": 20.0},
}


@pytest.mark.parametrize("law", KINKED)
def test_located_kinks_change_nothing_but_the_steps(formulations, monkeypatch, law):
    """The loop formulation locates them at this tolerance; the multipliers run across them with the plain law."""
    m = dropped(com=(0.05, -0.3), friction=law.split()[0], **KINKED[law])
    pair = formulations.both(m, 0.15, rtol=1e-11, samples=6, clearance=True)
    assert formulations.difference(*pair) < 1e-7
    assert max(formulations.energy_error(ds) for ds in pair) < 1e-8
    monkeypatch.setattr(import_module("closedchain.analyses.simulate"), "LATCHED", 0.0)
    plain = cc.simulate(m, 0.15, rtol=1e-11, atol=1e-13, times=pair[0].time.values)
    assert formulations.difference(pair[0], plain) < 1e-7
    latched, across = (json.loads(ds.attrs["settings"])["evaluations"] for ds in (pair[0], plain))
    # only this law's kinks lie where the pin slips
    assert latched < (0.7 if law == "ambrosio" else 1.1) * across


@pytest.mark.parametrize("beyond", [-1e-7, 0.0, 1e-7, 1e-3])
def test_a_pin_that_grazes_touches_or_does_not(formulations, beyond):
    """The bore falls with the pin and swings away from it just so far that they touch without speed, a double root."""
    away = f"{LAW['radial'] * (1.0 + beyond)!r}*sin(pi*t/0.02)**2"
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {"ground": {}, "car": {"mass": 1.0, "inertia": 1.0}, "bob": {"mass": 1.0, "inertia": 0.01}},
        "joints": {
            "S": {"type": "prismatic", "axis": [0, 1], "between": ["ground.origin", "car.origin"]},
            "A": {"type": "revolute", "between": ["car.origin", "bob.origin"], "clearance": LAW},
        },
        "actuators": {"motor": {"joint": "S", "motion": f"-4.905*t**2 - {away}"}},
    })  # fmt: skip
    ds = cc.simulate(m, 0.015, times=np.linspace(0.0, 0.015, 31), rtol=1e-10, atol=1e-14)
    assert formulations.energy_error(ds) < 1e-8
    assert float(ds.eccentricity[0, 0, 1]) == 0.0
    assert float(np.abs(ds.eccentricity).max()) == pytest.approx(LAW["radial"], rel=5e-3)
    if beyond < 0.0:
        assert ds.sizes["contact"] == 0
    if beyond > 0.0:
        # the gap closes where sin² = 1/(1 + beyond), at a speed that goes to zero with the root of what is beyond
        phase = np.arcsin(np.sqrt(1.0 / (1.0 + beyond)))
        assert float(ds.contact_time[0]) == pytest.approx(0.02 * phase / np.pi, abs=1e-8)
        speed = LAW["radial"] * (1.0 + beyond) * np.sin(2.0 * phase) * np.pi / 0.02
        assert float(ds.contact_speed[0]) == pytest.approx(max(speed, 1e-4), rel=1e-4)


def test_a_clearance_that_shrinks_tends_to_the_ideal_joint():
    """The error of the mean motion is proportional to the clearance."""
    bar = {"mass": 0.3, "inertia": 1e-3}
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {
            "ground": {"points": {"D": [0.3, 0]}},
            "crank": {**bar, "com": [0.05, 0], "points": {"B": [0.1, 0]}},
            "rod": {**bar, "com": [0.15, 0], "points": {"C": [0.3, 0]}},
            "rocker": {**bar, "com": [0.1, 0], "points": {"C": [0.2, 0]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"], "guess": 0.5},
            "B": {"type": "revolute", "between": ["crank.B", "rod.origin"], "clearance": LAW},
            "C": {"type": "revolute", "between": ["rod.C", "rocker.C"], "guess": 1.0},
            "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": 1.5},
        },
        "actuators": {"motor": {"joint": "A", "motion": "0.5 + 20*t"}},
        "outputs": {"P": {"point": "rod.C"}},
    })  # fmt: skip
    times = np.linspace(0.05, 0.3, 51)
    ideal = cc.simulate(m, 0.3, clearance=False, times=times)
    errors = []
    for radial in (1e-4, 1e-5, 1e-6):
        # a stiffness that grows keeps penetration a part of the clearance
        loose = m.with_values(
            {"joints.B.clearance.radial": radial, "joints.B.clearance.stiffness": 1e8 * (1e-4 / radial)}
        )
        ds = cc.simulate(loose, 0.3, times=times, rtol=1e-7)
        errors.append(float(np.sqrt(((ds.position - ideal.position) ** 2).mean())))
    orders = np.log10(np.array(errors[:-1]) / np.array(errors[1:]))
    assert errors[0] < 2e-4
    assert orders == pytest.approx(1.0, abs=0.25)


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
def test_bristles_of_the_literature_in_parting_surfaces(formulation):
    """sigma1 = sqrt(sigma0), bristles bent by an impact still push when its force is gone; no method may hang there."""
    lugre = {"friction": "lugre", "mu_s": 0.2, "mu": 0.1, "vs": 1e-2, "sigma0": 1e5, "sigma1": 316.0, "sigma2": 0.4}
    clearance = {"radial": 2e-4, "bore": 0.01, "stiffness": 6e9, "normal": "hunt-crossley", "restitution": 0.7, **lugre}
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {
            "ground": {"points": {"O": [0, 0]}},
            "crank": {"mass": 0.3, "inertia": 1e-4, "points": {"O": [0, 0], "A": [0.05, 0]}},
            "rod": {"mass": 0.21, "com": [0.06, 0], "inertia": 2.5e-4, "points": {"A": [0, 0], "B": [0.12, 0]}},
            "slider": {"mass": 0.14, "points": {"pin": [0, 0]}},
        },
        "joints": {
            "O": {"type": "revolute", "between": ["ground.O", "crank.O"]},
            "A": {"type": "revolute", "between": ["crank.A", "rod.A"]},
            "B": {"type": "revolute", "between": ["rod.B", "slider.pin"], "clearance": clearance},
            "guide": {"type": "prismatic", "between": ["ground.O", "slider.pin"], "axis": [1, 0], "guess": 0.17},
        },
        "actuators": {"motor": {"joint": "O", "motion": "60*t"}},
    })  # fmt: skip
    found = [
        cc.simulate(m, until=0.015, times=[0.0, 0.015], formulation=formulation, method=method)
        for method in ("auto", "dop853", "radau")
    ]
    for ds in found:
        assert ds.q.values[-1] == pytest.approx(found[0].q.values[-1], abs=1e-7)
        assert ds.contact_peak.values[:3] == pytest.approx(found[0].contact_peak.values[:3], rel=1e-3)
    assert json.loads(found[1].attrs["settings"])["steps"] < 5000
