"""Lee and Wang: half the damping of Hunt and Crossley (constant as commonly quoted)."""

from closedchain.elements.contact_laws.contract import Number
from closedchain.elements.contact_laws.dissipative import power_law


def chi(e: Number) -> Number:
    """χ = 3(1 − e)/4."""
    return 0.75 * (1.0 - e)


LEE_WANG = power_law(
    name="lee-wang",
    meaning="F = K δⁿ (1 + χ δ̇/δ̇₀), χ = 3(1 − e)/4",
    source=(
        "Lee and Wang 1983, On the dynamics of intermittent-motion mechanisms, "
        "J. Mech. Transm. Autom. Des. 105; as commonly quoted"
    ),
    chi=chi,
)
