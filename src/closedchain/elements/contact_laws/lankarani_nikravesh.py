"""Lankarani and Nikravesh: damping from the energy lost in an almost elastic impact."""

from closedchain.elements.contact_laws.dissipative import energy_chi, power_law

LANKARANI_NIKRAVESH = power_law(
    name="lankarani-nikravesh",
    meaning="F = K δⁿ (1 + χ δ̇/δ̇₀), χ = 3(1 − e²)/4",
    source=(
        "Lankarani and Nikravesh 1990, "
        "A contact force model with hysteresis damping for impact analysis of multibody systems, J. Mech. Des. 112"
    ),
    chi=energy_chi,
)
