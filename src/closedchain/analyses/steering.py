"""Steering by hand: coordinates of a closed mechanism are turned to other values along the assembly mode it is in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from closedchain.analyses.assembly import flat_values, limits
from closedchain.analyses.closing import outside_text, polish
from closedchain.analyses.pose import Pose, known_joint, read_pose
from closedchain.analyses.position import SOLVED, PositionProblem
from closedchain.analyses.tangent import difference
from closedchain.description import Mechanism
from closedchain.exceptions import AssemblyError
from closedchain.model import Drive, Model, compile
from closedchain.model.rows import neutral

LONGEST = 0.15
SHORTEST = 1e-5
CLOSED = 5e-13
OFF_TANGENT = 0.35
MOST_STEPS = 2000
ON_LIMIT = 1e-9


@dataclass(frozen=True)
class Obstacle:
    """What a mechanism was stopped by: a joint's limit, or a dead point, where a joint would move infinitely fast.

    joint: the coordinate at its limit, or the joint that is in the way; value: where it would stand, low, high: its
    limits, all [rad, m], None at a dead point; handles: what was turned, with the values reached; unit: "rad" or "m".
    """

    joint: str
    handles: Mapping[str, float]
    unit: str = ""
    value: float | None = None
    low: float = -np.inf
    high: float = np.inf

    def __str__(self) -> str:
        if self.value is not None:
            return outside_text(self.joint, self.value, self.low, self.high)
        at = ", ".join(f"{name} = {value:.6g}" for name, value in self.handles.items()) or "this pose"
        return (
            f"the mechanism stops at {at}: joint {self.joint!r} is in the way (a limit position of this assembly "
            "mode). Turn back, or choose another assembly mode."
        )


@dataclass(frozen=True, eq=False)
class Moved:
    """Where a mechanism came to when it was moved: the pose, and what kept it from going on, if anything did."""

    pose: Pose
    obstacle: Obstacle | None = None


@dataclass(frozen=True, eq=False)
class Steering:
    """A mechanism that is moved by hand, whatever motions its file gives."""

    mechanism: Mechanism

    @cached_property
    def model(self) -> Model:
        """The model in whose tree every joint's coordinates stand."""
        return compile(compile(self.mechanism), keep=self.mechanism.joints)

    @cached_property
    def unit(self) -> np.ndarray:
        """What a scaled rate of 1 is: the size for a length, 1 rad for an angle, shape (nv,)."""
        return np.array([1.0 if kind == "rad" else self.model.size for kind in self.model.tree_units])

    @cached_property
    def limits(self) -> dict[str, tuple[float, float]]:
        """Limits of the file by coordinate label."""
        return limits(self.model)

    def problem(self, held: frozenset[int] = frozenset()) -> PositionProblem:
        """Closing the loops with some rates held."""
        return PositionProblem(self.model, Drive(), np.array([]), held)

    def pose(self, problem: PositionProblem, q: np.ndarray) -> Pose:
        """The pose at coordinates (nq,), its loops closed to rounding."""
        return read_pose(self.model, polish(problem, q).tolist())

    def outside(self, values: Mapping[str, float]) -> Obstacle | None:
        """The coordinate that is furthest beyond its limits, None where all are inside."""
        found, worst = None, ON_LIMIT
        for name, (low, high) in self.limits.items():
            value = float(values.get(name, low))
            if (beyond := max(low - value, value - high)) > worst:
                unit = self.model.tree_units[self.model.tree_rates[name]]
                found, worst = Obstacle(name, {}, unit, value, low, high), beyond
        return found

    def values(self, q: np.ndarray) -> dict[str, float]:
        """Coordinates by label."""
        return {name: float(q[index]) for name, index in self.model.tree_coordinates.items()}

    def labels(self, name: str) -> tuple[str, ...]:
        """Rates that a handle moves: the coordinate's own, or all of a joint."""
        joint = known_joint(self.mechanism, name)
        if name in self.model.tree_rates:
            return (name,)
        return tuple(rate for rate in self.model.tree_rates if rate.rpartition(".")[0] == joint)


