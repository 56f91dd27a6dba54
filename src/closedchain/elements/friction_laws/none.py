"""No friction."""

from closedchain.elements.friction_laws.contract import FrictionLaw

NONE = FrictionLaw(
    name="none",
    meaning="no friction",
    source="frictionless contact",
    parameters=(),
    force=lambda p, v_T, F_N, states: 0.0,
    bound=lambda p, v_T, F_N: 0.0,
)
