"""Inverse dynamics the other way: every body cut free, Newton's and Euler's equations, dense least squares in NumPy.

It shares with the library the description (numbers of the file) and the body motions of `cc.kinematics`; no tree, no
loops, no columns. Each joint wrench on the moving side is a force f and a moment m at the moving side's point; along
every freedom of the joint (twist s, u) the wrench does the power m.s + f.u, which is the effort there.
"""

from typing import NamedTuple

import numpy as np

import closedchain as cc


class Freedom(NamedTuple):
    """Unit twist of a coordinate: angular s, linear u at the moving point; wrench (f, m) that an effort of 1 makes."""

    s: np.ndarray
    u: np.ndarray
    f: np.ndarray
    m: np.ndarray


class Solution(NamedTuple):
    """Efforts (k,), reactions {joint: (f, m)}, flags {joint: (6,)}, and what stays out of balance."""

    efforts: np.ndarray
    reactions: dict[str, np.ndarray]
    determined: dict[str, np.ndarray]
    residual: float


def turning(axis, advance=0.0):
    return Freedom(axis, advance * axis, np.zeros(3), axis)


def sliding(axis):
    return Freedom(np.zeros(3), axis, axis, np.zeros(3))


def freedoms_of(joint, planar, B, M, lead):
    """Freedoms of a joint in the order of its rates; B, M: frames of base and moving side in ground axes."""
    bx, by, bz = B.T
    kinds = {
        "revolute": lambda: [turning(bz)],
        "prismatic": lambda: [sliding(bx if planar else bz)],
        "cylindrical": lambda: [turning(bz), sliding(bz)],
        "helical": lambda: [turning(bz, lead / (2 * np.pi))],
        "universal": lambda: [turning(bz), turning(M[:, 0])],
        "spherical": lambda: [turning(bx), turning(by), turning(bz)],
        "planar": lambda: [sliding(bx), sliding(by), turning(bz)],
        "point-in-slot": lambda: [sliding(bx), turning(bz)],
        "free": lambda: [sliding(bx), sliding(by), sliding(bz), turning(bx), turning(by), turning(bz)],
        "fixed": list,
    }
    return kinds[joint.type]()


