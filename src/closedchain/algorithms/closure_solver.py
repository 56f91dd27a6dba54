"""Solve the loop equations J x = b for the passive rates, with dependent rows and idle freedoms left as they are.

The smallest x in the metric H is the solution of the KKT system

    [ H   J^T ] [ x   ]   [ 0 ]
    [ J   -eps] [ lam ] = [ b ]

eliminated as sparse L D L^T in a fill-reducing order. eps keeps the pivots of dependent rows away from zero; one step
of refinement with the true matrix (eps = 0) removes its effect (the proximal iteration of Carpentier, Budhiraja and
Mansard 2021, one step). So overconstrained loops need no choice of rows, and a freedom that nothing drives does not
move.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.numbers import Factor, factorize, maximum, minimum, refine

Number = Any
REGULARISATION = 1e-12
# Equations whose pivots all stay large need no refinement, and a shift below rounding only keeps 1 / 0 away.
STEADY_REGULARISATION = 1e-15
STEADY_PIVOT = 1e-3
EARLY_PIVOT = 0.1
DEPENDENT = 1e-9
# Part of the largest row below which a row is rounding: squares of entries.
ROUNDING_ROW = 1e-15
# Squares of entries that are rounding beside entries of one.
VANISHING = 1e-20


@dataclass(frozen=True)
class Pattern:
    """What a kernel needs to know to solve: passive rates, their metric, row scales, elimination order.

    passive: indices of the unknown rates; order: elimination order of passive rates (0 ... n-1) and rows (n ...); rows:
    size of J H^-1 J^T of every row, which scales its regularisation; dependent: rows that depend on the others where
    the pattern was made; metric: weight of each passive rate where H is diagonal; light: passive rates without
    inertia of their own, with the regularisation of each; steady: no pivot is small near the assembled pose, so
    elimination alone is exact to rounding.
    """

    passive: tuple[int, ...]
    order: tuple[int, ...]
    rows: tuple[float, ...]
    dependent: frozenset[int] = frozenset()
    metric: tuple[float, ...] = ()
    light: tuple[tuple[int, float], ...] = ()
    steady: bool = False

    @property
    def shift(self) -> dict[int, float]:
        """What is added to the pivots: -eps of every row, +eps of every rate without inertia."""
        n = len(self.passive)
        eps = STEADY_REGULARISATION if self.steady else REGULARISATION
        rows = {n + row: -eps * value for row, value in enumerate(self.rows)}
        return rows | {index: REGULARISATION * value for index, value in self.light}

    @property
    def refinements(self) -> int:
        """Steps of refinement that accelerations need.

        One leaves them 4e-8 off where rates have no inertia of their own, which integrators take for noise.
        """
        return 2 if self.light else 0 if self.steady else 1


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

    def forces(self, r: Sequence[Number], steps: int = 1) -> list[Number]:
        """Multipliers lam of the rows with J^T lam = r, smallest where rows depend on each other.

        What r asks along freedoms that nothing drives is left out.
        """
        n = len(self.pattern.passive)
        rhs = list(r) + [0.0] * len(self.pattern.rows)
        return refine(self.matrix, self.factor, rhs, steps)[n:]

    def conditioning(self) -> Number:
        """Smallest over largest scaled pivot of the independent rows: tends to zero where the loops lose rank."""
        return row_conditioning(self.pattern, self.factor)


def row_conditioning(pattern: Pattern, factor: Factor) -> Number:
    """Smallest over largest scaled pivot of the independent rows."""
    n = len(pattern.passive)
    pivots = [
        factor.pivots[n + row] * (-1.0 / size) for row, size in enumerate(pattern.rows) if row not in pattern.dependent
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
    return LoopSolver(pattern, matrix, factorize(matrix, pattern.order, pattern.shift))


def elimination_order(
    H: np.ndarray, J: np.ndarray, H_structure: np.ndarray, J_structure: np.ndarray
) -> tuple[list[int], frozenset[int], np.ndarray]:
    """A fill-reducing order of [[H, J^T], [J, 0]] in which a row comes as early as its pivot allows at every sample.

    H: (s, n, n), J: (s, m, n) at several poses, the assembled one first. H_structure (n, n), J_structure (m, n): True
    where an entry can differ from zero.

    A row may be eliminated when its Schur complement has reached EARLY_PIVOT of what all its rates together give; a
    rate without inertia of its own waits for its rows; what is left at the end goes in any order.

    Returns the order, the rows whose pivot vanishes at the assembled pose (they depend on the others there), and for
    every row the size of J H^-1 J^T, shape (m,).
    """
    count, m, n = J.shape
    size = n + m
    A = np.zeros((count, size, size))
    A[:, :n, :n] = H
    A[:, n:, :n] = J
    A[:, :n, n:] = J.transpose(0, 2, 1)
    own = np.einsum("sii->si", H)
    light = own <= 1e-12 * np.maximum(own.max(axis=1, initial=0.0), 1e-300)[:, None]
    weight = np.where(light, typical_inertia(own[~light]), own)
    full = np.einsum("smn,sn->sm", J**2, 1.0 / np.maximum(weight, 1e-300))
    largest = np.max(full, axis=1, initial=0.0)
    # All rows can be rounding alone (a loose pin cut in a planar loop in space): then sizes follow from entries of one.
    ones = np.max((1.0 / np.maximum(weight, 1e-300)) @ J_structure.T, axis=1, initial=0.0)
    floor = 1e-3 * np.where(largest > VANISHING * ones, largest, ones)[:, None]
    linked = np.zeros((size, size), bool)
    linked[:n, :n] = H_structure
    linked[n:, :n] = J_structure
    linked |= linked.T
    np.fill_diagonal(linked, False)
    left = np.ones(size, bool)
    is_row = np.arange(size) >= n
    order: list[int] = []
    dependent: set[int] = set()
    diagonal = np.einsum("sii->si", A)
    # A row that is rounding alone at a pose has no pivot there, however that compares with itself.
    counted = np.maximum(full, ROUNDING_ROW * largest[:, None])
    for _ in range(size):
        ready = left & _ready(diagonal, own, light, counted)
        # A row has its regularisation as pivot at least; a rate without inertia has none before its rows are gone.
        choice = next(some for some in (ready, left & is_row, left) if some.any())
        best = int(np.argmin(np.where(choice, linked.sum(axis=1), size)))
        pivot = A[:, best, best]
        if best >= n and -pivot[0] <= DEPENDENT * max(full[0, best - n], floor[0, 0]):
            dependent.add(best - n)
        sign = 1.0 if best < n else -1.0
        least = REGULARISATION * (weight[:, best] if best < n else np.maximum(full[:, best - n], floor[:, 0]))
        pivot = np.where(np.abs(pivot) > least, pivot, sign * np.maximum(least, 1e-300))
        near = np.flatnonzero(linked[best])
        block = np.ix_(np.arange(count), near, near)
        A[block] -= A[:, near, best][:, :, None] * A[:, best, near][:, None, :] / pivot[:, None, None]
        linked[np.ix_(near, near)] = True
        linked[near, near] = False
        linked[best, :] = linked[:, best] = False
        left[best] = False
        order.append(best)
    sizes = np.maximum(full, floor).mean(axis=0)
    # Rows without any entry still need a pivot.
    return order, frozenset(dependent), np.where(sizes > 0.0, sizes, 1.0)


def is_steady(H: np.ndarray, J: np.ndarray, order: Sequence[int]) -> bool:
    """Whether every pivot of [[H, J^T], [J, 0]], eliminated in this order, is well away from zero at every sample.

    H: (s, n, n), J: (s, m, n). A rate's pivot is compared with its own inertia, a row's with J diag(H)^-1 J^T.
    """
    count, m, n = J.shape
    A = np.zeros((count, n + m, n + m))
    A[:, :n, :n], A[:, n:, :n], A[:, :n, n:] = H, J, J.transpose(0, 2, 1)
    own = np.einsum("sii->si", H)
    if np.any(own <= 0.0):
        return False
    full = np.einsum("smn,sn->sm", J**2, 1.0 / own)
    least = np.concatenate([STEADY_PIVOT * own, STEADY_PIVOT * full], axis=1)
    left = np.ones(n + m, bool)
    for k in order:
        pivot = A[:, k, k] if k < n else -A[:, k, k]
        if np.any(pivot <= least[:, k]):
            return False
        left[k] = False
        near = np.flatnonzero(np.any(A[:, k] != 0.0, axis=0) & left)
        block = np.ix_(np.arange(count), near, near)
        A[block] -= A[:, near, k][:, :, None] * A[:, k, near][:, None, :] / A[:, k, k][:, None, None]
    return True


def typical_inertia(own: np.ndarray) -> float:
    """The median of the inertias that are not zero, 1 where there is none: the scale for rates without inertia."""
    return float(np.median(own)) if own.size else 1.0


def _ready(pivots: np.ndarray, own: np.ndarray, light: np.ndarray, full: np.ndarray) -> np.ndarray:
    """Which indices may be eliminated: their pivots (s, n + m) are well away from zero at every sample."""
    n = own.shape[1]
    rates = np.all(pivots[:, :n] > 1e-6 * own, axis=0) & ~light.any(axis=0)
    rows = np.all(-pivots[:, n:] >= EARLY_PIVOT * full + 1e-300, axis=0)
    return np.concatenate([rates, rows])
