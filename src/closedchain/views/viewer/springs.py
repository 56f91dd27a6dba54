"""Springs between two points as coils that stretch with them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from closedchain.views.glyphs import across
from closedchain.views.scene import moved

COILS = 9
END = 0.12
INK = (90, 96, 104)


class Spring:
    """One coil; ends: (body, point in its axes [m]) of either side."""

    def __init__(self, stage: Any, name: str, ends: tuple[tuple[str, np.ndarray], tuple[str, np.ndarray]]) -> None:
        self.stage, self.ends = stage, ends
        self.node = stage.server.scene.add_line_segments(
            f"/springs/{name}", self.segments(stage.at), INK, thickness=0.004
        )

    def segments(self, at: Mapping[str, np.ndarray]) -> np.ndarray:
        """The coil on the stage with the bodies at `at`, (n, 2, 3)."""
        a, b = (moved(at[body], point[None])[0] for body, point in self.ends)
        points = self.stage.scaled(coil(a, b, 0.85 * self.stage.look.s) + self.stage.lift)
        return np.stack([points[:-1], points[1:]], axis=1).astype(np.float32)

    def show(self, at: Mapping[str, np.ndarray]) -> None:
        """Stretches the coil to where its ends are."""
        self.node.points = self.segments(at)


def springs_of(m: Any) -> dict[str, tuple[tuple[str, np.ndarray], tuple[str, np.ndarray]]]:
    """Name -> ends of the forces of a mechanism that act between two points."""
    evaluate = m.evaluator()

    def end(side: Any) -> tuple[str, np.ndarray]:
        return side.body, np.array([float(value) for value in side.point.position(evaluate)])

    return {
        name: (end(force.between[0]), end(force.between[1]))
        for name, force in m.forces.items()
        if force.between is not None
    }


def coil(a: np.ndarray, b: np.ndarray, radius: float) -> np.ndarray:
    """A helix from a to b with straight ends [m], (n, 3).

    >>> coil(np.zeros(3), np.array([1.0, 0.0, 0.0]), 0.1)[[0, -1]].tolist()
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    length = float(np.linalg.norm(b - a))
    if length == 0.0:
        return np.stack([a, b])
    axis = (b - a) / length
    u, v = across(axis)
    turn = np.linspace(0.0, 2.0 * np.pi * COILS, 14 * COILS + 1)[:, None]
    along = length * (END + (1.0 - 2.0 * END) * turn / turn[-1])
    helix = a + along * axis + radius * (np.cos(turn) * u + np.sin(turn) * v)
    return np.concatenate([a[None], a[None] + END * length * axis, helix, b[None] - END * length * axis, b[None]])
