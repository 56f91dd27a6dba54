"""Rotation vector of a rotation matrix, and moments that derive from a potential of it."""

from closedchain.elements.forces.contract import Number
from closedchain.numbers import Mat3, Vec3, atan2, greater, is_zero, maximum, select, sqrt, tan

# below it the ratio angle/sine is taken at the limit; far below rounding of the sine itself
TINY_ANGLE = 1e-12


def rotation_vector(R: Mat3) -> Vec3:
    """θ [rad] with R = exp([θ]×), |θ| < π, from sin|θ| a = vee(R − Rᵀ)/2 and cos|θ| = (tr R − 1)/2.

    Near half a turn the axis is lost, within 1e-8 rad of π completely. About z alone (motion in the plane) it
    holds to ±π.
    """
    s = Vec3(0.5 * (R[2, 1] - R[1, 2]), 0.5 * (R[0, 2] - R[2, 0]), 0.5 * (R[1, 0] - R[0, 1]))
    c = 0.5 * (R.trace() - 1.0)
    if is_zero(s.x) and is_zero(s.y):
        return Vec3(0.0, 0.0, atan2(s.z, c))
    sine = sqrt(maximum(s.dot(s), TINY_ANGLE * TINY_ANGLE))
    return s * (atan2(sine, c) / sine)


def _beta(theta2: Number) -> Number:
    """(1 − (θ/2) cot(θ/2))/θ², its series below 0.2 rad."""
    small = greater(0.04, theta2)
    x = select(small, theta2, 0.0)
    series = 1 / 12 + x * (
        1 / 720 + x * (1 / 30240 + x * (1 / 1209600 + x * (1 / 47900160 + x * (691 / 1307674368000))))
    )
    far2 = select(small, 1.0, theta2)
    half = 0.5 * sqrt(far2)
    return select(small, series, (1.0 - half / tan(half)) / far2)


def moment_from_gradient(theta: Vec3, gradient: Vec3) -> Vec3:
    """J⁻ᵀ g = g + θ × g/2 + β θ × (θ × g), the moment whose power on ω is g·θ̇ (θ̇ = J⁻¹ω, ω in the axes θ is given in).

    theta: rotation vector [rad]. gradient: dV/dθ [N m].
    """
    turned = theta.cross(gradient)
    return gradient + turned * 0.5 + theta.cross(turned) * _beta(theta.dot(theta))
