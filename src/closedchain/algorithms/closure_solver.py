"""Solve the loop equations J x = b for the passive rates, with dependent rows and idle freedoms left as they are.

The smallest x in the metric H is the solution of the KKT system

    [ H   J^T ] [ x   ]   [ 0 ]
    [ J   -eps] [ lam ] = [ b ]

eliminated as sparse L D L^T in a fill-reducing order. eps keeps the pivots of dependent rows away from zero; one step of
refinement with the true matrix (eps = 0) removes its effect (the proximal iteration of Carpentier, Budhiraja and Mansard
2021, one step). So overconstrained loops need no choice of rows, and a freedom that nothing drives does not move.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.numbers import Factor, factorize, maximum, minimum, refine

Number = Any
REGULARISATION = 1e-12
EARLY_PIVOT = 0.1
DEPENDENT = 1e-9


@dataclass(frozen=True)
class Pattern:
    """What a kernel needs to know to solve: passive rates, their metric, row scales, elimination order.

    passive: indices of the unknown rates; metric: weight of each; scales: unit of each row (size for a length, 1 for an
    angle); order: elimination order of passive rates (0 ... n-1) and rows (n ...); dependent: rows that depend on the
    others where the pattern was made.
    """

    passive: tuple[int, ...]
    metric: tuple[float, ...]
    scales: tuple[float, ...]
    order: tuple[int, ...]
    dependent: frozenset[int] = frozenset()


@dataclass(frozen=True)
class LoopSolver:
    """The factored loop equations at one configuration."""

    pattern: Pattern
    matrix: dict[tuple[int, int], Number]
    factor: Factor

    def solve(self, b: Sequence[Number], steps: int = 1) -> list[Number]:
        """Passive rates x with J x = b, smallest in the metric; `steps` of refinement."""
        n = len(self.pattern.passive)
        rhs = [0.0] * n + list(b)
        return refine(self.matrix, self.factor, rhs, steps)[:n]

    def conditioning(self) -> Number:
        """Smallest over largest scaled pivot of the independent rows: tends to zero where the loops lose rank."""
        n, scales = len(self.pattern.passive), self.pattern.scales
        pivots = [
            self.factor.pivots[n + row] * (-1.0 / scale**2)
            for row, scale in enumerate(scales)
            if row not in self.pattern.dependent
        ]
        if not pivots:
            return 1.0
        low = high = pivots[0]
        for pivot in pivots[1:]:
            low, high = minimum(low, pivot), maximum(high, pivot)
        return low / high


def factor_loops(jacobian: Sequence[dict[int, Number]], pattern: Pattern) -> LoopSolver:
    """Factor the loop equations.

    jacobian: one dict {rate: entry} per row; entries of rates that are not passive are left out.
    """
    n = len(pattern.passive)
    place = {rate: index for index, rate in enumerate(pattern.passive)}
    matrix: dict[tuple[int, int], Number] = {(i, i): pattern.metric[i] for i in range(n)}
    for row, entries in enumerate(jacobian):
        for rate, value in entries.items():
            if rate in place:
                matrix[(n + row, place[rate])] = value
    shift = {n + row: -REGULARISATION * scale**2 for row, scale in enumerate(pattern.scales)}
    return LoopSolver(pattern, matrix, factorize(matrix, pattern.order, shift))


def elimination_order(
    samples: np.ndarray, structure: np.ndarray, metric: np.ndarray, scales: np.ndarray
) -> tuple[list[int], frozenset[int]]:
    """A fill-reducing order in which a row comes as early as its pivot allows at every sampled pose.

    samples: Jacobians at several poses, shape (s, m, n); structure: True where an entry can differ from zero, (m, n).
    A row may be eliminated when its Schur complement has reached EARLY_PIVOT of what all its rates together give, or when
    nothing else is left. Also returns the rows whose pivot vanishes at the first sample, the assembled pose: these depend
    on the others there.
    """
    count, m, n = samples.shape
    size = n + m
    A = np.zeros((count, size, size))
    A[:, range(n), range(n)] = metric
    A[:, n:, :n] = samples
    A[:, :n, n:] = samples.transpose(0, 2, 1)
    full = np.einsum("smn,n->sm", samples**2, 1.0 / metric)
    linked = np.zeros((size, size), bool)
    linked[n:, :n] = structure
    linked |= linked.T
    left = set(range(size))
    order: list[int] = []
    dependent: set[int] = set()
    while left:
        ready = [i for i in left if i < n or np.all(-A[:, i, i] >= EARLY_PIVOT * full[:, i - n] + 1e-300)]
        best = min(ready or left, key=lambda i: (int(linked[i].sum()), i))
        pivot = A[:, best, best]
        if best >= n and -pivot[0] <= DEPENDENT * max(full[0, best - n], 1e-3 * scales[best - n] ** 2):
            dependent.add(best - n)
        shift = REGULARISATION * (scales[best - n] ** 2 if best >= n else 0.0)
        pivot = np.where(np.abs(pivot) > shift, pivot, -shift if shift else 1.0)
        near = np.flatnonzero(linked[best])
        A[np.ix_(range(count), near, near)] -= (
            A[:, near, best][:, :, None] * A[:, best, near][:, None, :] / pivot[:, None, None]
        )
        linked[np.ix_(near, near)] = True
        linked[near, near] = False
        linked[best, :] = linked[:, best] = False
        left.remove(best)
        order.append(best)
    return order, frozenset(dependent)
