"""Radzimovsky: cylinders of any radii, with the half width of their contact."""

import math

from closedchain.elements.contact_laws.contract import Number, Values
from closedchain.elements.contact_laws.logarithmic import logarithmic


def length(p: Values) -> Number:
    """C = 16 c exp(2/3)/(5.12 π) [m]: with b = 1.60 √((F/L) 2 R_B R_J/(c E*)) both radii cancel."""
    return 16.0 / (5.12 * math.pi) * math.exp(2.0 / 3.0) * p["radial"]


RADZIMOVSKY = logarithmic(
    "radzimovsky",
    "cylinders, δ = F/(π L E*) [2/3 + ln(4R_B/b) + ln(4R_J/b)], times 1 + 3(1 − e²)/4 δ̇/δ̇₀",
    "Radzimovsky 1953, Univ. Illinois Eng. Exp. Station Bulletin 408; damping as Lankarani and Nikravesh 1990",
    length,
)
