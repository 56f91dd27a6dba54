"""Frames from directions, over numbers: a frame has its z along a given direction and, where given, its x towards
another.

Zeros that evaluate to the Python float 0.0 are structure and stay exact; a direction along one body axis gives
entries 0 and ±1.
"""

import math
from collections.abc import Callable
from typing import Any

from closedchain.description.values import Value, is_quarter_turn
from closedchain.numbers import (
    Mat3,
    Vec3,
    cos,
    greater,
    is_one,
    is_zero,
    less,
    less_equal,
    logical_and,
    select,
    sign,
    sin,
)

Number = Any
Evaluate = Callable[[Value], Number]
Direction = tuple[Value, ...]
Pose = tuple[Mat3, Vec3]

# Square of the sine of the angle below which two directions count as parallel.
PARALLEL = 1e-12


def vector(values: tuple[Value, ...], evaluate: Evaluate) -> Vec3:
    """Two (planar) or three Values as a vector; no Values are the zero vector."""
    numbers = [evaluate(value) for value in values]
    return Vec3(*numbers, *([0.0] * (3 - len(numbers))))


def unit(v: Vec3, said: Direction) -> Vec3:
    """v over its length; exactly ±1 along an axis where one component alone is no structural zero.

    said: the Values behind v, whose literal signs decide then.
    """
    rest = [k for k in range(3) if not is_zero(v[k])]
    if len(rest) != 1:
        return v / v.norm()
    k = rest[0]
    literal = k < len(said) and said[k].is_literal
    entries: list[Number] = [0.0, 0.0, 0.0]
    entries[k] = math.copysign(1.0, said[k].si) if literal else sign(v[k])
    return Vec3(*entries)


def smallest_rotation(z: Vec3) -> Mat3:
    """The smallest rotation that takes z of the body to the unit vector z; half a turn about x for z = (0, 0, −1).

    With (x, y, c) = z and k = 1/(1 + c) = (1 − c)/(x² + y²): Rodrigues' formula about (−y, x, 0). At exactly −z the
    formula continues
    as the half turn followed by the smallest rotation from −z, so that its derivatives are those of the axis alone.
    """
    x, y, c = z
    if is_zero(x) and is_zero(y):
        if is_one(c):
            return Mat3.identity()
        return Mat3(1.0, 0.0, 0.0, 0.0, c, 0.0, 0.0, 0.0, c)
    if is_zero(c):
        return _tilt(x, y, c, 1.0)
    s = x * x + y * y
    below = less(c, 0.0)
    away = logical_and(below, greater(s, 0.0))
    # the denominators of branches not taken are one, so that their derivatives stay finite
    k = select(below, (1.0 - c) / select(away, s, 1.0), 1.0 / select(below, 1.0, 1.0 + c))
    general = _tilt(x, y, c, k)
    m = 1.0 / select(below, 1.0 - c, 1.0)
    opposite = Mat3(1.0 - x * x * m, x * y * m, x, -(x * y * m), y * y * m - 1.0, y, x, -y, c)
    return choose(logical_and(below, less_equal(s, 0.0)), opposite, general)


def _tilt(x: Number, y: Number, c: Number, k: Number) -> Mat3:
    return Mat3(1.0 - x * x * k, -(x * y * k), x, -(x * y * k), 1.0 - y * y * k, y, -x, -y, c)


def choose(condition: Any, a: Mat3, b: Mat3) -> Mat3:
    """The matrix a where the condition holds, b where it does not."""
    return Mat3(*(select(condition, p, q) for p, q in zip(a.m, b.m)))


def frame_rotation(z: Direction | None, x: Direction | None, evaluate: Evaluate, *, lenient: bool = False) -> Mat3:
    """Rotation whose third column is along z (default body z) and whose first is along the part of x across it.

    Without x: the smallest rotation from body z. lenient: the same where x is parallel to z.
    """
    if z is None:
        axis = Vec3(0.0, 0.0, 1.0)
    else:
        axis = unit(vector(z, evaluate), z)
    if x is None:
        return smallest_rotation(axis)
    towards = vector(x, evaluate)
    across = towards - axis * axis.dot(towards)
    if not lenient:
        return _with_x(axis, unit(across, x))
    parallel = less_equal(across.dot(across), PARALLEL * towards.dot(towards))
    if parallel is True:
        return smallest_rotation(axis)
    if parallel is False or _one_each(axis, across):
        return _with_x(axis, unit(across, x))
    safe = Vec3(*(select(parallel, fallback, entry) for fallback, entry in zip(_some_across(axis), across)))
    return choose(parallel, smallest_rotation(axis), _with_x(axis, unit(safe, ())))


def _with_x(z: Vec3, x: Vec3) -> Mat3:
    return Mat3.from_columns(x, z.cross(x), z)


def _one_each(axis: Vec3, across: Vec3) -> bool:
    """Whether both have one component that is no structural zero, a different one: never parallel."""
    a, b = ([k for k in range(3) if not is_zero(v[k])] for v in (axis, across))
    return len(a) == len(b) == 1 and a != b


def _some_across(axis: Vec3) -> Vec3:
    """A vector that is never parallel to the axis, to keep a branch finite that is not taken."""
    return Vec3(axis.y + 2.0, axis.z - 3.0, axis.x + 5.0)


def cosine_sine(value: Value, evaluate: Evaluate) -> tuple[Number, Number]:
    """Cosine and sine of a constant angle; exact for whole quarter turns that evaluate to a float."""
    angle = evaluate(value)
    if isinstance(angle, float) and is_quarter_turn(angle):
        quarter = round(angle / (0.5 * math.pi)) % 4
        return (1.0, 0.0, -1.0, 0.0)[quarter], (0.0, 1.0, 0.0, -1.0)[quarter]
    return cos(angle), sin(angle)
