"""Lyapunov exponents against variational equations, and against what is known of their sums."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import closedchain as cc

DAMPING, PUSH, OMEGA = 0.5, 1.5, 2.0 / 3.0
PERIOD = 2.0 * np.pi / OMEGA


def pendulum(damping=DAMPING, push=PUSH):
    """th" + c th' + sin th = f cos(w t): Baker and Gollub's pendulum, chaotic at these values."""
    joint = {"type": "revolute", "between": ["ground.origin", "bob.origin"]}
    return cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [1.0, 0.0]},
        "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0]}},
        "joints": {"A": joint | ({"damping": damping} if damping else {})},
        "actuators": {"motor": {"joint": "A", "effort": f"{push!r}*cos({OMEGA!r}*t)"}},
    })  # fmt: skip


def variational(first, last):
    """The largest exponent between two times, from the linearised equations along the motion."""

    def rate(t, z):
        return [
            z[1],
            -DAMPING * z[1] - np.sin(z[0]) + PUSH * np.cos(OMEGA * t),
            z[3],
            -DAMPING * z[3] - np.cos(z[0]) * z[2],
        ]

    z = solve_ivp(rate, (0.0, first), [0.2, 0.0, 1.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
    z[2:] /= np.hypot(*z[2:])
    end = solve_ivp(rate, (first, last), z, method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
    return np.log(np.hypot(*end[2:])) / (last - first)


def test_exponents_are_those_of_the_variational_equations_and_sum_up_to_the_damping():
    first, last = 3.0 * PERIOD, 8.0 * PERIOD
    ds = cc.lyapunov(pendulum(), until=last, count=2, transient=first, start={"A": (0.2, 0.0)})
    assert float(ds.exponent[0]) == pytest.approx(variational(first, last), abs=1e-4)
    # the divergence of the flow, exactly, at every instant
    assert ds.running_exponent.sum("order").values == pytest.approx(-DAMPING, abs=1e-5)
    assert ds.exponent.attrs["units"] == "1/s"


def test_a_regular_motion_has_none_above_zero():
    free = cc.lyapunov(pendulum(0.0, 1e-6), until=300.0, start={"A": (0.5, 0.0)})
    assert abs(float(free.exponent[0])) < 0.03
    resting = cc.lyapunov(pendulum(0.4, 1e-6), until=100.0, count=2)
    assert resting.exponent.values == pytest.approx(-0.2, abs=0.02)


def test_contacts_without_loss_keep_the_volume_of_states():
    """Elastic contacts: the exponents sum up to zero (Liouville), with what contacts do to differences."""
    pin = {"radial": 5e-4, "bore": 0.01, "normal": "hertz", "stiffness": 1e7, "exponent": 1.5}
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [0.2, 0.0], "inertia": 0.02}},
        "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "clearance": pin}},
    })  # fmt: skip
    until = 0.05
    assert cc.simulate(m, until, times=[until]).sizes["contact"] > 1
    ds = cc.lyapunov(m, until=until, count=6)
    grown = float(np.abs(ds.exponent).sum())
    assert grown * until > 3.0
    assert abs(float(ds.exponent.sum())) < 2e-3 * grown


def test_no_more_exponents_than_free_states():
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {
            "ground": {"points": {"D": [0.3, 0]}},
            "crank": {"mass": 0.3, "inertia": 1e-3, "points": {"B": [0.1, 0]}},
            "rod": {"mass": 0.3, "inertia": 1e-3, "points": {"C": [0.3, 0]}},
            "rocker": {"mass": 0.3, "inertia": 1e-3, "points": {"C": [0.2, 0]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"], "guess": 0.5, "damping": 0.01},
            "B": {"type": "revolute", "between": ["crank.B", "rod.origin"]},
            "C": {"type": "revolute", "between": ["rod.C", "rocker.C"], "guess": 1.0},
            "D": {"type": "revolute", "between": ["ground.D", "rocker.origin"], "guess": 1.5},
        },
    })  # fmt: skip
    assert np.isfinite(cc.lyapunov(m, until=0.5, count=2).exponent).all()
    with pytest.raises(cc.MechanismError, match="2 states"):
        cc.lyapunov(m, until=0.5, count=3)
    driven = cc.Mechanism.from_dict(m.to_dict() | {"actuators": {"motor": {"joint": "A", "motion": "0.5 + t"}}})
    with pytest.raises(cc.MechanismError, match="0 states"):
        cc.lyapunov(driven, until=0.5)
    for wrong in ({"count": 0}, {"transient": 2.0}, {"interval": -1.0}, {"until": -1.0}):
        options: dict[str, Any] = {"until": 1.0} | wrong
        with pytest.raises(cc.MechanismError, match=next(iter(wrong))):
            cc.lyapunov(m, **options)
