"""Linear spring on a joint coordinate, relaxed at zero."""

from closedchain.elements.family import Parameter
from closedchain.elements.joint_efforts.contract import JointEffort, Number, Values


def effort(p: Values, q: Number, qd: Number) -> Number:
    """−k q."""
    return -(p["stiffness"] * q)


def energy(p: Values, q: Number) -> Number:
    """k q²/2 [J]."""
    return 0.5 * p["stiffness"] * q * q


STIFFNESS = JointEffort(
    name="stiffness",
    meaning="linear spring, −k q",
    parameters=(Parameter("stiffness", "N m/rad or N/m", "stiffness k", lower=0.0),),
    effort=effort,
    energy=energy,
)
