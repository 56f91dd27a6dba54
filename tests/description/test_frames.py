"""Frames from directions: smallest rotation, explicit x, joint axes; exact where they can be, right everywhere."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from closedchain.compile import trace
from closedchain.compile.evaluate import evaluate
from closedchain.description import Mechanism, Point


def link(point: Any, **joint: Any) -> Mechanism:
    """A spatial link with a point P, hinged at it."""
    return Mechanism.from_dict(
        {
            "parameters": {"e": "2/2"},
            "bodies": {"ground": {}, "link": {"points": {"P": point}}},
            "joints": {"J": {"type": "revolute", "between": ["ground.origin", "link.P"], **joint}},
        }
    )


def rotation(point: Any) -> np.ndarray:
    m = link(point)
    return matrix(m.bodies["link"].points["P"].pose(m.evaluator())[0])


def matrix(R: Any) -> np.ndarray:
    return np.array([list(row) for row in R], dtype=float)


def smallest(z: Any) -> np.ndarray:
    """Rodrigues' rotation by the angle between body z and z about their cross product, by SciPy."""
    from scipy.spatial.transform import Rotation

    z = np.asarray(z, float) / np.linalg.norm(z)
    angle = math.atan2(math.hypot(z[0], z[1]), z[2])
    axis = np.array([-z[1], z[0], 0.0])
    size = np.linalg.norm(axis)
    axis = np.array([1.0, 0.0, 0.0]) if size == 0.0 else axis / size
    return Rotation.from_rotvec(angle * axis).as_matrix()


EXACT = {
    (0, 0, 1): np.eye(3),
    (0, 0, -2): np.diag([1, -1, -1]),
    (3, 0, 0): np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
    (-1, 0, 0): np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]]),
    (0, 0.5, 0): np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]),
    (0, -1, 0): np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
}


@pytest.mark.parametrize("z", EXACT)
def test_axes_along_body_axes_are_exact(z):
    assert (rotation({"at": [0, 0, 0], "z": list(z)}) == EXACT[z]).all()


@pytest.mark.parametrize("z", EXACT)
def test_exact_axes_stay_exact_when_traced(z):
    """Every entry of the rotation is a plain number although the length of the direction is an input."""
    m = link({"z": list(z)})
    traced = trace(lambda p: {"R": m.bodies["link"].points["P"].pose(m.evaluator(lambda value: p[0]))[0]}, {"p": 1})
    assert all(isinstance(entry, float) for entry in traced.expressions)
    assert np.reshape(traced.expressions, (3, 3)) == pytest.approx(EXACT[z], abs=0)


COMPONENT = st.floats(-1, 1).map(lambda x: 0.0 if abs(x) < 1e-3 else x)
DIRECTION = st.tuples(COMPONENT, COMPONENT, COMPONENT).filter(lambda v: max(map(abs, v)) > 0.01)


@given(DIRECTION)
def test_smallest_rotation(z):
    R = rotation({"z": list(z)})
    assert pytest.approx(smallest(z), abs=1e-14) == R


@pytest.mark.parametrize("tilt", [1e-1, 1e-3, 1e-6, 1e-8, 1e-12, 1e-16, 1e-30, 1e-150, 1e-170, 5e-324])
@pytest.mark.parametrize("z", [1.0, -1.0])
def test_smallest_rotation_near_both_poles(tilt, z):
    direction = [0.6 * tilt, -0.8 * tilt, z]
    R = rotation({"z": direction})
    assert pytest.approx(np.eye(3), abs=1e-14) == R.T @ R
    assert np.linalg.det(R) == pytest.approx(1.0, abs=1e-14)
    assert R[:, 2] == pytest.approx(np.array(direction) / np.linalg.norm(direction), abs=1e-15)
    if tilt > 1e-150:
        assert pytest.approx(smallest(direction), abs=1e-14) == R


def test_half_turn_about_x_at_minus_z():
    assert (rotation({"z": [0, 0, -1]}) == np.diag([1, -1, -1])).all()
    # an expression that happens to be zero gives the same
    assert rotation({"z": ["e - 1", "2*e - 2", "-e"]}) == pytest.approx(np.diag([1.0, -1.0, -1.0]), abs=0)


@given(DIRECTION, DIRECTION)
def test_explicit_x_is_made_perpendicular_to_z(z, x):
    z_hat = np.array(z) / np.linalg.norm(z)
    across = np.array(x) - z_hat * (z_hat @ x)
    assume(np.linalg.norm(across) > 1e-2 * np.linalg.norm(x))
    R = rotation({"z": list(z), "x": list(x)})
    assert R[:, 2] == pytest.approx(z_hat, abs=1e-14)
    assert R[:, 0] == pytest.approx(across / np.linalg.norm(across), abs=1e-12)
    assert np.cross(R[:, 2], R[:, 0]) == pytest.approx(R[:, 1], abs=1e-14)


@pytest.mark.parametrize(
    ("z", "x"), [((0, 0, 1), (0, 2, 0)), ((0, -1, 0), (0, 0, -3)), ((5, 0, 0), (0, 0, 1)), ((0, 0, -1), (1, 0, 4))]
)
def test_explicit_x_along_a_body_axis_is_exact(z, x):
    R = rotation({"z": list(z), "x": list(x)})
    assert set(R.ravel()) <= {0.0, 1.0, -1.0}
    assert R[:, 2] @ z == max(map(abs, z))


def frames(m: Mechanism) -> tuple[np.ndarray, np.ndarray]:
    base, moving = m.joints["J"].frames(m.evaluator())
    return matrix(base[0]), matrix(moving[0])


