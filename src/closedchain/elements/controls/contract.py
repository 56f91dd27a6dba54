"""What a controller answers: the effort that follows a target.

1. `effort(p, q, qd, target, target_rate, feedforward, states)`: force [N] or torque [N m] on the moving side
   along +coordinate, held within ±`limit`. feedforward is an effort added before the limit, 0.0 without.
2. `states`: names of the controller's own states, zero at the start; `rates(...)` with the arguments of `effort`
   are their derivatives in that order.
3. `common`: what every controller takes from the file beside its parameters: the target, a function of time or
   the word "motion" (the coordinate's motion in the ideal mechanism), and whether the ideal efforts are fed forward.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from closedchain.elements.family import Parameter, Switch
from closedchain.numbers import maximum, minimum

Number = Any
Values = Mapping[str, Any]

TARGET = Parameter("target", "rad or m", 'coordinate to follow, a function of time or "motion"', timed=True)
FEEDFORWARD = Switch("feedforward", "add the efforts of the ideal mechanism")


def no_rates(
    p: Values, q: Number, qd: Number, target: Number, target_rate: Number, feedforward: Number, states: Values
) -> tuple[Number, ...]:
    """Of controllers without states."""
    return ()


@dataclass(frozen=True)
class ControlKind:
    """A controller: see the numbered contract of this module."""

    name: str
    meaning: str
    parameters: tuple[Parameter, ...]
    effort: Callable[[Values, Number, Number, Number, Number, Number, Values], Number]
    states: tuple[str, ...] = ()
    rates: Callable[[Values, Number, Number, Number, Number, Number, Values], tuple[Number, ...]] = no_rates
    common: tuple[Parameter | Switch, ...] = (TARGET, FEEDFORWARD)


KP = Parameter("kp", "N m/rad or N/m", "effort per error", lower=0.0)
KD = Parameter("kd", "N m s/rad or N s/m", "effort per error rate", default=0.0, lower=0.0)
KI = Parameter("ki", "N m/(rad s) or N/(m s)", "effort per integrated error", lower=0.0)
LIMIT = Parameter("limit", "N m or N", "largest effort", default=inf, lower=0.0, open_lower=True)


def within_limit(p: Values, effort: Number) -> Number:
    """The effort held within ±limit; no limit, no operation."""
    limit = p["limit"]
    if type(limit) is float and limit == inf:
        return effort
    return minimum(maximum(effort, -limit), limit)
