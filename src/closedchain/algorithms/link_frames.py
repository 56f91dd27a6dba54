"""Mass matrix and bias forces of the tree by recursion in link frames: a third of the operations of ground axes.

Every link is reached through frames: the joint's fixed frame on the carrier, one frame per elementary step, the body
frame. In a step's own frame its axis is a unit vector, so a column of the mass matrix is read off the composite body:

    rotation about k:     f = e_k x c,   n = I e_k          translation along k:   f = m e_k,   n = c x e_k

(composite bodies: Featherstone 2008, ch. 6; forces: Luh, Walker and Paul 1980.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.chain import TURN, UNIT, ZERO, Placed, geometric, ordered_steps
from closedchain.algorithms.newton_euler import Wrench
from closedchain.algorithms.tree import GROUND, Frame, Link, Tree
from closedchain.elements.joints import Ball, Rotation, Screw, Translation
from closedchain.numbers import Mat3, Vec3, is_zero, rotation_from_quaternion

Number = Any


@dataclass(frozen=True)
class Body:
    """Mass, first moment and inertia (six entries xx, yy, zz, xy, xz, yz) about a frame's origin, in its axes."""

    m: Number
    c: Vec3
    xx: Number
    yy: Number
    zz: Number
    xy: Number
    xz: Number
    yz: Number

    def __add__(self, other: "Body") -> "Body":
        pairs = zip(
            (self.xx, self.yy, self.zz, self.xy, self.xz, self.yz),
            (other.xx, other.yy, other.zz, other.xy, other.xz, other.yz),
            strict=True,
        )
        return Body(self.m + other.m, self.c + other.c, *(a + b for a, b in pairs))

    def column(self, k: int) -> Vec3:
        """Column k of the inertia."""
        rows = ((self.xx, self.xy, self.xz), (self.xy, self.yy, self.yz), (self.xz, self.yz, self.zz))
        return Vec3(*rows[k])

    def seen_from(self, frame: Frame) -> "Body":
        """The same body seen from the outer frame in which this one's frame is `frame`."""
        turned = self if is_identity(frame.R) else self.turned(frame.R)
        return turned.shifted(frame.p)

    def turned(self, R: Mat3) -> "Body":
        """R I R^T, six entries."""
        rows = [R.row(i) for i in range(3)]
        A = [[rows[i].dot(self.column(j)) for j in range(3)] for i in range(3)]
        AR = [Vec3(*row) for row in A]

        def entry(i: int, j: int) -> Number:
            return AR[i].dot(rows[j])

        return Body(self.m, R @ self.c, entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2))

    def shifted(self, p: Vec3) -> "Body":
        """About a point from which this one's origin is at p (Steiner)."""
        if all(is_zero(value) for value in p):
            return self
        m, c = self.m, self.c
        # With h = 2 c + m p: I' = I + (p.h) 1 - sym(p h^T), diagonal entries p.h less their own product.
        h = c * 2.0 + p * m
        px, py, pz = p.x * h.x, p.y * h.y, p.z * h.z
        half = c + p * m
        return Body(
            m,
            half,
            self.xx + (py + pz),
            self.yy + (px + pz),
            self.zz + (px + py),
            self.xy - (p.x * half.y + c.x * p.y),
            self.xz - (p.x * half.z + c.x * p.z),
            self.yz - (p.y * half.z + c.y * p.z),
        )


def is_identity(R: Mat3) -> bool:
    """Whether R is the identity by structure."""
    return all(
        type(R.row(i)[j]) is float and R.row(i)[j] == (1.0 if i == j else 0.0) for i in range(3) for j in range(3)
    )


def own_body(link: Link, planar: bool) -> Body:
    """A link's body about its frame origin."""
    m, d = link.mass, link.com
    I = link.inertia
    if planar:
        zz = I.row(2)[2] + m * d.dot(d)
        return Body(m, d * m, 0.0, 0.0, zz, 0.0, 0.0, 0.0)
    about_com = Body(0.0, ZERO, *(I.row(i)[j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))))
    point = Body(m, ZERO, *(0.0,) * 6).shifted(d)
    return Body(
        m, point.c, about_com.xx + point.xx, about_com.yy + point.yy, about_com.zz + point.zz, about_com.xy + point.xy,
        about_com.xz + point.xz, about_com.yz + point.yz,
    )  # fmt: skip


@dataclass(frozen=True)
class Passage:
    """One frame on the way to a link: seen from the one before it, with the step that makes it (None for a fixed one).

    rate: first rate of the step; sign: -1 where the tree passes the joint backwards.
    """

    frame: Frame
    step: Any = None
    rate: int = 0
    sign: float = 1.0

    @property
    def axes_before(self) -> bool:
        """Whether the rates turn about axes of the frame before (a ball passed forwards)."""
        return isinstance(self.step, Ball) and self.sign > 0.0


