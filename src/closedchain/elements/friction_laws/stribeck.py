"""Stribeck: static friction that falls with the slip to the kinetic one, and a viscous part."""

from closedchain.elements.family import Parameter
from closedchain.elements.friction_laws.contract import (
    MU,
    MU_S,
    FrictionLaw,
    Number,
    Values,
    speed,
    static_above_kinetic,
)
from closedchain.numbers import absolute, exp, maximum, minimum, power

# smaller slips are far inside the smoothed turn; keeps the derivative of |v|^δ finite for δ < 1
TINY_SPEED = 1e-20
# normal force [N] below which the viscous part fades out
FADING = 1e-3


def force(p: Values, v_T: Number, F_N: Number, states: Values) -> Number:
    """[F_C + (F_S − F_C) exp(−|v/v_S|^δ)] v/max(|v|, v_r) + F_v v [N]; the viscous part acts while F_N > 0.

    It fades out below FADING: a jump where F_N vanishes would let F_N hang there and chatter.
    """
    mu, mu_s = p["mu"], p["mu_s"]
    v = maximum(absolute(v_T), TINY_SPEED)
    drop = exp(-power(v / p["vs"], p["delta"]))
    dry = (mu + (mu_s - mu) * drop) * F_N / maximum(v, p["vr"])
    return (dry + minimum(maximum(F_N, 0.0) / FADING, 1.0) * p["viscous"]) * v_T


STRIBECK = FrictionLaw(
    name="stribeck",
    meaning="μ_s F_N falling to μ F_N over the slip v_S, with a viscous part",
    source="Stribeck 1902; Bo and Pavelescu 1982, The friction-speed relation, Wear 82",
    parameters=(
        MU,
        MU_S,
        speed("vs", "Stribeck speed"),
        Parameter("delta", "1", "exponent of the drop", default=2.0, lower=0.1, upper=10.0, structural=True),
        Parameter("viscous", "N s/m", "viscous coefficient F_v", default=0.0, lower=0.0),
        speed("vr", "slip of the smoothed turn"),
    ),
    force=force,
    bound=lambda p, v_T, F_N: p["mu_s"] * F_N + p["viscous"] * absolute(v_T),
    kinks=lambda p: (0.0, p["vr"]),
    check=static_above_kinetic,
)
