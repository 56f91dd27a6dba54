"""The spanning tree of a mechanism and what closes it, filled with numbers: what every algorithm works on."""

from dataclasses import dataclass
from typing import Any

from closedchain.elements.joints import Closure, Step
from closedchain.numbers import Mat3, Vec3

Number = Any
GROUND = -1


@dataclass(frozen=True)
class Frame:
    """Rotation R and origin p of a frame, seen from another one.

    R: columns are the frame's axes, shape (3, 3).
    p: origin [m], shape (3,).
    """

    R: Mat3
    p: Vec3

    def __matmul__(self, other: "Frame") -> "Frame":
        """The frame `other`, given relative to this one, seen from where this one is seen."""
        return Frame(self.R @ other.R, self.p + self.R @ other.p)

    def inverse(self) -> "Frame":
        """The outer frame seen from this one."""
        return Frame(self.R.T, -(self.R.transpose_times(self.p)))


@dataclass(frozen=True)
class Link:
    """A body with the joint that carries it.

    parent: index of the carrying link, GROUND for the fixed body.
    steps: the joint's elementary steps from base to moving side.
    reversed: the tree passes the joint from its moving to its base side.
    inboard, outboard: the joint's frames on the carrying body and on this one.
    coordinates, rates: first index of the joint's coordinates and rates in the tree's vectors.
    offsets: added to the geometric coordinates, one per coordinate.
    mass [kg], com [m] (3,), inertia [kg m^2] (3, 3) about the mass centre, in body axes.
    """

    body: str
    joint: str
    parent: int
    steps: tuple[Step, ...]
    reversed: bool
    inboard: Frame
    outboard: Frame
    coordinates: int
    rates: int
    offsets: tuple[Number, ...]
    mass: Number
    com: Vec3
    inertia: Mat3


@dataclass(frozen=True)
class Cut:
    """A joint opened to form the tree: its two frames, and what it forbids between them."""

    joint: str
    base_link: int
    moving_link: int
    base: Frame
    moving: Frame
    closure: Closure


@dataclass(frozen=True)
class Tree:
    """Links, each after its carrier, cut joints, and the number of coordinates and rates."""

    links: tuple[Link, ...]
    cuts: tuple[Cut, ...]
    coordinates: int
    rates: int
    gravity: Vec3
    size: float

    def ancestors(self, link: int) -> tuple[int, ...]:
        """Indices of the links from ground to `link`, itself included."""
        path: list[int] = []
        while link != GROUND:
            path.append(link)
            link = self.links[link].parent
        return tuple(reversed(path))
