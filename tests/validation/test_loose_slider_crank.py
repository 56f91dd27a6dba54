"""A slider-crank with a loose wrist pin: contact times, their reproduction, both formulations, energy of every contact.

Mechanism of Flores, Ambrósio, Claro, Lankarani, "Influence of the contact-impact force model on the dynamic response
of multi-body systems" (Proc. IMechE K 220, 2006): crank 50 mm, rod 120 mm, radial clearance 0.5 mm, steel. The first
contact is at 6.82° of the crank at any speed of the crank: until then no force acts but those that impose the crank's
motion, so every path is a function of the crank's angle alone.
"""

import numpy as np
import pytest

import closedchain as cc

L1, L2, RADIAL = 0.05, 0.12, 5e-4


def slider_crank(rpm, law="lankarani-nikravesh", turn=0.0, **clearance):
    """The mechanism, in a plane whose x axis is turned by an angle."""
    x, y = np.cos(turn), np.sin(turn)
    play = {
        "radial": RADIAL,
        "bore": 0.01,
        "normal": law,
        "stiffness": 6.610198e10,
        "exponent": 1.5,
        "restitution": 0.9,
    }
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": True},
        "bodies": {
            "ground": {},
            "crank": {"mass": 0.3, "com": [L1 / 2, 0], "inertia": 1e-4, "points": {"B": [L1, 0]}},
            "rod": {"mass": 0.21, "com": [L2 / 2, 0], "inertia": 2.5e-4, "points": {"C": [L2, 0]}},
            "slider": {"mass": 0.14},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"], "guess": turn},
            "B": {"type": "revolute", "between": ["crank.B", "rod.origin"]},
            "C": {"type": "revolute", "between": ["rod.C", "slider.origin"], "clearance": play | clearance},
            "S": {"type": "prismatic", "between": ["ground.origin", "slider.origin"], "axis": [x, y], "guess": L1 + L2},
        },
        "actuators": {"motor": {"joint": "A", "motion": f"{turn!r} + {rpm * np.pi / 30!r}*t"}},
    })  # fmt: skip


def balance_per_contact(m, until, **options):
    """Largest change of kinetic + potential + dissipated - input from one flight to the next, of the kinetic energy."""
    ds = cc.simulate(m, until, **options)
    starts, ends = ds.contact_time.values, ds.contact_end.values
    flights = (starts[1:] + ends[:-1]) / 2
    at = cc.simulate(m, until, times=np.concatenate([[0.0], np.sort(flights[np.isfinite(flights)])]), **options)
    kept = at.kinetic_energy + at.potential_energy + at.dissipated_energy - at.input_work
    assert len(at.time) > 5
    return float(np.abs(np.diff(kept.values)).max() / at.kinetic_energy.max())


@pytest.mark.parametrize("law", ["lankarani-nikravesh", "hunt-crossley", "flores"])
def test_every_contact_keeps_the_energy_at_the_usual_tolerances(law):
    assert balance_per_contact(slider_crank(5000, law), 60 / 5000) < 1e-8
    assert balance_per_contact(slider_crank(5000, law), 60 / 5000, rtol=1e-11, atol=1e-13) < 1e-10


@pytest.mark.parametrize(("radial", "stiffness"), [(5e-4, 6.610198e10), (1e-4, 1.508882e11)])
@pytest.mark.parametrize("rpm", [200, 1000])
def test_slow_cranks_keep_the_energy_too(rpm, radial, stiffness):
    assert balance_per_contact(slider_crank(rpm, radial=radial, stiffness=stiffness), 30 / rpm) < 1e-8


@pytest.mark.parametrize("turn", [0.0, 2.0])
@pytest.mark.parametrize("rpm", [200, 1000, 5000])
def test_the_first_contacts(rpm, turn):
    until = 30 / rpm
    rough, fine = (
        cc.simulate(slider_crank(rpm, turn=turn), until, rtol=rtol, atol=rtol * 1e-2) for rtol in (1e-10, 1e-12)
    )
    assert np.rad2deg(rough.contact_time.values[0] * rpm * np.pi / 30) == pytest.approx(6.82, abs=5e-3)
    assert rough.contact_time.values[:3] == pytest.approx(fine.contact_time.values[:3], abs=1e-9)


def test_both_formulations_before_chaos_separates_them():
    pair = [
        cc.simulate(slider_crank(5000), 1e-3, formulation=each, rtol=1e-11, atol=1e-13)
        for each in ("loop", "multipliers")
    ]
    for name in ("q", "qd", "eccentricity"):
        one, other = (ds[name].values for ds in pair)
        assert np.abs(one - other).max() <= 1e-6 * max(np.abs(one).max(), 1.0)
