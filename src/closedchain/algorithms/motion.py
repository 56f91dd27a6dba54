"""Velocities and accelerations of all links along the tree, for given rates and their derivatives."""

from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.chain import ZERO, Placed, advance, ordered_steps
from closedchain.algorithms.tree import GROUND, Frame, Tree
from closedchain.elements.joints import Ball, Rotation, Screw, Translation
from closedchain.numbers import Mat3, Vec3

Number = Any


@dataclass(frozen=True)
class Motion:
    """A frame with its velocities and accelerations in ground axes.

    frame: rotation and origin; w: angular velocity [rad/s]; v: velocity of the origin [m/s];
    e: angular acceleration [rad/s^2]; a: acceleration of the origin [m/s^2]; path: of a link the frames after its
    inboard offset, after each of its joint's steps, and its body frame.
    """

    frame: Frame
    w: Vec3
    v: Vec3
    e: Vec3
    a: Vec3
    path: tuple[Frame, ...] = ()

    def at(self, offset: Frame, there: Frame | None = None) -> "Motion":
        """Motion of another frame fixed in the same body, given in this frame's axes.

        there: that frame in ground axes, where it is known already.
        """
        d = self.frame.R @ offset.p
        wd = self.w.cross(d)
        frame = there or Frame(self.frame.R @ offset.R, self.frame.p + d)
        return Motion(frame, self.w, self.v + wd, self.e, self.a + self.e.cross(d) + self.w.cross(wd))

    def point(self, p: Vec3) -> "Motion":
        """Motion of a point fixed in the body, given in this frame's axes (axes unchanged)."""
        return self.at(Frame(Mat3.identity(), p))


STANDSTILL = Motion(Frame(Mat3.identity(), ZERO), ZERO, ZERO, ZERO, ZERO)


def at_rest(placed: tuple[Placed, ...]) -> tuple[Motion, ...]:
    """Motion of every body frame where nothing moves."""
    return tuple(Motion(link.frame, ZERO, ZERO, ZERO, ZERO) for link in placed)


def move(tree: Tree, q, v, a, like: tuple[Motion, ...] = ()) -> tuple[Motion, ...]:
    """Motion of every body frame for coordinates q, rates v and their derivatives a (exact zeros fold).

    like: motions at the same coordinates, whose frames are taken.

    Per step with unit axis s, rate x and its derivative x' (Khalil and Dombre 2002, ch. 9, in ground axes):
    rotation:     e += w x (s x) + s x',  then w += s x
    translation:  d = s q:  a += e x d + w x (w x d) + 2 w x (s x) + s x',  v += w x d + s x
    """
    motions: list[Motion] = []
    for index, link in enumerate(tree.links):
        carrier = STANDSTILL if link.parent == GROUND else motions[link.parent]
        known = like[index].path if like else ()
        state = carrier.at(link.inboard, known[0] if known else None)
        path = [state.frame]
        sign = -1.0 if link.reversed else 1.0
        for number, (step, coordinate, rate) in enumerate(ordered_steps(link), start=1):
            after = known[number] if known else advance(state.frame, step, link, q, coordinate)
            path.append(after)
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
        body = state.at(link.outboard.inverse(), known[-1] if known else None)
        motions.append(Motion(body.frame, body.w, body.v, body.e, body.a, (*path, body.frame)))
    return tuple(motions)


def moved_link(motions: tuple[Motion, ...], link: int) -> Motion:
    """The motion of a link's body frame, standstill for GROUND."""
    return STANDSTILL if link == GROUND else motions[link]
