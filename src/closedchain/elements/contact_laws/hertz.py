"""Hertz: elastic contact, F = K δⁿ."""

from closedchain.elements.contact_laws.contract import ContactLaw, Number, Values
from closedchain.elements.contact_laws.dissipative import EXPONENT, STIFFNESS, power_energy, power_force


def force(p: Values, delta: Number, delta_dot: Number, memory: Values) -> Number:
    """K δⁿ [N], whatever the speed."""
    return power_force(p, delta)


HERTZ = ContactLaw(
    name="hertz",
    meaning="elastic, F = K δⁿ",
    source="Hertz 1881, Über die Berührung fester elastischer Körper: n = 3/2 for spheres",
    parameters=(STIFFNESS, EXPONENT),
    force=force,
    elastic_force=power_force,
    stored_energy=power_energy,
    material="stiffness",
)
