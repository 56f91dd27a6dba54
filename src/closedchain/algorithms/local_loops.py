"""Loop equations in the axes of the opened joint itself: the same constraints with fewer operations.

The columns of an opened joint's rows are seen from the frame of one of its sides, reached by walking from there to the
last link that carries both sides. In these axes a joint next to the opening is a unit vector and many entries vanish
by structure: the rows of a leg between a universal and a ball joint are diagonal. Rows of coinciding origins may be
turned into any axes, as three equations turned together say the same; the frame of the side with more unknown rates
is taken.

The loops are taken as closed: what the joint keeps at zero is an exact zero here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.chain import AT_REST, UNIT, ZERO, Column
from closedchain.algorithms.link_frames import LocalMotion, Passage, Ways, seen_from
from closedchain.algorithms.loops import Row, closure_rows, coincide
from closedchain.algorithms.motion import Motion
from closedchain.algorithms.newton_euler import Wrench
from closedchain.algorithms.tree import GROUND, Cut, Frame, Tree
from closedchain.elements.joints import Ball, Closure, Rotation, Translation
from closedchain.numbers import Mat3, Vec3, is_one, is_zero

Number = Any
# A platform that many limbs share is handed over in ground axes when turning into its own would cost more than its
# arms.
GROUND_AXES_COST = 9


@dataclass(frozen=True)
class LocalVelocity:
    """Angular velocity and velocity of a frame's origin, in its own axes."""

    w: Vec3
    v: Vec3

    def inside(self, frame: Frame) -> "LocalVelocity":
        """The velocity of a frame fixed in this one."""
        R = frame.R
        return LocalVelocity(R.transpose_times(self.w), R.transpose_times(self.v + self.w.cross(frame.p)))


STILL = LocalVelocity(ZERO, ZERO)


def local_velocities(tree: Tree, ways: Ways, v: Sequence[Number]) -> list[LocalVelocity]:
    """Velocity of every body frame in its own axes."""
    found: list[LocalVelocity] = []
    for link, way in zip(tree.links, ways, strict=True):
        state = STILL if link.parent == GROUND else found[link.parent]
        for passage in way:
            state = velocity_after(state, passage, v)
        found.append(state)
    return found


def velocity_after(state: LocalVelocity, passage: Passage, v: Sequence[Number]) -> LocalVelocity:
    """The velocity beyond a passage for rates v."""
    step = passage.step
    if isinstance(step, Ball):
        spin = Vec3(*(v[passage.rate + k] for k in range(3))) * passage.sign
        if passage.axes_before:
            return LocalVelocity(state.w + spin, state.v).inside(passage.frame)
        inside = state.inside(passage.frame)
        return LocalVelocity(inside.w + spin, inside.v)
    inside = state.inside(passage.frame)
    if step is None:
        return inside
    x = UNIT[step.axis] * (v[passage.rate] * passage.sign)
    if isinstance(step, Rotation):
        return LocalVelocity(inside.w + x, inside.v)
    if isinstance(step, Translation):
        return LocalVelocity(inside.w, inside.v + x)
    return LocalVelocity(inside.w + x, inside.v + x * step.pitch)


def columns_in(passage: Passage, S: Mat3, p: Vec3) -> list[Column]:
    """Columns of a passage whose step turns about axes S through the point p."""
    step, sign = passage.step, passage.sign
    if isinstance(step, Ball):
        return [Column(passage.rate + k, S.column(k) * sign, ZERO, p, 0) for k in range(3)]
    axis = S.column(step.axis) * sign
    if isinstance(step, Rotation):
        return [Column(passage.rate, axis, ZERO, p, 0)]
    if isinstance(step, Translation):
        return [Column(passage.rate, ZERO, axis, p, 0)]
    return [Column(passage.rate, axis, axis * step.pitch, p, 0)]


