"""Carvalho and Martins: a rational fit of the exact damping over all restitutions."""

from closedchain.elements.contact_laws.contract import Number
from closedchain.elements.contact_laws.dissipative import power_law


def chi(e: Number) -> Number:
    """χ = 3(1 − e)(11 − e)/(2(1 + 9e))."""
    return 1.5 * (1.0 - e) * (11.0 - e) / (1.0 + 9.0 * e)


CARVALHO_MARTINS = power_law(
    name="carvalho-martins",
    meaning="F = K δⁿ (1 + χ δ̇/δ̇₀), χ = 3(1 − e)(11 − e)/(2(1 + 9e))",
    source=(
        "Carvalho and Martins 2019, "
        "Exact restitution and generalizations for the Hunt-Crossley contact model, Mech. Mach. Theory 139"
    ),
    chi=chi,
)
