"""Brown and McPhee: continuous friction with stiction, for fast simulation."""

from closedchain.elements.friction_laws.contract import (
    MU,
    MU_S,
    FrictionLaw,
    Number,
    Values,
    speed,
    static_above_kinetic,
)
from closedchain.numbers import tanh


def force(p: Values, v_T: Number, F_N: Number, states: Values) -> Number:
    """F_N [μ tanh(4x) + (μ_s − μ) x/(x²/4 + 3/4)²] with x = v/v_t [N]; odd in v, so sgn v needs no branch."""
    x = v_T / p["vt"]
    hump = 0.25 * x * x + 0.75
    return F_N * (p["mu"] * tanh(4.0 * x) + (p["mu_s"] - p["mu"]) * x / (hump * hump))


BROWN_MCPHEE = FrictionLaw(
    name="brown-mcphee",
    meaning="μ_s F_N about the slip v_t, falling to μ F_N, smooth",
    source=(
        "Brown and McPhee 2016, A continuous velocity-based friction model for dynamics and control, "
        "J. Comput. Nonlinear Dyn. 11"
    ),
    parameters=(MU, MU_S, speed("vt", "slip of the largest friction")),
    force=force,
    bound=lambda p, v_T, F_N: p["mu_s"] * F_N,
    check=static_above_kinetic,
)
