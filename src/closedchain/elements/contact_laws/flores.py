"""Flores and others: damping for soft materials, any restitution above zero."""

from closedchain.elements.contact_laws.contract import Number
from closedchain.elements.contact_laws.dissipative import power_law


def chi(e: Number) -> Number:
    """χ = 8(1 − e)/(5e)."""
    return 1.6 * (1.0 - e) / e


FLORES = power_law(
    name="flores",
    meaning="F = K δⁿ (1 + χ δ̇/δ̇₀), χ = 8(1 − e)/(5e)",
    source=(
        "Flores, Machado, Silva and Martins 2011, "
        "On the continuous contact force models for soft materials in multibody dynamics, Multibody Syst. Dyn. 25"
    ),
    chi=chi,
    above_zero=True,
)
