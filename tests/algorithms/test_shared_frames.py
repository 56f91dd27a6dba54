"""Frames that are worked out once and used again: the same places, motions and rows as from the beginning."""

from pathlib import Path

import numpy as np
import pytest

import closedchain as cc
from closedchain.algorithms.chain import place, placed_along
from closedchain.algorithms.constraints import all_constraints, constraints_at
from closedchain.algorithms.motion import move
from closedchain.model import Drive
from closedchain.numbers import Mat3, Vec3

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(params=["gough_stewart", "delta", "six_r_six", "universal_shaft", "jansen_leg"])
def at_a_pose(request):
    """A system with coordinates, rates and accelerations."""
    model = cc.compile(cc.load(EXAMPLES / request.param / "mechanism.toml"))
    system = model.system(Drive())
    draw = np.random.default_rng(3)
    q = cc.assemble(model).tree(model) + 0.01 * draw.normal(size=model.topology.coordinates)
    v, a = draw.normal(size=(2, model.topology.rates)).tolist()
    return system, q.tolist(), v, a


def numbers(frame):
    return np.array([*(x for row in frame.R for x in row), *frame.p], float)


def test_places_along_known_frames(at_a_pose):
    system, q, v, a = at_a_pose
    motions = move(system.tree, q, v, a)
    known = placed_along(system.tree, [motion.path for motion in motions])
    for one, two in zip(place(system.tree, q), known, strict=True):
        np.testing.assert_allclose(numbers(one.frame), numbers(two.frame), atol=1e-15)
        assert [column.rate for column in one.columns] == [column.rate for column in two.columns]
        for c, d in zip(one.columns, two.columns, strict=True):
            np.testing.assert_allclose([*c.s, *c.v, *c.R], [*d.s, *d.v, *d.R], atol=1e-15)
            assert c.mount == d.mount


def test_motions_like_others(at_a_pose):
    system, q, v, a = at_a_pose
    still = [0.0] * len(v)
    like = move(system.tree, q, still, still)
    for one, two in zip(move(system.tree, q, v, a), move(system.tree, q, v, a, like), strict=True):
        np.testing.assert_array_equal(numbers(one.frame), numbers(two.frame))
        for name in "wvea":
            np.testing.assert_array_equal([*getattr(one, name)], [*getattr(two, name)])


def test_rows_at_rest_are_those_of_a_motion_that_stands(at_a_pose):
    system, q, v, _ = at_a_pose
    still, none = [0.0] * len(v), ((), (), ())
    motions = move(system.tree, q, still, still)
    slow = constraints_at(system, q, still, still, none, motions, place(system.tree, q))
    for one, two in zip(all_constraints(system, q, still, still, none), slow, strict=True):
        assert one.entries == pytest.approx(two.entries, abs=1e-15)
        assert (one.value, one.rate, one.acceleration) == pytest.approx((two.value, two.rate, two.acceleration))


def test_products_with_the_unit_matrix_are_the_other_factor():
    M, v = Mat3(*map(float, range(9))), Vec3(1.0, 2.0, 3.0)
    unit = Mat3.identity()
    assert unit @ M is M
    assert M @ unit is M
    assert unit @ v is v
    assert unit.T @ v is v
    assert unit.transpose_times(M) is M
    plain = Mat3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    assert (plain @ M).m == M.m
