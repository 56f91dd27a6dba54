"""Maximal coordinates: every body free, every joint a constraint; Newton-Euler with Lagrange multipliers.

The independent formulation: position-level constraints only are written here, as functions of body poses. Their Jacobian
and its convective part come from the expression graph by automatic differentiation, so nothing of the joint-coordinate
formulation (columns, recursions, hand-derived accelerations) enters.

    [ M  J^T ] [ u'   ]   [ g                               ]
    [ J  0   ] [ -lam ] = [ gamma - 2 alpha Phi' - beta^2 Phi ]      gamma = -(J u)_q q' - ...

Body coordinates: mass centre and, in space, a quaternion w, x, y, z (body to ground), in the plane an angle about z. Rates u:
velocity of the mass centre, angular velocity in ground axes (Nikravesh 1988, ch. 11; Haug 1989, ch. 11).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.chain import ZERO
from closedchain.algorithms.motion import STANDSTILL, Motion
from closedchain.algorithms.tree import GROUND, Frame
from closedchain.elements.joints import Closure, JointType
from closedchain.numbers import Mat3, Vec3, mul, rotation_from_quaternion, rotation_z

Number = Any


@dataclass(frozen=True)
class FreeBody:
    """A body by itself: mass [kg], mass centre [m] and inertia [kg m^2] about it, in body axes."""

    name: str
    mass: Number
    com: Vec3
    inertia: Mat3


@dataclass(frozen=True)
class Connection:
    """A joint between two bodies (index, GROUND for the fixed one): frames, what it forbids, its type and offsets."""

    joint: str
    base_body: int
    base: Frame
    moving_body: int
    moving: Frame
    closure: Closure | None
    form: JointType
    offsets: tuple[Number, ...]


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
    """Rotation of a body from its coordinates."""
    start = body * system.pose_size
    if system.planar:
        return rotation_z(x[start + 2])
    return rotation_from_quaternion(*x[start + 3 : start + 7])


def body_motion(
    system: FreeBodies, x: Sequence[Number], u: Sequence[Number], body: int, a: Sequence[Number] = ()
) -> Motion:
    """Motion of a body's frame (its origin, not its mass centre); accelerations zero without `a`."""
    if body == GROUND:
        return STANDSTILL
    R = body_rotation(system, x, body)
    start = body * system.pose_size
    centre = Vec3(x[start], x[start + 1], 0.0 if system.planar else x[start + 2])
    v, w = split_rates(system, u, body)
    vd, wd = split_rates(system, a, body) if a else (ZERO, ZERO)
    arm = -(R @ system.bodies[body].com)
    turn = w.cross(arm)
    return Motion(Frame(R, centre + arm), w, v + turn, wd, vd + wd.cross(arm) + w.cross(turn))


def split_rates(system: FreeBodies, u: Sequence[Number], body: int) -> tuple[Vec3, Vec3]:
    """Velocity of the mass centre and angular velocity of a body."""
    start = body * system.rate_size
    if system.planar:
        return Vec3(u[start], u[start + 1], 0.0), Vec3(0.0, 0.0, u[start + 2])
    return Vec3(*u[start : start + 3]), Vec3(*u[start + 3 : start + 6])


def pose_rates(system: FreeBodies, x: Sequence[Number], u: Sequence[Number]) -> list[Number]:
    """Time derivatives of the body coordinates: the rates, and for quaternions (0, w) q / 2."""
    rates: list[Number] = []
    for body in range(len(system.bodies)):
        v, w = split_rates(system, u, body)
        if system.planar:
            rates += [v.x, v.y, w.z]
            continue
        s, a, b, c = x[body * 7 + 3 : body * 7 + 7]
        half = w * 0.5
        rates += [v.x, v.y, v.z]
        rates += [
            -(mul(half.x, a) + mul(half.y, b) + mul(half.z, c)),
            mul(half.x, s) + mul(half.y, c) - mul(half.z, b),
            mul(half.y, s) + mul(half.z, a) - mul(half.x, c),
            mul(half.z, s) + mul(half.x, b) - mul(half.y, a),
        ]
    return rates


def joint_frames(system: FreeBodies, x: Sequence[Number], connection: Connection) -> tuple[Frame, Frame]:
    """The joint's two frames in ground axes."""
    none = [0.0] * (len(system.bodies) * system.rate_size)
    base = body_motion(system, x, none, connection.base_body).frame @ connection.base
    moving = body_motion(system, x, none, connection.moving_body).frame @ connection.moving
    return base, moving


def joint_residuals(system: FreeBodies, x: Sequence[Number], connection: Connection) -> list[tuple[Number, bool]]:
    """Constraint functions of one joint: (value, is a length)."""
    if connection.closure is None:
        return screw_residuals(system, x, connection)
    base, moving = joint_frames(system, x, connection)
    gap = base.R.transpose_times(moving.p - base.p)
    closure = connection.closure
    found: list[tuple[Number, bool]] = [(gap[k], True) for k in closure.translations]

    def product(i: int, j: int) -> Number:
        return moving.R.column(i).dot(base.R.column(j))

    for k in closure.parallel:
        found += [(product(k, (k + 1) % 3), False), (product(k, (k + 2) % 3), False)]
    found += [(product(i, j), False) for i, j in closure.perpendicular]
    if closure.aligned:
        pairs = ((0, 1),) if system.planar else ((0, 1), (1, 2), (2, 0))
        found += [(product(i, j), False) for i, j in pairs]
    return found


def screw_residuals(system: FreeBodies, x: Sequence[Number], connection: Connection) -> list[tuple[Number, bool]]:
    """A helical joint: the axes coincide. Its advance is tied to its turned angle by the caller, who counts turns."""
    base, moving = joint_frames(system, x, connection)
    gap = base.R.transpose_times(moving.p - base.p)
    z = moving.R.column(2)
    return [
        (gap[0], True),
        (gap[1], True),
        (z.dot(base.R.column(0)), False),
        (z.dot(base.R.column(1)), False),
    ]


def mass_blocks(system: FreeBodies, x: Sequence[Number]) -> dict[tuple[int, int], Number]:
    """Lower triangle of the block-diagonal mass matrix: m 1 and the inertia tensor in ground axes."""
    M: dict[tuple[int, int], Number] = {}
    n = system.rate_size
    for index, body in enumerate(system.bodies):
        start = index * n
        for k in range(2 if system.planar else 3):
            M[start + k, start + k] = body.mass
        if system.planar:
            M[start + 2, start + 2] = body.inertia.row(2)[2]
            continue
        R = body_rotation(system, x, index)
        tensor = R @ body.inertia @ R.T
        for i in range(3):
            for j in range(i + 1):
                M[start + 3 + i, start + 3 + j] = tensor.row(i)[j]
    return M


def body_forces(
    system: FreeBodies, x: Sequence[Number], u: Sequence[Number], wrenches: Mapping[int, Any]
) -> list[Number]:
    """Right-hand side of Newton's and Euler's equations: m g, -w x I w, and applied wrenches given about the body frames."""
    forces: list[Number] = []
    for index, body in enumerate(system.bodies):
        _, w = split_rates(system, u, index)
        R = body_rotation(system, x, index)
        force = system.gravity * body.mass
        moment = ZERO
        if not system.planar:
            moment = -(w.cross(R @ (body.inertia @ R.transpose_times(w))))
        if index in wrenches:
            wrench = wrenches[index]
            force = force + wrench.force
            moment = moment + wrench.moment - (R @ body.com).cross(wrench.force)
        forces += [force.x, force.y, moment.z] if system.planar else [*force, *moment]
    return forces
