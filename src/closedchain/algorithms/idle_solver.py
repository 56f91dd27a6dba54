"""Loop equations with freedoms that nothing drives: those move as free bodies do.

A rod between two ball joints may spin about itself; no drive, spring or loop holds it. Closing the loops alone leaves
that motion open. Here it follows from mechanics: rates without momentum along the open freedoms (the rod has no spin
of its own where it is symmetric) and accelerations that need no force along them. Both are solutions with the mass
matrix as metric,

    [ M   J^T ] [ v  ]   [ -M_pd v_d ]            [ M   J^T ] [ x  ]   [ r ]
    [ J   -eps] [ .  ] = [ b         ]            [ J   -eps] [ mu ] = [ 0 ]

the second one with forces r that some motion needs: x is what its accelerations are too large along the open
freedoms, and J^T mu = r - M x holds without remainder.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.closure_solver import Pattern, row_conditioning
from closedchain.numbers import Factor, add, factorize, mul, refine

Number = Any
Matrix = Mapping[tuple[int, int], Number]
SHARE = 1e-9


@dataclass(frozen=True)
class IdleSolver:
    """The factored equations at one configuration. M: mass matrix over all rates, lower triangle."""

    pattern: Pattern
    M: Matrix
    matrix: dict[tuple[int, int], Number]
    factor: Factor

    def both(self, top: Sequence[Number], bottom: Sequence[Number]) -> tuple[list[Number], list[Number]]:
        """Rates and multipliers of the whole system."""
        n = len(self.pattern.passive)
        found = refine(self.matrix, self.factor, [*top, *bottom], 1)
        return found[:n], found[n:]

    def conditioning(self) -> Number:
        """Smallest over largest scaled pivot of the independent rows."""
        return row_conditioning(self.pattern, self.factor)

    def solve(self, b: Sequence[Number], known: Sequence[Number] = ()) -> list[Number]:
        """x with J x = b, without momentum along the open freedoms; known: all rates with the unknown ones at zero."""
        top = [mul(-1.0, value) for value in self.times(known)] if known else [0.0] * len(self.pattern.passive)
        return self.both(top, b)[0]

    def forces(self, r: Sequence[Number]) -> list[Number]:
        """Multipliers that bring r on the passive rates, but for what open freedoms take."""
        return self.both(r, [0.0] * len(self.pattern.rows))[1]

    def surplus(self, r: Sequence[Number]) -> list[Number]:
        """x: accelerations to take off along the open freedoms, where forces r are needed and nobody brings them."""
        return self.both(r, [0.0] * len(self.pattern.rows))[0]

    def times(self, v: Sequence[Number]) -> list[Number]:
        """Rows of the passive rates of M v, v over all rates."""
        place = {rate: index for index, rate in enumerate(self.pattern.passive)}
        found: list[Number] = [0.0] * len(place)
        for (i, j), value in self.M.items():
            if i in place:
                found[place[i]] = add(found[place[i]], mul(value, v[j]))
            if j in place and i != j:
                found[place[j]] = add(found[place[j]], mul(value, v[i]))
        return found

    def carried(self, x: Sequence[Number], rate: int) -> Number:
        """The row of a rate that is not passive of M x, x over the passive rates."""
        place = {rate: index for index, rate in enumerate(self.pattern.passive)}
        total: Number = 0.0
        for (i, j), value in self.M.items():
            other = j if i == rate else i if j == rate else None
            if other is not None and other in place:
                total = add(total, mul(value, x[place[other]]))
        return total


def factor_idle(jacobian: Sequence[dict[int, Number]], pattern: Pattern, M: Matrix) -> IdleSolver:
    """Factor the equations. jacobian: one dict {rate: entry} per row; pattern: its metric counts for little beside
    the mass matrix and keeps rates without inertia in place; the refinement takes it out again."""
    n = len(pattern.passive)
    place = {rate: index for index, rate in enumerate(pattern.passive)}
    matrix: dict[tuple[int, int], Number] = {}
    for (i, j), value in M.items():
        if i in place and j in place:
            matrix[max(place[i], place[j]), min(place[i], place[j])] = value
    for row, entries in enumerate(jacobian):
        for rate, value in entries.items():
            if rate in place:
                matrix[n + row, place[rate]] = value
    shift = pattern.shift | dict(enumerate(pattern.metric))
    return IdleSolver(pattern, M, matrix, factorize(matrix, pattern.order, shift))
