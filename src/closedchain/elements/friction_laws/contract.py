"""What a friction law answers: the force that opposes a slip, its bound, its states and its kinks.

1. `force(p, v_T, F_N, states)`: friction force F_T [N] with the sign of the slip v_T [m/s] (a law with states:
   of its recent past); the caller applies −F_T along the slip. It vanishes with F_N.
2. `bound(p, v_T, F_N)`: a force [N] that |F_T| never exceeds; without states F_T v_T ≥ 0.
3. `states`: names of the law's own states, zero when a contact begins; `rates(p, v_T, F_N, states)` are their
   derivatives in that order, integrated while in contact, held outside.
4. `stored_energy(p, states)` [J] is what the states hold; F_T v_T minus its rate is never negative. Reports count all
   of F_T v_T as dissipated, for states end with their contact: from a contact's start on, its sum is never negative.
5. `kinks(p)`: speeds |v_T| [m/s] where the force is not smooth in v_T, for integrators that step onto them; 0.0
   where that is the turn of the slip. Between them the force is smooth.
6. `pieces(p)`: the formulas between the kinks, one more than there are kinks above zero: force over the speed |v_T| and
   F_N, each smooth when continued beyond its kinks, so that an integrator may end a step exactly at a kink. The first
   is odd in the speed where zero is no kink. Empty for laws with states and for smooth ones.
7. `check(p)`: what is wrong with the values together (key, sentence), beyond the range of each.

The same laws serve friction on a joint's coordinate: v_T is then the rate times `radius`, F_N the parameter `load`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.elements.family import Parameter, Problem, no_problems

Number = Any
Values = Mapping[str, Any]


def no_rates(p: Values, v_T: Number, F_N: Number, states: Values) -> tuple[Number, ...]:
    """Of laws without states."""
    return ()


def nothing_stored(p: Values, states: Values) -> Number:
    """Of laws without states."""
    return 0.0


def smooth_everywhere(p: Values) -> tuple[Number, ...]:
    """Of laws without kinks."""
    return ()


# F_T [N] over p, speed |v_T| [m/s] and F_N [N].
Piece = Callable[[Values, Number, Number], Number]


def no_pieces(p: Values) -> tuple[Piece, ...]:
    """Of laws that are smooth, or whose kinks are left to the integrator."""
    return ()


@dataclass(frozen=True)
class FrictionLaw:
    """A friction law: see the numbered contract of this module. source: author, year and equation."""

    name: str
    meaning: str
    source: str
    parameters: tuple[Parameter, ...]
    force: Callable[[Values, Number, Number, Values], Number]
    bound: Callable[[Values, Number, Number], Number]
    states: tuple[str, ...] = ()
    rates: Callable[[Values, Number, Number, Values], tuple[Number, ...]] = no_rates
    stored_energy: Callable[[Values, Values], Number] = nothing_stored
    kinks: Callable[[Values], tuple[Number, ...]] = smooth_everywhere
    pieces: Callable[[Values], tuple[Piece, ...]] = no_pieces
    check: Callable[[Values], tuple[Problem, ...]] = no_problems


MU = Parameter("mu", "1", "kinetic friction coefficient", lower=0.0)
MU_S = Parameter("mu_s", "1", "static friction coefficient", lower=0.0)


def speed(name: str, meaning: str) -> Parameter:
    """A speed above zero as parameter."""
    return Parameter(name, "m/s", meaning, lower=0.0, open_lower=True)


def static_above_kinetic(p: Values) -> tuple[Problem, ...]:
    """The static coefficient is at least the kinetic one."""
    if p["mu_s"] < p["mu"]:
        return (
            (
                "mu_s",
                f"static friction coefficient {p['mu_s']:g} is below the kinetic {p['mu']:g}; it is at least as large.",
            ),
        )
    return ()


def larger_coefficient(p: Values, v_T: Number, F_N: Number) -> Number:
    """μ_s F_N [N]."""
    return p["mu_s"] * F_N
