"""Where random mechanisms take their decisions and their numbers from.

Decisions (how many loops, which joint, which way round) come from hypothesis, which shrinks them to a small mechanism
when a test fails, or from a seed; numbers (lengths, directions, masses) always come from a seed.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


class Draws:
    """decide: n -> an integer from 0 to n - 1; seed: of the numbers."""

    def __init__(self, seed: int, decide: Callable[[int], int] | None = None):
        self.rng = np.random.default_rng(seed)
        self.decide = decide or (lambda n: int(self.rng.integers(n)))

    def choose(self, options: Sequence[T]) -> T:
        """One of the options; the first is the simplest."""
        return options[self.decide(len(options))]

    def one_in(self, n: int) -> bool:
        """True once in n times."""
        return self.decide(n) == n - 1

    def number(self, low: float, high: float) -> float:
        """A number between two others."""
        return float(self.rng.uniform(low, high))

    def vector(self, planar: bool, size: float = 0.5) -> np.ndarray:
        """A place in space, in the plane z = 0 for a planar mechanism; rounded now and then, so that zeros occur."""
        p = self.rng.uniform(-size, size, 3)
        if self.rng.random() < 0.3:
            p = p * (self.rng.random(3) < 0.6)
        return p * [1.0, 1.0, 0.0] if planar else p

    def rotation(self, planar: bool) -> np.ndarray:
        """A rotation: none, one that maps axes on axes, or any."""
        kind = self.rng.integers(4)
        if kind == 0:
            return np.eye(3)
        if planar:
            a = self.rng.uniform(-np.pi, np.pi)
            c, s = (np.cos(a), np.sin(a)) if kind > 1 else [(0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][self.rng.integers(3)]
            return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        if kind == 1:
            R = np.eye(3)[self.rng.permutation(3)] * self.rng.choice([-1.0, 1.0], 3)
        else:
            R = np.linalg.qr(self.rng.normal(size=(3, 3)))[0]
        return R if np.linalg.det(R) > 0.0 else R * [-1.0, 1.0, 1.0]

    def turned_about(self, z: np.ndarray) -> np.ndarray:
        """A rotation whose third column is the unit vector z."""
        helper = np.eye(3)[np.argmin(np.abs(z))]
        x = np.cross(helper, z)
        x /= np.linalg.norm(x)
        a = self.rng.uniform(-np.pi, np.pi)
        x = np.cos(a) * x + np.sin(a) * np.cross(z, x)
        return np.column_stack([x, np.cross(z, x), z])
