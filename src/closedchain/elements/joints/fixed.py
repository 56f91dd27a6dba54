"""Fixed joint: the two frames coincide."""

from closedchain.elements.joints.contract import Closure, JointType, with_plane
from closedchain.numbers import Mat3, Vec3


def read(R: Mat3, r: Vec3):
    """A fixed joint has no coordinate."""
    return ()


FIXED = with_plane(
    JointType(
        name="fixed",
        meaning="nothing: the two frames coincide",
        coordinates=(),
        rates=(),
        units=(),
        steps=lambda values: (),
        closure=Closure(translations=(0, 1, 2), aligned=True),
        read=read,
    )
)
