"""Bushing: springs and dampers along and about the axes of the base frame."""

from collections.abc import Sequence

from closedchain.elements.family import VectorParameter
from closedchain.elements.forces.contract import ForceKind, Number, Values
from closedchain.elements.forces.rotation_vector import moment_from_gradient, rotation_vector
from closedchain.elements.frame_state import FrameState, Wrench
from closedchain.numbers import Vec3, mul


def halves(numbers: Sequence[Number]) -> tuple[Vec3, Vec3]:
    """Diagonals of the 3 translations and 3 rotations; in the plane x, y and the rotation about z."""
    if len(numbers) == 3:
        return Vec3(numbers[0], numbers[1], 0.0), Vec3(0.0, 0.0, numbers[2])
    return Vec3(*numbers[:3]), Vec3(*numbers[3:])


def times(diagonal: Vec3, v: Vec3) -> Vec3:
    """diag(k) v."""
    return Vec3(*(mul(k, x) for k, x in zip(diagonal, v, strict=True)))


def displacement(base: FrameState, moving: FrameState) -> tuple[Vec3, Vec3]:
    """Translation d [m] and rotation vector θ [rad] of the moving frame seen in the base frame, base axes."""
    d = base.R.transpose_times(moving.p - base.p)
    return d, rotation_vector(base.R.transpose_times(moving.R))


def rates(base: FrameState, moving: FrameState) -> tuple[Vec3, Vec3]:
    """ḋ [m/s] and relative angular velocity ω [rad/s] seen in the turning base frame, base axes."""
    relative = moving.v - base.velocity_at(moving.p)
    return base.R.transpose_times(relative), base.R.transpose_times(moving.w - base.w)


def wrench(p: Values, base: FrameState, moving: FrameState, t: Number) -> Wrench:
    """Force −K_t d − C_t ḋ and moment −J⁻ᵀ(θ) K_r θ − C_r ω in base axes.

    θ̇ = J⁻¹ ω, so the springs have a potential. For small rotations, about one axis, and for equal stiffness about
    all axes the moment is −K_r θ. |θ| < π.
    """
    K_t, K_r = halves(p["stiffness"])
    C_t, C_r = halves(p["damping"])
    d, theta = displacement(base, moving)
    d_dot, omega = rates(base, moving)
    force = times(K_t, d) + times(C_t, d_dot)
    moment = moment_from_gradient(theta, times(K_r, theta)) + times(C_r, omega)
    return Wrench(-(base.R @ force), -(base.R @ moment))


def energy(p: Values, base: FrameState, moving: FrameState) -> Number:
    """dᵀK_t d/2 + θᵀK_r θ/2 [J]."""
    K_t, K_r = halves(p["stiffness"])
    d, theta = displacement(base, moving)
    return 0.5 * (d.dot(times(K_t, d)) + theta.dot(times(K_r, theta)))


def dissipation(p: Values, base: FrameState, moving: FrameState, t: Number) -> Number:
    """ḋᵀC_t ḋ + ωᵀC_r ω [W]."""
    C_t, C_r = halves(p["damping"])
    d_dot, omega = rates(base, moving)
    return d_dot.dot(times(C_t, d_dot)) + omega.dot(times(C_r, omega))


BUSHING = ForceKind(
    name="bushing",
    meaning="springs and dampers along and about the base point's axes",
    attach="pair",
    parameters=(
        VectorParameter(
            "stiffness",
            ("N/m", "N/m", "N/m", "N m/rad", "N m/rad", "N m/rad"),
            "stiffness of 3 translations and 3 rotations",
            in_plane=(0, 1, 5),
            lower=0.0,
        ),
        VectorParameter(
            "damping",
            ("N s/m", "N s/m", "N s/m", "N m s/rad", "N m s/rad", "N m s/rad"),
            "damping of 3 translations and 3 rotations",
            in_plane=(0, 1, 5),
            default=(0.0,) * 6,
            lower=0.0,
        ),
    ),
    wrench=wrench,
    energy=energy,
    dissipation=dissipation,
)
