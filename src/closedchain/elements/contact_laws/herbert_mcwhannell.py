"""Herbert and McWhannell: damping from the exact velocity of the rebound (constant as commonly quoted)."""

from closedchain.elements.contact_laws.contract import Number
from closedchain.elements.contact_laws.dissipative import power_law


def chi(e: Number) -> Number:
    """χ = 6(1 − e)/((2e − 1)² + 3)."""
    return 6.0 * (1.0 - e) / ((2.0 * e - 1.0) * (2.0 * e - 1.0) + 3.0)


HERBERT_MCWHANNELL = power_law(
    name="herbert-mcwhannell",
    meaning="F = K δⁿ (1 + χ δ̇/δ̇₀), χ = 6(1 − e)/((2e − 1)² + 3)",
    source=(
        "Herbert and McWhannell 1977, Shape and frequency composition of pulses from an impact pair, "
        "J. Eng. Ind. 99; as commonly quoted"
    ),
    chi=chi,
)
