"""Closing loops from a guess: solve, try other starts where that fails, then stay as near to the guess as may be."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from closedchain.analyses.pose import read_pose
from closedchain.analyses.position import SOLVED, PositionProblem
from closedchain.analyses.readings import opened_coordinates
from closedchain.analyses.turns import nearest
from closedchain.exceptions import AssemblyError
from closedchain.model.rows import row_marks

STARTS = 96
ATTEMPTS = 3
ASTRAY = 1.0
EXACT = 1e-15
ON_LIMIT = 1e-9
# Step of a scaled freedom below which coordinates are as near as they get.
NEAREST = 1e-10


@dataclass(frozen=True, eq=False)
class Aim:
    """Where a closed configuration is wanted.

    start: tree coordinates (nq,); levels: indices of tree coordinates by how much their start counts, those that were
    asked for first; opened: coordinates of opened joints that were asked for, by label; limits: label -> (low, high).
    """

    start: np.ndarray
    levels: tuple[np.ndarray, ...]
    opened: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def at(self, start: np.ndarray) -> "Aim":
        """The same aim with another start."""
        return replace(self, start=start)


def close(problem: PositionProblem, aim: Aim) -> np.ndarray:
    """Coordinates that close the loops, nearest to the aim; many starts where the first one fails or leads astray.

    Raises AssemblyError with the gap per joint, or the limit that is in the way.
    """
    aim = aim.at(inside(problem, aim))
    first = problem.solve(aim.start)
    q = wrapped(problem, first.q, aim)
    good = (first.residual < SOLVED) & allowed(problem, q, aim)
    if good[0] and not astray(problem, q[0], aim):
        return polish(problem, stay_near(problem, q[0], aim))
    candidates, outside, best = q[good], q[first.residual < SOLVED], (first.residual[0], first.q[0])
    for attempt in range(ATTEMPTS):
        if len(candidates) and attempt:
            break
        found = problem.solve(scattered(problem, aim.start, np.random.default_rng(attempt), attempt))
        q = wrapped(problem, found.q, aim)
        closed = found.residual < SOLVED
        candidates = np.concatenate([candidates, q[closed & allowed(problem, q, aim)]])
        outside = np.concatenate([outside, q[closed]])
        least = int(np.argmin(found.residual))
        best = min(best, (found.residual[least], found.q[least]), key=lambda pair: pair[0])
    if len(candidates):
        away = far(problem, candidates, aim)
        return polish(problem, stay_near(problem, candidates[np.argmin(away)], aim))
    if len(outside):
        nearby = outside[np.argmin(far(problem, outside, aim))]
        raise AssemblyError(beyond_limits(problem, nearby, aim))
    raise AssemblyError(failure(problem, best[1]))


def wrapped(problem: PositionProblem, q: np.ndarray, aim: Aim) -> np.ndarray:
    """The same configurations with angles nearest to the start, as far as limits allow."""
    return nearest(problem.model, q, aim.start, tree_limits(problem, aim))


def tree_limits(problem: PositionProblem, aim: Aim) -> dict[int, tuple[float, float]]:
    """Limits by index of tree coordinate."""
    places = problem.model.tree_coordinates
    return {places[name]: bounds for name, bounds in aim.limits.items() if name in places}


def inside(problem: PositionProblem, aim: Aim) -> np.ndarray:
    """The start with free coordinates moved into their limits."""
    start = aim.start.copy()
    model = problem.model
    for name, (low, high) in aim.limits.items():
        if name in model.tree_coordinates and model.tree_rates[name] not in problem.held:
            index = model.tree_coordinates[name]
            start[index] = min(max(start[index], low), high)
    return start


def allowed(problem: PositionProblem, q: np.ndarray, aim: Aim) -> np.ndarray:
    """Whether configurations respect the limits of joints in the tree and opened ones, shape (N,)."""
    good = np.ones(len(q), bool)
    for index, (low, high) in tree_limits(problem, aim).items():
        good &= (q[:, index] >= low - ON_LIMIT) & (q[:, index] <= high + ON_LIMIT)
    others = {name: pair for name, pair in aim.limits.items() if name not in problem.model.tree_coordinates}
    candidates = np.flatnonzero(good)
    if others and len(candidates):
        values = opened_coordinates(problem.model, q[candidates])
        for name, (low, high) in others.items():
            value = values[name]
            if angular(problem, name):
                value = low - ON_LIMIT + (value - low + ON_LIMIT) % (2.0 * np.pi)
            good[candidates] &= (value >= low - ON_LIMIT) & (value <= high + ON_LIMIT)
    return good


def angular(problem: PositionProblem, name: str) -> bool:
    """Whether a rate is an angle, which whole turns leave as it is."""
    model = problem.model
    units = zip(model.rates, (unit for form in model.forms.values() for unit in form.units), strict=True)
    return dict(units)[name] == "rad"


def astray(problem: PositionProblem, q: np.ndarray, aim: Aim) -> bool:
    """Whether a joint stands far from what was asked for, so that another mode may be nearer."""
    said = np.concatenate(aim.levels[:-1])
    gap = distance(problem, q[None], aim.start)[0, said]
    if len(gap) and float(np.abs(gap).max()) > ASTRAY:
        return True
    return bool(aim.opened) and float(np.abs(opened_gaps(problem, q[None], aim)).max()) > ASTRAY


def opened_gaps(problem: PositionProblem, q: np.ndarray, aim: Aim) -> np.ndarray:
    """Scaled differences of opened coordinates to those asked for, angles to the nearest turn, shape (N, no)."""
    model = problem.model
    if len(q) == 1:
        pose = read_pose(model, q[0].tolist(), aim.opened)
        values = {name: np.array([pose.coordinates[name]]) for name in aim.opened}
    else:
        values = opened_coordinates(model, q)
    gaps = np.zeros((len(q), len(aim.opened)))
    for j, (name, goal) in enumerate(aim.opened.items()):
        gap = values[name] - goal
        turned = (gap + np.pi) % (2.0 * np.pi) - np.pi
        gaps[:, j] = turned if angular(problem, name) else gap / model.size
    return gaps


def scattered(problem: PositionProblem, start: np.ndarray, draw, attempt: int) -> np.ndarray:
    """Starts around a start: angles up to half a turn, lengths up to the size, growing with the attempt."""
    spread = np.linspace(0.1, 1.0 + attempt, STARTS)[:, None]
    size = problem.model.size
    reach = np.array([np.pi if problem.model.tree_units[rate] == "rad" else size for rate in problem.free])
    steps = spread * reach * draw.uniform(-1.0, 1.0, (STARTS, len(problem.free)))
    return problem.retract(np.repeat(start[None], STARTS, axis=0), steps)


def distance(problem: PositionProblem, q: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Scaled differences of the coordinates, lengths over the size, shape (N, nq)."""
    units = problem.model.coordinate_units
    scale = np.array([1.0 if unit == "rad" else 1.0 / problem.model.size for unit in units])
    return (q - start) * scale


