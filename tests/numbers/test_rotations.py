"""Rotations agree with SciPy; quaternions come back from every matrix."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from closedchain.compile import compile_kernel, trace
from closedchain.compile.graph import Graph
from closedchain.numbers import (
    Mat3,
    Vec3,
    quaternion_from_matrix,
    quaternion_product,
    rotation_about,
    rotation_from_quaternion,
    rotation_x,
    rotation_y,
    rotation_z,
)

angles = st.floats(-10, 10)
directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1)


def array(matrix):
    return np.array([list(row) for row in matrix], dtype=float)


def unit(v):
    return np.array(v) / np.linalg.norm(v)


@given(directions, angles)
def test_rotation_about_an_axis(direction, angle):
    axis = unit(direction)
    expected = Rotation.from_rotvec(axis * angle).as_matrix()
    assert array(rotation_about(Vec3(*map(float, axis)), angle)) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(("index", "elementary"), list(enumerate([rotation_x, rotation_y, rotation_z])))
def test_main_axes_fold_to_elementary_rotations(index, elementary, sign):
    axis = [0.0, 0.0, 0.0]
    axis[index] = sign
    R = rotation_about(Vec3(*axis), 0.7)
    assert array(R) == pytest.approx(array(elementary(sign * 0.7)), abs=1e-16)
    assert array(R) == pytest.approx(Rotation.from_rotvec(np.array(axis) * 0.7).as_matrix(), abs=1e-15)
    traced = rotation_about(Vec3(*axis), Graph().input(0))
    assert sum(entry == 0.0 for entry in traced.m if type(entry) is float) == 4
    assert sum(entry == 1.0 for entry in traced.m if type(entry) is float) == 1


def test_no_angle_is_no_rotation():
    assert array(rotation_about(Vec3(0.6, 0.0, 0.8), 0.0)).tolist() == np.eye(3).tolist()


@given(directions, angles, directions, angles)
def test_quaternion_product_and_back(d1, a1, d2, a2):
    first, second = Rotation.from_rotvec(unit(d1) * a1), Rotation.from_rotvec(unit(d2) * a2)
    p, q = (tuple(map(float, np.roll(r.as_quat(), 1))) for r in (first, second))
    product = quaternion_product(p, q)
    R = rotation_from_quaternion(*product)
    assert array(R) == pytest.approx((first * second).as_matrix(), abs=1e-13)
    back = np.array(quaternion_from_matrix(R))
    assert back[0] >= 0
    assert min(np.abs(back - product).max(), np.abs(back + product).max()) < 1e-12


HALF_TURNS = [
    Mat3.identity(),
    rotation_x(math.pi),
    rotation_y(math.pi),
    rotation_z(math.pi),
    rotation_about(Vec3(0.6, 0.0, 0.8), math.pi),
    rotation_about(Vec3(0.0, -0.6, 0.8), 3.0),
]


@pytest.mark.parametrize("R", HALF_TURNS)
def test_quaternion_of_special_matrices_also_when_traced(R):
    q = quaternion_from_matrix(R)
    assert array(rotation_from_quaternion(*q)) == pytest.approx(array(R), abs=1e-15)
    kernel = compile_kernel(trace(lambda m: {"q": quaternion_from_matrix(Mat3(*m))}, {"m": 9}))
    assert kernel([float(x) for x in R.m]) == pytest.approx(np.array(q, float), abs=1e-15)
