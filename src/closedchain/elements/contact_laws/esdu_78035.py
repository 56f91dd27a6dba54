"""ESDU-78035: circular contact of cylinders, as in the design data item."""

import math

from closedchain.elements.contact_laws.contract import Number, Values
from closedchain.elements.contact_laws.logarithmic import logarithmic


def length(p: Values) -> Number:
    """C = 4 c e [m]."""
    return 4.0 * math.e * p["radial"]


ESDU_78035 = logarithmic(
    "esdu-78035",
    "cylinders, δ = F (h_i + h_j)/L [ln(4 L c/(F (h_i + h_j))) + 1], h = σ/π, times 1 + 3(1 − e²)/4 δ̇/δ̇₀",
    "ESDU 78035 1978, Contact phenomena I (as commonly quoted); damping as Lankarani and Nikravesh 1990",
    length,
)
