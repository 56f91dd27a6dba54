"""Sparse LDLᵀ of a symmetric matrix over numbers, eliminated in a given order; unrolls into straight code when traced.

Works for indefinite (KKT) matrices too when the order and the shifts keep every pivot away from zero: with ε
subtracted from the pivots of dependent multipliers and one step of refinement with the true matrix the solution is
exact to rounding (Vanderbei 1995, symmetric quasidefinite matrices).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from closedchain.numbers.functions import is_zero
from closedchain.numbers.vectors import add, mul, sub

Matrix = Mapping[tuple[int, int], Any]


class Solver(Protocol):
    """A factored matrix."""

    def solve(self, rhs: Sequence[Any]) -> list[Any]:
        """x with A x = rhs."""
        ...


@dataclass(frozen=True)
class Factor:
    """L D Lᵀ of a symmetric matrix. order: elimination order; pivots: index -> D; columns: index -> [(row, L
    entry)].
    """

    order: list[int]
    pivots: dict[int, Any]
    inverse_pivots: dict[int, Any]
    columns: dict[int, list[tuple[int, Any]]]

    def solve(self, rhs: Sequence[Any]) -> list[Any]:
        """x with L D Lᵀ x = rhs; exact zeros of rhs are skipped."""
        x = list(rhs)
        for k in self.order:
            if not is_zero(x[k]):
                for i, entry in self.columns[k]:
                    x[i] = sub(x[i], mul(entry, x[k]))
        for k in reversed(self.order):
            value = mul(x[k], self.inverse_pivots[k])
            for i, entry in self.columns[k]:
                value = sub(value, mul(entry, x[i]))
            x[k] = value
        return x


def factorize(matrix: Matrix, order: Sequence[int], shift: Mapping[int, Any] | None = None) -> Factor:
    """Factor a symmetric matrix as L D Lᵀ.

    matrix: (i, j) -> number with i ≥ j, missing entries are zero; order: the indices 0 … n−1 in order of elimination;
    shift: index -> number added to that diagonal entry (pass −ε for multipliers).

    Raises ZeroDivisionError when a pivot is zero by structure.

    >>> factorize({(0, 0): 4.0, (1, 0): 2.0, (1, 1): 3.0}, [0, 1]).solve([2.0, 1.0])
    [0.5, 0.0]
    """
    diagonal, rows = symmetric_rows(matrix, len(order), shift)
    pivots: dict[int, Any] = {}
    inverses: dict[int, Any] = {}
    columns: dict[int, list[tuple[int, Any]]] = {}
    for k in order:
        pivot = diagonal[k]
        if is_zero(pivot):
            raise ZeroDivisionError(
                f"The pivot of index {k} is zero by structure; eliminate it later or give it a shift."
            )
        inverse = 1.0 / pivot
        column = sorted(rows[k].items())
        entries = [(i, mul(value, inverse)) for i, value in column]
        for position, (i, value) in enumerate(column):
            factor = entries[position][1]
            diagonal[i] = sub(diagonal[i], mul(factor, value))
            for j, other in column[:position]:
                updated = sub(rows[i].get(j, 0.0), mul(factor, other))
                rows[i][j] = rows[j][i] = updated
            del rows[i][k]
        pivots[k], inverses[k], columns[k] = pivot, inverse, entries
    return Factor(list(order), pivots, inverses, columns)


def symmetric_rows(
    matrix: Matrix, n: int, shift: Mapping[int, Any] | None = None
) -> tuple[list[Any], list[dict[int, Any]]]:
    """Diagonal with the shift added, and the other entries of every row, of a lower triangle."""
    rows: list[dict[int, Any]] = [{} for _ in range(n)]
    diagonal: list[Any] = [0.0] * n
    for (i, j), value in matrix.items():
        if i < j:
            raise ValueError(f"Entry ({i}, {j}) lies above the diagonal; give the lower triangle (i >= j) alone.")
        if i == j:
            diagonal[i] = value
        elif not is_zero(value):
            rows[i][j] = rows[j][i] = value
    for i, value in (shift or {}).items():
        diagonal[i] = add(diagonal[i], value)
    return diagonal, rows


def symmetric_product(matrix: Matrix, x: Sequence[Any]) -> list[Any]:
    """The product of a symmetric matrix, given by its lower triangle, with a vector."""
    y: list[Any] = [0.0] * len(x)
    for (i, j), value in matrix.items():
        y[i] = add(y[i], mul(value, x[j]))
        if i != j:
            y[j] = add(y[j], mul(value, x[i]))
    return y


def refine(matrix: Matrix, factor: Solver, rhs: Sequence[Any], steps: int = 1) -> list[Any]:
    """Solve with the factor, then improve the solution with residuals of the true matrix (iterative refinement)."""
    x = factor.solve(rhs)
    for _ in range(steps):
        residual = [sub(b, y) for b, y in zip(rhs, symmetric_product(matrix, x), strict=True)]
        x = [add(value, step) for value, step in zip(x, factor.solve(residual), strict=True)]
    return x


def minimum_degree_order(
    pattern: Iterable[tuple[int, int]],
    size: int,
    allowed: Callable[[int, frozenset[int]], bool] | None = None,
) -> list[int]:
    """An elimination order with little fill: always the allowed index with the fewest neighbours left.

    pattern: (i, j) of structurally non-zero entries, either triangle; size: n; allowed: (index, set of indices
    eliminated so far) -> whether the index may be next (a multiplier whose pivot is still zero may not). Raises
    ValueError when nothing is allowed.
    """
    neighbours: list[set[int]] = [set() for _ in range(size)]
    for i, j in pattern:
        if i != j:
            neighbours[i].add(j)
            neighbours[j].add(i)
    left = list(range(size))
    done: frozenset[int] = frozenset()
    order = []
    while left:
        ranked = sorted(left, key=lambda i: (len(neighbours[i]), i))
        best = next((i for i in ranked if allowed is None or allowed(i, done)), None)
        if best is None:
            raise ValueError(f"No index may be eliminated next; {len(left)} are left: {left}.")
        around = neighbours[best]
        for i in around:
            neighbours[i] |= around
            neighbours[i] -= {i, best}
        left.remove(best)
        done |= {best}
        order.append(best)
    return order
