"""Spherical joint: all rotations about one point."""

from closedchain.elements.joints.contract import Ball, Closure, JointType
from closedchain.numbers import Mat3, Vec3, quaternion_from_matrix


def read(R: Mat3, r: Vec3):
    """Quaternion w, x, y, z of the moving frame `R` seen in the base frame."""
    return tuple(quaternion_from_matrix(R))


SPHERICAL = JointType(
    name="spherical",
    meaning="all rotations about the common point",
    coordinates=("qw", "qx", "qy", "qz"),
    rates=("wx", "wy", "wz"),
    units=("rad", "rad", "rad"),
    steps=lambda values: (Ball(),),
    closure=Closure(translations=(0, 1, 2)),
    read=read,
)
