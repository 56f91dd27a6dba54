"""Free joint: no constraint; places a body by position and orientation."""

from closedchain.elements.joints.contract import Ball, Closure, JointType, Rotation, Translation, with_plane
from closedchain.numbers import Mat3, Vec3, atan2, quaternion_from_matrix


def read(R: Mat3, r: Vec3):
    """Position and quaternion of the moving frame `R`, `r` seen in the base frame."""
    return (r[0], r[1], r[2], *quaternion_from_matrix(R))


def read_planar(R: Mat3, r: Vec3):
    """x, y and angle of the moving frame `R`, `r` seen in the base frame."""
    x = R.column(0)
    return (r[0], r[1], atan2(x[1], x[0]))


FREE = with_plane(
    JointType(
        name="free",
        meaning="no constraint: position and orientation",
        coordinates=("x", "y", "z", "qw", "qx", "qy", "qz"),
        rates=("x", "y", "z", "wx", "wy", "wz"),
        units=("m", "m", "m", "rad", "rad", "rad"),
        steps=lambda values: (Translation(0), Translation(1), Translation(2), Ball()),
        closure=Closure(),
        read=read,
    ),
    JointType(
        name="free",
        meaning="no constraint: position and angle in the plane",
        coordinates=("x", "y", "angle"),
        rates=("x", "y", "angle"),
        units=("m", "m", "rad"),
        steps=lambda values: (Translation(0), Translation(1), Rotation(2)),
        closure=Closure(),
        read=read_planar,
    ),
)
