"""Velocities and accelerations of all links along the tree, for given rates and their derivatives."""

from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.chain import ZERO, advance, ordered_steps
from closedchain.algorithms.tree import GROUND, Frame, Tree
from closedchain.elements.joints import Ball, Rotation, Screw, Translation
from closedchain.numbers import Mat3, Vec3

Number = Any


@dataclass(frozen=True)
class Motion:
    """A frame with its velocities and accelerations in ground axes.

    frame: rotation and origin; w: angular velocity [rad/s]; v: velocity of the origin [m/s];
    e: angular acceleration [rad/s^2]; a: acceleration of the origin [m/s^2].
    """

    frame: Frame
    w: Vec3
    v: Vec3
    e: Vec3
    a: Vec3

    def at(self, offset: Frame) -> "Motion":
        """Motion of another frame fixed in the same body, given in this frame's axes."""
        d = self.frame.R @ offset.p
        wd = self.w.cross(d)
        frame = Frame(self.frame.R @ offset.R, self.frame.p + d)
        return Motion(frame, self.w, self.v + wd, self.e, self.a + self.e.cross(d) + self.w.cross(wd))

    def point(self, p: Vec3) -> "Motion":
        """Motion of a point fixed in the body, given in this frame's axes (axes unchanged)."""
        return self.at(Frame(Mat3.identity(), p))


STANDSTILL = Motion(Frame(Mat3.identity(), ZERO), ZERO, ZERO, ZERO, ZERO)


def move(tree: Tree, q, v, a) -> tuple[Motion, ...]:
    """Motion of every body frame for coordinates q, rates v and their derivatives a (exact zeros fold).

    Per step with unit axis s, rate x and its derivative x' (Khalil and Dombre 2002, ch. 9, in ground axes):
    rotation:     e += w x (s x) + s x',  then w += s x
    translation:  d = s q:  a += e x d + w x (w x d) + 2 w x (s x) + s x',  v += w x d + s x
    """
    motions: list[Motion] = []
    for link in tree.links:
        carrier = STANDSTILL if link.parent == GROUND else motions[link.parent]
        state = carrier.at(link.inboard)
        sign = -1.0 if link.reversed else 1.0
        for step, coordinate, rate in ordered_steps(link):
            after = advance(state.frame, step, link, q, coordinate)
            if isinstance(step, Ball):
                axes = after.R if link.reversed else state.frame.R
                turn = (axes @ Vec3(*(v[rate + k] for k in range(3)))) * sign
                spin = (axes @ Vec3(*(a[rate + k] for k in range(3)))) * sign
                e = state.e + state.w.cross(turn) + spin
                state = Motion(after, state.w + turn, state.v, e, state.a)
                continue
            axis = state.frame.R.column(step.axis)
            x, xd = v[rate] * sign, a[rate] * sign
            w, e, velocity, acceleration = state.w, state.e, state.v, state.a
            if isinstance(step, Translation | Screw):
                pitch = step.pitch if isinstance(step, Screw) else 1.0
                d = after.p - state.frame.p
                wd = w.cross(d)
                slide = axis * (pitch * x)
                velocity = velocity + wd + slide
                acceleration = acceleration + e.cross(d) + w.cross(wd) + w.cross(slide) * 2.0 + axis * (pitch * xd)
            if isinstance(step, Rotation | Screw):
                e = e + w.cross(axis * x) + axis * xd
                w = w + axis * x
            state = Motion(after, w, velocity, e, acceleration)
        motions.append(state.at(link.outboard.inverse()))
    return tuple(motions)


def moved_link(motions: tuple[Motion, ...], link: int) -> Motion:
    """The motion of a link's body frame, standstill for GROUND."""
    return STANDSTILL if link == GROUND else motions[link]
