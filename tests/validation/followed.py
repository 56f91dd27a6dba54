"""A mechanism at nine instants of a motion, each assembled anew: its rates by differences (Fornberg 1988)."""

import numpy as np
from scipy.spatial.transform import Rotation

import closedchain as cc

STEP = 4e-3
FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280]) / STEP
SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560]) / STEP**2


class Followed:
    """A mechanism at nine instants of a motion of its driven joints: rates, accelerations, twists by differences."""

    def __init__(self, m, middle, rates, bends):
        self.m, self.poses = m, []
        pose = cc.assemble(m, middle)
        order = [4, 3, 2, 1, 0, 5, 6, 7, 8]
        found = {}
        for k in order:
            t = (k - 4) * STEP
            values = {name: middle[name] + rates[name] * t + 0.5 * bends[name] * t * t for name in middle}
            near = found.get(k + 1 if k < 4 else k - 1, pose)
            found[k] = cc.assemble(m, values, guess=near)
        self.poses = [found[k] for k in range(9)]
        self.pose = self.poses[4]

    def differences(self, values):
        values = np.array(values)
        return np.tensordot(FIRST, values, 1), np.tensordot(SECOND, values, 1)

    def joint(self, name):
        """Rates and accelerations of a joint: of a ball the angular velocity in base-side axes."""
        values = [np.atleast_1d(pose[name]) for pose in self.poses]
        if len(values[0]) < 4:
            return self.differences(values)
        return self.spin([Rotation.from_quat(np.roll(q, -1)).as_matrix() for q in values])

    def spin(self, matrices):
        first, second = self.differences(matrices)
        R = matrices[4]
        W = first @ R.T
        dW = second @ R.T + first @ first.T
        return (np.array([S[2, 1], S[0, 2], S[1, 0]]) for S in (0.5 * (W - W.T), 0.5 * (dW - dW.T)))

    def twist(self, body, point):
        """Velocities and accelerations of a point, angular rows first; planar 3 rows."""
        v, a = self.differences([pose.point(f"{body}.{point}") for pose in self.poses])
        w, e = self.spin([pose.frame(body)[:3, :3] for pose in self.poses])
        rows = [2, 3, 4] if self.m.planar else slice(None)
        return np.concatenate([w, v])[rows], np.concatenate([e, a])[rows]

    def by_label(self, labels):
        """Rates and accelerations by their labels."""
        rates, bends = {}, {}
        everything = cc.compile(self.m).rates
        for joint in {label.split(".")[0] for label in labels}:
            mine = [label for label in everything if label == joint or label.startswith(f"{joint}.")]
            qd, qdd = self.joint(joint)
            rates |= dict(zip(mine, qd, strict=True))
            bends |= dict(zip(mine, qdd, strict=True))
        return np.array([rates[label] for label in labels]), np.array([bends[label] for label in labels])
