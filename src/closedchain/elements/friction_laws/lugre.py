"""LuGre: the surfaces stick by bristles that bend and give way; friction with one state."""

from closedchain.elements.family import Parameter
from closedchain.elements.friction_laws.contract import (
    MU_S,
    FrictionLaw,
    Number,
    Values,
    speed,
    static_above_kinetic,
)
from closedchain.numbers import absolute, exp, maximum, minimum


def steady_deflection(p: Values, v_T: Number, F_N: Number) -> Number:
    """G = [F_C + (F_S − F_C) exp(−(v/v_S)²)]/σ₀ [m], the steady deflection; F_N at least `force_floor`.

    Without the floor the bristle's rate |v|/G grows without bound where contact begins and ends.
    """
    mu, mu_s = p["mu"], p["mu_s"]
    x = v_T / p["vs"]
    return (mu + (mu_s - mu) * exp(-x * x)) * maximum(F_N, p["force_floor"]) / p["sigma0"]


def rates(p: Values, v_T: Number, F_N: Number, states: Values) -> tuple[Number, ...]:
    """ż = v − |v| z/G [m/s]."""
    return (v_T - absolute(v_T) * states["bristle"] / steady_deflection(p, v_T, F_N),)


def force(p: Values, v_T: Number, F_N: Number, states: Values) -> Number:
    """σ₀ z + σ₁ ż + σ₂ v [N], but not beyond its own bound, and fading out below `force_floor`.

    Both matter only where F_N falls quickly, which the law was not made for: bristles bent by the larger F_N would
    spring back within nanoseconds and push a hundred times harder than F_N when surfaces part, and end with a jump on
    which F_N can hang and chatter.
    """
    (z_dot,) = rates(p, v_T, F_N, states)
    F_T = p["sigma0"] * states["bristle"] + p["sigma1"] * z_dot + p["sigma2"] * v_T
    most = bound(p, v_T, F_N)
    return minimum(maximum(F_T, -most), most) * minimum(maximum(F_N, 0.0) / p["force_floor"], 1.0)


def stored_energy(p: Values, states: Values) -> Number:
    """σ₀ z²/2 [J]."""
    z = states["bristle"]
    return 0.5 * p["sigma0"] * z * z


def bound(p: Values, v_T: Number, F_N: Number) -> Number:
    """σ₀|z| ≤ F_S and |ż| ≤ |v| (1 + μ_s/μ) from rest on, while F_N stays: F_S + (σ₁(1 + μ_s/μ) + σ₂)|v| [N]."""
    v = absolute(v_T)
    return p["mu_s"] * maximum(F_N, p["force_floor"]) + (p["sigma1"] * (1.0 + p["mu_s"] / p["mu"]) + p["sigma2"]) * v


LUGRE = FrictionLaw(
    name="lugre",
    meaning="bristles of stiffness σ₀ and damping σ₁ that give way at μ_s F_N, falling to μ F_N",
    source=(
        "Canudas de Wit, Olsson, Åström and Lischinsky 1995, A new model for control of systems with friction, "
        "IEEE Trans. Autom. Control 40"
    ),
    parameters=(
        Parameter("mu", "1", "kinetic friction coefficient", lower=0.0, open_lower=True),
        MU_S,
        speed("vs", "Stribeck speed"),
        Parameter("sigma0", "N/m", "stiffness of the bristles", lower=0.0, open_lower=True),
        Parameter("sigma1", "N s/m", "damping of the bristles", lower=0.0),
        Parameter("sigma2", "N s/m", "viscous coefficient", default=0.0, lower=0.0),
        Parameter(
            "force_floor", "N", "smallest normal force the bristles feel", default=1e-3, lower=0.0, open_lower=True
        ),
    ),
    force=force,
    bound=bound,
    states=("bristle",),
    rates=rates,
    stored_energy=stored_energy,
    kinks=lambda p: (0.0,),
    check=static_above_kinetic,
)