def steer(
    steering: Steering, pose: Pose, values: Mapping[str, object], still: Sequence[str] = (),
    stop: Callable[[], bool] = lambda: False, on_way: Callable[[np.ndarray], None] = lambda q: None,
) -> Moved:  # fmt: skip
    """Turn coordinates of an assembled mechanism to other values, by steps that stay on the branch.

    pose: where to start. values: coordinate or joint -> value [rad, m], quaternion or rotation vector of a ball joint.
    still: coordinates or joints that stand still meanwhile, see `standing_still`. stop: asked before every step, ends
    the way.
    on_way: told the closed coordinates (nq,) of the steering's model after every step.

    Euler's predictor along the tangent of the closure and Newton's corrector (Allgower and Georg 1990, ch. 2). Where a
    joint meets its limit or the mechanism a dead point, the way ends there and `obstacle` says so.

    >>> import closedchain as cc
    >>> from closedchain.analyses.steering import Steering, steer
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> moved = steer(Steering(m), cc.assemble(m), {"A": 2.0})
    >>> round(moved.pose["A"], 12), moved.obstacle
    (2.0, None)
    """
    model = steering.model
    q = pose.tree(model)
    wanted = flat_values(model, values)
    clipped = steering.outside(wanted)
    targets = {
        name: min(max(value, low), high)
        for name, value in wanted.items()
        for low, high in [steering.limits.get(name, (-np.inf, np.inf))]
    }
    rates = [label for name in values for label in steering.labels(name)]
    moving = [model.tree_rates[label] for label in rates]
    held = frozenset(moving) | {model.tree_rates[label] for name in still for label in steering.labels(name)}
    problem = steering.problem(held)
    goal = q.copy()
    for name, value in targets.items():
        goal[model.tree_coordinates[name]] = value
    change = np.zeros(len(steering.unit))
    change[moving] = difference(model, q, goal[None])[0][moving]
    done, share = 0.0, 1.0
    for _ in range(MOST_STEPS):
        if done >= 1.0 or not np.any(change) or stop():
            break
        velocity = tangent(steering, problem, q, change)
        length = float(np.abs(velocity / steering.unit).max())
        step = min(share, 1.0 - done, LONGEST / length)
        found = advance(steering, problem, q, step * velocity)
        obstacle = None if found is None else steering.outside(steering.values(found))
        if found is None or obstacle:
            if step * length < SHORTEST:
                found = obstacle or dead_point(steering, q, velocity, list(values))
                return Moved(steering.pose(problem, q), found)
            share = 0.3 * step
            continue
        q, done, share = found, done + step, 3.0 * step
        on_way(q)
        if done > 1.0 - 1e-12:
            q[[model.tree_coordinates[name] for name in targets]] = list(targets.values())
    arrived = done >= 1.0 or not np.any(change)
    return Moved(steering.pose(problem, q), clipped if arrived else None)


def closed_near(steering: Steering, coordinates: Mapping[str, float]) -> Pose:
    """The closed pose nearest to coordinates by label, such as those of one instant of a result with play.

    Raises AssemblyError where the loops do not close near by.
    """
    q = np.array(neutral(steering.model))
    for name, index in steering.model.tree_coordinates.items():
        q[index] = coordinates.get(name, q[index])
    problem = steering.problem()
    solution = problem.solve(q)
    if solution.residual[0] > SOLVED:
        raise AssemblyError("the loops do not close near these coordinates; assemble the mechanism from its guesses.")
    return steering.pose(problem, solution.q[0])


def tangent(steering: Steering, problem: PositionProblem, q: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Rates of the whole tree (nv,) that follow the given ones of the held coordinates with the loops closed."""
    _, J = problem.rows(q[None])
    velocity = change.copy()
    free, unit = problem.free, steering.unit
    if J.size and len(free):
        scaled = J[0] * unit
        velocity[free] = unit[free] * -(np.linalg.pinv(scaled[:, free], rcond=1e-7) @ (scaled @ (change / unit)))
    return velocity


def advance(steering: Steering, problem: PositionProblem, q: np.ndarray, step: np.ndarray) -> np.ndarray | None:
    """Closed coordinates (nq,) after a step of the tree's rates (nv,); None where that is another branch, or none."""
    predicted = steering.problem().retract(q[None], step[None])
    solution = problem.solve(predicted, most=12)
    off = np.abs(difference(steering.model, predicted[0], solution.q) / steering.unit).max(initial=0.0)
    near = OFF_TANGENT * float(np.abs(step / steering.unit).max(initial=0.0)) + 1e-9
    return solution.q[0] if solution.residual[0] < CLOSED and off <= near else None


def dead_point(steering: Steering, q: np.ndarray, velocity: np.ndarray, names: Sequence[str]) -> Obstacle:
    """The limit position at q: the joint in the way is the one that would have to move fastest."""
    model = steering.model
    moved = {label for name in names for label in steering.labels(name)}
    speed = {
        label: abs(velocity[rate]) / steering.unit[rate]
        for label, rate in model.tree_rates.items()
        if label not in moved
    }
    fastest = known_joint(steering.mechanism, max(speed, key=lambda label: speed[label]))
    return Obstacle(fastest, {name: value for name, value in steering.values(q).items() if name in names})


__all__ = ["Moved", "Obstacle", "Steering", "advance", "closed_near", "steer", "tangent"]