def far(problem: PositionProblem, q: np.ndarray, aim: Aim) -> np.ndarray:
    """How far configurations are from the aim, what was asked for counting tenfold from level to level, shape (N,)."""
    gap = distance(problem, q, aim.start)
    total = np.zeros(len(q))
    for depth, level in enumerate(aim.levels):
        total += 0.01**depth * np.sum(gap[:, level] ** 2, axis=1)
    if aim.opened:
        total += np.sum(opened_gaps(problem, q, aim) ** 2, axis=1)
    return total


def stay_near(problem: PositionProblem, q: np.ndarray, aim: Aim) -> np.ndarray:
    """Slide along the freedoms left open until the coordinates are as near to the start as they get, level by level.

    The nearest ones do not depend on what was driven on the way there, so steps go on below what the distance tells,
    as long as they shrink: a start by joints and one by point motions leave a rod's spin at the same angle.
    """
    last = np.inf
    for _ in range(30):
        N = problem.null_space(q)
        if N.shape[1] == 0:
            return q
        basis = N / np.sqrt(problem.metric)[:, None]
        here = distance(problem, q[None], aim.start)[0]
        step = level_step(slopes(problem, q, basis, aim.start), here, aim.levels)
        length = float(np.linalg.norm(step))
        if length < NEAREST:
            return q
        step *= min(1.0, 0.5 / length)
        solution = problem.solve(problem.retract(q[None], (basis @ step)[None]))
        moved = distance(problem, solution.q, aim.start)[0]
        closed = solution.residual[0] < SOLVED and allowed(problem, solution.q, aim)[0]
        change = farther(moved, here, aim.levels) if closed else 1
        if change > 0 or (change == 0 and length > 0.5 * last):
            return q
        q, last = solution.q[0], length
    return q


