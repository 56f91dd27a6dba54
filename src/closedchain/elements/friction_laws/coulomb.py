"""Coulomb: constant friction, smoothed where the slip turns."""

from closedchain.elements.family import Parameter
from closedchain.elements.friction_laws.contract import MU, FrictionLaw, Number, Values, speed
from closedchain.numbers import absolute, maximum, tanh


def force(p: Values, v_T: Number, F_N: Number, states: Values) -> Number:
    """μ F_N v/max(|v|, v_r), or μ F_N tanh(v/v_r) [N]."""
    v_r = p["vr"]
    turn = tanh(v_T / v_r) if p["smooth"] == "tanh" else v_T / maximum(absolute(v_T), v_r)
    return p["mu"] * F_N * turn


def turning(p: Values, v: Number, F_N: Number) -> Number:
    """μ F_N v/v_r [N]."""
    return p["mu"] * F_N * v / p["vr"]


def sliding(p: Values, v: Number, F_N: Number) -> Number:
    """μ F_N [N]."""
    return p["mu"] * F_N


COULOMB = FrictionLaw(
    name="coulomb",
    meaning="μ F_N, reached at the slip v_r",
    source="Coulomb 1785; smoothed as usual in multibody dynamics (Marques et al. 2016, Nonlinear Dyn. 86)",
    parameters=(
        MU,
        speed("vr", "slip of the smoothed turn"),
        Parameter("smooth", "", "shape of the turn", default="ramp", choices=("ramp", "tanh")),
    ),
    force=force,
    bound=lambda p, v_T, F_N: p["mu"] * F_N,
    kinks=lambda p: () if p["smooth"] == "tanh" else (p["vr"],),
    pieces=lambda p: () if p["smooth"] == "tanh" else (turning, sliding),
)
