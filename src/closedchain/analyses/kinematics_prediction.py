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
PREDICTED_WITHIN = 1e-8
MOST_PIECES = 64
# Residual that counts as closed where a curve is laid through, and samples of an interval that pay for a kernel call.
CLOSED = 1e-11
WORTH_A_CALL = 64
# Distance of two quaternions below which the motion between them strays little from the straight line.
NEARBY = 0.3


@dataclass(frozen=True)
class Curve:
    """Angles of opened joints and tree coordinates over the path parameter.

    s: ends of the intervals, ascending (k,). values: at them, opened angles first, with their turns (k, m).
    coefficients: of powers of u = (s - s_k)/(s_k+1 - s_k) per interval (k-1, 6, m). quaternions: of opened joints at
    the ends, each of the sign next to the one before (k, number, 4).
    """

    model: Model
    s: np.ndarray
    values: np.ndarray
    coefficients: np.ndarray
    quaternions: np.ndarray

    @property
    def angles(self) -> int:
        """Number of opened angles."""
        return self.values.shape[1] - self.model.topology.coordinates

    @cached_property
    def signs(self) -> np.ndarray:
        """Sign of every opened quaternion in an interval against the one with w >= 0; 0 where it may change (k-1,
        number).
        """
        ahead, behind = self.quaternions[1:], self.quaternions[:-1]
        apart = np.linalg.norm(ahead - behind, axis=2)
        w = np.where(np.abs(ahead[..., 0]) < np.abs(behind[..., 0]), ahead[..., 0], behind[..., 0])
        return np.where((apart < NEARBY) & (np.abs(w) > 2.0 * apart), np.sign(w), 0.0)

    @cached_property
    def kernel(self) -> Any:
        """Kernel of one interval: s -> values."""
        count = self.values.shape[1]
        key = ("prediction", count)
        if key not in self.model.kernels:
            parameters = {"start": 1, "scale": 1, "coefficients": 6 * count}
            self.model.kernels[key] = self.model.make_kernel(trace(power_series, {"s": 1}, parameters))
        return self.model.kernels[key]

    @cached_property
    def constants(self) -> np.ndarray:
        """Constants of the kernel for every interval (k-1, n)."""
        rows = [self.s[:-1], 1.0 / np.diff(self.s), *self.coefficients.reshape(len(self.s) - 1, -1).T]
        return np.ascontiguousarray(self.kernel.constants(np.array(rows)).T)

    def fill(self, samples: np.ndarray, out: np.ndarray) -> None:
        """Values at ascending samples (n,), written to out (m, n)."""
        if len(self.s) == 1:
            out[:] = self.values[0][:, None]
            return
        inner = self.s[1:-1]
        first, last = np.searchsorted(inner, samples[[0, -1]], side="right")
        if len(samples) < WORTH_A_CALL * (last - first + 1):
            self._fill_each(samples, out)
            return
        cuts = [0, *np.searchsorted(samples, inner[first:last], side="left"), len(samples)]
        for k, (start, stop) in enumerate(pairwise(cuts), first):
            if stop > start:
                self.kernel.batch(samples[None, start:stop], self.constants[k], out[:, start:stop])

    def quaternion(self, part: int, samples: np.ndarray) -> np.ndarray:
        """An opened quaternion at ascending samples, straight between the ends: good for its sign (4, n)."""
        if len(self.s) == 1:
            return np.repeat(self.quaternions[0, part][:, None], len(samples), axis=1)
        k = np.searchsorted(self.s[1:-1], samples, side="right")
        u = (samples - self.s[k]) / (self.s[k + 1] - self.s[k])
        p = self.quaternions[:, part].T
        return p[:, k] + u * (p[:, k + 1] - p[:, k])

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
    start, opened = np.empty((curve.values.shape[1], len(s))), curve.angles
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
        angles, quaternions = parted(model, opened[None])
        return Curve(model, s, np.concatenate([angles, q], axis=1), np.zeros((0, 6, 0)), quaternions)
    h = np.diff(s)[:, None]
    goal, rate, acceleration = slopes(path, s)
    v, a, read, opened_v, opened_a = follower.motion(q, goal, rate, acceleration)
    slope, bend = coordinate_slopes(model, q, v, a, np.append(h, h[-1:], axis=0))
    angles, quaternions = parted(model, with_turns(model, read, opened, opened_v, opened_a, h))
    p = np.concatenate([angles, q], axis=1)
    slope = np.concatenate([parted(model, opened_v)[0], slope], axis=1)
    bend = np.concatenate([parted(model, opened_a)[0], bend], axis=1)
    step, v0, v1, a0, a1 = np.diff(p, axis=0), slope[:-1] * h, slope[1:] * h, bend[:-1] * h * h, bend[1:] * h * h
    powers = [
        p[:-1],
        v0,
        0.5 * a0,
        10.0 * step - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
        -15.0 * step + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
        6.0 * step - 3.0 * (v0 + v1) - 0.5 * (a0 - a1),
    ]
    return Curve(model, s, p, np.stack(powers, axis=1), quaternions)


def parted(model: Model, opened: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angles (k, number) and quaternions (k, number, 4) among opened coordinates (k, no)."""
    parts = opened_parts(model)
    angles = [start for start, _, kind in parts if kind == "rad"]
    quaternions = [opened[:, start:stop] for start, stop, kind in parts if kind == "quaternion"]
    return opened[:, angles], np.array(quaternions).reshape(-1, len(opened), 4).transpose(1, 0, 2)


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