def slopes(problem: PositionProblem, q: np.ndarray, basis: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Derivatives of the distance to a start along freedoms (n, k), by differences of coordinates, shape (nq, k)."""
    here, eps = np.repeat(q[None], basis.shape[1], axis=0), 1e-5
    ahead, behind = (distance(problem, problem.retract(here, sign * eps * basis.T), start) for sign in (1.0, -1.0))
    return (ahead - behind).T / (2.0 * eps)


def level_step(slope: np.ndarray, here: np.ndarray, levels: tuple[np.ndarray, ...]) -> np.ndarray:
    """The step of the freedoms (k,) that brings the first level to its start as far as possible, then the next ones."""
    free = np.eye(slope.shape[1])
    step = np.zeros(slope.shape[1])
    for level in levels:
        if free.shape[1] == 0 or len(level) == 0:
            continue
        A = slope[level] @ free
        U, s, Vt = np.linalg.svd(A)
        rank = int(np.sum(s > 1e-6))
        aim = -(here[level] + slope[level] @ step)
        step = step + free @ (Vt[:rank].T @ ((U[:, :rank].T @ aim) / s[:rank]))
        free = free @ Vt[rank:].T
    return step


def farther(moved: np.ndarray, here: np.ndarray, levels: tuple[np.ndarray, ...]) -> int:
    """1 where the first level whose distance changes has become farther, -1 where nearer, 0 where none changes."""
    for level in levels:
        before, after = float(np.linalg.norm(here[level])), float(np.linalg.norm(moved[level]))
        if abs(after - before) > 1e-9 * max(before, 1e-3):
            return -1 if after < before else 1
    return 0


def polish(problem: PositionProblem, q: np.ndarray) -> np.ndarray:
    """Newton steps until the rows are closed to rounding; near singular configurations these halve the error only."""
    F, J = problem.evaluate(q[None])
    norm = float(np.linalg.norm(F))
    scale = 1.0 / np.sqrt(problem.metric)
    for _ in range(60):
        if norm < EXACT or J.shape[2] == 0:
            break
        step = -np.linalg.lstsq(J[0] * scale, F[0], rcond=1e-12)[0] * scale
        trial = problem.retract(q[None], step[None])
        F_trial, J_trial = problem.evaluate(trial)
        after = float(np.linalg.norm(F_trial))
        if not after < 0.5 * norm:
            break
        q, F, J, norm = trial[0], F_trial, J_trial, after
    return q


def beyond_limits(problem: PositionProblem, q: np.ndarray, aim: Aim) -> str:
    """Which joint would have to leave its limits."""
    middle = {name: 0.5 * (low + high) for name, (low, high) in aim.limits.items()}
    values = read_pose(problem.model, q.tolist(), middle).coordinates
    for name, (low, high) in aim.limits.items():
        if not low - ON_LIMIT <= values[name] <= high + ON_LIMIT:
            return outside_text(name, values[name], low, high)
    return "the loops close only outside the limits of the joints; widen them or give other values."


def outside_text(name: str, value: float, low: float, high: float) -> str:
    """The sentence about a joint outside its limits."""
    return (
        f"joint {name!r} would have to stand at {value:.6g}, outside its limits {low:.6g} to {high:.6g}; widen them "
        "or give other values."
    )


def failure(problem: PositionProblem, q: np.ndarray) -> str:
    """What is left open, joint by joint, largest gap first."""
    marks = row_marks(problem.model, problem.drive)
    F, _ = problem.rows(q[None])
    gaps: dict[str, list[float]] = {}
    for value, (owner, _, length, _) in zip(F[0], marks, strict=True):
        gap = gaps.setdefault(owner, [0.0, 0.0])
        gap[0 if length else 1] = float(np.hypot(gap[0 if length else 1], value))
    parts = []
    couplings = problem.model.mechanism.couplings
    for owner, (length, angle) in sorted(gaps.items(), key=lambda item: -max(item[1])):
        if max(length, angle) > 1e-9:
            metres = f"{length * problem.model.size:.4g} m" if length > 1e-9 else ""
            turns = f"{np.degrees(min(angle, np.pi)):.4g} deg" if angle > 1e-9 else ""
            if owner in couplings:
                turns = f"{angle:.4g}"
            parts.append(f"{owner} {' and '.join(text for text in (metres, turns) if text)}")
    held = "the given values" if problem.held else "these dimensions"
    return (
        f"the loops cannot be closed with {held}; the nearest attempt leaves open: {', '.join(parts) or 'nothing'}. "
        "Give other values or a guess nearer to the wanted pose, or check the dimensions."
    )


__all__ = ["Aim", "close", "outside_text", "polish", "stay_near"]
