"""Which smooth piece of a friction law acts: latched, with events where the slip leaves it, as contacts are.

A regime is a signed number m: the piece |m| - 1 on the side of slips with the sign of m; where zero is no kink both
sides of the first piece are 1. In regime 0 the law itself acts, kinks and all, and nothing is watched: outside contact,
and where the slip chatters about a kink.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.elements.clearances import ClearanceKind
from closedchain.elements.friction_laws import FrictionLaw
from closedchain.numbers import absolute, add, greater, is_zero, less, logical_and, logical_or, mul, select

Number = Any
Values = Mapping[str, Any]


# Part of the first kink's slip below which there is none.
NO_SLIP = 1e-9


@dataclass(frozen=True)
class Regimes:
    """The pieces of a law at given values: edges are the kinks above zero; turn: zero is a kink too."""

    pieces: tuple[Callable[[Values, Number, Number], Number], ...]
    edges: tuple[Number, ...]
    turn: bool


@dataclass(frozen=True)
class Slipping:
    """A latched regime at an instant: friction force [N], and event functions that rise and fall through zero where the
    slip leaves the piece for the next faster and the next slower one."""

    force: Number
    faster: Number
    slower: Number


def find_regimes(kind: ClearanceKind, law: FrictionLaw, p: Values) -> Regimes | None:
    """The regimes of a law at a gap; None where it has no pieces, or its slip has no sign and zero is a kink."""
    pieces, kinks = law.pieces(p), law.kinks(p)
    turn = any(is_zero(kink) for kink in kinks)
    if not pieces or (turn and kind.turning):
        return None
    return Regimes(pieces, tuple(kink for kink in kinks if not is_zero(kink)), turn)


def side_of(regime: Number) -> Number:
    """Sign of the slips of a regime."""
    return select(less(regime, 0.0), -1.0, 1.0)


def chosen(piece: Number, values: Sequence[Number]) -> Number:
    """The value of a piece, by its number."""
    found = values[-1]
    for k in reversed(range(len(values) - 1)):
        found = select(less(piece, k + 0.5), values[k], found)
    return found


def slipping(regimes: Regimes, p: Values, slip: Number, F_N: Number, regime: Number, plain: Number) -> Slipping:
    """Force and events in a regime; plain: the law's own force, for regime 0."""
    side, piece = side_of(regime), absolute(regime) - 1.0
    v = mul(side, slip)
    latched = greater(absolute(regime), 0.5)
    force = mul(side, chosen(piece, [each(p, v, F_N) for each in regimes.pieces]))
    edges = regimes.edges
    below = [v if regimes.turn else add(v, edges[0]), *(v - edge for edge in edges)]
    return Slipping(
        select(latched, force, plain),
        select(latched, chosen(piece, [*(v - edge for edge in edges), -1.0]), -1.0),
        select(latched, chosen(piece, below), 1.0),
    )


def regime_at(regimes: Regimes, slip: Number) -> Number:
    """The regime of a slip; 0 for none where zero is a kink, because rounding does not tell to which side it goes."""
    size, count = absolute(slip), 1.0
    none = mul(NO_SLIP, regimes.edges[0]) if regimes.edges else 0.0
    for edge in regimes.edges:
        count = count + select(greater(size, edge), 1.0, 0.0)
    side = select(less(slip, 0.0), -1.0, 1.0)
    if regimes.turn:
        return select(greater(size, none), mul(side, count), 0.0)
    return select(less(count, 1.5), 1.0, mul(side, count))


def next_regime(regimes: Regimes, regime: Number, faster: Number, slower: Number) -> Number:
    """The regime after events with these flags (see numerics.problem)."""
    side, piece = side_of(regime), absolute(regime) - 1.0
    first = mul(-1.0, regime) if regimes.turn else -2.0
    down = select(less(piece, 0.5), first, regime - side)
    if not regimes.turn:
        down = select(logical_and(greater(piece, 0.5), less(piece, 1.5)), 1.0, down)
    after = select(greater(faster, 0.5), regime + side, select(less(slower, -0.5), down, regime))
    chatters = logical_or(greater(absolute(faster), 1.5), greater(absolute(slower), 1.5))
    return select(chatters, 0.0, after)
