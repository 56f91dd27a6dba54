"""A PID whose integral alone would drive it beyond its limit: resting and integrating alternate at every instant."""

import math

import numpy as np
import pytest

import closedchain as cc

KP, KD, KI, LIMIT = 30.0, 2.0, 25.0, 5.5
WEIGHT, INERTIA = 1.2 * 9.81 * 0.4, 0.05 + 1.2 * 0.4**2


def arm_in_small_steps(steps, end=1.0):
    """Angle and rate of an arm under the controller, the integral held over a step that starts beyond the limit."""
    h, integral, q, w = end / steps, 0.0, 0.2, 0.0

    def target(t):
        return 0.3 + 0.2 * math.sin(2.0 * t), 0.4 * math.cos(2.0 * t)

    def rates(t, q, w, integral):
        goal, rate = target(t)
        demand = KP * (goal - q) + KD * (rate - w) + KI * integral
        effort = min(max(demand, -LIMIT), LIMIT)
        return demand, goal - q, (effort - WEIGHT * math.cos(q)) / INERTIA

    switches, rested = 0, False
    for k in range(steps):
        t = k * h
        demand, error, a = rates(t, q, w, integral)
        rests = abs(demand) >= LIMIT
        switches += rests != rested
        rested = rests
        slope = 0.0 if rests else error
        _, _, middle = rates(t + 0.5 * h, q + 0.5 * h * w, w + 0.5 * h * a, integral + 0.5 * h * slope)
        q, w, integral = q + h * (w + 0.5 * h * a), w + h * middle, integral + h * slope
    return q, w, switches


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
def test_the_run_passes_where_resting_and_integrating_alternate(formulation):
    control = {"kind": "pid", "target": "0.3 + 0.2*sin(2*t)", "kp": KP, "kd": KD, "ki": KI, "limit": LIMIT}
    m = cc.Mechanism.from_dict({
        "mechanism": {"planar": True, "gravity": [0, -9.81]},
        "bodies": {"ground": {}, "arm": {"mass": 1.2, "com": [0.4, 0], "inertia": 0.05}},
        "joints": {"A": {"type": "revolute", "between": ["ground.origin", "arm.origin"], "guess": 0.2}},
        "actuators": {"motor": {"joint": "A", "control": control}},
    })  # fmt: skip
    ds = cc.simulate(m, until=1.0, times=np.linspace(0.0, 1.0, 201), formulation=formulation)
    q, w, switches = arm_in_small_steps(8000)
    assert switches > 50
    assert ds.q.values[-1, 0] == pytest.approx(q, abs=2e-5)
    assert ds.qd.values[-1, 0] == pytest.approx(w, abs=1e-4)
    assert np.count_nonzero(ds.effort.values > LIMIT - 1e-3) > 5
    assert ds.effort.values.max() <= LIMIT
    energy = ds.kinetic_energy + ds.potential_energy - ds.input_work
    assert float(abs(energy - energy[0]).max()) < 1e-8
