"""Hu and Guo: damping from the energy balance of both phases (constant as commonly quoted)."""

from closedchain.elements.contact_laws.contract import Number
from closedchain.elements.contact_laws.dissipative import power_law


def chi(e: Number) -> Number:
    """χ = 3(1 − e)/(2e)."""
    return 1.5 * (1.0 - e) / e


HU_GUO = power_law(
    name="hu-guo",
    meaning="F = K δⁿ (1 + χ δ̇/δ̇₀), χ = 3(1 − e)/(2e)",
    source=(
        "Hu and Guo 2015, A dissipative contact force model for impact analysis in multibody dynamics, "
        "Multibody Syst. Dyn. 35; as commonly quoted"
    ),
    chi=chi,
    above_zero=True,
)
