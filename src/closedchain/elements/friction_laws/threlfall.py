"""Threlfall: Coulomb friction approached exponentially."""

from closedchain.elements.friction_laws.contract import MU, FrictionLaw, Number, Values, speed
from closedchain.numbers import absolute, exp, less_equal, minimum, select, sign


def force(p: Values, v_T: Number, F_N: Number, states: Values) -> Number:
    """μ F_N sgn v (1 − exp(−3|v|/v_r)) up to v_r, 0.95 μ F_N sgn v beyond [N].

    At v_r it steps by 0.0002 μ F_N, as published: 1 − exp(−3) is 0.9502.
    """
    v_r = p["vr"]
    v = absolute(v_T)
    rise = 1.0 - exp(-3.0 * minimum(v, v_r) / v_r)
    return p["mu"] * F_N * sign(v_T) * select(less_equal(v, v_r), rise, 0.95)


def rising(p: Values, v: Number, F_N: Number) -> Number:
    """μ F_N (1 − exp(−3 v/v_r)) [N]."""
    return p["mu"] * F_N * (1.0 - exp(-3.0 * v / p["vr"]))


def sliding(p: Values, v: Number, F_N: Number) -> Number:
    """0.95 μ F_N [N]."""
    return 0.95 * p["mu"] * F_N


THRELFALL = FrictionLaw(
    name="threlfall",
    meaning="0.95 μ F_N, approached exponentially up to the slip v_r",
    source="Threlfall 1978, The inclusion of Coulomb friction in mechanisms programs, Mech. Mach. Theory 13",
    parameters=(MU, speed("vr", "slip of full friction")),
    force=force,
    bound=lambda p, v_T, F_N: p["mu"] * F_N,
    kinks=lambda p: (0.0, p["vr"]),
    pieces=lambda p: (rising, sliding),
)
