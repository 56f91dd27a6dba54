"""The parameter vector and who shares kernels."""

import numpy as np
import pytest

import closedchain as cc

HEAD = {"mechanism": {"planar": True}}
PARAMETERS = {"parameters": {"crank": 0.05, "rod": 0.15}}
BODIES = {
    "bodies": {
        "ground": {},
        "crank": {"mass": 0.8, "inertia": 1e-3, "points": {"A": ["crank", 0]}},
        "rod": {"mass": 0.4, "points": {"B": ["rod", 0]}},
        "slider": {"mass": 0.5},
    }
}
REST = {
    "joints": {
        "O": {"type": "revolute", "between": ["ground.origin", "crank.origin"]},
        "A": {"type": "revolute", "between": ["crank.A", "rod.origin"]},
        "B": {"type": "revolute", "between": ["rod.B", "slider.origin"]},
        "guide": {"type": "prismatic", "between": ["ground.origin", "slider.origin"], "guess": "crank + rod"},
    },
    "actuators": {"motor": {"joint": "O", "motion": "60*t"}},
    "outputs": {"pin": {"point": "slider.origin"}},
}


def test_the_order_of_tables_does_not_change_answers():
    times = np.linspace(0.0, 0.1, 5)
    first = cc.kinematics(cc.Mechanism.from_dict(HEAD | PARAMETERS | BODIES | REST), times)
    other = cc.kinematics(cc.Mechanism.from_dict(HEAD | BODIES | REST | PARAMETERS), times)
    x = 0.05 * np.cos(60 * times) + np.sqrt(0.15**2 - (0.05 * np.sin(60 * times)) ** 2)
    assert first.position[:, 0, 0].values == pytest.approx(x, abs=1e-12)
    assert other.position[:, 0, 0].values == pytest.approx(x, abs=1e-12)
