"""Point in slot: a pin of the moving side slides along `axis` of the base side and turns in it (planar)."""

from dataclasses import replace

from closedchain.elements.joints.contract import Closure, JointType, Rotation, Translation, with_plane
from closedchain.numbers import Mat3, Vec3, atan2


def read(R: Mat3, r: Vec3):
    """Length along the slot and angle of the moving frame `R`, `r` seen in the base frame."""
    x = R.column(0)
    return (r[0], atan2(x[1], x[0]))


POINT_IN_SLOT = replace(
    with_plane(
        JointType(
            name="point-in-slot",
            meaning="pin of the moving side in a slot along `axis` of the base side",
            coordinates=("length", "angle"),
            rates=("length", "angle"),
            units=("m", "rad"),
            steps=lambda values: (Translation(0), Rotation(2)),
            closure=Closure(translations=(1,)),
            read=read,
            named_axis=0,
        )
    ),
    spatial=False,
)
