"""Kelvin-Voigt: linear spring and damper, with the two usual endings of a contact."""

from closedchain.elements.contact_laws.contract import ContactLaw, Number, Values
from closedchain.elements.family import Parameter
from closedchain.numbers import maximum


def switch(p: Values, delta: Number, delta_dot: Number, memory: Values) -> Number:
    """δ + C δ̇/K [m], which has the sign of the force before it is held at zero."""
    return delta + p["damping"] / p["stiffness"] * delta_dot


def force(p: Values, delta: Number, delta_dot: Number, memory: Values) -> Number:
    """K δ + C δ̇ [N], with ending = "force" not below zero.

    One impact of mass m, ζ = C/(2√(K m)), s = √(1 − ζ²): restitution exp[−(2ζ/s) atan2(s, ζ)] with ending = "force",
    exp(−πζ/s) with ending = "penetration".
    """
    pushed = p["stiffness"] * delta + p["damping"] * delta_dot
    return pushed if pulls(p) else maximum(pushed, 0.0)


def elastic_force(p: Values, delta: Number) -> Number:
    """K δ [N]."""
    return p["stiffness"] * maximum(delta, 0.0)


def stored_energy(p: Values, delta: Number) -> Number:
    """K δ²/2 [J]; what is left of it when the force ends before δ = 0 counts as dissipated while δ returns to zero."""
    return 0.5 * elastic_force(p, delta) * maximum(delta, 0.0)


def ending(p: Values) -> str:
    """Where contact ends, as the file says."""
    return p["ending"]


def pulls(p: Values) -> bool:
    """With ending = "penetration" the damper pulls at the end of the contact."""
    return p["ending"] == "penetration"


KELVIN_VOIGT = ContactLaw(
    name="kelvin-voigt",
    meaning="linear spring and damper, F = K δ + C δ̇",
    source="Kelvin and Voigt; restitution of both endings: Schwager and Pöschel 2007, Granular Matter 9",
    parameters=(
        Parameter("stiffness", "N/m", "contact stiffness K", lower=0.0, open_lower=True),
        Parameter("damping", "N s/m", "contact damping C", lower=0.0),
        Parameter(
            "ending",
            "",
            "where contact ends: where the force would start to pull, or at zero penetration (then it pulls)",
            default="force",
            choices=("force", "penetration"),
        ),
    ),
    force=force,
    elastic_force=elastic_force,
    stored_energy=stored_energy,
    switch=switch,
    ending=ending,
    pulls=pulls,
)
