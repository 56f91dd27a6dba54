"""Parallel projection of space onto a picture; the plane is seen as it is."""

from dataclasses import dataclass

import numpy as np

VIEW = (22.0, -60.0)


@dataclass(frozen=True)
class Projection:
    """How a picture is seen: rows of `axes` (3, 3) are the directions to the right, up, and towards the reader."""

    axes: np.ndarray

    def flat(self, points: np.ndarray) -> np.ndarray:
        """Places in the picture (..., 2) of points (..., 3)."""
        return points @ self.axes[:2].T

    def depth(self, points: np.ndarray) -> float:
        """How near to the reader points (n, 3) are in the mean."""
        return float(np.mean(points @ self.axes[2]))


def projection(planar: bool, view: tuple[float, float] = VIEW) -> Projection:
    """The projection of a planar mechanism, or of space seen from elevation and azimuth [deg].

    >>> projection(False, (90.0, -90.0)).flat(np.array([1.0, 2.0, 3.0])).round(12).tolist()
    [1.0, 2.0]
    """
    if planar:
        return Projection(np.eye(3))
    elevation, azimuth = np.radians(view)
    towards = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    return Projection(np.stack([right, np.cross(towards, right), towards]))
