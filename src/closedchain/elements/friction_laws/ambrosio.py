"""Ambrósio: Coulomb friction with a dead band, so that friction never reverses the slip by a numerical accident."""

from closedchain.elements.family import Parameter, Problem
from closedchain.elements.friction_laws.contract import MU, FrictionLaw, Number, Piece, Values, speed
from closedchain.numbers import absolute, is_zero, maximum, minimum, sign


def force(p: Values, v_T: Number, F_N: Number, states: Values) -> Number:
    """c_d μ F_N sgn v [N]: c_d = 0 up to v₀, rises in proportion to the slip, 1 from v₁ on; no stiction."""
    v_0, v_1 = p["v0"], p["v1"]
    c_d = minimum(maximum((absolute(v_T) - v_0) / (v_1 - v_0), 0.0), 1.0)
    return c_d * p["mu"] * F_N * sign(v_T)


def pieces(p: Values) -> tuple[Piece, ...]:
    """Nothing, the ramp, full friction; no dead band where v₀ is zero."""

    def nothing(p: Values, v: Number, F_N: Number) -> Number:
        return 0.0 * v

    def ramp(p: Values, v: Number, F_N: Number) -> Number:
        return p["mu"] * F_N * (v - p["v0"]) / (p["v1"] - p["v0"])

    def full(p: Values, v: Number, F_N: Number) -> Number:
        return p["mu"] * F_N

    return (ramp, full) if is_zero(p["v0"]) else (nothing, ramp, full)


def kinks(p: Values) -> tuple[Number, ...]:
    """v₀ and v₁; without a dead band the ramp goes through zero."""
    return (p["v1"],) if is_zero(p["v0"]) else (p["v0"], p["v1"])


def check(p: Values) -> tuple[Problem, ...]:
    """The ramp ends above its start."""
    if p["v1"] <= p["v0"]:
        return (
            ("v1", f"slip {p['v1']:g} m/s of full friction is not above v0 = {p['v0']:g} m/s, where friction begins."),
        )
    return ()


AMBROSIO = FrictionLaw(
    name="ambrosio",
    meaning="μ F_N above the slip v₁, nothing below v₀",
    source="Ambrósio 2003, Impact of rigid and flexible multibody systems, in Virtual Nonlinear Multibody Systems",
    parameters=(
        MU,
        Parameter("v0", "m/s", "slip below which there is no friction", lower=0.0),
        speed("v1", "slip from which friction is full"),
    ),
    force=force,
    bound=lambda p, v_T, F_N: p["mu"] * F_N,
    kinks=kinks,
    pieces=pieces,
    check=check,
)
