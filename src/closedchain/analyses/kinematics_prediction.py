"""Where a motion will be: fifth-degree curves through closed positions along a path, with their slopes and bends.

Between the positions that the continuation left, more are closed until a curve misses by so little that one Newton step
closes a sample.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.continuation import Follower, Knots, counted, opened_parts
from closedchain.analyses.position import retract
from closedchain.compile import trace
from closedchain.model import Model

if TYPE_CHECKING:
    from closedchain.analyses.kinematics import Path

# Error of a prediction after which one Newton step reaches rounding, and pieces of an interval at most.
PREDICTED_WITHIN = 1e-9
MOST_PIECES = 64
# Residual that counts as closed where a curve is laid through, and samples of an interval that pay for a kernel call.
CLOSED = 1e-11
WORTH_A_CALL = 64


@dataclass(frozen=True)
class Curve:
    """Opened coordinates and tree coordinates over the path parameter.

    s: ends of the intervals, ascending (k,). values: at them, opened coordinates first (k, m). coefficients: of powers
    of u = (s - s_k)/(s_k+1 - s_k) per interval (k-1, 6, m).
    """

    model: Model
    s: np.ndarray
    values: np.ndarray
    coefficients: np.ndarray

    @cached_property
    def kernel(self) -> Any:
        """Kernel of one interval: s -> values."""
        count = self.values.shape[1]
        key = ("prediction", count)
        if key not in self.model.kernels:
            parameters = {"start": 1, "scale": 1, "coefficients": 6 * count}
            self.model.kernels[key] = self.model.make_kernel(trace(power_series, {"s": 1}, parameters))
        return self.model.kernels[key]

    def fill(self, samples: np.ndarray, out: np.ndarray) -> None:
        """Values at ascending samples (n,), written to out (m, n)."""
        if len(self.s) == 1:
            out[:] = self.values[0][:, None]
            return
        inner = self.s[1:-1]
        first, last = (int(np.searchsorted(inner, samples[end], side="right")) for end in (0, -1))
        if len(samples) < WORTH_A_CALL * (last - first + 1):
            self._fill_each(samples, out)
            return
        cuts = [0, *np.searchsorted(samples, inner[first:last], side="left"), len(samples)]
        for k, (start, stop) in enumerate(pairwise(cuts), first):
            if stop > start:
                scale = 1.0 / (self.s[k + 1] - self.s[k])
                parameters = np.concatenate([[self.s[k], scale], self.coefficients[k].ravel()])
                self.kernel.batch(samples[None, start:stop], self.kernel.constants(parameters), out[:, start:stop])

    def _fill_each(self, samples: np.ndarray, out: np.ndarray) -> None:
        k = np.searchsorted(self.s[1:-1], samples, side="right")
        u = ((samples - self.s[k]) / (self.s[k + 1] - self.s[k]))[:, None]
        chosen = self.coefficients[k]
        values = chosen[:, 5]
        for power in range(4, -1, -1):
            values = values * u + chosen[:, power]
        out[:] = values.T


def power_series(s, start, scale, coefficients) -> dict[str, list]:
    """Values of an interval from its coefficients (6, m)."""
    u = (s[0] - start[0]) * scale[0]
    count = len(coefficients) // 6
    values = coefficients[5 * count :]
    for power in range(4, -1, -1):
        values = [a * u + b for a, b in zip(values, coefficients[power * count : (power + 1) * count], strict=True)]
    return {"values": values}


def predicted(follower: Follower, path: "Path", knots: Knots, samples: int) -> Curve:
    """The curve through the knots, refined as far as so many samples are worth it."""
    curve = through(follower, path, knots.s, knots.q, knots.opened[0])
    intervals = len(knots.s) - 1
    room = samples // (8 * max(intervals, 1))
    if intervals == 0 or room < 2:
        return curve
    q, error = closed_along(follower, path, curve, between(path, knots.s, 2))
    if q is None:
        return curve
    # A curve of fifth degree misses by the sixth power of the interval.
    pieces = min(int(np.ceil((error / PREDICTED_WITHIN) ** (1.0 / 6.0))), MOST_PIECES, room)
    if pieces < 2:
        return curve
    s = between(path, knots.s, pieces)
    q, _ = closed_along(follower, path, curve, s)
    return curve if q is None else through(follower, path, s, q, knots.opened[0])


def between(path: "Path", s: np.ndarray, pieces: int) -> np.ndarray:
    """The ends of the intervals with each cut into pieces; of given arrays only samples count."""
    finer = np.append(np.linspace(s[:-1], s[1:], pieces, endpoint=False).T.ravel(), s[-1])
    return finer if path.name == "t" else np.unique(np.concatenate([s[[0, -1]], np.round(finer)]))


def closed_along(follower: Follower, path: "Path", curve: Curve, s: np.ndarray) -> tuple[np.ndarray | None, float]:
    """Tree coordinates closed from the curve at s (k, nq), None where they do not close; the largest miss."""
    opened = curve.values.shape[1] - follower.model.topology.coordinates
    start = np.empty((curve.values.shape[1], len(s)))
    curve.fill(s, start)
    goal = path.goals(s)[0]
    X = np.concatenate([start[opened:], goal])
    close_block(follower, X)
    q = X[: len(start) - opened]
    place = follower.newton.outputs["residual"][0].start
    if not np.all(follower.newton.batch(X, follower.c_newton)[place] < CLOSED):
        return None, np.inf
    return q.T, float(np.max(np.abs(q - start[opened:]) * follower.scale[:, None], initial=0.0))


def close_block(follower: Follower, X: np.ndarray) -> None:
    """Newton steps on a block of samples (coordinates, goals), in place, until the last step was small everywhere."""
    newton = follower.newton
    place, step = newton.outputs["q"][0], newton.outputs["step"][0].start
    for _ in range(4):
        Y = newton.batch(X, follower.c_newton)
        X[place] = Y[place]
        if not Y[step].max(initial=0.0) > 3e-8:
            break


def through(follower: Follower, path: "Path", s: np.ndarray, q: np.ndarray, opened: np.ndarray) -> Curve:
    """The curve through closed positions (k, nq), exact to the second derivative at each.

    opened: opened coordinates at the first one, with their turns.
    """
    model = follower.model
    if len(s) == 1:
        return Curve(model, s, np.concatenate([opened[None], q], axis=1), np.zeros((0, 6, 0)))
    h = np.diff(s)[:, None]
    goal, rate, acceleration = slopes(path, s)
    v, a, read, opened_v, opened_a = follower.motion(q, goal, rate, acceleration)
    slope, bend = coordinate_slopes(model, q, v, a, np.append(h, h[-1:], axis=0))
    slope, bend = (np.concatenate(pair, axis=1) for pair in ((opened_v, slope), (opened_a, bend)))
    p = np.concatenate([with_turns(model, read, opened, opened_v, opened_a, h), q], axis=1)
    step, v0, v1, a0, a1 = np.diff(p, axis=0), slope[:-1] * h, slope[1:] * h, bend[:-1] * h * h, bend[1:] * h * h
    powers = [
        p[:-1],
        v0,
        0.5 * a0,
        10.0 * step - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
        -15.0 * step + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
        6.0 * step - 3.0 * (v0 + v1) - 0.5 * (a0 - a1),
    ]
    coefficients = np.stack(powers, axis=1)
    # Opened quaternions are wanted for their sign alone.
    for start, stop, kind in opened_parts(model):
        if kind == "quaternion":
            coefficients[:, 1, start:stop] = step[:, start:stop]
            coefficients[:, 2:, start:stop] = 0.0
    return Curve(model, s, p, coefficients)


def slopes(path: "Path", s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Goals and their derivatives with respect to the path parameter."""
    if path.name == "t":
        return path.goals(s)
    near = np.clip(np.round(s), 1.0, max(path.count - 2, 1))
    if path.count < 3:
        goal = path.goals(s)[0]
        return goal, np.zeros_like(goal), np.zeros_like(goal)
    before, here, after = (path.goals(near + k)[0] for k in (-1.0, 0.0, 1.0))
    second = after - 2.0 * here + before
    return path.goals(s)[0], 0.5 * (after - before) + second * (s - near), second


def coordinate_slopes(
    model: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray, h: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """First and second derivatives of the tree coordinates (k, nq) for rates and their derivatives (k, nv)."""
    e = 1e-3 * h
    ahead, behind = (retract(model, q, sign * e * v + 0.5 * e * e * a) for sign in (1.0, -1.0))
    return (ahead - behind) / (2.0 * e), (ahead - 2.0 * q + behind) / (e * e)


def with_turns(
    model: Model, read: np.ndarray, first: np.ndarray, v: np.ndarray, a: np.ndarray, h: np.ndarray
) -> np.ndarray:
    """Opened coordinates (k, no) as read at the knots, with the turns that their rates make between these."""
    parts = opened_parts(model)
    ahead = 0.5 * h * (v[:-1] + v[1:]) + h * h / 12.0 * (a[:-1] - a[1:])
    found = [counted(parts, read[0], first)]
    for move, values in zip(ahead, read[1:], strict=True):
        found.append(counted(parts, values, found[-1] + move))
    return np.array(found)
