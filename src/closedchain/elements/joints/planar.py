"""Planar joint: translation in and rotation about the normal of the common x-y plane."""

from closedchain.elements.joints.contract import Closure, JointType, Rotation, Translation, with_plane
from closedchain.numbers import Mat3, Vec3, atan2


def read(R: Mat3, r: Vec3):
    """x, y and angle of the moving frame `R`, `r` seen in the base frame."""
    x = R.column(0)
    return (r[0], r[1], atan2(x[1], x[0]))


PLANAR = with_plane(
    JointType(
        name="planar",
        meaning="translation in the plane normal to z and rotation about z",
        coordinates=("x", "y", "angle"),
        rates=("x", "y", "angle"),
        units=("m", "m", "rad"),
        steps=lambda values: (Translation(0), Translation(1), Rotation(2)),
        closure=Closure(translations=(2,), parallel=(2,)),
        read=read,
    )
)
