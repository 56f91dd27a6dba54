"""What a joint answers: its elementary steps, the rows that close it, and its coordinates read off two frames.

A joint connects a frame on its base side to a frame on its moving side.

1. `steps(values)`: the freedoms as elementary steps from base to moving frame, in chain order. Everything the mechanics
   needs (poses, influence coefficients, motion subspaces) follows from them by the formulas of serial chains.
2. `closure`: what the joint forbids, declared: base axes along which the two origins coincide, pairs of parallel axes,
   pairs of perpendicular axes. One constraint row each (two for a parallel pair), with the wrench that enforces it.
3. `read(R, r)`: the coordinates of a joint opened to form the tree, from the moving frame seen in the base frame.
4. `coordinates`, `rates`: their labels ("" for the single coordinate of a simple joint).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from closedchain.elements.family import Parameter
from closedchain.numbers import Mat3, Vec3

Number = Any


@dataclass(frozen=True)
class Rotation:
    """Turn by one coordinate about a unit axis (index 0, 1, 2 = x, y, z) of the frame reached so far."""

    axis: int


@dataclass(frozen=True)
class Translation:
    """Advance by one coordinate along an axis (index 0, 1, 2) of the frame reached so far."""

    axis: int


@dataclass(frozen=True)
class Screw:
    """Turn about an axis and advance `pitch` times the angle along it (pitch in m/rad)."""

    axis: int
    pitch: Number


@dataclass(frozen=True)
class Ball:
    """Turn about a point: a quaternion w, x, y, z; three rates, the angular velocity in base-side axes."""


Step = Rotation | Translation | Screw | Ball


@dataclass(frozen=True)
class Closure:
    """What a joint forbids between its two frames.

    translations: base axes (0, 1, 2) along which the moving origin stays on the base origin.
    parallel: axis indices whose base and moving directions stay parallel (two rows each).
    perpendicular: (moving axis, base axis) pairs that stay perpendicular (one row each).
    aligned: all axes stay parallel (three rows).
    """

    translations: tuple[int, ...] = ()
    parallel: tuple[int, ...] = ()
    perpendicular: tuple[tuple[int, int], ...] = ()
    aligned: bool = False

    @property
    def rows(self) -> int:
        """Number of constraint rows in space."""
        return len(self.translations) + 2 * len(self.parallel) + len(self.perpendicular) + 3 * self.aligned

    def in_plane(self) -> "Closure":
        """The part that motions in x-y can violate (`aligned` then stands for the one rotation about z)."""
        return Closure(tuple(k for k in self.translations if k != 2), (), (), self.aligned)


@dataclass(frozen=True)
class JointType:
    """A joint: see the numbered contract of this module.

    `closure.rows + freedoms == 6`, except where rows cannot say it (a screw: closure is None); such a joint is opened
    by closing it rigidly behind its own coordinates.
    units: SI unit of each rate times second, "rad" or "m".
    named_axis: the frame axis (index) that the key `axis` of a joint in the file names.
    spatial: may stand in a spatial mechanism. planar: its form in a planar one (motion in x-y), None where it has none.
    In the plane a closure keeps the rows of motions in x-y and drops the others.
    """

    name: str
    meaning: str
    coordinates: tuple[str, ...]
    rates: tuple[str, ...]
    units: tuple[str, ...]
    steps: Callable[[Mapping[str, Number]], tuple[Step, ...]]
    closure: Closure | None
    read: Callable[[Mat3, Vec3], tuple[Number, ...]]
    parameters: tuple[Parameter, ...] = ()
    named_axis: int = 2
    spatial: bool = True
    planar: "JointType | None" = None

    @property
    def freedoms(self) -> int:
        """Number of rates."""
        return len(self.rates)

    def form(self, planar: bool) -> "JointType | None":
        """The joint as it stands in a planar or a spatial mechanism; None where it cannot stand there."""
        return self.planar if planar else (self if self.spatial else None)


def in_plane(joint: JointType) -> JointType:
    """The same joint with the closure of plane motion, for joints whose steps stay in x-y as they are."""
    return replace(joint, closure=joint.closure and joint.closure.in_plane(), planar=None)


def with_plane(joint: JointType, planar: JointType | None = None) -> JointType:
    """Joint that may also stand in a planar mechanism, in its own form there or as it is."""
    return replace(joint, planar=planar or in_plane(joint))
