"""PD controller."""

from closedchain.elements.controls.contract import KD, KP, LIMIT, ControlKind, Number, Values, within_limit


def effort(
    p: Values, q: Number, qd: Number, target: Number, target_rate: Number, feedforward: Number, states: Values
) -> Number:
    """kp (target − q) + kd (dtarget/dt − q̇) + feedforward, within ±limit."""
    return within_limit(p, p["kp"] * (target - q) + p["kd"] * (target_rate - qd) + feedforward)


PD = ControlKind(
    name="pd",
    meaning="proportional and derivative",
    parameters=(KP, KD, LIMIT),
    effort=effort,
)
