"""Gonthier and others: closed form for any restitution above zero."""

from closedchain.elements.contact_laws.contract import Number
from closedchain.elements.contact_laws.dissipative import power_law


def chi(e: Number) -> Number:
    """χ = (1 − e²)/e."""
    return (1.0 - e * e) / e


GONTHIER = power_law(
    name="gonthier",
    meaning="F = K δⁿ (1 + χ δ̇/δ̇₀), χ = (1 − e²)/e",
    source=(
        "Gonthier, McPhee, Lange and Piedbœuf 2004, "
        "A regularized contact model with asymmetric damping and dwell-time dependent friction, Multibody Syst. Dyn. 11"
    ),
    chi=chi,
    above_zero=True,
)
