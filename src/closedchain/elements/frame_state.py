"""Where a body-fixed frame is and how it moves: what forces and clearances see of a body."""

from dataclasses import dataclass
from typing import Any

from closedchain.numbers import Mat3, Vec3


@dataclass(frozen=True)
class FrameState:
    """A frame fixed in a body, seen from ground.

    R: its axes as columns [1]. p: its origin [m]. v: velocity of its origin [m/s]. w: angular velocity [rad/s].
    All vectors in ground axes; planar mechanisms have exact zeros out of the plane.
    """

    R: Mat3
    p: Vec3
    v: Vec3
    w: Vec3

    def velocity_at(self, point: Vec3) -> Vec3:
        """Velocity [m/s] of the body-fixed point that is now at `point` [m], ground axes."""
        return self.v + self.w.cross(point - self.p)


@dataclass(frozen=True)
class Wrench:
    """A force [N] and its moment [N m] about a stated point, ground axes."""

    force: Vec3
    moment: Vec3

    def moved(self, from_point: Vec3, to_point: Vec3) -> "Wrench":
        """The same action with its moment taken about another point [m]."""
        return Wrench(self.force, self.moment + (from_point - to_point).cross(self.force))

    def __neg__(self) -> "Wrench":
        return Wrench(-self.force, -self.moment)

    def power(self, v: Vec3, w: Vec3) -> Any:
        """Power [W] on a body whose point of reference moves with v [m/s] and that turns with w [rad/s]."""
        return self.force.dot(v) + self.moment.dot(w)