def walk_in(way: Sequence[Passage]) -> tuple[list[Column], Frame]:
    """Columns of a way seen from its end, and the frame where the way begins, seen from there."""
    S, p = Mat3.identity(), ZERO
    columns: list[Column] = []
    for passage in reversed(way):
        if passage.step is not None and not passage.axes_before:
            columns += columns_in(passage, S, p)
        S = S @ passage.frame.R.T
        p = p - S @ passage.frame.p
        if passage.axes_before:
            columns += columns_in(passage, S, p)
    return columns, Frame(S, p)


def walk_out(way: Sequence[Passage], start: Frame) -> tuple[list[Column], Frame]:
    """Columns of a way whose beginning is seen as `start`, and the frame at its end."""
    S, p = start.R, start.p
    columns: list[Column] = []
    for passage in way:
        if passage.axes_before:
            columns += columns_in(passage, S, p)
        p = p + S @ passage.frame.p
        S = S @ passage.frame.R
        if passage.step is not None and not passage.axes_before:
            columns += columns_in(passage, S, p)
    return columns, Frame(S, p)


@dataclass(frozen=True)
class View:
    """An opened joint seen from one of its sides, the inner one, whose frame gives the axes.

    inner, outer: ways from the last common link to the two frames. from_base: the inner side is the base side.
    in_ground: the outer side is handed over in ground axes (then the last common link is ground).
    inner_columns, outer_columns: joint columns; outer_frame: the other side's frame, all in the inner frame's axes.
    """

    cut: Cut
    from_base: bool
    in_ground: bool
    inner: Sequence[Passage]
    outer: Sequence[Passage]
    inner_columns: list[Column]
    outer_columns: list[Column]
    outer_frame: Frame

    @property
    def sides(self) -> tuple[tuple[int, Frame], tuple[int, Frame]]:
        """Link and frame of the inner and of the outer side."""
        base, moving = (self.cut.base_link, self.cut.base), (self.cut.moving_link, self.cut.moving)
        return (base, moving) if self.from_base else (moving, base)

    def turned(self, vector: Vec3) -> Vec3:
        """A vector of the outer side (in its frame's axes, or in ground axes) in the inner frame's axes."""
        if not self.in_ground:
            for passage in reversed(self.outer):
                vector = passage.frame.R @ vector
        for passage in self.inner:
            vector = passage.frame.R.transpose_times(vector)
        return vector

    def turned_back(self, vector: Vec3) -> Vec3:
        """A vector in the inner frame's axes as the outer side takes it."""
        for passage in reversed(self.inner):
            vector = passage.frame.R @ vector
        if not self.in_ground:
            for passage in self.outer:
                vector = passage.frame.R.transpose_times(vector)
        return vector

    def rows(self, inner: Sequence[Vec3], outer: Sequence[Vec3], planar: bool) -> list[Row]:
        """Rows for (w, v, e, a) of the two frames, the outer ones as `turned` takes them."""
        w, v, e, a = inner
        here = Motion(AT_REST, w, v, e, a)
        w, v, e, a = (self.turned(vector) for vector in outer)
        there = Motion(self.outer_frame, w, v, e, a)
        base, moving = (here, there) if self.from_base else (there, here)
        return closure_rows(base, moving, self.cut.closure, planar)

    def entries(self, row: Row) -> dict[int, Number]:
        """Nonzero Jacobian entries {rate: derivative} of a row."""
        found = {column.rate: row.along(column, base=self.from_base) for column in self.inner_columns}
        found.update({column.rate: row.along(column, base=not self.from_base) for column in self.outer_columns})
        return found

    def entry_count(self, unknown: frozenset[int]) -> int:
        """Nonzero entries of unknown rates in the rows of coinciding origins."""
        columns = [column for column in (*self.inner_columns, *self.outer_columns) if column.rate in unknown]
        return sum(not is_zero(value) for column in columns for value in column.at(ZERO))

    def on_inner(self, wrench: Wrench) -> Wrench:
        """What the joint does to the inner link, about its body origin in body axes; `wrench` is in the inner axes, on
        the moving side, about the moving point."""
        frame = self.sides[0][1]
        if not self.from_base:
            return seen_from(wrench, frame)
        return negative(seen_from(Wrench(wrench.force, wrench.moment + self.outer_frame.p.cross(wrench.force)), frame))

    def on_outer(self, wrench: Wrench) -> Wrench:
        """What the joint does to the outer side about its frame's origin, in the axes that `turned_back` gives."""
        there = Wrench(self.turned_back(wrench.force), self.turned_back(wrench.moment))
        return there if self.from_base else negative(there)


