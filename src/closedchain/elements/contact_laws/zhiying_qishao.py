"""Zhiying and Qishao: Lankarani and Nikravesh with more damping at low restitution (constant as commonly quoted)."""

from closedchain.elements.contact_laws.contract import Number
from closedchain.elements.contact_laws.dissipative import energy_chi, power_law
from closedchain.numbers import exp


def chi(e: Number) -> Number:
    """χ = 3(1 − e²) exp(2(1 − e))/4."""
    return energy_chi(e) * exp(2.0 * (1.0 - e))


ZHIYING_QISHAO = power_law(
    name="zhiying-qishao",
    meaning="F = K δⁿ (1 + χ δ̇/δ̇₀), χ = 3(1 − e²) exp(2(1 − e))/4",
    source=(
        "Zhiying and Qishao 2006, Analysis of impact process based on restitution coefficient, "
        "J. Dyn. Control 4; as commonly quoted"
    ),
    chi=chi,
)
