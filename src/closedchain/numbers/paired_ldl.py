"""Sparse LDLᵀ with neighbours in the order eliminated two at a time: half the divisions that wait for each other.

A pair of linked indices k, l is one pivot [[a, b], [b, c]], inverted by its determinant. In straight code divisions
that follow from each other are most of the waiting, and most of the work in lanes. (Block pivots: Golub and Van Loan,
Matrix Computations, section 4.4.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.numbers.ldl import Matrix, symmetric_rows
from closedchain.numbers.vectors import dot, mul, sub


@dataclass(frozen=True)
class Pivot:
    """One or two indices eliminated together. inverse: of their block, row by row; columns: [(row, entries of L)]."""

    indices: tuple[int, ...]
    inverse: tuple[tuple[Any, ...], ...]
    columns: list[tuple[int, tuple[Any, ...]]]

    def own(self, values: Sequence[Any]) -> list[Any]:
        """The inverse of the block times values."""
        return [dot(line, values) for line in self.inverse]


@dataclass(frozen=True)
class PairedFactor:
    """L D Lᵀ of a symmetric matrix, D in blocks of one or two."""

    pivots: list[Pivot]

    def solve(self, rhs: Sequence[Any]) -> list[Any]:
        """x with L D Lᵀ x = rhs."""
        x = list(rhs)
        for pivot in self.pivots:
            for i, entries in pivot.columns:
                for k, entry in zip(pivot.indices, entries, strict=True):
                    x[i] = sub(x[i], mul(entry, x[k]))
        for pivot in reversed(self.pivots):
            values = pivot.own([x[k] for k in pivot.indices])
            for place, k in enumerate(pivot.indices):
                for i, entries in pivot.columns:
                    values[place] = sub(values[place], mul(entries[place], x[i]))
                x[k] = values[place]
        return x


def factorize_in_pairs(matrix: Matrix, order: Sequence[int], shift: Mapping[int, Any] | None = None) -> PairedFactor:
    """Factor a symmetric matrix; arguments as in `factorize`, every pivot of the order has to be away from zero.

    >>> factorize_in_pairs({(0, 0): 4.0, (1, 0): 2.0, (1, 1): 3.0}, [0, 1]).solve([2.0, 1.0])
    [0.5, 0.0]
    """
    diagonal, rows = symmetric_rows(matrix, len(order), shift)
    left, pivots = list(order), []
    while left:
        first = left.pop(0)
        indices = (first, left.pop(0)) if left and left[0] in rows[first] else (first,)
        inverse = inverse_block(indices, diagonal, rows)
        near = sorted(set().union(*(rows[k] for k in indices)) - set(indices))
        before = [(i, tuple(rows[k].get(i, 0.0) for k in indices)) for i in near]
        columns = [(i, tuple(dot(line, values) for line in inverse)) for i, values in before]
        for position, (i, entries) in enumerate(columns):
            diagonal[i] = sub(diagonal[i], dot(entries, before[position][1]))
            for j, values in before[:position]:
                updated = sub(rows[i].get(j, 0.0), dot(entries, values))
                rows[i][j] = rows[j][i] = updated
            for k in indices:
                rows[i].pop(k, None)
        pivots.append(Pivot(indices, inverse, columns))
    return PairedFactor(pivots)


def inverse_block(indices: tuple[int, ...], diagonal: list[Any], rows: list[dict[int, Any]]) -> tuple:
    """Inverse of the block of one or two indices."""
    if len(indices) == 1:
        return ((1.0 / diagonal[indices[0]],),)
    k, l = indices
    a, b, c = diagonal[k], rows[k][l], diagonal[l]
    inverse = 1.0 / sub(mul(a, c), mul(b, b))
    outer = mul(-1.0, mul(b, inverse))
    return ((mul(c, inverse), outer), (outer, mul(a, inverse)))
