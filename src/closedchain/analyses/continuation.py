"""Follow one assembly mode along given motions, with step control; never jump to another branch."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.algorithms.closure_solver import Pattern
from closedchain.analyses.assembly import limits, too_many
from closedchain.analyses.pose import labels_of
from closedchain.analyses.position import retract
from closedchain.exceptions import AssemblyError
from closedchain.model import Drive, Model
from closedchain.model.motion_kernels import newton_kernel, state_kernel

PREDICTED_WITHIN = 2e-3
ROUNDING = 1e-14
FINEST = 1e-10
# Change of a goal [rad or m] over the finest step that no motion makes which has a rate.
JUMP = 0.1
TURN = 2.0 * np.pi
# Ratio of pivots above which no limit position stops a motion.
FAR_FROM_SINGULAR = 1e-3


@dataclass(frozen=True)
class Knots:
    """Closed positions along a path: path parameter s (k,), tree coordinates q (k, nq), goals (k, ng), opened (k, no).

    opened: coordinates of opened joints, turns counted.
    """

    s: np.ndarray
    q: np.ndarray
    goal: np.ndarray
    opened: np.ndarray


class Where:
    """Where the tree's rates and the opened coordinates stand among the outputs of the state kernel."""

    def __init__(self, model: Model, drive: Drive, kernel) -> None:
        rates = {name: row for row, name in enumerate(model.rates)}
        coordinates = {name: row for row, name in enumerate(model.coordinates)}
        goals = {name: row for row, name in enumerate(drive.coordinates)}
        names = sorted(model.tree_rates, key=lambda name: model.tree_rates[name])
        opened = [name for joint in model.opened for name in labels_of(model, joint)]
        self.given = [(place, goals[name]) for place, name in enumerate(names) if name not in rates]
        self.rows = np.array([rates.get(name, 0) for name in names], int)
        self.opened = np.array([coordinates[name] for name in opened], int)
        # The parts of a quaternion have no rates of their own.
        self.opened_rates = np.array([rates.get(name, 0) for name in opened], int)
        self.steady = np.array([name not in rates for name in opened], bool)
        self.q, self.qd, self.qdd = (kernel.outputs[name][0] for name in ("q", "qd", "qdd"))

    def tree(self, y: np.ndarray, change: np.ndarray, curve: np.ndarray):
        """Tree rates and their derivatives, opened coordinates and theirs, in columns of outputs y (n_outputs, k)."""
        v, a = y[self.qd][self.rows], y[self.qdd][self.rows]
        for place, goal in self.given:
            v[place], a[place] = change[goal], curve[goal]
        opened_v, opened_a = y[self.qd][self.opened_rates], y[self.qdd][self.opened_rates]
        opened_v[self.steady] = opened_a[self.steady] = 0.0
        return v, a, y[self.q][self.opened], opened_v, opened_a


