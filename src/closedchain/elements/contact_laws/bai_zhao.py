"""Bai and Zhao: hybrid of the conformal stiffness of Liu and the frame of Lankarani and Nikravesh."""

import math

from closedchain.elements.contact_laws.contract import Number, Values
from closedchain.elements.contact_laws.dissipative import MODULUS, TINY_LENGTH, dissipative, energy_chi, restitution
from closedchain.elements.contact_laws.work import work
from closedchain.elements.family import Parameter
from closedchain.numbers import exp, maximum, power, sqrt


def stiffness(p: Values, delta: Number) -> Number:
    """K_n = (π/8) E* L √(2δ (3c + 2δ)²/(c + δ)³) [N/m], the slope of Liu's force."""
    d = maximum(delta, TINY_LENGTH)
    c = p["radial"]
    return math.pi / 8.0 * p["modulus"] * p["length"] * (3.0 * c + 2.0 * d) / (c + d) * sqrt(2.0 * d / (c + d))


def elastic_force(p: Values, delta: Number) -> Number:
    """K_n δⁿ [N]; with a stiffness in N/m the exponent n = 1 gives newtons."""
    return stiffness(p, delta) * power(maximum(delta, TINY_LENGTH), p["exponent"])


def stored_energy(p: Values, delta: Number) -> Number:
    """∫K_n δⁿ dδ [J] by quadrature."""
    return work(lambda x: elastic_force(p, x), delta)


def chi(e: Number) -> Number:
    """χ = 3(1 − e²) exp(2(1 − e))/4."""
    return energy_chi(e) * exp(2.0 * (1.0 - e))


BAI_ZHAO = dissipative(
    "bai-zhao",
    "conformal cylinders, F = K_n δⁿ (1 + χ δ̇/δ̇₀), K_n = slope of Liu's law, χ = 3(1 − e²) exp(2(1 − e))/4",
    "Bai and Zhao 2013, A hybrid contact force model of revolute joint with clearance, Int. J. Non-Linear Mech. 48",
    chi,
    parameters=(
        MODULUS,
        restitution(),
        Parameter("exponent", "1", "exponent n of the penetration", 1.0, lower=1.0, upper=4.0, structural=True),
    ),
    elastic_force=elastic_force,
    stored_energy=stored_energy,
    geometry=("radial", "length"),
    material="modulus",
)