def negative(wrench: Wrench) -> Wrench:
    """The opposite wrench."""
    return Wrench(-wrench.force, -wrench.moment)


def make_view(tree: Tree, ways: Ways, cut: Cut, planar: bool, passive: frozenset[int], sparse: bool = False) -> View:
    """The view of an opened joint; passive: unknown rates.

    Where the origins coincide either side can give the axes: the one with more unknown rates, or, where `sparse`, the
    one that leaves fewer entries of unknown rates.
    """
    base, moving = tree_path(tree, cut.base_link), tree_path(tree, cut.moving_link)
    shared = 0
    while shared < min(len(base), len(moving)) and base[shared] == moving[shared]:
        shared += 1
    sides = []
    for path, frame in ((base, cut.base), (moving, cut.moving)):
        way = [passage for link in path[shared:] for passage in ways[link]]
        sides.append([*way, Passage(frame)])

    def seen(from_base: bool) -> View:
        inner, outer = sides if from_base else sides[::-1]
        outer_path = (moving if from_base else base)[shared:]
        in_ground = shared == 0 and len(outer_path) == 1 and turning_cost(outer) > GROUND_AXES_COST
        inner_columns, start = walk_in(inner)
        outer_columns, end = walk_out(outer, start)
        frame = closed_frame(end, cut.closure, from_base)
        return View(cut, from_base, in_ground, inner, outer, inner_columns, outer_columns, frame)

    if not coincide(cut.closure, planar):
        return seen(from_base=True)
    if sparse:
        return min(seen(True), seen(False), key=lambda view: view.entry_count(passive))
    unknown = [sum(rate in passive for rate in rates_on(side)) for side in sides]
    return seen(from_base=unknown[0] >= unknown[1])


def turning_cost(way: Sequence[Passage]) -> int:
    """Products that turning a vector along a way takes."""
    return sum(0 if is_zero(passage.frame.R[i, j]) or is_one(passage.frame.R[i, j]) else 1
               for passage in way for i in range(3) for j in range(3))  # fmt: skip


def rates_on(way: Sequence[Passage]) -> list[int]:
    """Rates along a way."""
    found = []
    for passage in way:
        if passage.step is not None:
            found += range(passage.rate, passage.rate + (3 if isinstance(passage.step, Ball) else 1))
    return found


def tree_path(tree: Tree, link: int) -> tuple[int, ...]:
    """Links from ground to a link, none for ground."""
    return () if link == GROUND else tree.ancestors(link)


def closed_frame(frame: Frame, closure: Closure, from_base: bool) -> Frame:
    """The outer frame with what the closed joint keeps as exact zeros and ones."""
    R = [[frame.R[i, j] for j in range(3)] for i in range(3)]
    kept = range(3) if closure.aligned else closure.parallel
    for k in kept:
        for other in range(3):
            R[k][other] = R[other][k] = 0.0
        R[k][k] = 1.0
    for moving, base in closure.perpendicular:
        row, column = (base, moving) if from_base else (moving, base)
        R[row][column] = 0.0
    p = [0.0 if k in closure.translations else value for k, value in enumerate(frame.p)] if from_base else [0.0] * 3
    return Frame(Mat3(*(value for row in R for value in row)), Vec3(*p))


def velocity_parts(state: LocalVelocity) -> tuple[Vec3, Vec3, Vec3, Vec3]:
    """(w, v, e, a) with accelerations left at zero."""
    return state.w, state.v, ZERO, ZERO


def motion_parts(motion: LocalMotion, velocity: LocalVelocity) -> tuple[Vec3, Vec3, Vec3, Vec3]:
    """(w, v, e, a) of a frame."""
    return motion.w, velocity.v, motion.e, motion.a
