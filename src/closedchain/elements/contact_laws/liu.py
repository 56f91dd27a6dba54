"""Liu: conformal cylinders as an elastic foundation whose depth is fitted to finite elements."""

import math

from closedchain.elements.contact_laws.contract import Number, Values
from closedchain.elements.contact_laws.dissipative import MODULUS, TINY_LENGTH, dissipative, energy_chi, restitution
from closedchain.elements.contact_laws.work import work
from closedchain.numbers import maximum, sqrt


def elastic_force(p: Values, delta: Number) -> Number:
    """F = (π/2) E* L δ √(δ/(2(c + δ))) [N]."""
    d = maximum(delta, TINY_LENGTH)
    return 0.5 * math.pi * p["modulus"] * p["length"] * d * sqrt(d / (2.0 * (p["radial"] + d)))


def stored_energy(p: Values, delta: Number) -> Number:
    """∫F dδ [J] by quadrature: the closed form loses all digits where δ ≪ c."""
    return work(lambda x: elastic_force(p, x), delta)


LIU = dissipative(
    "liu",
    "conformal cylinders, F = (π/2) E* L δ √(δ/(2(c + δ))), times 1 + 3(1 − e²)/4 δ̇/δ̇₀",
    "Liu, Zhang and Yang 2007, Mech. Mach. Theory 42; damping as Lankarani and Nikravesh 1990",
    energy_chi,
    parameters=(MODULUS, restitution(default=1.0)),
    elastic_force=elastic_force,
    stored_energy=stored_energy,
    geometry=("radial", "length"),
    material="modulus",
)
