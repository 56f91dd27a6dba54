"""Cylinders pressed into each other: δ = x ln(C/x) with x = F/(π L E*), solved for the force.

All published laws of this kind have the form; they differ in the length C. With u = ln(C/x) it reads u − ln u =
ln(C/δ). The force rises ever more steeply up to x = C/e, u = 1, where no force goes with a larger penetration.
From 99 % of that force on it continues as a straight line with the slope reached there: both are far outside the
theory, the line keeps numbers finite.
"""

import math
from collections.abc import Callable

from closedchain.elements.contact_laws.contract import ContactLaw, Number, Values
from closedchain.elements.contact_laws.dissipative import MODULUS, TINY_LENGTH, dissipative, energy_chi, restitution
from closedchain.numbers import exp, log, maximum, minimum, sqrt

# u at 99 % of the largest force, and δ/C there
U_END = 1.0 - math.log(0.99)
S_END = U_END * math.exp(-U_END)


def load_length(delta: Number, C: Number) -> tuple[Number, Number]:
    """x [m] and u of δ = x ln(C/x) for 0 < δ ≤ S_END C: Newton on u − ln u = ln(C/δ), four steps reach rounding.

    delta: penetration [m]. C: length of the law [m].
    """
    g = -log(minimum(maximum(delta, TINY_LENGTH) / C, S_END))
    # of the root's expansion at u = 1; within 20 % down to δ/C = 1e-30
    u = 1.0 + sqrt(2.0 * (g - 1.0)) + 2.0 / 3.0 * (g - 1.0)
    for _ in range(4):
        u = u - (u - log(u) - g) * u / (u - 1.0)
    return C * exp(-u), u


def _beyond(delta: Number, C: Number) -> Number:
    return maximum(delta - S_END * C, 0.0)


def logarithmic(name: str, meaning: str, source: str, C_of: Callable[[Values], Number]) -> ContactLaw:
    """The law of length C_of(p), elastic by default, with hysteresis damping in the manner of Lankarani on request."""

    def elastic_force(p: Values, delta: Number) -> Number:
        """π L E* x [N]."""
        C = C_of(p)
        x, _ = load_length(delta, C)
        return math.pi * p["length"] * p["modulus"] * (x + _beyond(delta, C) / (U_END - 1.0))

    def stored_energy(p: Values, delta: Number) -> Number:
        """∫F dδ = F δ − ∫δ dF = π L E* x² (2u − 1)/4 [J]."""
        C = C_of(p)
        x, u = load_length(delta, C)
        d = _beyond(delta, C)
        beyond = d * (x + 0.5 * d / (U_END - 1.0))
        return math.pi * p["length"] * p["modulus"] * (0.25 * x * x * (2.0 * u - 1.0) + beyond)

    return dissipative(
        name,
        meaning,
        source,
        energy_chi,
        parameters=(MODULUS, restitution(default=1.0)),
        elastic_force=elastic_force,
        stored_energy=stored_energy,
        geometry=("radial", "length"),
        material="modulus",
    )
