"""The position problem of one mechanism as least squares over its tree coordinates, for many starts at once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from closedchain.model import Drive, Model
from closedchain.model.rows import row_marks, rows_kernel
from closedchain.numerics.least_squares import Solutions, levenberg_marquardt

SOLVED = 1e-11


@dataclass(frozen=True)
class PositionProblem:
    """Close the loops of a model with some coordinates held and, if the drive says so, its point motions followed.

    goal: vector of goals at the instant in question; held: tree rates that may not move.
    """

    model: Model
    drive: Drive
    goal: np.ndarray
    held: frozenset[int] = frozenset()

    @cached_property
    def free(self) -> np.ndarray:
        """Tree rates that may move."""
        return np.array([rate for rate in range(self.model.topology.rates) if rate not in self.held], int)

    @cached_property
    def metric(self) -> np.ndarray:
        """Weight of every free rate: 1 for an angle, 1/size^2 for a length."""
        units = np.array(self.model.tree_units)[self.free] if len(self.free) else np.array([])
        return np.where(units == "rad", 1.0, 1.0 / self.model.size**2)

    @cached_property
    def row_scales(self) -> np.ndarray:
        """Factor that makes every row a fraction of the mechanism's size or an angle."""
        marks = row_marks(self.model, self.drive)
        return np.array([1.0 / self.model.size if mark[2] else 1.0 for mark in marks])

    def rows(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scaled rows (N, m) and their Jacobian over all tree rates (N, m, nv) at coordinates q (N, nq)."""
        kernel, _ = rows_kernel(self.model, self.drive)
        c = kernel.constants(self.model.parameters.values)
        X = np.concatenate([q, np.broadcast_to(self.goal, (len(q), len(self.goal)))], axis=1)
        Y = kernel.batch(np.ascontiguousarray(X.T), c)
        values, _ = kernel.outputs["values"]
        jacobian, _ = kernel.outputs["jacobian"]
        m, n = len(self.row_scales), self.model.topology.rates
        F = Y[values].T * self.row_scales
        J = Y[jacobian].T.reshape(len(q), m, n) * self.row_scales[:, None]
        return F, J

    def evaluate(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows and their Jacobian over the free rates."""
        F, J = self.rows(q)
        return F, J[:, :, self.free]

    def retract(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Coordinates after a step of the free rates, shapes (N, nq), (N, n)."""
        full = np.zeros((len(q), self.model.topology.rates))
        full[:, self.free] = step
        return retract(self.model, q, full)

    def solve(self, q: np.ndarray, most: int = 100) -> Solutions:
        """Closed positions from the starts q (N, nq)."""
        return levenberg_marquardt(self.evaluate, self.retract, np.atleast_2d(q), self.metric, most=most)

    def null_space(self, q: np.ndarray, tolerance: float = 1e-8) -> np.ndarray:
        """Free motions at q (nq,): orthonormal columns over the free rates, shape (n, k)."""
        if len(self.free) == 0:
            return np.zeros((0, 0))
        _, J = self.evaluate(q[None])
        scaled = J[0] / np.sqrt(self.metric)
        _, s, Vt = np.linalg.svd(np.vstack([scaled, np.zeros((1, len(self.free)))]))
        rank = int(np.sum(s > tolerance * max(s[0], 1.0)))
        return Vt[rank:].T


def retract(model: Model, q: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Coordinates after a step of the tree rates: sums, and quaternion products for balls; shapes (N, nq), (N, nv)."""
    moved = q.copy()
    for name, slot in model.topology.slots.items():
        form = model.form(name)
        scalars = [part for part in form.coordinates if not part.startswith("q")]
        count = len(scalars)
        moved[:, slot.coordinate : slot.coordinate + count] += step[:, slot.rate : slot.rate + count]
        if count < len(form.coordinates):
            place = slice(slot.coordinate + count, slot.coordinate + count + 4)
            turn = step[:, slot.rate + count : slot.rate + count + 3]
            moved[:, place] = turned(q[:, place], turn)
    return moved


def turned(quaternion: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Quaternions (N, 4) after rotations by the vectors `turn` (N, 3) about fixed base axes."""
    angle = np.linalg.norm(turn, axis=1)[:, None]
    vector = 0.5 * np.sinc(angle / (2.0 * np.pi)) * turn
    w, v = np.cos(0.5 * angle), quaternion[:, 1:]
    w0 = quaternion[:, :1]
    scalar = w * w0 - np.sum(vector * v, axis=1, keepdims=True)
    product = np.concatenate([scalar, w * v + w0 * vector + np.cross(vector, v)], axis=1)
    return product / np.linalg.norm(product, axis=1, keepdims=True)


__all__ = ["SOLVED", "PositionProblem", "retract", "turned"]
