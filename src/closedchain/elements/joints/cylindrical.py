"""Cylindrical joint: rotation about and translation along the z axes that coincide."""

from closedchain.elements.joints.contract import Closure, JointType, Rotation, Translation
from closedchain.numbers import Mat3, Vec3, atan2


def read(R: Mat3, r: Vec3):
    """Angle about and length along z from the moving frame `R`, `r` seen in the base frame."""
    x = R.column(0)
    return (atan2(x[1], x[0]), r[2])


CYLINDRICAL = JointType(
    name="cylindrical",
    meaning="rotation about and translation along z",
    coordinates=("angle", "length"),
    rates=("angle", "length"),
    units=("rad", "m"),
    steps=lambda values: (Rotation(2), Translation(2)),
    closure=Closure(translations=(0, 1), parallel=(2,)),
    read=read,
)
