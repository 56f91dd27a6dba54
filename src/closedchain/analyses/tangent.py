"""Closed configurations, their first-order freedoms, and the configurations near by that the freedoms lead to.

Rates are scaled: an angle counts in rad, a length as a fraction of the mechanism's size; rows likewise. A singular
value of the loop equations J below RANK of the largest one counts as zero: it must exceed what the closure leaves open,
and a pose closed to e at a singular configuration is itself known to sqrt(e) only, to its cube root at a higher one.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from closedchain.analyses.position import SOLVED, PositionProblem
from closedchain.model import Drive, Model
from closedchain.model.rows import row_marks

RANK = 1e-5
NEAR = 0.03
NEARER = 0.1 * NEAR
NEIGHBOURS = 12


@dataclass(frozen=True, eq=False)
class Tangent:
    """The loop equations at one configuration.

    q: tree coordinates (nq,); J: scaled rows over scaled rates (m, nv); values: singular values, largest first;
    N: first-order freedoms, orthonormal columns (nv, k); left: dependencies of the rows, orthonormal columns (m, r).
    """

    q: np.ndarray
    J: np.ndarray
    values: np.ndarray
    N: np.ndarray
    left: np.ndarray

    @property
    def rank(self) -> int:
        """Independent rows."""
        return self.J.shape[1] - self.N.shape[1]

    @property
    def freedoms(self) -> int:
        """First-order freedoms."""
        return self.N.shape[1]


@dataclass(frozen=True, eq=False)
class Configurations:
    """The closed configurations of a model, nothing driven and nothing held."""

    model: Model

    @cached_property
    def problem(self) -> PositionProblem:
        """The position problem."""
        return PositionProblem(self.model, Drive(), np.array([]))

    @cached_property
    def unit(self) -> np.ndarray:
        """What a scaled rate of 1 is: the size for a length, 1 rad for an angle, shape (nv,)."""
        return np.array([1.0 if kind == "rad" else self.model.size for kind in self.model.tree_units])

    @cached_property
    def true_rows(self) -> np.ndarray:
        """Rows that are constraints, not guides."""
        return np.array([k for k, mark in enumerate(row_marks(self.model, Drive())) if not mark[3]], int)

    def jacobians(self, q: np.ndarray) -> np.ndarray:
        """Scaled loop equations at coordinates q (N, nq), shape (N, m, nv)."""
        if not len(self.true_rows) or not len(self.unit):
            return np.zeros((len(q), len(self.true_rows), len(self.unit)))
        return self.problem.rows(q)[1][:, self.true_rows] * self.unit

    def tangents(self, q: np.ndarray) -> list[Tangent]:
        """First-order freedoms at coordinates q (N, nq)."""
        return [split(here, J) for here, J in zip(q, self.jacobians(q), strict=True)]

    def near(self, here: Tangent, away: float, directions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Closed configurations after steps of length `away` along `directions` (nv, k), and how far they are.

        Returns coordinates (k, nq) and scaled displacements (k, nv); a step that did not close is left out.
        """
        here_often = np.repeat(here.q[None], directions.shape[1], axis=0)
        found = self.problem.solve(self.problem.retract(here_often, away * directions.T * self.unit))
        q = found.q[found.residual < SOLVED]
        return q, difference(self.model, here.q, q) / self.unit

    def neighbours(self, here: Tangent, away: float = NEAR, count: int = NEIGHBOURS) -> list[Tangent]:
        """Other closed configurations near by, along random combinations of the first-order freedoms and back."""
        if here.freedoms == 0:
            return []
        draw = np.random.default_rng(7)
        mix = draw.standard_normal((here.freedoms, (count + 1) // 2))
        mix = np.hstack([mix, -mix]) / np.tile(np.linalg.norm(mix, axis=0), 2)
        q, moved = self.near(here, away, here.N @ mix)
        return self.tangents(q[np.linalg.norm(moved, axis=1) > 0.2 * away])

    def movable(self, here: Tangent, away: float = NEARER) -> np.ndarray:
        """The first-order freedoms that really lead away, orthonormal columns (nv, d): each is followed a finite step.

        What comes back to where it started was instantaneous. Meant for a configuration that is not a branching point.
        """
        if here.freedoms == 0 or here.left.shape[1] == 0:
            return here.N
        _, moved = self.near(here, away, here.N)
        U, s, _ = np.linalg.svd(here.N.T @ np.hstack([moved.T, np.zeros((len(self.unit), 1))]) / away)
        return here.N @ U[:, : int(np.sum(s > 0.5))]


def split(q: np.ndarray, J: np.ndarray) -> Tangent:
    """Freedoms and dependencies by singular values."""
    m, n = J.shape
    if m == 0 or n == 0:
        return Tangent(q, J, np.array([]), np.eye(n), np.eye(m))
    U, s, Vt = np.linalg.svd(J)
    rank = int(np.sum(s > RANK * max(s[0], 1.0)))
    return Tangent(q, J, s, Vt[rank:].T, U[:, rank:])


def difference(model: Model, start: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The step of the tree rates that leads from `start` (nq,) to q (N, nq), shape (N, nv)."""
    step = np.zeros((len(q), model.topology.rates))
    for name, slot in model.topology.slots.items():
        form = model.form(name)
        scalars = sum(not part.startswith("q") for part in form.coordinates)
        at = slice(slot.coordinate, slot.coordinate + scalars)
        step[:, slot.rate : slot.rate + scalars] = q[:, at] - start[at]
        if scalars < len(form.coordinates):
            at = slice(slot.coordinate + scalars, slot.coordinate + scalars + 4)
            step[:, slot.rate + scalars : slot.rate + scalars + 3] = turn_between(start[at], q[:, at])
    return step


def turn_between(start: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Rotation vectors about base axes that turn the quaternion `start` (4,) into q (N, 4), shape (N, 3)."""
    w, v = start[0], start[1:]
    scalar = q[:, 0] * w + q[:, 1:] @ v
    vector = q[:, 1:] * w - q[:, :1] * v - np.cross(q[:, 1:], v)
    sine = np.linalg.norm(vector, axis=1)
    half = np.arctan2(sine, np.abs(scalar))
    factor = np.where(sine > 1e-12, 2.0 * half / np.maximum(sine, 1e-300), 2.0)
    return vector * (factor * np.where(scalar < 0.0, -1.0, 1.0))[:, None]
