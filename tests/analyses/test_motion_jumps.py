"""Simulations refuse imposed motions that jump, in value or in rate, and take those that merely hurry."""

import pytest

import closedchain as cc


def moved_by(motion, formulation):
    data = {
        "mechanism": {"planar": True},
        "bodies": {"ground": {}, "block": {"mass": 1.0, "inertia": 0.1}},
        "joints": {"S": {"type": "prismatic", "between": ["ground.origin", "block.origin"]}},
        "actuators": {"m": {"joint": "S", "motion": motion}},
    }
    return cc.simulate(cc.Mechanism.from_dict(data), 1.0, formulation=formulation)


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
@pytest.mark.parametrize(
    ("motion", "message"),
    [
        ("1.0 + 0.1*sign(t - 0.3)", r"motion of S jumps at t = 0\.3 s, from 0\.9 to 1\.1, which asks for an infinite"),
        ("2*abs(t - 0.3)", r"motion of S jumps in its rate at t = 0\.3 s, from -2 to 2"),
        ("max(0, t - 0.2)", r"motion of S jumps in its rate at t = 0\.2 s, from 0 to 1"),
        ("sqrt(abs(t - 0.5))", r"motion of S has no finite value, rate or acceleration at t = 0\.5 s"),
    ],
)
def test_jumps_are_named(motion, message, formulation):
    with pytest.raises(cc.IntegrationError, match=message):
        moved_by(motion, formulation)


@pytest.mark.parametrize(
    "motion", ["max(0, t - 0.2)^2", "sin(800*t)", "0.1*tanh(1e5*(t - 0.3))", "step(t, 0.2, 0.4, 0, 1)"]
)
def test_motions_that_hurry_are_followed(motion):
    assert moved_by(motion, "loop").closure.max() < 1e-12
