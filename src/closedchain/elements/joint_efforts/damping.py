"""Linear damper on a joint coordinate."""

from closedchain.elements.family import Parameter
from closedchain.elements.joint_efforts.contract import JointEffort, Number, Values


def effort(p: Values, q: Number, qd: Number) -> Number:
    """−c q̇."""
    return -(p["damping"] * qd)


def dissipation(p: Values, q: Number, qd: Number) -> Number:
    """c q̇² [W]."""
    return p["damping"] * qd * qd


DAMPING = JointEffort(
    name="damping",
    meaning="linear damper, −c q̇",
    parameters=(Parameter("damping", "N m s/rad or N s/m", "damping c", lower=0.0),),
    effort=effort,
    dissipation=dissipation,
)
