"""Maximal coordinates: every body free, every joint a constraint; Newton-Euler with Lagrange multipliers.

The independent formulation: only position-level constraints are written here, as functions of body poses. Their
Jacobian and its convective part come from the expression graph by automatic differentiation, so nothing of the
joint-coordinate formulation (columns, recursions, hand-derived accelerations) enters.

    [ M  J^T ] [ u'   ]   [ g                               ]
    [ J  0   ] [ -lam ] = [ gamma - 2 alpha Phi' - beta^2 Phi ]      gamma = -(J u)_q q' - ...

Body coordinates: mass centre and, in space, a quaternion w, x, y, z (ground <- body), in the plane an angle about z.
Rates u: velocity of the mass centre in ground axes, angular velocity in body axes, so that the mass matrix is constant,
and diagonal for principal axes (Nikravesh 1988, ch. 11; Haug 1989, ch. 11).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

from closedchain.algorithms.chain import ZERO
from closedchain.algorithms.kinematics import read_cut
from closedchain.algorithms.motion import STANDSTILL, Motion
from closedchain.algorithms.newton_euler import Wrench
from closedchain.algorithms.tree import GROUND, Cut, Frame
from closedchain.elements.joints import Closure, JointType
from closedchain.numbers import (
    Mat3,
    Vec3,
    add,
    floor,
    is_zero,
    mul,
    quaternion_product,
    rotation_from_quaternion,
    rotation_x,
    rotation_y,
    rotation_z,
    sqrt,
    sub,
)

Number = Any
TURN = 2.0 * pi


@dataclass(frozen=True)
class FreeBody:
    """A body by itself: mass [kg], mass centre [m] and inertia [kg m^2] about it, in body axes."""

    name: str
    mass: Number
    com: Vec3
    inertia: Mat3


@dataclass(frozen=True)
class Connection:
    """A joint between two bodies (index, GROUND for the fixed one).

    base, moving: its frames in the bodies. closure: what it forbids, None for a screw with its pitch [m/rad]. offsets:
    added to the geometric coordinates.
    """

    joint: str
    base_body: int
    base: Frame
    moving_body: int
    moving: Frame
    closure: Closure | None
    form: JointType
    offsets: tuple[Number, ...]
    pitch: Number = 0.0


@dataclass(frozen=True)
class FreeBodies:
    """Bodies and connections of a mechanism in maximal coordinates."""

    bodies: tuple[FreeBody, ...]
    connections: tuple[Connection, ...]
    planar: bool
    gravity: Vec3
    size: float

    @property
    def pose_size(self) -> int:
        """Coordinates of a body."""
        return 3 if self.planar else 7

    @property
    def rate_size(self) -> int:
        """Rates of a body."""
        return 3 if self.planar else 6


def body_rotation(system: FreeBodies, x: Sequence[Number], body: int) -> Mat3:
    """Rotation of a body from its coordinates; a quaternion of any length turns, never stretches."""
    start = body * system.pose_size
    if system.planar:
        return rotation_z(x[start + 2])
    q = x[start + 3 : start + 7]
    length = sqrt(sum(part * part for part in q))
    return rotation_from_quaternion(*(part / length for part in q))


def split(system: FreeBodies, u: Sequence[Number], body: int) -> tuple[Vec3, Vec3]:
    """Velocity of a body's mass centre in ground axes and its angular velocity in body axes, or their derivatives."""
    start = body * system.rate_size
    if system.planar:
        return Vec3(u[start], u[start + 1], 0.0), Vec3(0.0, 0.0, u[start + 2])
    return Vec3(*u[start : start + 3]), Vec3(*u[start + 3 : start + 6])


