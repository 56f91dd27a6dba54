"""Influence coefficients of closed mechanisms: how the loop equations change along every rate, in closed form.

Loop equations J(q) v = 0 hold for the rates v of all joints, and chosen variables have the rates y' = S(q) v. So
v = g y' with [J; S] g = [0; 1], and along the motion that raises variable m

    [J; S] dg[:, n]/dq_m = -(D_m [J; S]) g[:, n]          D_m = sum_r g[r, m] D_r

(transfer of generalised coordinates, Freeman and Tesar 1988). This file has the entries of D_r J and D_r S.

A row of J between two frames, b a unit axis of the base frame and a one of the moving frame, P the moving frame's
origin, X_n(P) = s_n x (P - R_n) + v_n, sigma_n = 1 for joints of the moving side, -1 for those of the base side:

    length:  J_n = sigma_n b . X_n(P)          angle:  J_n = sigma_n s_n . (a x b)

Along rate m, with [m: n] = 1 where m carries the axis n:

    ds_n      = [m: n] s_m x s_n
    dX_n(P)   = [m: n] s_m x X_n(P) + ([m moves P] - [m: n]) s_n x X_m(P)
    da = s_m x a where m moves the moving frame,  db = s_m x b where it moves the base frame

Origins that coincide altogether are compared along ground axes e instead: J_n = sigma_n e . X_n of the side's own
origin, which every joint of that side moves. Joints below both frames turn the whole picture; on closed motions they
add nothing and are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.chain import UNIT, ZERO, Column, Placed, placed_link, second_order
from closedchain.algorithms.loops import alignments, coincide
from closedchain.algorithms.tree import Cut, Frame, Tree
from closedchain.elements.joints import Closure
from closedchain.numbers import Mat3, Vec3

Number = Any
Entries = dict[int, Number]
Derivatives = dict[tuple[int, int], Number]
Z = Vec3(0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Member:
    """A joint column between two frames: on the moving side or not, its position on its path, its X(P)."""

    column: Column
    position: int
    moving: bool
    at_P: Vec3

    @property
    def sign(self) -> float:
        """1 on the moving side, -1 on the base side."""
        return 1.0 if self.moving else -1.0

    def carries(self, other: "Member") -> bool:
        """Whether this column's rate turns the other's axis."""
        return self.moving is other.moving and self.position < other.column.mount


def members_between(base: Placed, moving: Placed, base_P: Vec3, moving_P: Vec3) -> list[Member]:
    """Columns between two links, those that carry both left out, each at the point P of its side."""
    shared = 0
    while (
        shared < min(len(base.columns), len(moving.columns))
        and base.columns[shared].rate == moving.columns[shared].rate
    ):
        shared += 1
    sides = ((moving.columns, moving_P, True), (base.columns, base_P, False))
    return [
        Member(column, position, side, column.at(P))
        for columns, P, side in sides
        for position, column in enumerate(columns)
        if position >= shared
    ]


def turned_twist(along: Member, member: Member, moves_P: bool) -> tuple[Vec3, Vec3]:
    """Derivative of (s_n, X_n(P)) along rate m, which moves P or not."""
    s_m, s_n = along.column.s, member.column.s
    if along.carries(member):
        shift = s_m.cross(member.at_P)
        return s_m.cross(s_n), shift if moves_P else shift - s_n.cross(along.at_P)
    return ZERO, s_n.cross(along.at_P) if moves_P else ZERO


def closure_derivatives(
    base: Placed, moving: Placed, base_frame: Frame, moving_frame: Frame, closure: Closure, planar: bool
) -> list[Derivatives]:
    """{(m, n): D_m J_n} of every row that keeps the moving frame on the base frame, in the order of `closure_rows`."""
    whole = coincide(closure, planar)
    members = members_between(base, moving, base_frame.p if whole else moving_frame.p, moving_frame.p)
    lengths = [UNIT[k] if whole else base_frame.R.column(k) for k in closure.translations]
    angles = [(moving_frame.R.column(i), base_frame.R.column(j))
              for i, j, guiding in alignments(closure, planar) if not guiding]  # fmt: skip
    rows: list[Derivatives] = [{} for _ in (*lengths, *angles)]
    for along in members:
        s_m = along.column.s
        for member in members:
            at = along.column.rate, member.column.rate
            moves_P = along.moving is member.moving if whole else along.moving
            turn, shift = turned_twist(along, member, moves_P)
            for row, b in zip(rows, lengths):
                fixed = whole or along.moving
                row[at] = member.sign * (b.dot(shift) if fixed else b.dot(shift) + s_m.cross(b).dot(member.at_P))
            for row, (a, b) in zip(rows[len(lengths) :], angles):
                du = s_m.cross(a).cross(b) if along.moving else a.cross(s_m.cross(b))
                row[at] = member.sign * (turn.dot(a.cross(b)) + member.column.s.dot(du))
    return rows


def cut_derivatives(tree: Tree, placed: tuple[Placed, ...], cut: Cut, planar: bool) -> list[Derivatives]:
    """{(m, n): D_m J_n} of the rows of a cut joint."""
    base, moving = placed_link(placed, cut.base_link), placed_link(placed, cut.moving_link)
    return closure_derivatives(base, moving, base.frame @ cut.base, moving.frame @ cut.moving, cut.closure, planar)


@dataclass(frozen=True)
class Rate:
    """The rate of a variable as a linear form of the tree's rates, and the derivatives of its coefficients.

    entries: {n: S_n}; derivatives: {(m, n): D_m S_n}, entries left out are zero.
    """

    entries: Entries
    derivatives: Derivatives


def coordinate_rate(rate: int) -> Rate:
    """The rate of a joint coordinate."""
    return Rate({rate: 1.0}, {})


def position_rate(body: Placed, P: Vec3, axis: int) -> Rate:
    """Velocity of the point P of a body along a ground axis."""
    entries = {column.rate: column.at(P)[axis] for column in body.columns}
    return Rate(entries, pairs(body.columns, [[linear[axis] for _, linear in row] for row in
                                              second_order(body.columns, P)]))  # fmt: skip


def planar_angle_rate(body: Placed) -> Rate:
    """Rate of the angle of a body that moves in x-y."""
    return Rate({column.rate: column.s.z for column in body.columns}, {})


@dataclass(frozen=True)
class EulerAxes:
    """Axes of roll, pitch and yaw: w = roll' e_x + pitch' e_y + yaw' e_z for a rotation Rz(yaw) Ry(pitch) Rx(roll)."""

    e_x: Vec3
    e_y: Vec3
    e_z: Vec3
    volume: Number

    def dual(self) -> dict[str, Vec3]:
        """Vectors d with part' = d . w."""
        return {
            "roll": self.e_y.cross(self.e_z) / self.volume,
            "pitch": self.e_z.cross(self.e_x) / self.volume,
            "yaw": self.e_x.cross(self.e_y) / self.volume,
        }


