"""Johnson: long cylinder in a cylindrical bore of nearly the same radius."""

import math

from closedchain.elements.contact_laws.contract import Number, Values
from closedchain.elements.contact_laws.logarithmic import logarithmic


def length(p: Values) -> Number:
    """C = 4c/e [m]: the law reaches to F = 4π L E* c/e², δ = 4c/e² = 0.54 c."""
    return 4.0 / math.e * p["radial"]


JOHNSON = logarithmic(
    "johnson",
    "cylinders, δ = F/(π L E*) [ln(4π L E* c/F) − 1], times 1 + 3(1 − e²)/4 δ̇/δ̇₀",
    "Johnson 1985, Contact Mechanics, section 5.6; damping as Lankarani and Nikravesh 1990",
    length,
)
