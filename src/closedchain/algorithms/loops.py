"""Loop closure: what a cut joint or a prescribed point motion demands of two frames, to second order.

A row is a scalar function phi of two frames that must vanish. It comes in two sorts, b a unit axis of the base frame
and a one of the moving frame, r the vector between the origins, u = a x b, w_r = w_m - w_b:

    length:  phi  = b . r
             phi' = b . (v_m - v_b - w_b x r)
             phi" = b . (a_m - a_b - e_b x r - w_b x (w_b x r) - 2 w_b x (v_m - v_b - w_b x r))
             or, where the origins coincide altogether, along the ground axes b: b . r, b . (v_m - v_b), b . (a_m - a_b)
    angle:   phi  = a . b (- 1 for a pair that must coincide)
             phi' = w_r . u
             phi" = (e_m - e_b) . u + w_r . ((w_m x a) x b + a x (w_b x b))

Its Jacobian follows from the wrench (force f, moment m at point P) that enforces it: J[n] = f . G_P[:, n] + m . s_n
for a column n of the moving side, the negative for one of the base side (Haug 1989, ch. 9; Nikravesh 1988, ch. 7).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.chain import UNIT, ZERO, Column, Placed, placed_link
from closedchain.algorithms.motion import Motion, moved_link
from closedchain.algorithms.tree import GROUND, Cut, Frame, Tree
from closedchain.elements.joints import Closure
from closedchain.numbers import Vec3

Number = Any
AXIS_NAMES = "xyz"


@dataclass(frozen=True)
class Row:
    """One constraint row with its first two time derivatives and the wrench that enforces it.

    label: what it says ("x", "z.y" for the moving z against the base y); length: True for a length [m], False for an
    angle [rad]; extra: True for a row that vanishes to second order at the solution and only guides assembly.
    """

    label: str
    length: bool
    value: Number
    rate: Number
    acceleration: Number
    force: Vec3
    moment: Vec3
    point: Vec3
    base_point: Vec3
    extra: bool = False

    def along(self, column: Column, base: bool = False) -> Number:
        """Derivative of the row along one column of its moving side, of its base side where `base`."""
        if self.length:
            power = self.force.dot(column.at(self.base_point if base else self.point))
        else:
            power = self.moment.dot(column.s)
        return -power if base else power


def alignments(closure: Closure, planar: bool) -> Iterator[tuple[int, int, bool]]:
    """(moving axis, base axis, extra) of the angle rows; extra ones say that a pair of axes coincides."""
    for k in closure.parallel:
        yield k, (k + 1) % 3, False
        yield k, (k + 2) % 3, False
        yield k, k, True
    for moving, base in closure.perpendicular:
        yield moving, base, False
    if closure.aligned and planar:
        yield 0, 1, False
        yield 0, 0, True
    elif closure.aligned:
        for moving in range(3):
            for base in range(3):
                yield moving, base, base != (moving + 1) % 3


def closure_rows(base: Motion, moving: Motion, closure: Closure, planar: bool, extra: bool = False) -> list[Row]:
    """Rows that keep the moving frame on the base frame as the closure says; `extra` adds the guiding ones."""
    rows = length_rows(base, moving, closure, planar)
    w_b = base.w
    w_r, e_r = moving.w - w_b, moving.e - base.e
    for i, j, guiding in alignments(closure, planar):
        if guiding and not extra:
            continue
        a, b = moving.frame.R.column(i), base.frame.R.column(j)
        u = a.cross(b)
        turning = moving.w.cross(a).cross(b) + a.cross(w_b.cross(b))
        value = a.dot(b) - 1.0 if guiding and i == j else a.dot(b)
        label = f"{AXIS_NAMES[i]}.{AXIS_NAMES[j]}"
        rate, acceleration = w_r.dot(u), e_r.dot(u) + w_r.dot(turning)
        p = moving.frame.p
        rows.append(Row(label, False, value, rate, acceleration, ZERO, u, p, p, guiding))
    return rows


def coincide(closure: Closure, planar: bool) -> bool:
    """Whether the two origins coincide altogether."""
    return set(closure.translations) >= ({0, 1} if planar else {0, 1, 2})


def length_rows(base: Motion, moving: Motion, closure: Closure, planar: bool) -> list[Row]:
    """Rows of the origins: along ground axes where they coincide altogether, else along the base frame's axes."""
    p_m, p_b = moving.frame.p, base.frame.p
    r = p_m - p_b
    if coincide(closure, planar):
        slip, pull = moving.v - base.v, moving.a - base.a
        return [Row(AXIS_NAMES[k], True, r[k], slip[k], pull[k], UNIT[k], ZERO, p_m, p_b) for k in closure.translations]
    w_b = base.w
    drift = moving.v - base.v - w_b.cross(r)
    swerve = moving.a - base.a - base.e.cross(r) - w_b.cross(w_b.cross(r)) - w_b.cross(drift) * 2.0
    rows = []
    for k in closure.translations:
        b = base.frame.R.column(k)
        rows.append(Row(AXIS_NAMES[k], True, b.dot(r), b.dot(drift), b.dot(swerve), b, ZERO, p_m, p_m))
    return rows


@dataclass(frozen=True)
class Target:
    """A frame fixed in a link that must follow a prescribed frame (a motion of a point), as far as the closure says."""

    name: str
    link: int
    frame: Frame
    closure: Closure


def cut_rows(tree: Tree, motions: tuple[Motion, ...], cut: Cut, planar: bool, extra: bool = False) -> list[Row]:
    """Rows of one cut joint."""
    base = moved_link(motions, cut.base_link).at(cut.base)
    moving = moved_link(motions, cut.moving_link).at(cut.moving)
    return closure_rows(base, moving, cut.closure, planar, extra)


def target_rows(motions: tuple[Motion, ...], target: Target, goal: Motion, planar: bool, extra: bool = False):
    """Rows of one prescribed point motion, `goal` the motion of the prescribed frame."""
    moving = moved_link(motions, target.link).at(target.frame)
    return closure_rows(goal, moving, target.closure, planar, extra)


def jacobian_row(row: Row, placed: tuple[Placed, ...], base_link: int, moving_link: int) -> dict[int, Number]:
    """Nonzero entries {rate: derivative} of a row between two links; joints that carry both ends cancel exactly."""
    base, moving = placed_link(placed, base_link).columns, placed_link(placed, moving_link).columns
    shared = 0
    while shared < min(len(base), len(moving)) and base[shared].rate == moving[shared].rate:
        shared += 1
    entries = {column.rate: row.along(column) for column in moving[shared:]}
    entries.update({column.rate: row.along(column, base=True) for column in base[shared:]})
    return entries


def cut_jacobian(rows: list[Row], placed: tuple[Placed, ...], cut: Cut) -> list[dict[int, Number]]:
    """Nonzero Jacobian entries of a cut joint's rows."""
    return [jacobian_row(row, placed, cut.base_link, cut.moving_link) for row in rows]


def target_jacobian(rows: list[Row], placed: tuple[Placed, ...], target: Target) -> list[dict[int, Number]]:
    """Nonzero Jacobian entries of a prescribed motion's rows."""
    return [jacobian_row(row, placed, GROUND, target.link) for row in rows]