def test_joint_axis_goes_to_both_sides_or_to_each():
    base, moving = frames(link([1, 2, 3], axis=[1, 1, 0]))
    assert (base == moving).all()
    assert base == pytest.approx(smallest([1, 1, 0]), abs=1e-15)
    base, moving = frames(link([1, 2, 3], axis=[[0, 1, 0], [0, 0, -1]]))
    assert (base == EXACT[(0, 0.5, 0)]).all()
    assert (moving == np.diag([1, -1, -1])).all()


def test_joint_axis_keeps_the_x_of_a_frame_unless_parallel():
    _, moving = frames(link({"x": [0, 1, 0]}, axis=[1, 0, 1]))
    assert moving[:, 0] == pytest.approx([0, 1, 0], abs=1e-15)
    assert moving[:, 2] == pytest.approx(np.array([1, 0, 1]) / math.sqrt(2), abs=1e-15)
    for axis in ([0, 2, 0], [0, -1, 0], [1e-9, 1, 0]):
        _, moving = frames(link({"x": [0, 1, 0]}, axis=axis))
        assert moving == pytest.approx(smallest(axis), abs=1e-14)


def test_joint_axis_parallel_to_a_skew_x_falls_back_when_traced():
    m = link({"z": [0, 0, 1], "x": [0.3, 0.4, 0]}, axis=[0.6, 0.8, 0])
    literals = [value for value in m.values().values() if value.is_literal]
    slots = {value.path: k for k, value in enumerate(literals)}
    traced = trace(
        lambda p: {"R": m.joints["J"].frames(m.evaluator(lambda value: p[slots[value.path]]))[1][0]},
        {"p": len(literals)},
    )
    numbers = dict(zip(traced.input_symbols, (value.si for value in literals)))
    R = np.reshape(np.array(evaluate(traced.expressions, numbers), dtype=float), (3, 3))
    assert pytest.approx(smallest([0.6, 0.8, 0]), abs=1e-12) == R


@given(DIRECTION)
def test_traced_frames_agree_with_floats(z):
    m = link({"at": [0.1, 0, 0.3], "z": list(z)})
    point = m.bodies["link"].points["P"]
    assert isinstance(point, Point)
    literals = (*point.at, *(point.z or ()))
    slots = {value.path: k for k, value in enumerate(literals)}
    traced = trace(
        lambda p: dict(zip("Rp", point.pose(m.evaluator(lambda value: p[slots[value.path]])))), {"p": len(literals)}
    )
    values = evaluate(traced.expressions, dict(zip(traced.input_symbols, (value.si for value in literals))))
    R, p = point.pose(m.evaluator())
    assert np.array(values[:9], float) == pytest.approx(matrix(R).ravel(), abs=1e-14)
    assert values[9:] == [0.1, 0.0, 0.3] == list(p)


@pytest.mark.parametrize("z", [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [0.3, -0.2, -0.9]])
def test_free_zeros_have_the_derivatives_of_the_axis(z):
    """A zero asked for as an input (`free`) turns the axis exactly as a small number in its place does."""
    m = link({"z": z})
    point = m.bodies["link"].points["P"]
    assert point.z is not None
    paths = [value.path for value in point.z]
    slots = {path: k for k, path in enumerate(paths)}
    traced = trace(
        lambda p: {"R": point.pose(m.evaluator(lambda value: p[slots[value.path]], free=paths))[0]}, {"p": 3}
    )
    leaves = dict(zip(traced.input_symbols, z))
    assert np.array(evaluate(traced.expressions, leaves), float).reshape(3, 3) == pytest.approx(smallest(z), abs=1e-14)
    for k in range(3):
        direction = [float(k == i) for i in range(3)]
        slope = evaluate(np.ravel(traced.derivative("R", {"p": direction})).tolist(), leaves)
        h, column = 1e-7, []
        for s in (h, -h):
            moved = np.array(z) + s * np.array(direction)
            column.append(moved / np.linalg.norm(moved))
        assert np.reshape(np.array(slope, float), (3, 3))[:, 2] == pytest.approx(
            (column[0] - column[1]) / (2 * h), abs=1e-7
        )
        # a rotation's derivative is skew in body axes, also where it jumps
        spin = smallest(z).T @ np.reshape(np.array(slope, float), (3, 3))
        assert spin == pytest.approx(-spin.T, abs=1e-12)


def planar(**joint: Any) -> Mechanism:
    return Mechanism.from_dict(
        {
            "mechanism": {"planar": True},
            "bodies": {"ground": {"points": {"A": [1, 2]}}, "slide": {"points": {"A": {"at": [0, 1], "x": [1, 1]}}}},
            "joints": {"J": {"between": ["ground.A", "slide.A"], **joint}},
        }
    )


def test_planar_axis_is_the_frames_x_on_both_sides():
    base, moving = frames(planar(type="prismatic", axis=[0, 1]))
    assert (base == [[0, -1, 0], [1, 0, 0], [0, 0, 1]]).all()
    assert (base == moving).all()
    base, moving = frames(planar(type="prismatic", axis=[[1, 0], [3, 4]]))
    assert (base == np.eye(3)).all()
    assert moving[:, 0] == pytest.approx([0.6, 0.8, 0], abs=1e-15)
    assert (moving[2] == [0, 0, 1]).all()


def test_planar_frames_without_axis():
    base, moving = frames(planar(type="revolute"))
    assert (base == np.eye(3)).all()
    assert moving[:, 0] == pytest.approx([math.sqrt(0.5), math.sqrt(0.5), 0], abs=1e-15)
    (_, p), (_, q) = planar(type="revolute").joints["J"].frames(planar(type="revolute").evaluator())
    assert list(p) == [1.0, 2.0, 0.0]
    assert list(q) == [0.0, 1.0, 0.0]