def passages(link: Link, q: Sequence[Number]) -> list[Passage]:
    """Frames from the carrier's body frame to the link's."""
    found = [Passage(link.inboard)]
    sign = -1.0 if link.reversed else 1.0
    for step, coordinate, rate in ordered_steps(link):
        if isinstance(step, Ball):
            R = rotation_from_quaternion(*(q[coordinate + k] for k in range(4)))
            found.append(Passage(Frame(R.T if link.reversed else R, ZERO), step, rate, sign))
            continue
        value = geometric(link, q, coordinate)
        value = -value if link.reversed else value
        R = Mat3.identity() if isinstance(step, Translation) else TURN[step.axis](value)
        slide = 0.0 if isinstance(step, Rotation) else value
        if isinstance(step, Screw):
            slide = step.pitch * value
        found.append(Passage(Frame(R, UNIT[step.axis] * slide), step, rate, sign))
    found.append(Passage(link.outboard.inverse()))
    return found


def columns_of(passage: Passage) -> list[tuple[int, Vec3, Vec3]]:
    """(rate, angular, linear) of the unit twists of a step, in its own axes."""
    step, sign = passage.step, passage.sign
    if isinstance(step, Ball):
        return [(passage.rate + k, UNIT[k] * sign, ZERO) for k in range(3)]
    axis = UNIT[step.axis] * sign
    if isinstance(step, Rotation):
        return [(passage.rate, axis, ZERO)]
    if isinstance(step, Translation):
        return [(passage.rate, ZERO, axis)]
    return [(passage.rate, axis, axis * step.pitch)]


def momentum(body: Body, s: Vec3, u: Vec3) -> Wrench:
    """Momentum of a body for the twist (s, u) at its frame origin: f = m u + s x c, n = I s + c x u."""
    n = ZERO
    for k in range(3):
        if not is_zero(s[k]):
            n = n + body.column(k) * s[k]
    return Wrench(u * body.m + s.cross(body.c), n + body.c.cross(u))


def seen_from(wrench: Wrench, frame: Frame) -> Wrench:
    """The wrench about the outer frame's origin, in its axes."""
    f = frame.R @ wrench.force
    return Wrench(f, frame.R @ wrench.moment + frame.p.cross(f))


def link_mass_matrix(tree: Tree, q: Sequence[Number], planar: bool) -> dict[tuple[int, int], Number]:
    """Lower triangle {(i, j): value} of the mass matrix over the rates, structural zeros left out."""
    bodies = [own_body(link, planar) for link in tree.links]
    carried: list[list[tuple[int, Wrench]]] = [[] for _ in tree.links]
    M: dict[tuple[int, int], Number] = {}

    def project(passage: Passage, body: Body, waiting: list[tuple[int, Wrench]]) -> None:
        columns = columns_of(passage)
        fresh = [(rate, momentum(body, s, u)) for rate, s, u in columns]
        for place, (rate, s, u) in enumerate(columns):
            for other, wrench in [*waiting, *fresh[: place + 1]]:
                value = u.dot(wrench.force) + s.dot(wrench.moment)
                if not is_zero(value):
                    M[max(rate, other), min(rate, other)] = value
        waiting.extend(fresh)

    for index in reversed(range(len(tree.links))):
        body, waiting = bodies[index], carried[index]
        for passage in reversed(passages(tree.links[index], q)):
            if passage.step is not None and not passage.axes_before:
                project(passage, body, waiting)
            body = body.seen_from(passage.frame)
            waiting = [(rate, seen_from(wrench, passage.frame)) for rate, wrench in waiting]
            if passage.axes_before:
                project(passage, body, waiting)
        parent = tree.links[index].parent
        if parent != GROUND:
            bodies[parent] = bodies[parent] + body
            carried[parent].extend(waiting)
    return M


@dataclass(frozen=True)
class LocalMotion:
    """Angular velocity, angular acceleration and acceleration (less gravity) of a frame's origin, in its own axes."""

    w: Vec3
    e: Vec3
    a: Vec3

    def inside(self, frame: Frame) -> "LocalMotion":
        """The motion of a frame fixed in this one."""
        p = frame.p
        a = self.a + self.e.cross(p) + self.w.cross(self.w.cross(p))
        R = frame.R
        return LocalMotion(R.transpose_times(self.w), R.transpose_times(self.e), R.transpose_times(a))


