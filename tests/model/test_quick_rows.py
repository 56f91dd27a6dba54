"""Equations of motion with rows seen from the opened joints give the accelerations of those in ground axes."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc
from closedchain.analyses.preparing import prepare
from closedchain.model.dynamics_kernels import dynamics_at, instant, projection_kernel

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize(
    "name", ["four_bar", "gough_stewart", "bricard", "delta", "shift_manipulator", "six_r_six", "planar_3rrr"]
)
def test_same_accelerations_on_closed_loops(name):
    m = cc.load(EXAMPLES / name / "mechanism.toml")
    setting, y = prepare(cc.compile(m), None)
    draw = np.random.default_rng(4)
    rates = slice(setting.sizes[0], setting.sizes[0] + setting.sizes[1])
    y[rates] = draw.uniform(-1.0, 1.0, setting.sizes[1])
    x = np.concatenate([[0.0], y, np.zeros(setting.memory)])
    projection = projection_kernel(setting)
    p = setting.model.parameters.values
    for _ in range(4):
        x[1 : 1 + setting.states] = projection(x, projection.constants(p))[projection.outputs["y"][0]]

    def function(t, y, memory=(), parameters=None):
        now = instant(setting, t[0], y, parameters)
        ground = dynamics_at(setting, now, t[0], parameters, memory)
        seen = dynamics_at(setting, now, t[0], parameters, memory, quickly=True)
        return {"ground": [*ground.a, *ground.driven_efforts], "seen": [*seen.a, *seen.driven_efforts]}

    kernel = setting.model.kernel(("both forms",), function, setting.inputs)
    found = kernel.split(kernel(x, kernel.constants(p)))
    ground, seen = found["ground"], found["seen"]
    assert np.abs(ground - seen).max() < 1e-10 * np.abs(ground).max()
