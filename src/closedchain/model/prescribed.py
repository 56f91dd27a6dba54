"""A body whose whole pose is prescribed, carried from ground by a joint of its own whose coordinates are all driven.

It cuts the mechanism at that body: every limb then closes by itself, as in the inverse kinematics of parallel robots.
"""

from closedchain.description import Mechanism
from closedchain.elements.joints import JointType, Rotation, Translation

MARK = "motion:"
SPATIAL = ("x", "y", "z", "yaw", "pitch", "roll")
PLANAR = ("x", "y", "angle")


def carrier(planar: bool) -> JointType:
    """The joint that carries a prescribed body: position, then yaw, pitch and roll about the fixed z, y and x axes."""
    turns = (Rotation(2),) if planar else (Rotation(2), Rotation(1), Rotation(0))
    places = tuple(Translation(axis) for axis in range(2 if planar else 3))
    names = PLANAR if planar else SPATIAL
    return JointType(
        name="prescribed",
        meaning="prescribed motion of a body",
        coordinates=names,
        rates=names,
        units=("m",) * len(places) + ("rad",) * len(turns),
        steps=lambda values: (*places, *turns),
        closure=None,
        read=lambda R, r: (),
    )


def fully_prescribed(mechanism: Mechanism) -> tuple[str, ...]:
    """Names of the motions that prescribe a whole pose, one for each body."""
    names = PLANAR if mechanism.planar else SPATIAL
    found: dict[str, str] = {}
    for name, motion in mechanism.motions.items():
        if set(names) <= set(motion.components):
            found.setdefault(motion.of.body, name)
    return tuple(found.values())
