"""Helical joint: rotation about z with a proportional, right-handed advance along it."""

from math import pi

from closedchain.elements.family import Parameter
from closedchain.elements.joints.contract import JointType, Screw
from closedchain.numbers import Mat3, Vec3, atan2


def read(R: Mat3, r: Vec3):
    """Angle about z from the moving frame `R`, `r` seen in the base frame, within one turn."""
    x = R.column(0)
    return (atan2(x[1], x[0]),)


HELICAL = JointType(
    name="helical",
    meaning="rotation about z with advance = lead * angle / 2 pi",
    coordinates=("",),
    rates=("",),
    units=("rad",),
    steps=lambda values: (Screw(2, values["lead"] * (1.0 / (2.0 * pi))),),
    closure=None,
    read=read,
    parameters=(Parameter("lead", "m", "advance along z per turn, right-handed where positive"),),
)
