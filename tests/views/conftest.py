"""Results that the figures and films of these tests are made of, each computed when first asked for."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import closedchain as cc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHORT, STROKE = np.linspace(0.0, 0.03, 91), np.linspace(0.0, 0.85, 41)


def example(name):
    return cc.load(EXAMPLES / name / "mechanism.toml")


def pendulum():
    """Two links with names that a careless view would misread."""
    link = {"mass": 1.0, "com": [1.0, 0.0], "points": {"end": [1.0, 0.0]}}
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"planar": True, "gravity": [0, -9.81], "name": "$2 _pendulum"},
            "bodies": {"ground": {}, "upper": link, "lower": link},
            "joints": {
                "A": {"type": "revolute", "between": ["ground.origin", "upper.origin"], "damping": 0.1},
                "_B": {"type": "revolute", "between": ["upper.end", "lower.origin"]},
            },
            "outputs": {"_tip": {"point": "lower.end"}},
        }
    )


def swing():
    return cc.simulate(pendulum(), 1.0, start={"A": (0.2, 0.0)}, times=np.linspace(0.0, 1.0, 101))


def loose():
    return cc.simulate(example("shift_manipulator"), 0.03, times=SHORT)


KINDS = {
    "kinematics": lambda: cc.kinematics(example("shift_manipulator"), STROKE),
    "inverse": lambda: cc.inverse_dynamics(example("shift_manipulator"), STROKE),
    "spatial": lambda: cc.inverse_dynamics(example("rssr"), np.linspace(0.0, 0.5, 11)),
    "loose": loose,
    "deviation": lambda: cc.deviation(loose(), cc.kinematics(example("shift_manipulator"), SHORT)),
    "swing": swing,
    "modes": lambda: cc.linearise(pendulum()),
    "section": lambda: cc.poincare(swing(), period=0.1, channels=["q.A", "qd.A"]),
    "diagram": lambda: cc.bifurcation(
        pendulum(), "bodies.upper.mass", [1.0, 1.1], period=0.1, transient=1, keep=3, channel="q.A"
    ),
    "swept": lambda: cc.sweep(
        example("shift_manipulator"),
        {"joints.B1.clearance.radial": [1e-4, 2e-4, 3e-4]},
        cc.simulate,
        until=0.01,
        times=np.linspace(0.0, 0.01, 41),
    ),
    "instant": lambda: cc.inverse_dynamics(example("shift_manipulator"), [0.1]),
    "still": lambda: cc.simulate(pendulum(), 0.1, times=np.linspace(0.0, 0.1, 5), start={"A": -np.pi / 2, "_B": 0.0}),
}


@pytest.fixture(scope="session")
def result(tmp_path_factory):
    """Function: a result of a kind as a reader gets it, from a file."""
    folder = tmp_path_factory.mktemp("results")

    @cache
    def of(kind):
        return cc.load_result(cc.save(KINDS[kind](), folder / f"{kind}.nc"))

    return of
