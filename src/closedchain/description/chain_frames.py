"""Frames of a Denavit-Hartenberg chain: where each row puts its joint on the two bodies it connects.

With Rz, Tz, Tx, Rx rotations and translations about and along z and x:

    standard (Denavit and Hartenberg 1955):  T_i = Rz(θ_i) Tz(d_i) Tx(a_i) Rx(α_i)      frame i at the far end of link i
    modified (Craig 1986):                   T_i = Rx(α_i) Tx(a_i) Rz(θ_i) Tz(d_i)      frame i at joint i

The joint's own coordinate adds to θ (revolute) or d (prismatic): turn and shift about and along the same z commute, so
the row's constants are one product, which stands on the moving side (standard, inverse) or the base side (modified).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from closedchain.description.frames import Evaluate, Pose, cosine_sine
from closedchain.description.values import Value
from closedchain.numbers import Mat3, Vec3

if TYPE_CHECKING:
    from closedchain.description.bodies import Location

IDENTITY: Pose = (Mat3.identity(), Vec3.zero())


@dataclass(frozen=True)
class ChainFrame:
    """The frame where a joint of a chain sits on one of its bodies.

    name: the joint's name. parent: frame it starts from on the body (None: the body's own). turns, shifts are applied
    in the order of
    `rule`: ("x"|"z", "turn"|"shift", Value). inverse: the frame is the inverse of that product.
    """

    name: str
    parent: "Location | None"
    rule: tuple[tuple[str, str, Value], ...]
    inverse: bool = False

    @property
    def z(self) -> None:
        """A chain's frame has no direction said in the file."""
        return None

    @property
    def x(self) -> None:
        """A chain's frame has no direction said in the file."""
        return None

    def position(self, evaluate: Evaluate) -> Vec3:
        """Position [m] in body axes, over numbers."""
        return self.pose(evaluate)[1]

    def pose(self, evaluate: Evaluate) -> Pose:
        """Rotation and position [m] in body axes, over numbers; see Point.pose."""
        R, p = self.parent.pose(evaluate) if self.parent is not None else IDENTITY
        product = IDENTITY
        for axis, kind, value in self.rule:
            product = compose(product, _elementary(axis, kind, value, evaluate))
        if self.inverse:
            product = invert(product)
        return compose((R, p), product)


def compose(a: Pose, b: Pose) -> Pose:
    """The pose b, given in a, seen from where a is seen."""
    return a[0] @ b[0], a[1] + a[0] @ b[1]


def invert(a: Pose) -> Pose:
    """The outer frame seen from this one."""
    return a[0].T, -(a[0].transpose_times(a[1]))


def _elementary(axis: str, kind: str, value: Value, evaluate: Evaluate) -> Pose:
    if kind == "shift":
        length: Any = evaluate(value)
        return IDENTITY[0], Vec3(length, 0.0, 0.0) if axis == "x" else Vec3(0.0, 0.0, length)
    c, s = cosine_sine(value, evaluate)
    minus = 0.0 - s
    if axis == "x":
        return Mat3(1.0, 0.0, 0.0, 0.0, c, minus, 0.0, s, c), Vec3.zero()
    return Mat3(c, minus, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), Vec3.zero()