def body_motion(
    system: FreeBodies, x: Sequence[Number], u: Sequence[Number] = (), body: int = GROUND, a: Sequence[Number] = ()
) -> Motion:
    """Motion of a body's frame (its origin, not its mass centre); no `u`: at rest, no `a`: accelerations zero."""
    if body == GROUND:
        return STANDSTILL
    R = body_rotation(system, x, body)
    start = body * system.pose_size
    centre = Vec3(x[start], x[start + 1], 0.0 if system.planar else x[start + 2])
    v, spin = split(system, u, body) if u else (ZERO, ZERO)
    vd, change = split(system, a, body) if a else (ZERO, ZERO)
    # R w in ground axes; its derivative is R w', as w x w vanishes.
    w, wd = R @ spin, R @ change
    arm = -(R @ system.bodies[body].com)
    turn = w.cross(arm)
    return Motion(Frame(R, centre + arm), w, v + turn, wd, vd + wd.cross(arm) + w.cross(turn))


def all_motions(system: FreeBodies, x, u: Sequence[Number] = (), a: Sequence[Number] = ()) -> tuple[Motion, ...]:
    """Motion of every body's frame, in the order of the bodies."""
    return tuple(body_motion(system, x, u, body, a) for body in range(len(system.bodies)))


def pose_rates(system: FreeBodies, x: Sequence[Number], u: Sequence[Number]) -> list[Number]:
    """Time derivatives of the body coordinates: the rates, and for quaternions q (0, w) / 2 with w in body axes."""
    rates: list[Number] = []
    for body in range(len(system.bodies)):
        v, w = split(system, u, body)
        if system.planar:
            rates += [v.x, v.y, w.z]
            continue
        start = body * system.pose_size + 3
        spin = (0.0, *(mul(0.5, part) for part in w))
        rates += [v.x, v.y, v.z, *quaternion_product(tuple(x[start : start + 4]), spin)]
    return rates


def norm_corrections(system: FreeBodies, x: Sequence[Number], alpha: Number) -> list[Number]:
    """What keeps quaternions normalised, added to the derivatives of the body coordinates: alpha (1 - q.q) q.

    The constraint q.q = 1 stabilised like the others; the deviation decays as exp(-2 alpha t).
    """
    changes: list[Number] = []
    for body in range(len(system.bodies)):
        if system.planar:
            changes += [0.0, 0.0, 0.0]
            continue
        start = body * system.pose_size + 3
        q = x[start : start + 4]
        excess = mul(alpha, 1.0 - sum(part * part for part in q))
        changes += [0.0, 0.0, 0.0, *(mul(excess, part) for part in q)]
    return changes


def joint_frames(system: FreeBodies, x: Sequence[Number], connection: Connection) -> tuple[Frame, Frame]:
    """The joint's two frames in ground axes."""
    base = body_motion(system, x, body=connection.base_body).frame @ connection.base
    moving = body_motion(system, x, body=connection.moving_body).frame @ connection.moving
    return base, moving


def joint_coordinates(
    system: FreeBodies, motions: Sequence[Motion], connection: Connection, turns: Mapping[int, Number]
) -> tuple[list[Number], list[Number], list[Number]]:
    """Coordinates, rates and their derivatives of a joint, from the motions of its two bodies.

    turns: position of each angle among the coordinates -> its integral, which counts whole turns: it picks the turn of
    the angle read off the two bodies, and in the plane, where angles are sums of body angles, it is the angle.
    """
    base = STANDSTILL if connection.base_body == GROUND else motions[connection.base_body]
    moving = STANDSTILL if connection.moving_body == GROUND else motions[connection.moving_body]
    cut = Cut(connection.joint, 0, 0, connection.base, connection.moving, Closure())
    values, rates, accelerations = read_cut(cut, base, moving, connection.form, connection.offsets)
    for place, turn in turns.items():
        if system.planar:
            values[place] = turn
        else:
            values[place] = values[place] + TURN * floor((turn - values[place]) * (1.0 / TURN) + 0.5)
    return values, rates, accelerations


