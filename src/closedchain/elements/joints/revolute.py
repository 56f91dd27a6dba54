"""Revolute joint: one rotation about the z axes that coincide."""

from closedchain.elements.joints.contract import Closure, JointType, Rotation, with_plane
from closedchain.numbers import Mat3, Vec3, atan2


def read(R: Mat3, r: Vec3):
    """Angle about z from the moving frame `R`, `r` seen in the base frame."""
    x = R.column(0)
    return (atan2(x[1], x[0]),)


REVOLUTE = with_plane(
    JointType(
        name="revolute",
        meaning="rotation about z",
        coordinates=("",),
        rates=("",),
        units=("rad",),
        steps=lambda values: (Rotation(2),),
        closure=Closure(translations=(0, 1, 2), parallel=(2,)),
        read=read,
    )
)