class FreeBodies:
    """All bodies of a mechanism at one sample of a kinematics result."""

    def __init__(self, mechanism, ds, sample):
        self.m = mechanism
        self.planar = mechanism.planar
        self.now = ds.isel(time=sample)
        self.evaluate = cc.compile(mechanism).parameters.evaluator(t=float(ds.time[sample]))
        self.bodies = [name for name in mechanism.bodies if name != "ground"]
        self.size = cc.compile(mechanism).size
        self.frames = {"ground": (np.eye(3), np.zeros(3))}
        for name in self.bodies:
            R = self.rotation(name)
            com = self.floats(mechanism.bodies[name].mass_properties(self.evaluate)[1])
            self.frames[name] = (R, self.vector(self.now.body_position.sel(body=name)) - R @ com)

    @staticmethod
    def floats(values):
        return np.array([float(value) for value in values])

    @staticmethod
    def vector(values):
        found = np.zeros(3)
        found[: len(values)] = values
        return found

    def spin(self, name, body):
        values = np.atleast_1d(self.now[name].sel(body=body).values)
        return values if len(values) == 3 else np.array([0.0, 0.0, values[0]])

    def rotation(self, body):
        if not self.planar:
            return self.now.body_rotation.sel(body=body).values
        a = float(self.now.body_angle.sel(body=body))
        return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1.0]])

    def in_ground(self, body, pose):
        """Rotation and place in ground axes of a frame given in a body."""
        R, p = self.frames[body]
        F = np.array([self.floats(pose[0].row(i)) for i in range(3)])
        return R @ F, p + R @ self.floats(pose[1])

    def needed(self, body):
        """Force and moment about the mass centre that the body's motion needs beyond gravity."""
        mass, _, inertia = self.m.bodies[body].mass_properties(self.evaluate)
        R = self.frames[body][0]
        I = R @ np.array([self.floats(inertia.row(i)) for i in range(3)]) @ R.T
        w, e = self.spin("body_angular_velocity", body), self.spin("body_angular_acceleration", body)
        g = self.vector([float(self.evaluate(value)) for value in self.m.gravity or ()])
        force = float(mass) * (self.vector(self.now.body_acceleration.sel(body=body)) - g)
        return np.concatenate([force, I @ e + np.cross(w, I @ w)])

    def balance(self, side, f, m, P, sign):
        """Column of the balance of all bodies for a wrench (f, m) at P on a body."""
        column = np.zeros((len(self.bodies), 6))
        if side != "ground":
            c = self.vector(self.now.body_position.sel(body=side))
            column[self.bodies.index(side)] = sign * np.concatenate([f, m + np.cross(P - c, f)])
        return column.ravel()

    def solve(self, efforts=None, wrenches=()):
        """Efforts of least norm, reactions of least norm (moments over the size), and which numbers are determined.

        efforts: {(joint, rate index): known effort}. wrenches: (body, force, moment, point) applied.
        """
        known = np.concatenate([self.needed(body) for body in self.bodies])
        for body, f, m, P in wrenches:
            known -= self.balance(body, f, m, P, 1.0)
        columns, owners = [], []
        driven = np.zeros((len(known), len(self.m.actuators)))
        for name, joint in self.m.joints.items():
            base, moving = joint.frames(self.evaluate)
            (B, _), (M, P) = self.in_ground(joint.base.body, base), self.in_ground(joint.moving.body, moving)
            lead = float(self.evaluate(joint.parameters["lead"])) if joint.type == "helical" else 0.0
            free = freedoms_of(joint, self.planar, B, M, lead)

            def pair(f, m, joint=joint, P=P):
                return self.balance(joint.moving.body, f, m, P, 1.0) + self.balance(joint.base.body, f, m, P, -1.0)

            for index, freedom in enumerate(free):
                known -= (efforts or {}).get((name, index), 0.0) * pair(freedom.f, freedom.m)
                for k, actuator in enumerate(self.m.actuators.values()):
                    if actuator.joint.joint == name and actuator.joint.index == index:
                        driven[:, k] += pair(freedom.f, freedom.m)
            # Scaled wrenches (f, m/size) that do no work on the freedoms; in the plane only f_x, f_y and m_z.
            twists = [np.concatenate([freedom.u, freedom.s * self.size]) for freedom in free]
            if self.planar:
                twists += list(np.eye(6)[[2, 3, 4]])
            _, s, Vt = np.linalg.svd(np.array(twists).reshape(-1, 6))
            for w in Vt[int(np.sum(s > 1e-9)) :]:
                columns.append(pair(w[:3], w[3:] * self.size))
                owners.append((name, w))
        A = np.array(columns).T
        keep = [k for k in range(6) if not self.planar or k in (0, 1, 5)]
        rows = [6 * b + k for b in range(len(self.bodies)) for k in keep]
        scale = np.tile(np.array([1, 1, 1, 1 / self.size, 1 / self.size, 1 / self.size])[keep], len(self.bodies))[
            :, None
        ]
        A, driven, known = scale * A[rows], scale * driven[rows], scale[:, 0] * known[rows]
        U, s, Vt = np.linalg.svd(A)
        rank = int(np.sum(s > 1e-7 * s[0]))
        left = U[:, rank:]
        tau = np.linalg.lstsq(left.T @ driven, left.T @ known, rcond=1e-9)[0]
        x = Vt[:rank].T @ ((U[:, :rank].T @ (known - driven @ tau)) / s[:rank])
        residual = np.abs(A @ x + driven @ tau - known).max()
        N = Vt[rank:].T
        reactions = {name: np.zeros(6) for name in self.m.joints}
        loose = {name: np.zeros((6, N.shape[1])) for name in self.m.joints}
        for (name, w), value, row in zip(owners, x, N, strict=True):
            reactions[name] += value * w * np.repeat([1.0, self.size], 3)
            loose[name] += np.outer(w, row)
        determined = {name: np.abs(part).max(axis=1, initial=0.0) < 1e-6 for name, part in loose.items()}
        return Solution(tau, reactions, determined, residual)


def numbers(ds, sample, planar):
    """Reactions of all joints as (f, m) rows and their flags, from a result of `cc.inverse_dynamics`."""
    force, moment = ds.reaction_force.values[sample], ds.reaction_moment.values[sample]
    sure = ds.reaction_determined.values[sample], ds.reaction_moment_determined.values[sample]
    if not planar:
        return np.hstack([force, moment]), np.hstack(sure)
    zero, true = np.zeros(len(moment)), np.ones(len(moment), bool)
    found = np.column_stack([force, zero, zero, zero, moment])
    return found, np.column_stack([sure[0], true, true, true, sure[1]])