class Follower:
    """Steps of one model along its goals: straight prediction in the goals to second order, Newton correction.

    samples: how many results are wanted along the way, which decides how the kernels are compiled.
    """

    def __init__(self, model: Model, drive: Drive, pattern: Pattern, samples: int = 0) -> None:
        self.model, self.drive = model, drive
        self.newton = newton_kernel(model, drive, pattern).sized(samples)
        self.pattern, self.samples = pattern, samples
        self.state = state_kernel(model, drive, pattern).sized(samples)
        p = model.parameters.values
        self.c_newton, self.c_state = self.newton.constants(p), self.state.constants(p)
        self.where = Where(model, drive, self.state)
        units = model.coordinate_units
        self.scale = np.array([1.0 if unit == "rad" else 1.0 / model.size for unit in units])
        self.bounds = [(name, model.tree_coordinates[name], *bounds) for name, bounds in limits(model).items()
                       if name in model.tree_coordinates]  # fmt: skip

    def close(self, q: np.ndarray, goal: np.ndarray) -> tuple[np.ndarray, float, int]:
        """Closed coordinates from q, the last residual, and the number of Newton steps."""
        place = self.newton.outputs["q"][0]
        residual_at = self.newton.outputs["residual"][0].start
        best, smallest = q, np.inf
        for count in range(12):
            y = self.newton.batch(np.concatenate([q, goal])[:, None], self.c_newton)[:, 0]
            residual = y[residual_at]
            if not np.isfinite(residual):
                break
            if residual < ROUNDING:
                return q, residual, count
            if residual < smallest:
                best, smallest = q, residual
            elif smallest < 1e-11:
                return best, smallest, count
            q = y[place]
        return best, smallest, 12

    def motion(self, q: np.ndarray, goal: np.ndarray, change: np.ndarray, curve: np.ndarray):
        """Rates and second derivatives of the tree (k, nv), opened coordinates (k, no), their rates and second
        derivatives, at closed coordinates (k, nq) for goals and their derivatives (ng, k).
        """
        y = self.state.batch(np.concatenate([q.T, goal, change, curve]), self.c_state)
        return [part.T for part in self.where.tree(y, change, curve)]

    def refined_state(self) -> Any:
        """The state kernel with refined rates; the same one where that refines anyway."""
        return state_kernel(self.model, self.drive, self.pattern, refined=True).sized(self.samples)

    def tangents(self, q: np.ndarray, goal: np.ndarray, change: np.ndarray):
        """Rates and second derivatives of the tree for an even change of the goals, opened coordinates as they are and
        as predicted, conditioning.
        """
        still = np.zeros_like(goal)
        y = self.state.batch(np.concatenate([q, goal, change, still])[:, None], self.c_state)[:, 0]
        v, a, opened, opened_v, opened_a = self.where.tree(y, change, still)
        return v, a, opened, opened + opened_v + 0.5 * opened_a, float(y[self.state.outputs["conditioning"][0].start])

    def step(self, q: np.ndarray, goal: np.ndarray, next_goal: np.ndarray, opened: np.ndarray):
        """Coordinates at the next goals, None where the step is too long; the error of the prediction; and opened
        coordinates as predicted there, from `opened` with its turns.
        """
        v, a, read, ahead, _ = self.tangents(q, goal, next_goal - goal)
        move = v + 0.5 * a
        if not np.all(np.isfinite(move)) or np.abs(move).max(initial=0.0) > 1e6:
            return None, np.inf, opened
        predicted = retract(self.model, q[None], move[None])[0]
        closed, residual, _ = self.close(predicted, next_goal)
        error = float(np.max(np.abs(closed - predicted) * self.scale, initial=0.0))
        if residual > 1e-10:
            return None, np.inf, opened
        return closed, error, opened + (ahead - read)

    def outside(self, q: np.ndarray) -> str:
        """Sentence about a coordinate outside its limits, empty where all are inside."""
        for name, index, low, high in self.bounds:
            if not low - 1e-9 <= q[index] <= high + 1e-9:
                return f"joint {name!r} reaches {q[index]:.6g}, outside its limits {low:.6g} to {high:.6g}"
        return ""