def euler_axes(R: Mat3) -> EulerAxes:
    """The axes at a rotation, pitch within a quarter turn; `volume` = cos(pitch) tends to zero at pitch = +-90 deg.

    Rz(yaw) Ry(pitch) takes x where R takes it, and Rz(yaw) y lies across both that and z.
    """
    e_x = R.column(0)
    across = Z.cross(e_x)
    length = across.norm()
    return EulerAxes(e_x, across / length, Z, length)


def orientation_rate(body: Placed, R: Mat3, part: str) -> Rate:
    """Rate of roll, pitch or yaw (about the fixed x, y and z axes) of a frame with rotation R in a body.

    part' = d . w with d . e_j = 1 for the part itself and 0 for the others. Along rate m the axes turn: e_x with the
    body, e_y with yaw alone, e_z not at all; so dd . e_j = -d . de_j, and dd = -sum_j (d . de_j) d_j.
    """
    axes = euler_axes(R)
    duals = axes.dual()
    d = duals[part]
    entries = {column.rate: d.dot(column.s) for column in body.columns}
    derivatives: Derivatives = {}
    for m, along in enumerate(body.columns):
        turn_x = along.s.cross(axes.e_x)
        turn_y = axes.e_z.cross(axes.e_y) * duals["yaw"].dot(along.s)
        dd = -(duals["roll"] * d.dot(turn_x) + duals["pitch"] * d.dot(turn_y))
        for column in body.columns:
            ds = along.s.cross(column.s) if m < column.mount else ZERO
            derivatives[along.rate, column.rate] = dd.dot(column.s) + d.dot(ds)
    return Rate(entries, derivatives)


def frame_rate(body: Placed, frame: Frame, part: str, planar: bool) -> Rate:
    """Rate of one part (x, y, z, roll, pitch, yaw) of the pose of a frame fixed in a body."""
    seen = body.frame @ frame
    if part in "xyz":
        return position_rate(body, seen.p, "xyz".index(part))
    return planar_angle_rate(body) if planar else orientation_rate(body, seen.R, part)


def pairs(columns: Sequence[Column], table: Sequence[Sequence[Number]]) -> Derivatives:
    """{(m, n): value} by rate from a table by position on a path."""
    return {
        (along.rate, column.rate): value
        for along, row in zip(columns, table, strict=True)
        for column, value in zip(columns, row, strict=True)
    }