def joint_residuals(
    system: FreeBodies, x: Sequence[Number], connection: Connection, angle: Number = 0.0
) -> list[tuple[Number, bool]]:
    """Constraint functions of one joint: (value, is a length).

    angle: of a screw from its zero, whole turns counted; its advance is pitch times this angle.
    """
    base, moving = joint_frames(system, x, connection)
    gap = base.R.transpose_times(moving.p - base.p)

    def product(i: int, j: int) -> Number:
        return moving.R.column(i).dot(base.R.column(j))

    if connection.closure is None:
        advance = sub(gap[2], mul(connection.pitch, angle))
        return [(gap[0], True), (gap[1], True), (advance, True), (product(2, 0), False), (product(2, 1), False)]
    closure = connection.closure
    found: list[tuple[Number, bool]] = [(gap[k], True) for k in closure.translations]
    for k in closure.parallel:
        found += [(product(k, (k + 1) % 3), False), (product(k, (k + 2) % 3), False)]
    found += [(product(i, j), False) for i, j in closure.perpendicular]
    if closure.aligned:
        pairs = ((0, 1),) if system.planar else ((0, 1), (1, 2), (2, 0))
        found += [(product(i, j), False) for i, j in pairs]
    return found


def goal_residuals(
    system: FreeBodies, x: Sequence[Number], body: int, point: Vec3, goals: Mapping[str, Number]
) -> list[tuple[Number, bool]]:
    """Constraint functions of a body's point and orientation that follow given values: (value, is a length).

    goals: x, y, z of the point in ground axes; roll, pitch, yaw about the fixed x, y, z axes, or the planar angle.
    """
    frame = body_motion(system, x, body=body).frame @ Frame(Mat3.identity(), point)
    found: list[tuple[Number, bool]] = [
        (sub(frame.p[k], goals[part]), True) for k, part in enumerate("xyz") if part in goals
    ]
    if "angle" in goals:
        found.append((frame.R.column(0).dot(rotation_z(goals["angle"]).column(1)), False))
    elif "yaw" in goals:
        goal = rotation_z(goals["yaw"]) @ rotation_y(goals["pitch"]) @ rotation_x(goals["roll"])
        found += [(frame.R.column(i).dot(goal.column(j)), False) for i, j in ((0, 1), (1, 2), (2, 0))]
    return found


def mass_blocks(system: FreeBodies) -> dict[tuple[int, int], Number]:
    """Lower triangle of the block-diagonal mass matrix: m 1 and the inertia tensor in body axes; constant."""
    M: dict[tuple[int, int], Number] = {}
    n = system.rate_size
    for index, body in enumerate(system.bodies):
        start = index * n
        for k in range(2 if system.planar else 3):
            M[start + k, start + k] = body.mass
        if system.planar:
            M[start + 2, start + 2] = body.inertia.row(2)[2]
            continue
        for i in range(3):
            for j in range(i + 1):
                value = body.inertia.row(i)[j]
                if i == j or not is_zero(value):
                    M[start + 3 + i, start + 3 + j] = value
    return M


def body_forces(
    system: FreeBodies, x: Sequence[Number], u: Sequence[Number], wrenches: Mapping[int, Wrench]
) -> list[Number]:
    """Right-hand side of Newton's and Euler's equations: m g, -w x I w, and wrenches given about the body frames."""
    forces: list[Number] = []
    for index, body in enumerate(system.bodies):
        _, w = split(system, u, index)
        R = body_rotation(system, x, index)
        force = system.gravity * body.mass
        moment = ZERO if system.planar else -(w.cross(body.inertia @ w))
        if index in wrenches:
            wrench = wrenches[index]
            force = force + wrench.force
            moment = moment + R.transpose_times(wrench.moment) - body.com.cross(R.transpose_times(wrench.force))
        forces += [force.x, force.y, moment.z] if system.planar else [*force, *moment]
    return forces


def energies(system: FreeBodies, x: Sequence[Number], u: Sequence[Number]) -> tuple[Number, Number]:
    """Kinetic energy and potential energy of gravity [J]."""
    kinetic: Number = 0.0
    potential: Number = 0.0
    for index, body in enumerate(system.bodies):
        v, w = split(system, u, index)
        kinetic = add(kinetic, mul(0.5, add(mul(body.mass, v.dot(v)), w.dot(body.inertia @ w))))
        start = index * system.pose_size
        centre = Vec3(x[start], x[start + 1], 0.0 if system.planar else x[start + 2])
        potential = sub(potential, mul(body.mass, system.gravity.dot(centre)))
    return kinetic, potential