def follow(
    follower: Follower, path: Callable[[float], np.ndarray], q: np.ndarray, start: float, end: float, name: str,
    longest: float = np.inf, opened: np.ndarray | None = None,
) -> Knots:  # fmt: skip
    """Closed positions from `start` to `end` of the path parameter, at knots the step control chooses.

    path: s -> goals. q: tree coordinates at `start`. name: how messages call s ("t", "sample"). longest: largest step
    of s. opened: coordinates of opened joints at `start`, near enough to tell the turn of angles.

    Raises AssemblyError that says how far it came and which joint is in the way.
    """
    goal = path(start)
    q, _, _ = follower.close(q, goal)
    s, step = start, (end - start)
    direction = np.sign(end - start)
    step = direction * min(abs(step), longest, max(abs(step) / 16.0, 1e-300))
    read, parts = follower.tangents(q, goal, np.zeros_like(goal))[2], opened_parts(follower.model)
    opened = read if opened is None else counted(parts, read, opened)
    knots = [(s, q, goal, opened)]
    smallest = FINEST * max(abs(end - start), 1e-300)
    while direction and (end - s) * direction > 0.0:
        target = s + step
        if (target - end) * direction > 0.0 or abs(end - target) < 0.05 * abs(step):
            target = end
        next_goal = path(target)
        halfway = path(0.5 * (s + target))
        bend = float(np.max(np.abs(halfway - 0.5 * (goal + next_goal)), initial=0.0))
        closed, error, near = follower.step(q, goal, next_goal, opened)
        if closed is None or error > PREDICTED_WITHIN or bend > 0.2:
            factor = 0.3 if closed is None or bend > 0.2 else max(0.3, 0.8 * (PREDICTED_WITHIN / error) ** (1.0 / 3.0))
            step = (target - s) * factor
            if abs(step) < smallest:
                raise AssemblyError(stuck(follower, q, goal, next_goal, s, name))
            continue
        blocked = follower.outside(closed)
        if blocked:
            # The limit lies within this step: come nearer, to tell where.
            step = 0.5 * (target - s)
            if abs(step) > max(smallest, 1e-7 * abs(end - s)):
                continue
            raise AssemblyError(
                f"the motion stops at {name} = {s:.6g}: {blocked}. Shorten the motion or widen the limits."
            )
        grow = 0.9 * (PREDICTED_WITHIN / max(error, 1e-12)) ** (1.0 / 3.0)
        step = direction * min(abs(target - s) * min(max(grow, 0.3), 3.0), longest)
        s, q, goal = target, closed, next_goal
        opened = counted(parts, follower.tangents(q, goal, np.zeros_like(goal))[2], near)
        knots.append((s, q, goal, opened))
    return Knots(*(np.array(column) for column in zip(*knots, strict=True)))


def stuck(follower: Follower, q: np.ndarray, goal: np.ndarray, next_goal: np.ndarray, s: float, name: str) -> str:
    """How far the motion came and which joint is in the way: the one that would have to move fastest."""
    model = follower.model
    v, _, _, _, conditioning = follower.tangents(q, goal, next_goal - goal)
    for (label, _), before, after in zip(model.goals(follower.drive), goal, next_goal, strict=False):
        if abs(after - before) > JUMP:
            return (
                f"the motion of {label} jumps at {name} = {s:.9g}, from {before:.6g} to {after:.6g}. Give a motion "
                "without jumps, such as step(t, t0, t1, a, b)."
            )
    goals = [label for label, _ in model.goals(follower.drive)]
    surplus = too_many(model, goals)
    if surplus and conditioning > FAR_FROM_SINGULAR:
        return f"the motions of {', '.join(goals)} contradict each other from {name} = {round(s, 9):.6g} on.{surplus}"
    driven = {model.tree_rates[label] for label in follower.drive.coordinates}
    rates = {label: abs(v[rate]) for label, rate in model.tree_rates.items() if rate not in driven}
    fastest = max(rates, key=lambda label: rates[label], default="")
    pushed = ", ".join(goals) or "nothing"
    return (
        f"the motion stops at {name} = {s:.9g}: the mechanism cannot follow {pushed} any further, "
        f"joint {fastest!r} is in the "
        f"way (a limit position; conditioning {conditioning:.1e}). Shorten the motion or choose another assembly mode."
    )


def counted(parts: list[tuple[int, int, str]], read: np.ndarray, near: np.ndarray) -> np.ndarray:
    """Opened coordinates as read (no,), angles turned and quaternions of the sign to lie next to `near`."""
    result = read.copy()
    for start, stop, kind in parts:
        if kind == "rad":
            result[start] += TURN * np.round((near[start] - read[start]) / TURN)
        elif kind == "quaternion" and near[start:stop] @ read[start:stop] < 0.0:
            result[start:stop] *= -1.0
    return result


def opened_parts(model: Model) -> list[tuple[int, int, str]]:
    """(first column, end, "rad" | "m" | "quaternion") of the coordinates of the opened joints, in cut order."""
    parts = []
    column = 0
    for joint in model.opened:
        form = model.forms[joint]
        units = dict(zip(form.rates, form.units, strict=True))
        for part in form.coordinates:
            if part == "qw":
                parts.append((column, column + 4, "quaternion"))
            elif part in units:
                parts.append((column, column + 1, units[part]))
            column += 1
    return parts
