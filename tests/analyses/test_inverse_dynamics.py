"""Inverse dynamics against Newton's and Euler's equations of all bodies cut free, and what it says when it cannot."""

import numpy as np
import pytest

import closedchain as cc

# (planar, seed, loops, freedoms, further actuators): random mechanisms that move freely over the sampled times.
RANDOM = [
    (True, 0, 1, 1, 0), (True, 2, 1, 1, 0), (True, 0, 2, 2, 0), (True, 7, 2, 2, 0), (True, 0, 2, 1, 1),
    (True, 3, 3, 1, 0), (False, 4, 1, 1, 0), (False, 6, 1, 1, 0), (False, 9, 1, 1, 0), (False, 3, 2, 2, 0),
    (False, 6, 2, 2, 0), (False, 0, 2, 1, 1), (False, 1, 2, 1, 1),
]  # fmt: skip
EXAMPLES = (
    "bennett", "bricard", "dh_arm", "five_bar", "gough_stewart", "planar_3rrr", "shift_manipulator", "slider_crank",
    "universal_shaft",
)  # fmt: skip


def agree(free_bodies, m, times):
    """Efforts, reactions and flags at every time within 1e-11 of the largest reaction."""
    ds, motion = cc.inverse_dynamics(m, times), cc.kinematics(m, times)
    for sample in range(len(times)):
        expected = free_bodies.FreeBodies(m, motion, sample).solve()
        found, sure = free_bodies.numbers(ds, sample, m.planar)
        reactions = np.array([expected.reactions[name] for name in m.joints])
        scale = np.abs(reactions).max()
        assert np.abs(ds.effort.values[sample] - expected.efforts).max(initial=0.0) < 1e-11 * scale
        assert np.abs(found - reactions).max() < 1e-11 * scale
        assert np.array_equal(sure, np.array([expected.determined[name] for name in m.joints]))
    return ds


@pytest.mark.parametrize("case", RANDOM, ids=lambda case: "-".join(str(int(part)) for part in case))
def test_random_mechanisms(loops, free_bodies, case):
    planar, seed, count, freedoms, redundant = case
    m = cc.Mechanism.from_dict(loops.random_loop(seed, planar, count, freedoms, redundant))
    agree(free_bodies, m, [0.0, 0.05, 0.1])


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(root, free_bodies, name):
    m = cc.load(root / "examples" / name / "mechanism.toml")
    agree(free_bodies, m, [0.0, 0.1, 0.3])
