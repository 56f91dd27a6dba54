"""What an effort on one joint coordinate answers.

1. `effort(p, q, qd)`: force [N] or torque [N m] on the moving side along +coordinate, for the coordinate q
   (offset included) and its rate; `per` below is m or rad as the coordinate is a length or an angle.
2. `energy(p, q)` [J] is what it stores, `dissipation(p, q, qd)` [W] ≥ 0 what it takes: effort·qd = −dE/dt −
   dissipation.
3. `switches(p, q, qd)`: numbers whose change of sign marks a kink or a step of the effort, for integrators to
   step onto.
4. `name` is the joint's key in the file that asks for it; `check(p)` finds values that are wrong together (key,
   sentence).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.elements.family import Parameter, Problem, no_problems

Number = Any
Values = Mapping[str, Any]


def no_energy(p: Values, q: Number) -> Number:
    """Stores nothing."""
    return 0.0


def no_dissipation(p: Values, q: Number, qd: Number) -> Number:
    """Takes nothing."""
    return 0.0


def no_switches(p: Values, q: Number, qd: Number) -> tuple[Number, ...]:
    """Smooth."""
    return ()


@dataclass(frozen=True)
class JointEffort:
    """An effort on one joint coordinate: see the numbered contract of this module.

    needs: other keys of the joint that p holds beside the parameters ("limits" gives "lower" and "upper").
    """

    name: str
    meaning: str
    parameters: tuple[Parameter, ...]
    effort: Callable[[Values, Number, Number], Number]
    energy: Callable[[Values, Number], Number] = no_energy
    dissipation: Callable[[Values, Number, Number], Number] = no_dissipation
    switches: Callable[[Values, Number, Number], tuple[Number, ...]] = no_switches
    needs: tuple[str, ...] = ()
    check: Callable[[Values], tuple[Problem, ...]] = no_problems
