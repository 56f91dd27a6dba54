"""PID controller whose integral rests while the effort is saturated."""

from math import inf

from closedchain.elements.controls.contract import KD, KI, KP, LIMIT, ControlKind, Number, Values, within_limit
from closedchain.numbers import absolute, maximum, minimum

# Part of the limit over which the integral comes to rest.
COMING_TO_REST = 1e-5


def demand(
    p: Values, q: Number, qd: Number, target: Number, target_rate: Number, feedforward: Number, states: Values
) -> Number:
    """kp (target − q) + kd (dtarget/dt − q̇) + ki ∫(target − q) dt + feedforward, before the limit."""
    return p["kp"] * (target - q) + p["kd"] * (target_rate - qd) + p["ki"] * states["integral"] + feedforward


def effort(
    p: Values, q: Number, qd: Number, target: Number, target_rate: Number, feedforward: Number, states: Values
) -> Number:
    """The demand within ±limit."""
    return within_limit(p, demand(p, q, qd, target, target_rate, feedforward, states))


def rates(
    p: Values, q: Number, qd: Number, target: Number, target_rate: Number, feedforward: Number, states: Values
) -> tuple[Number, ...]:
    """target − q, zero while the demand is beyond the limit.

    An integral that stopped at once would chatter where it alone drives the demand beyond the limit (Filippov's
    sliding motion): no step would be small enough. So it stops over a small part of the limit, beyond it, where the
    effort is the limit already.
    """
    limit = p["limit"]
    error = target - q
    if type(limit) is float and limit == inf:
        return (error,)
    beyond = absolute(demand(p, q, qd, target, target_rate, feedforward, states)) / limit - 1.0
    return (error * minimum(maximum(1.0 - beyond / COMING_TO_REST, 0.0), 1.0),)


PID = ControlKind(
    name="pid",
    meaning="proportional, integral and derivative",
    parameters=(KP, KD, KI, LIMIT),
    effort=effort,
    states=("integral",),
    rates=rates,
)
