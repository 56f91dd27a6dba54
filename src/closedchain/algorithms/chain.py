"""Serial chains: poses, joint columns, influence coefficients of first and second order.

Every joint is a sequence of elementary steps (rotation, translation, screw, ball). Each rate then has one column: a
unit twist with angular part s and linear part v at the axis point R, in ground axes. For a point P of a link

    G_w[:, n] = s_n                G_P[:, n] = s_n x (P - R_n) + v_n

and the derivative of column n along coordinate m depends only on whether m carries the axis n:

    H_w[m, n] = s_m x s_n          if m carries n, else 0
    H_P[m, n] = s_m x G_P[:, n]    if m carries n, else s_n x G_P[:, m]

which contains the formulas for revolute and prismatic pairs in all four mixed cases (Thomas and Tesar 1982; Freeman and
Tesar 1988), screws, and balls with rates in base-side axes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.tree import GROUND, Frame, Link, Tree
from closedchain.elements.joints import Ball, Rotation, Screw, Translation
from closedchain.numbers import Mat3, Vec3, rotation_from_quaternion, rotation_x, rotation_y, rotation_z

Number = Any
ZERO = Vec3(0.0, 0.0, 0.0)
UNIT = (Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0))
TURN = (rotation_x, rotation_y, rotation_z)
AT_REST = Frame(Mat3.identity(), ZERO)


@dataclass(frozen=True)
class Column:
    """Unit twist of one rate in ground axes: angular part s, linear part v at the axis point R.

    mount: columns of the same path with a position before `mount` carry this axis.
    """

    rate: int
    s: Vec3
    v: Vec3
    R: Vec3
    mount: int

    def at(self, P: Vec3) -> Vec3:
        """Linear part at the point P: s x (P - R) + v."""
        return self.s.cross(P - self.R) + self.v


@dataclass(frozen=True)
class Placed:
    """A link placed in the ground frame: its body frame and the columns of all joints from ground to it."""

    frame: Frame
    columns: tuple[Column, ...]


GROUND_PLACED = Placed(AT_REST, ())


def ordered_steps(link: Link):
    """The link's steps inboard to outboard, each with its first coordinate, first rate and sign."""
    steps = []
    coordinate, rate = link.coordinates, link.rates
    for step in link.steps:
        steps.append((step, coordinate, rate))
        ball = isinstance(step, Ball)
        coordinate += 4 if ball else 1
        rate += 3 if ball else 1
    return tuple(reversed(steps)) if link.reversed else tuple(steps)


def geometric(link: Link, q, coordinate: int) -> Number:
    """Geometric value of a coordinate: what the user calls the coordinate, less its offset."""
    offset = link.offsets[coordinate - link.coordinates]
    return q[coordinate] - offset


def advance(frame: Frame, step, link: Link, q, coordinate: int) -> Frame:
    """The frame after one step."""
    if isinstance(step, Ball):
        R = rotation_from_quaternion(*(q[coordinate + k] for k in range(4)))
        return Frame(frame.R @ (R.T if link.reversed else R), frame.p)
    value = geometric(link, q, coordinate)
    value = -value if link.reversed else value
    if isinstance(step, Rotation):
        return Frame(frame.R @ TURN[step.axis](value), frame.p)
    if isinstance(step, Translation):
        return Frame(frame.R, frame.p + frame.R.column(step.axis) * value)
    assert isinstance(step, Screw)
    return Frame(frame.R @ TURN[step.axis](value), frame.p + frame.R.column(step.axis) * (step.pitch * value))


def step_columns(frame: Frame, after: Frame, step, link: Link, rate: int, position: int) -> tuple[Column, ...]:
    """Columns of one step; `position` is the number of columns before it on its path."""
    sign = -1.0 if link.reversed else 1.0
    if isinstance(step, Ball):
        # Rates are angular velocities in base-side axes: the axes stay with the base side, whichever way the tree runs.
        axes, mount = (after.R, position + 3) if link.reversed else (frame.R, position)
        return tuple(Column(rate + k, axes.column(k) * sign, ZERO, frame.p, mount) for k in range(3))
    axis = frame.R.column(step.axis) * sign
    if isinstance(step, Rotation):
        return (Column(rate, axis, ZERO, frame.p, position),)
    if isinstance(step, Translation):
        return (Column(rate, ZERO, axis, frame.p, position),)
    return (Column(rate, axis, axis * step.pitch, frame.p, position),)


def place(tree: Tree, q) -> tuple[Placed, ...]:
    """Frames and columns of all links at the coordinates q, in ground axes."""
    placed: list[Placed] = []
    for link in tree.links:
        carrier = GROUND_PLACED if link.parent == GROUND else placed[link.parent]
        frame = carrier.frame @ link.inboard
        columns = list(carrier.columns)
        for step, coordinate, rate in ordered_steps(link):
            after = advance(frame, step, link, q, coordinate)
            columns.extend(step_columns(frame, after, step, link, rate, len(columns)))
            frame = after
        placed.append(Placed(frame @ link.outboard.inverse(), tuple(columns)))
    return tuple(placed)


def placed_along(tree: Tree, paths: Sequence[tuple[Frame, ...]]) -> tuple[Placed, ...]:
    """The same from frames that are known: of every link after its inboard offset, after each of its joint's steps,
    and its body frame.
    """
    placed: list[Placed] = []
    for link, path in zip(tree.links, paths, strict=True):
        carrier = GROUND_PLACED if link.parent == GROUND else placed[link.parent]
        columns = list(carrier.columns)
        for number, (step, _, rate) in enumerate(ordered_steps(link)):
            columns.extend(step_columns(path[number], path[number + 1], step, link, rate, len(columns)))
        placed.append(Placed(path[-1], tuple(columns)))
    return tuple(placed)


def placed_link(placed: tuple[Placed, ...], link: int) -> Placed:
    """The placed link of an index, the fixed body for GROUND."""
    return GROUND_PLACED if link == GROUND else placed[link]


def first_order(columns: tuple[Column, ...], P: Vec3) -> list[tuple[Vec3, Vec3]]:
    """Columns (angular, linear) of G for the point P, one per column of the path."""
    return [(column.s, column.at(P)) for column in columns]


def second_order(columns: tuple[Column, ...], P: Vec3) -> list[list[tuple[Vec3, Vec3]]]:
    """H[m][n] = (angular, linear): derivative of column n of G along coordinate m, for the point P."""
    linear = [column.at(P) for column in columns]
    rows = []
    for m, along in enumerate(columns):
        row = []
        for n, column in enumerate(columns):
            if m < column.mount:
                row.append((along.s.cross(column.s), along.s.cross(linear[n])))
            else:
                row.append((ZERO, column.s.cross(linear[m])))
        rows.append(row)
    return rows
