"""Hunt and Crossley: damping in proportion to the elastic force, for restitution near one."""

from closedchain.elements.contact_laws.contract import Number
from closedchain.elements.contact_laws.dissipative import power_law


def chi(e: Number) -> Number:
    """χ = 3(1 − e)/2."""
    return 1.5 * (1.0 - e)


HUNT_CROSSLEY = power_law(
    name="hunt-crossley",
    meaning="F = K δⁿ (1 + χ δ̇/δ̇₀), χ = 3(1 − e)/2",
    source=(
        "Hunt and Crossley 1975, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42"
    ),
    chi=chi,
)
