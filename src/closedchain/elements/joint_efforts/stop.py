"""Elastic stops at the limits of a joint coordinate."""

from closedchain.elements.family import Parameter
from closedchain.elements.joint_efforts.contract import JointEffort, Number, Values
from closedchain.numbers import greater, logical_and, maximum, select


def _push(p: Values, depth: Number, rate: Number) -> Number:
    """max(k d + c ḋ, 0) inside the stop, as the clamped Kelvin-Voigt contact; a stop never pulls."""
    force = p["stiffness"] * depth + p["damping"] * rate
    return select(logical_and(greater(depth, 0.0), greater(force, 0.0)), force, 0.0)


def _depths(p: Values, q: Number) -> tuple[Number, Number]:
    return q - p["upper"], p["lower"] - q


def effort(p: Values, q: Number, qd: Number) -> Number:
    """Back from whichever limit is passed: −max(k d + c ḋ, 0) above `upper`, + below `lower`."""
    above, below = _depths(p, q)
    return _push(p, below, -qd) - _push(p, above, qd)


def energy(p: Values, q: Number) -> Number:
    """k d²/2 [J]; what is left of it when the push ends early counts as dissipated while d returns to zero."""
    above, below = (maximum(d, 0.0) for d in _depths(p, q))
    return 0.5 * p["stiffness"] * (above * above + below * below)


def dissipation(p: Values, q: Number, qd: Number) -> Number:
    """(push − k d) ḋ [W]."""
    above, below = _depths(p, q)
    k = p["stiffness"]
    return (_push(p, above, qd) - k * maximum(above, 0.0)) * qd - (_push(p, below, -qd) - k * maximum(below, 0.0)) * qd


def switches(p: Values, q: Number, qd: Number) -> tuple[Number, ...]:
    """Passing each limit, and where the push ends early."""
    above, below = _depths(p, q)
    k, c = p["stiffness"], p["damping"]
    return (above, below, k * above + c * qd, k * below - c * qd)


STOP = JointEffort(
    name="stop",
    meaning="elastic stops at the limits, linear spring and damper that never pull",
    parameters=(
        Parameter("stiffness", "N m/rad or N/m", "stiffness k of the stops", lower=0.0, open_lower=True),
        Parameter("damping", "N m s/rad or N s/m", "damping c of the stops", default=0.0, lower=0.0),
    ),
    effort=effort,
    energy=energy,
    dissipation=dissipation,
    switches=switches,
    needs=("limits",),
)
