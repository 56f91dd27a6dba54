"""Freedoms to first order from the twists of all bodies: 6 rates per body, one row per constraint, rank by SVD."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from joint_forms import Pose, freedoms, parts

RANK = 1e-9


class Placed(NamedTuple):
    """A joint at the reference pose: frames in ground axes, coordinates (offsets not added)."""

    name: str
    kind: str
    base: str
    moving: str
    base_frame: Pose
    moving_frame: Pose
    q: np.ndarray
    offset: np.ndarray
    lead: float


class Count:
    """Rates of all bodies (angular, velocity of the body point at the ground's origin) and what joints allow."""

    def __init__(self, planar: bool, bodies: Sequence[str], joints: Sequence[Placed]):
        self.planar, self.bodies = planar, [name for name in bodies if name != "ground"]
        self.keep = np.tile([not planar or k in (2, 3, 4) for k in range(6)], len(self.bodies))
        self.rate_rows: dict[str, np.ndarray] = {}
        rows = []
        for joint in joints:
            relative = self.twist(joint.moving, joint.moving_frame[1]) - self.twist(joint.base, joint.moving_frame[1])
            free = freedoms(joint.kind, joint.base_frame, joint.moving_frame, planar, joint.lead)
            Q = np.linalg.svd(free.T)[0] if len(free) else np.eye(6)
            rows.append(Q[:, len(free) :].T @ relative)
            pinv = np.linalg.pinv(free.T) if len(free) else np.zeros((0, 6))
            for (part, _), row in zip(parts(joint.kind, planar), pinv @ relative):
                self.rate_rows[f"{joint.name}.{part}" if part else joint.name] = row
        self.rows = np.vstack([*rows, np.zeros((0, len(self.keep)))])[:, self.keep]

    def twist(self, body: str, P: np.ndarray) -> np.ndarray:
        """Map from all rates to (angular, velocity of the body's point at P), shape (6, rates)."""
        T = np.zeros((6, 6 * len(self.bodies)))
        if body != "ground":
            k = 6 * self.bodies.index(body)
            T[:, k : k + 6] = np.eye(6)
            T[3:, k : k + 3] = -np.array([[0, -P[2], P[1]], [P[2], 0, -P[0]], [-P[1], P[0], 0]])
        return T

    def rate_row(self, terms: Mapping[str, float]) -> np.ndarray:
        """Row of a linear relation of joint rates."""
        return sum(factor * self.rate_rows[name] for name, factor in terms.items())[None, self.keep]  # type: ignore

    def null_space(self, *more: np.ndarray) -> np.ndarray:
        """Orthonormal motions that all rows allow, shape (rates, freedoms)."""
        A = np.vstack([self.rows, *more])
        if not A.size:
            return np.eye(A.shape[1])
        _, s, Vt = np.linalg.svd(A)
        return Vt[int(np.sum(s > RANK * max(s[0], 1.0))) :].T
