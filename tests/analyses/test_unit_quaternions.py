"""Rotations of bodies stay rotations over a tumbling flight, at default tolerances."""

import numpy as np
import pytest

import closedchain as cc


@pytest.mark.parametrize("formulation", ["loop", "multipliers"])
def test_a_tumbling_body(formulation):
    m = cc.Mechanism.from_dict({
        "bodies": {"ground": {}, "box": {"mass": 1.0, "inertia": [0.1, 0.2, 0.3]}},
        "joints": {"F": {"type": "free", "between": ["ground.origin", "box.origin"]}},
    })  # fmt: skip
    start = {"F": ([0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0.01, 3.0, 0.02])}
    ds = cc.simulate(m, until=5.0, start=start, times=np.linspace(0.0, 5.0, 21), formulation=formulation)
    R = ds.body_rotation.values[:, 0]
    assert abs(np.einsum("tij,tik->tjk", R, R) - np.eye(3)).max() < 1e-13
    q = ds.q.sel(coordinate=["F.qw", "F.qx", "F.qy", "F.qz"]).values
    assert abs(np.linalg.norm(q, axis=1) - 1.0).max() < 1e-13
