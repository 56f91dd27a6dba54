"""Valleys between assembly modes: curves along which the loops almost close, on which modes lie close together.

Few random starts lead to a narrow valley's modes, and damped methods creep along its curved bottom; but where one mode
is known the others follow. The valley is traced by steps along the direction v_n of the smallest singular value s_n
(of those that are not zero everywhere) of J, each corrected in all other directions,

    q <- q + h v_n,      q <- q - sum_{i<n} v_i (u_i . F) / s_i

and where what is left open, g = u_n . F, changes sign or is least, undamped Newton steps lead to the mode.
"""

import numpy as np

from closedchain.analyses.position import SOLVED, PositionProblem

NARROW = 3e-3
STEP = 0.06
STEPS = 25
LEFT = 0.1
NEWTON = 20


def valley_modes(problem: PositionProblem, q: np.ndarray, idle: int) -> np.ndarray:
    """Closed configurations in the valleys of closed configurations q (N, nq), themselves included, shape (count, nq).

    idle: dimension of the null space that all configurations have. Only configurations whose smallest other singular
    value is below NARROW of the largest one lie in a valley.
    """
    n = len(problem.free) - idle
    if n < 1 or not len(q):
        return q[:0]
    _, s, _, _ = decompose(problem, q, n)
    q = q[s[:, -1] < NARROW * s[:, 0]]
    if not len(q):
        return q
    return newton(problem, crossings(problem, np.concatenate([q, q]), n, np.repeat([1.0, -1.0], len(q))), n)


def crossings(problem: PositionProblem, here: np.ndarray, n: int, way: np.ndarray) -> np.ndarray:
    """Points on the valleys from configurations (N, nq), in the sense `way` (N,), where they may cross a mode."""
    scale = 1.0 / np.sqrt(problem.metric)
    _, _, v, u = decompose(problem, here, n)
    ahead, below = v[:, -1] * way[:, None], u[:, -1]
    gaps, places = [np.zeros(len(here))], [here]
    going = np.ones(len(here), bool)
    for _ in range(STEPS):
        here = problem.retract(here, STEP * ahead * scale)
        for _ in range(3):
            F, s, v, _ = decompose(problem, here, n)
            step = -np.einsum("ai,ain->an", F[:, :-1] / np.maximum(s[:, :-1], 1e-9), v[:, :-1])
            short = np.minimum(1.0, 0.3 / np.maximum(np.linalg.norm(step, axis=1), 1e-12))
            here = problem.retract(here, step * short[:, None] * scale)
        F, s, v, u = decompose(problem, here, n)
        ahead = v[:, -1] * np.where(np.sum(v[:, -1] * ahead, axis=1) < 0.0, -1.0, 1.0)[:, None]
        sense = np.where(np.sum(u[:, -1] * below, axis=1) < 0.0, -1.0, 1.0)
        below = u[:, -1] * sense[:, None]
        going &= (np.linalg.norm(F, axis=1) < LEFT) & (s[:, -1] < 0.1 * s[:, 0])
        gaps.append(np.where(going, F[:, -1] * sense, np.inf))
        places.append(here)
    g, path = np.array(gaps), np.array(places)
    size = np.abs(g)
    inner = size[1:-1]
    least = np.isfinite(inner) & (inner <= size[:-2]) & (inner <= size[2:])
    crossed = np.isfinite(g[2:]) & np.isfinite(g[1:-1]) & (np.sign(g[1:-1]) != np.sign(g[2:]))
    return path[1:-1][least | crossed]


def newton(problem: PositionProblem, q: np.ndarray, n: int) -> np.ndarray:
    """Configurations (N, nq) after undamped Newton steps over the n largest singular values, those that closed."""
    if not len(q):
        return q
    for _ in range(NEWTON):
        F, s, v, _ = decompose(problem, q, n)
        step = -np.einsum("ai,ain->an", F / np.maximum(s, 1e-12), v)
        short = np.minimum(1.0, 0.1 / np.maximum(np.linalg.norm(step, axis=1), 1e-300))
        q = problem.retract(q, step * short[:, None] / np.sqrt(problem.metric))
    F, _ = problem.evaluate(q)
    return q[np.linalg.norm(F, axis=1) < SOLVED]


def decompose(problem: PositionProblem, q: np.ndarray, n: int) -> tuple[np.ndarray, ...]:
    """F along the left singular vectors (N, n), singular values (N, n), right (N, n, nv) and left (N, n, m) vectors."""
    F, J = problem.evaluate(q)
    if J.shape[1] < n:
        missing = n - J.shape[1]
        J = np.concatenate([J, np.zeros((len(J), missing, J.shape[2]))], axis=1)
        F = np.concatenate([F, np.zeros((len(F), missing))], axis=1)
    U, s, V = np.linalg.svd(J / np.sqrt(problem.metric), full_matrices=False)
    U = U[:, :, :n].transpose(0, 2, 1)
    return (U @ F[:, :, None])[:, :, 0], s[:, :n], V[:, :n], U
