"""Rotation matrices and unit quaternions (w, x, y, z) over numbers. A rotation matrix turns vectors actively; its
columns are the turned axes, so it takes coordinates of the turned frame to the frame it was turned from."""

from typing import Any

from closedchain.numbers.functions import is_zero, less, select, sincos, sqrt
from closedchain.numbers.vectors import Mat3, Vec3, add, mul, sub


def rotation_x(angle: Any) -> Mat3:
    """Rotation about x by an angle [rad]."""
    s, c = sincos(angle)
    return Mat3(1.0, 0.0, 0.0, 0.0, c, sub(0.0, s), 0.0, s, c)


def rotation_y(angle: Any) -> Mat3:
    """Rotation about y by an angle [rad]."""
    s, c = sincos(angle)
    return Mat3(c, 0.0, s, 0.0, 1.0, 0.0, sub(0.0, s), 0.0, c)


def rotation_z(angle: Any) -> Mat3:
    """Rotation about z by an angle [rad]."""
    s, c = sincos(angle)
    return Mat3(c, sub(0.0, s), 0.0, s, c, 0.0, 0.0, 0.0, 1.0)


def rotation_about(axis: Vec3, angle: Any) -> Mat3:
    """Rotation about a unit axis by an angle [rad]: R = c I + s [k] + (1 − c) k kᵀ (Rodrigues 1840).

    An axis of exactly ±x, ±y, ±z gives the elementary rotation.
    """
    s, c = sincos(angle)
    return rotation_from_sine(axis, s, c)


def rotation_from_sine(axis: Vec3, s: Any, c: Any) -> Mat3:
    """As rotation_about, from the sine and cosine of the angle."""
    x, y, z = axis
    if is_zero(y) and is_zero(z):
        s = mul(x, s)
        return Mat3(1.0, 0.0, 0.0, 0.0, c, sub(0.0, s), 0.0, s, c)
    if is_zero(x) and is_zero(z):
        s = mul(y, s)
        return Mat3(c, 0.0, s, 0.0, 1.0, 0.0, sub(0.0, s), 0.0, c)
    if is_zero(x) and is_zero(y):
        s = mul(z, s)
        return Mat3(c, sub(0.0, s), 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
    v = sub(1.0, c)
    vx, vy, vz = mul(v, x), mul(v, y), mul(v, z)
    sx, sy, sz = mul(s, x), mul(s, y), mul(s, z)
    xy, xz, yz = mul(vx, y), mul(vx, z), mul(vy, z)
    return Mat3(
        add(c, mul(vx, x)), sub(xy, sz), add(xz, sy),
        add(xy, sz), add(c, mul(vy, y)), sub(yz, sx),
        sub(xz, sy), add(yz, sx), add(c, mul(vz, z)),
    )  # fmt: skip


def rotation_from_quaternion(w: Any, x: Any, y: Any, z: Any) -> Mat3:
    """Rotation matrix of a unit quaternion."""
    x2, y2, z2 = mul(2.0, x), mul(2.0, y), mul(2.0, z)
    xx, yy, zz = mul(x2, x), mul(y2, y), mul(z2, z)
    xy, xz, yz = mul(x2, y), mul(x2, z), mul(y2, z)
    wx, wy, wz = mul(x2, w), mul(y2, w), mul(z2, w)
    return Mat3(
        sub(sub(1.0, yy), zz), sub(xy, wz), add(xz, wy),
        add(xy, wz), sub(sub(1.0, xx), zz), sub(yz, wx),
        sub(xz, wy), add(yz, wx), sub(sub(1.0, xx), yy),
    )  # fmt: skip


def quaternion_product(p: Any, q: Any) -> tuple[Any, Any, Any, Any]:
    """Product p q of two quaternions (w, x, y, z): first turn by q, then by p."""
    a, b, c, d = p
    w, x, y, z = q
    return (
        sub(sub(sub(mul(a, w), mul(b, x)), mul(c, y)), mul(d, z)),
        sub(add(add(mul(a, x), mul(b, w)), mul(c, z)), mul(d, y)),
        add(add(sub(mul(a, y), mul(b, z)), mul(c, w)), mul(d, x)),
        add(sub(add(mul(a, z), mul(b, y)), mul(c, x)), mul(d, w)),
    )


def quaternion_from_matrix(R: Mat3) -> tuple[Any, Any, Any, Any]:
    """Unit quaternion (w, x, y, z), w ≥ 0, of a rotation matrix, from the largest of its four numbers (Shepperd
    1978).
    """
    a, b, c, d, e, f, g, h, i = R.m
    # 4w², 4x², 4y², 4z² and the row of 4 q_i q_j that belongs to each
    tw = add(add(add(1.0, a), e), i)
    tx = sub(sub(add(1.0, a), e), i)
    ty = sub(add(sub(1.0, a), e), i)
    tz = add(sub(sub(1.0, a), e), i)
    wx, wy, wz = sub(h, f), sub(c, g), sub(d, b)
    xy, xz, yz = add(d, b), add(c, g), add(h, f)
    square, row = tw, (tw, wx, wy, wz)
    for other, other_row in ((tx, (wx, tx, xy, xz)), (ty, (wy, xy, ty, yz)), (tz, (wz, xz, yz, tz))):
        larger = less(square, other)
        square = select(larger, other, square)
        row = tuple(select(larger, new, old) for new, old in zip(other_row, row, strict=True))
    scale = 0.5 / sqrt(square)
    scale = select(less(row[0], 0.0), -scale, scale)
    w, x, y, z = (mul(scale, s) for s in row)
    return w, x, y, z
