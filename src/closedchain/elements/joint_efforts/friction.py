"""Friction on a joint coordinate by any friction law: the coordinate's rate times a radius is the slip.

With the default radius 1 and load 1 the law's μ is the friction force [N] or torque [N m] itself and its speeds
are rates.
"""

from closedchain.elements.family import Parameter
from closedchain.elements.friction_laws import FrictionLaw
from closedchain.elements.joint_efforts.contract import Number, Values

LOAD = Parameter("load", "N", "normal force that presses the joint", default=1.0, lower=0.0, open_lower=True)
RADIUS = Parameter("radius", "m", "radius where a rotating joint slips", default=1.0, lower=0.0, open_lower=True)
FRICTION_PARAMETERS = (LOAD, RADIUS)


def friction_effort(law: FrictionLaw, p: Values, qd: Number, states: Values) -> Number:
    """−r F_T(r q̇, load), force [N] or torque [N m] on the moving side along +coordinate."""
    return -(p["radius"] * law.force(p, p["radius"] * qd, p["load"], states))


def friction_rates(law: FrictionLaw, p: Values, qd: Number, states: Values) -> tuple[Number, ...]:
    """Derivatives of the law's states."""
    return law.rates(p, p["radius"] * qd, p["load"], states)
