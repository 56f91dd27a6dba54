"""Levenberg-Marquardt for many starts at once, with dependent equations and open unknowns.

The damping follows the size of the residual (Yamashita and Fukushima 2001), so convergence stays quadratic where the
Jacobian has no full rank, as in overconstrained loops.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

SMALLEST = 1e-15
ROUNDING = 1e-11

Evaluate = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
Retract = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Solutions:
    """Result per start: unknowns q (N, nq), residual norm (N,)."""

    q: np.ndarray
    residual: np.ndarray


def levenberg_marquardt(
    evaluate: Evaluate,
    retract: Retract,
    q: np.ndarray,
    metric: np.ndarray,
    tolerance: float = 1e-13,
    most: int = 100,
) -> Solutions:
    """Minimise |F| from every start, each with its own damping.

    evaluate: q (N, nq) -> F (N, m), J (N, m, n). retract: q (N, nq), step (N, n) -> q. metric: weight of every unknown,
    shape (n,). tolerance: residual norm that is small enough. most: number of iterations.

    A start stops when its residual is below the tolerance or no longer falls.
    """
    q = q.copy()
    F, J = evaluate(q)
    norm = np.linalg.norm(F, axis=1)
    damping = np.full(len(q), 1e-3)
    stuck = np.zeros(len(q), int)
    n = J.shape[2]
    unit = np.sqrt(metric)
    if n == 0:
        return Solutions(q, norm)
    for _ in range(most):
        active = np.flatnonzero((norm > tolerance) & (stuck < 12))
        if len(active) == 0:
            break
        Fa, Ja = F[active], J[active] / unit
        transposed = Ja.transpose(0, 2, 1)
        A = transposed @ Ja
        g = (transposed @ Fa[:, :, None])[:, :, 0]
        scale = np.maximum(np.einsum("aii->a", A) / n, 1e-30)
        shift = np.maximum(damping[active] * np.minimum(norm[active], 1.0), SMALLEST) * scale
        A[:, range(n), range(n)] += shift[:, None]
        step = -solved(A, g, scale)
        # Far away a step longer than about a radian only throws the mechanism about.
        length = np.abs(step).max(axis=1)
        step *= np.minimum(1.0, 1.0 / np.maximum(length, 1e-300))[:, None] / unit
        trial = retract(q[active], step)
        Ft, Jt = evaluate(trial)
        norm_t = np.linalg.norm(Ft, axis=1)
        better = norm_t < norm[active]
        kept = active[better]
        halved = norm_t[better] < 0.9 * norm[kept]
        stuck[kept] = np.where(halved | (norm_t[better] > 1e-6), 0, stuck[kept] + 1)
        q[kept], F[kept], J[kept], norm[kept] = trial[better], Ft[better], Jt[better], norm_t[better]
        damping[kept] = np.maximum(damping[kept] * 0.2, 1e-12)
        lost = active[~better]
        damping[lost] = np.minimum(damping[lost] * 10.0, 1e8)
        stuck[lost] += 1
    return Solutions(q, norm)


def solved(A: np.ndarray, g: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Solutions of A x = g, shapes (N, n, n), (N, n); a matrix that rounding made singular gets a larger shift."""
    try:
        return np.linalg.solve(A, g[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        diagonal = range(A.shape[1])
        A[:, diagonal, diagonal] += ROUNDING * scale[:, None]
        return np.linalg.solve(A, g[:, :, None])[:, :, 0]
