"""A pin that touches its bore at both ends, against rigid-body equations written down here and solved by SciPy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import closedchain as cc

MASS, INERTIA, COM = 0.8, np.array([2e-4, 5e-4, 4e-4]), np.array([2e-3, -1e-3, 4e-3])
LENGTH, RADIAL, SPIN = 0.03, 2e-4, 7.0
Z = np.array([0.48, 0.64, 0.6])
GRAVITY = np.array([1.0, -9.0, 2.0])


def mechanism():
    frame = {"at": [0, 0, 0], "z": Z.tolist()}
    body = {"mass": MASS, "com": COM.tolist(), "inertia": INERTIA.tolist(), "points": {"P": frame}}
    play = {"kind": "revolute-pin-ends", "radial": RADIAL, "bore": 0.01, "length": LENGTH, "axial": 4e-4,
            "normal": "lankarani-nikravesh", "stiffness": 5e7, "restitution": 0.8}  # fmt: skip
    joint = {"type": "revolute", "between": ["ground.O", "pin.P"], "rate": SPIN, "clearance": play}
    return cc.Mechanism.from_dict({
        "mechanism": {"gravity": GRAVITY.tolist()},
        "bodies": {"ground": {"points": {"O": frame}}, "pin": body},
        "joints": {"J": joint},
    })  # fmt: skip


def eccentricity(t, state, side):
    """|e| of one end of the pin, ±length/2 from its middle, and the mass centre in free fall from the start."""
    R = Rotation.from_quat(state[:4]).as_matrix()
    centre = COM + np.cross(SPIN * Z, COM) * t + 0.5 * GRAVITY * t * t
    end = centre - R @ COM + R @ Z * (0.5 * side * LENGTH)
    return np.linalg.norm(end - Z * (end @ Z))


def tumbling(t, state):
    """Euler's equations in body axes; quaternion x, y, z, w."""
    v, s, w = 0.5 * state[:3], 0.5 * state[3], state[4:]
    return [*(s * w + np.cross(v, w)), -v @ w, *(np.cross(INERTIA * w, w) / INERTIA)]


def test_the_first_touch_of_a_tumbling_pin():
    first = []
    for side in (-1.0, 1.0):

        def touch(t, state, side=side):
            return eccentricity(t, state, side) - RADIAL

        touch.terminal = True
        flight = solve_ivp(tumbling, (0, 0.02), [0, 0, 0, 1, *(SPIN * Z)], rtol=1e-11, atol=1e-14, events=touch)
        first.append(float(flight.t[-1]))
    ds = cc.simulate(mechanism(), until=1.05 * min(first), rtol=1e-10, atol=1e-13)
    assert abs(first[0] - first[1]) > 1e-5
    assert float(ds.contact_time[0]) == pytest.approx(min(first), abs=1e-10)
