"""Smooth motions of two frames whose velocities are exact derivatives, for tests of what acts between frames."""

from closedchain.elements.frame_state import FrameState
from closedchain.numbers import Mat3, Vec3, cos, rotation_about, rotation_z, sin

STEP = 1e-40


def derivative(values):
    """Rate of each of some numbers that were computed at complex time t + i STEP."""
    return [value.imag / STEP if isinstance(value, complex) else 0.0 for value in values]


def real(values):
    return [value.real for value in values]


def state(pose, t):
    """The frame at time t: `pose(t) -> (R, p)`, velocities by complex step."""
    R, p = pose(complex(t, STEP))
    R_dot = Mat3(*derivative(R.m))
    R = Mat3(*real(R.m))
    spin = R_dot @ R.T
    w = Vec3(spin[2, 1], spin[0, 2], spin[1, 0])
    return FrameState(R, Vec3(*real(p)), Vec3(*derivative(p)), w)


def rate_along(function, base, moving, t):
    """d/dt of function(base state, moving state) along the motion; the states' velocities stay at their values at t."""
    states = []
    for pose in (base, moving):
        now, (R, p) = state(pose, t), pose(complex(t, STEP))
        states.append(FrameState(R, p, now.v, now.w))
    return derivative([function(*states)])[0]


def spatial_base(t):
    axis = Vec3(1 / 3, 2 / 3, 2 / 3)
    return rotation_about(axis, 0.3 + 0.8 * t), Vec3(0.1 * sin(t), 0.2 * t, -0.05 * t * t)


def planar_base(t):
    return rotation_z(0.4 - 0.9 * t), Vec3(0.1 * sin(t), 0.2 * t, 0.0)


def near(base, size, turn=0.3, planar=False):
    """A frame that wanders about the base frame: `size` [m] in each direction, `turn` [rad] about several axes."""

    def pose(t):
        R, p = base(t)
        if planar:
            return R @ rotation_z(turn * sin(1.3 * t + 0.2)), p + R @ Vec3(size * cos(t), size * sin(2 * t), 0.0)
        tilt = rotation_about(Vec3(0.6, 0.0, 0.8), turn * sin(1.3 * t + 0.2)) @ rotation_z(0.7 * turn * cos(t))
        return R @ tilt, p + R @ Vec3(size * cos(t), size * sin(2 * t), 0.6 * size * sin(t + 1.0))

    return pose
