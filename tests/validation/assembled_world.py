"""Mechanisms written down in one assembled configuration: where every joint is, in axes of their own.

The whole is turned in space and every body gets an origin and axes of its own, all at random; at the configuration
written down every joint coordinate is zero. Nothing here knows how closedchain works.
"""

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import closedchain as cc


class World:
    """Joints at points and directions of one assembled configuration."""

    def __init__(self, seed: int = 1, turned: bool = True):
        self.draw = np.random.default_rng(seed)
        self.turn, self.shift = self.rotation() if turned else np.eye(3), 0.3 * self.draw.normal(size=3)
        self.frames = {"ground": (np.eye(3), np.zeros(3))}
        self.bodies: dict[str, Any] = {"ground": {"points": {}}}
        self.joints: dict[str, Any] = {}
        self.couplings: dict[str, Any] = {}
        self.outputs: dict[str, Any] = {}
        self.actuators: dict[str, Any] = {}

    def rotation(self):
        return Rotation.from_quat(self.draw.normal(size=4)).as_matrix()

    def body(self, name, massless=False):
        """A body with axes of its own."""
        if name in self.bodies:
            return
        self.frames[name] = self.rotation(), 0.4 * self.draw.normal(size=3)
        mass = (
            {} if massless else {"mass": 1.0, "com": (0.1 * self.draw.normal(size=3)).tolist(), "inertia": [0.02] * 3}
        )
        self.bodies[name] = {"points": {}, **mass}

    def point(self, body, name, at, z=None, x=None):
        """Name a point (with z and x a frame) of a body."""
        self.body(body)
        R, origin = self.frames[body]
        local = (R.T @ (self.turn @ np.asarray(at, float) + self.shift - origin)).tolist()
        if z is not None and x is not None:
            axes = {"z": (R.T @ self.turn @ z).tolist(), "x": (R.T @ self.turn @ x).tolist()}
            local = {"at": local, **axes}
        self.bodies[body]["points"][name] = local

    def joint(self, name, kind, base, moving, at, z=(0, 0, 1), x=None, **more):
        """A joint at a point with its z axis; x (of a universal joint its second axis) at random."""
        z = unit(z)
        x = self.draw.normal(size=3) if x is None else np.asarray(x, float)
        x = unit(x - (x @ z) * z)
        for body in (base, moving):
            self.point(body, name, at, z, x)
        self.joints[name] = {"type": kind, "between": [f"{base}.{name}", f"{moving}.{name}"], **more}

    def output(self, name, body, at):
        self.point(body, name, at)
        self.outputs[name] = {"point": f"{body}.{name}"}

    def drive(self, *coordinates):
        for coordinate in coordinates:
            self.actuators[f"drive_{coordinate.replace('.', '_')}"] = {"joint": coordinate}

    def build(self):
        tables = ("bodies", "joints", "couplings", "outputs", "actuators")
        return cc.Mechanism.from_dict({name: getattr(self, name) for name in tables if getattr(self, name)})


def unit(v):
    """The direction of a vector."""
    v = np.asarray(v, float)
    return v / np.linalg.norm(v)


def across(v, z):
    """A direction square to both."""
    return unit(np.cross(z, v))


def lifted(p):
    """A point of the plane in space."""
    return np.array([p[0], p[1], 0.0])


def around(angle):
    """Directions outwards and along the circle."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c, s, 0.0]), np.array([-s, c, 0.0])
