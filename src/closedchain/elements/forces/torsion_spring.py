"""Spring and damper on a joint coordinate (angle or length), relaxed at a given value."""

from closedchain.elements.family import Parameter
from closedchain.elements.forces.contract import ForceKind, Number, Values
from closedchain.elements.joint_efforts.contract import JointEffort


def effort(p: Values, q: Number, qd: Number) -> Number:
    """−k (q − q₀) − c q̇."""
    return -(p["stiffness"] * (q - p["angle"]) + p["damping"] * qd)


def energy(p: Values, q: Number) -> Number:
    """k (q − q₀)²/2 [J]."""
    stretch = q - p["angle"]
    return 0.5 * p["stiffness"] * stretch * stretch


def dissipation(p: Values, q: Number, qd: Number) -> Number:
    """c q̇² [W]."""
    return p["damping"] * qd * qd


PARAMETERS = (
    Parameter("stiffness", "N m/rad or N/m", "stiffness k", default=0.0, lower=0.0),
    Parameter("damping", "N m s/rad or N s/m", "damping c", default=0.0, lower=0.0),
    Parameter("angle", "rad or m", "coordinate q₀ where it is relaxed", default=0.0),
)

TORSION_SPRING = ForceKind(
    name="torsion-spring",
    meaning="spring and damper on a joint coordinate",
    attach="joint",
    parameters=PARAMETERS,
    joint=JointEffort(
        name="torsion-spring",
        meaning="spring and damper, −k (q − q₀) − c q̇",
        parameters=PARAMETERS,
        effort=effort,
        energy=energy,
        dissipation=dissipation,
    ),
)
