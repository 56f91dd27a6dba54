"""Bengisu and Akay: static friction reached at a small slip, then a drop to the kinetic one."""

from closedchain.elements.family import Parameter
from closedchain.elements.friction_laws.contract import (
    MU,
    MU_S,
    FrictionLaw,
    Number,
    Values,
    larger_coefficient,
    speed,
    static_above_kinetic,
)
from closedchain.numbers import absolute, exp, less, maximum, minimum, select, sign


def force(p: Values, v_T: Number, F_N: Number, states: Values) -> Number:
    """[F_S − F_S (|v| − v₀)²/v₀²] sgn v below v₀, [F_C + (F_S − F_C) exp(−ξ(|v| − v₀))] sgn v above [N]."""
    mu, mu_s, v_0 = p["mu"], p["mu_s"], p["v0"]
    v = absolute(v_T)
    below = minimum(v, v_0) / v_0 - 1.0
    above = maximum(v - v_0, 0.0)
    factor = select(less(v, v_0), mu_s * (1.0 - below * below), mu + (mu_s - mu) * exp(-p["xi"] * above))
    return factor * F_N * sign(v_T)


def rising(p: Values, v: Number, F_N: Number) -> Number:
    """F_S − F_S (v − v₀)²/v₀² [N]."""
    below = v / p["v0"] - 1.0
    return p["mu_s"] * (1.0 - below * below) * F_N


def falling(p: Values, v: Number, F_N: Number) -> Number:
    """F_C + (F_S − F_C) exp(−ξ(v − v₀)) [N]."""
    return (p["mu"] + (p["mu_s"] - p["mu"]) * exp(-p["xi"] * (v - p["v0"]))) * F_N


BENGISU_AKAY = FrictionLaw(
    name="bengisu-akay",
    meaning="μ_s F_N at the slip v₀, falling to μ F_N",
    source=(
        "Bengisu and Akay 1994, Stability of friction-induced vibrations in multi-degree-of-freedom systems, "
        "J. Sound Vib. 171"
    ),
    parameters=(
        MU,
        MU_S,
        speed("v0", "slip of the largest friction"),
        Parameter("xi", "s/m", "rate of the drop to kinetic friction", lower=0.0, open_lower=True),
    ),
    force=force,
    bound=larger_coefficient,
    kinks=lambda p: (0.0, p["v0"]),
    pieces=lambda p: (rising, falling),
    check=static_above_kinetic,
)
