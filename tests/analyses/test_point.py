"""Any point afterwards equals the same point as an output."""

import numpy as np
import pytest

import closedchain as cc

EXAMPLES = ["shift_manipulator", "gough_stewart", "rssr"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_point_is_output(name):
    mechanism = cc.load(f"examples/{name}/mechanism.toml")
    ds = cc.kinematics(mechanism, np.linspace(0.0, 0.3, 7))
    for output in mechanism.outputs.values():
        found = cc.point(ds, output.point.text)
        for variable in ("position", "velocity", "acceleration"):
            expected = ds[variable].sel(point=output.name).values
            scale = max(1.0, np.abs(expected).max())
            assert np.abs(found[variable].values[:, 0] - expected).max() < 1e-11 * scale


def test_errors_are_sentences():
    mechanism = cc.load("examples/four_bar/mechanism.toml")
    ds = cc.kinematics(mechanism, [0.0])
    with pytest.raises(cc.MechanismError, match="not a point"):
        cc.point(ds, "crank.nowhere")
    with pytest.raises(cc.MechanismError, match="fixed body"):
        cc.point(ds, "ground.A")
    with pytest.raises(cc.MechanismError, match="has no body_position"):
        cc.point(ds.drop_vars("body_position"), "crank.B")
