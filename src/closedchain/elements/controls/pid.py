"""PID controller whose integral rests while the effort is saturated."""

from closedchain.elements.controls.contract import KD, KI, KP, LIMIT, ControlKind, Number, Values, within_limit
from closedchain.numbers import absolute, less, select


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
    """target − q, zero while the demand is beyond the limit."""
    free = less(absolute(demand(p, q, qd, target, target_rate, feedforward, states)), p["limit"])
    return (select(free, target - q, 0.0),)


PID = ControlKind(
    name="pid",
    meaning="proportional, integral and derivative",
    parameters=(KP, KD, KI, LIMIT),
    effort=effort,
    states=("integral",),
    rates=rates,
)
