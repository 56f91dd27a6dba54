"""Universal joint: rotation about the base side's z, then about the moving side's x."""

from closedchain.elements.joints.contract import Closure, JointType, Rotation
from closedchain.numbers import Mat3, Vec3, atan2


def read(R: Mat3, r: Vec3):
    """Both angles from R = Rz(angle1) Rx(angle2)."""
    x, y, z = R.column(0), R.column(1), R.column(2)
    return (atan2(x[1], x[0]), atan2(y[2], z[2]))


UNIVERSAL = JointType(
    name="universal",
    meaning="rotation about the base side's z, then about the moving side's x",
    coordinates=("angle1", "angle2"),
    rates=("angle1", "angle2"),
    units=("rad", "rad"),
    steps=lambda values: (Rotation(2), Rotation(0)),
    closure=Closure(translations=(0, 1, 2), perpendicular=((0, 2),)),
    read=read,
)