def after_step(
    motion: LocalMotion, passage: Passage, v: Sequence[Number], a: Sequence[Number] | None = None
) -> LocalMotion:
    """The motion beyond a step, for rates v and their derivatives a (zero where not given)."""
    step, frame = passage.step, passage.frame
    if isinstance(step, Ball):
        spin = Vec3(*(v[passage.rate + k] for k in range(3))) * passage.sign
        growth = ZERO if a is None else Vec3(*(a[passage.rate + k] for k in range(3))) * passage.sign
        if passage.axes_before:
            moved = LocalMotion(motion.w + spin, motion.e + motion.w.cross(spin) + growth, motion.a)
            return LocalMotion(*(frame.R.transpose_times(part) for part in (moved.w, moved.e, moved.a)))
        inside = motion.inside(frame)
        return LocalMotion(inside.w + spin, inside.e + inside.w.cross(spin) + growth, inside.a)
    x = UNIT[step.axis] * (v[passage.rate] * passage.sign)
    xd = ZERO if a is None else UNIT[step.axis] * (a[passage.rate] * passage.sign)
    inside = motion.inside(frame)
    if isinstance(step, Rotation):
        return LocalMotion(inside.w + x, inside.e + inside.w.cross(x) + xd, inside.a)
    pitch = 1.0 if isinstance(step, Translation) else step.pitch
    linear = inside.a + inside.w.cross(x * pitch) * 2.0 + xd * pitch
    if isinstance(step, Translation):
        return LocalMotion(inside.w, inside.e, linear)
    return LocalMotion(inside.w + x, inside.e + inside.w.cross(x) + xd, linear)


Ways = Sequence[Sequence[Passage]]


def local_motions(tree: Tree, ways: Ways, v: Sequence[Number], a: Sequence[Number] | None = None) -> list[LocalMotion]:
    """Motion of every body frame in its own axes. ways: passages of every link."""
    motions: list[LocalMotion] = []
    start = standing(tree)
    for link, way in zip(tree.links, ways, strict=True):
        motion = start if link.parent == GROUND else motions[link.parent]
        for passage in way:
            motion = motion.inside(passage.frame) if passage.step is None else after_step(motion, passage, v, a)
        motions.append(motion)
    return motions


def standing(tree: Tree) -> LocalMotion:
    """The motion of the ground, which gravity accelerates upwards in its own picture."""
    return LocalMotion(ZERO, ZERO, -tree.gravity)


def collected(tree: Tree, ways: Ways, needed: Sequence[Wrench]) -> list[Number]:
    """Generalised forces on the rates that bring each link what it needs: wrenches about body frames, in body axes."""
    wrenches = list(needed)
    forces: list[Number] = [0.0] * tree.rates

    def project(passage: Passage, wrench: Wrench) -> None:
        for rate, s, u in columns_of(passage):
            forces[rate] = u.dot(wrench.force) + s.dot(wrench.moment)

    for index in reversed(range(len(tree.links))):
        wrench = wrenches[index]
        for passage in reversed(ways[index]):
            if passage.step is not None and not passage.axes_before:
                project(passage, wrench)
            wrench = seen_from(wrench, passage.frame)
            if passage.axes_before:
                project(passage, wrench)
        parent = tree.links[index].parent
        if parent != GROUND:
            wrenches[parent] = wrenches[parent] + wrench
    return forces


def body_wrenches(
    tree: Tree, motions: Sequence[LocalMotion], placed: Sequence[Placed], applied: Mapping[int, Wrench], planar: bool
) -> list[Wrench]:
    """What every body needs from its joints, about its frame origin in body axes. applied: in ground axes, as there."""
    wrenches = [body_wrench(link, motion, planar) for link, motion in zip(tree.links, motions, strict=True)]
    for index, wrench in applied.items():
        R = placed[index].frame.R
        own = wrenches[index]
        wrenches[index] = Wrench(
            own.force - R.transpose_times(wrench.force), own.moment - R.transpose_times(wrench.moment)
        )
    return wrenches


def link_bias_forces(
    tree: Tree,
    q: Sequence[Number],
    v: Sequence[Number],
    placed: Sequence[Placed],
    applied: Mapping[int, Wrench],
    planar: bool,
) -> list[Number]:
    """h of M a + h = tau: Coriolis and centrifugal forces less gravity and applied wrenches.

    applied: link -> wrench about its frame origin, in ground axes.
    """
    ways = [passages(link, q) for link in tree.links]
    needed = body_wrenches(tree, local_motions(tree, ways, v), placed, applied, planar)
    return collected(tree, ways, needed)


def body_wrench(link: Link, motion: LocalMotion, planar: bool) -> Wrench:
    """Rate of momentum less weight of one body about its frame origin, in body axes."""
    m, d = link.mass, link.com
    w, e = motion.w, motion.e
    force = (motion.a + e.cross(d) + w.cross(w.cross(d))) * m
    I = link.inertia
    if planar:
        moment = Vec3(0.0, 0.0, I.row(2)[2] * e.z)
    else:
        moment = I @ e + w.cross(I @ w)
    return Wrench(force, moment + d.cross(force))
