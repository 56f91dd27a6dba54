"""Inverse kinematics by hand: a point of a closed mechanism is pulled to a place, as near as the mechanism lets it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from closedchain.algorithms.chain import place, placed_link
from closedchain.analyses.pose import Pose, find_point
from closedchain.analyses.position import PositionProblem
from closedchain.analyses.steering import ON_LIMIT, Steering, advance
from closedchain.analyses.tangent import RANK
from closedchain.analyses.twists import twist_map

LONGEST = 0.2
SHORTEST = 1e-9
ASIDE = 0.1
MOST_STEPS = 60


@dataclass(frozen=True, eq=False)
class Pulled:
    """Where a mechanism came to when a point of it was pulled: the pose, and how far the point is from its goal [m]."""

    pose: Pose
    gap: float


def reach(
    steering: Steering, pose: Pose, of: str, target: np.ndarray, stop: Callable[[], bool] = lambda: False
) -> Pulled:
    """Bring a point of an assembled mechanism as near to a place as loops and limits allow, along its assembly mode.

    pose: where to start. of: "body.point" or an output. target: place in ground axes [m], (3,) or planar (2,). stop:
    asked before every step, ends the way.

    Minimises |p(q) - target| over the closed configurations by damped least-squares steps in the null space of the
    closure (Wampler 1986), each closed again by Newton's method; among many answers the nearest one is taken.
    Mechanisms with fewer freedoms than the place has numbers follow as near as they can.

    >>> import closedchain as cc
    >>> from closedchain.analyses.reaching import reach
    >>> from closedchain.analyses.steering import Steering
    >>> m = cc.load("examples/five_bar/mechanism.toml")
    >>> start = cc.assemble(m)
    >>> pulled = reach(Steering(m), start, "P", start.point("P") + [0.01, 0.02])
    >>> bool(pulled.gap < 1e-12)
    True
    """
    goal = np.concatenate([np.asarray(target, dtype=float), np.zeros(3)])[:3]
    problem, q = steering.problem(), pose.tree(steering.model)
    here, slope = place_of(steering, q, of)
    damping, longest = 1e-6, LONGEST
    for _ in range(MOST_STEPS):
        gap = goal - here
        if np.linalg.norm(gap) < 1e-13 * steering.model.size or stop():
            break
        step = pull(steering, problem, q, slope / steering.model.size, gap / steering.model.size, damping)
        length = float(np.abs(step).max(initial=0.0))
        if length < SHORTEST:
            found = aside(steering, problem, q, of, goal)
            if found is None:
                break
            q, (here, slope), damping, longest = found, place_of(steering, found, of), 1e-6, LONGEST
            continue
        step *= min(1.0, longest / length) * room(steering, q, step * min(1.0, longest / length))
        found = advance(steering, problem, q, step * steering.unit)
        there, there_slope = (here, slope) if found is None else place_of(steering, found, of)
        if found is not None and np.linalg.norm(goal - there) < np.linalg.norm(gap):
            q, here, slope = found, there, there_slope
            damping, longest = max(damping / 4.0, 1e-12), min(2.0 * longest, LONGEST)
        else:
            damping, longest = 8.0 * damping, 0.3 * float(np.abs(step).max())
            if longest < SHORTEST:
                break
    closed = steering.pose(problem, q)
    return Pulled(closed, float(np.linalg.norm(goal - place_of(steering, closed.tree(steering.model), of)[0])))


def place_of(steering: Steering, q: np.ndarray, of: str) -> tuple[np.ndarray, np.ndarray]:
    """Place of a point [m], (3,), and its derivative by the scaled rates, (3, nv)."""
    model = steering.model
    at = find_point(model.mechanism, of)
    link = placed_link(place(model.tree(), [float(value) for value in q]), model.topology.link_of[at.body])
    P = link.frame.p + link.frame.R @ at.point.position(model.parameters.evaluator())
    slope = twist_map(link, P, len(steering.unit))[3:] * steering.unit
    if steering.mechanism.planar:
        slope[2] = 0.0
    return np.array([float(value) for value in P]), slope


def pull(
    steering: Steering, problem: PositionProblem, q: np.ndarray, slope: np.ndarray, gap: np.ndarray, damping: float
) -> np.ndarray:
    """The damped least-squares step (nv,) of the scaled rates towards a gap (3,); joints at a limit do not leave it."""
    _, J = problem.rows(q[None])
    rows = J[0] * steering.unit
    for _ in range(len(steering.limits) + 1):
        N = null_space(rows, len(steering.unit))
        A = slope @ N
        step = N @ (A.T @ np.linalg.solve(A @ A.T + damping * np.eye(3), gap))
        pushing = at_limit(steering, q, step)
        if pushing is None:
            break
        rows = np.vstack([rows, np.eye(len(step))[pushing]])
    return step


def null_space(rows: np.ndarray, width: int) -> np.ndarray:
    """Orthonormal basis of what the rows (m, width) leave free, (width, k)."""
    _, s, Vt = np.linalg.svd(np.vstack([rows.reshape(-1, width), np.zeros((1, width))]))
    return Vt[int(np.sum(s > RANK * max(1.0, float(s.max(initial=0.0))))) :].T


def aside(steering: Steering, problem: PositionProblem, q: np.ndarray, of: str, goal: np.ndarray) -> np.ndarray | None:
    """Coordinates (nq,) a finite step away that are nearer to the goal; None where there are none.

    At a dead point of the point's own path no small step helps, although a larger one to either side does.
    """
    here = float(np.linalg.norm(goal - place_of(steering, q, of)[0]))
    best, nearest = None, here - 1e-6 * steering.model.size
    for direction in null_space(problem.rows(q[None])[1][0] * steering.unit, len(steering.unit)).T:
        for way in (-ASIDE, ASIDE):
            found = advance(steering, problem, q, way * direction * steering.unit)
            if found is not None and steering.outside(steering.values(found)) is None:
                gap = float(np.linalg.norm(goal - place_of(steering, found, of)[0]))
                if gap < nearest:
                    best, nearest = found, gap
    return best


def at_limit(steering: Steering, q: np.ndarray, step: np.ndarray) -> int | None:
    """The rate that would leave its limit at once, the fastest first; None where none would."""
    found, fastest = None, SHORTEST
    for name, (low, high) in steering.limits.items():
        value, rate = q[steering.model.tree_coordinates[name]], steering.model.tree_rates[name]
        out = step[rate] if value >= high - ON_LIMIT else -step[rate] if value <= low + ON_LIMIT else 0.0
        if out > fastest:
            found, fastest = rate, float(out)
    return found


def room(steering: Steering, q: np.ndarray, step: np.ndarray) -> float:
    """The share of a step (nv,) that keeps every coordinate inside its limits, to first order."""
    share = 1.0
    for name, (low, high) in steering.limits.items():
        value, rate = q[steering.model.tree_coordinates[name]], steering.model.tree_rates[name]
        move = step[rate] * steering.unit[rate]
        left = high - value if move > 0.0 else low - value
        if abs(move) > abs(left):
            share = min(share, abs(left / move))
    return share


__all__ = ["Pulled", "reach"]
