"""What a mechanism is shown as: solids, lines and rails in the axes of the bodies they ride on; their common look."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from closedchain.views.palette import GREY, LINKS
from closedchain.views.scene import GROUND, Plan, scene_at
from closedchain.views.viewer.meshes import Mesh

PAPER = "#f4f4f2"
DARK = "#33373d"
DRIVE = "#111111"


@dataclass(frozen=True, eq=False)
class Shape:
    """A solid on a body: mesh in its axes [m]; role: "link", "joint", "drive" or "ground"; name: what it belongs to."""

    role: str
    name: str
    body: str
    mesh: Mesh
    colour: str


@dataclass(frozen=True, eq=False)
class Line:
    """A line on a body: points in its axes [m] (n, 3)."""

    role: str
    name: str
    body: str
    points: np.ndarray
    colour: str


@dataclass(frozen=True, eq=False)
class Rail:
    """A straight bar along a slide that reaches from its base to wherever the moving side has been.

    body: that carries it, and origin [m] (3,), axes (3, 3) in its axes, the slide along z. half: half its width and
    height [m]; beyond: how far it reaches past both sides [m]; to_base: whether it starts at the base, or only spans
    where the moving side is; round: a rod, else a box.
    """

    name: str
    body: str
    origin: np.ndarray
    axes: np.ndarray
    half: tuple[float, float]
    beyond: float
    to_base: bool
    round: bool
    colour: str


@dataclass(frozen=True, eq=False)
class Look:
    """How large and in which colours a mechanism is drawn.

    planar: flat, seen along z; size: its largest extent [m]; s: size of a symbol [m]; layers: in the plane, body ->
    low and high face along z [m], every body in its own layer as in a real linkage; colours: body -> colour.
    """

    planar: bool
    size: float
    s: float
    layers: Mapping[str, tuple[float, float]]
    colours: Mapping[str, str]

    def layer(self, *bodies: str) -> tuple[float, float]:
        """From the lowest to the highest face of some bodies [m]."""
        return min(self.layers[body][0] for body in bodies), max(self.layers[body][1] for body in bodies)


def make_look(plan: Plan, at: Mapping[str, np.ndarray]) -> Look:
    """The look of a mechanism with its bodies at `at`: transforms to ground axes, (4, 4)."""
    scene = scene_at(plan, at)
    s = (0.016 if plan.planar else 0.02) * scene.size
    drawn = [link.body for link in scene.links]
    order = drawn + [body for body in plan.points if body not in drawn and body != GROUND]
    colours = {GROUND: GREY, **dict(zip(order, cycle(LINKS), strict=False))}
    bodies = [body for body in plan.points if body != GROUND]
    step = min(1.1 * s, 0.16 * scene.size / max(1, len(bodies)))
    layers = {GROUND: (-step, -0.15 * step)}
    layers |= {body: (k * step, (k + 0.85) * step) for k, body in enumerate(bodies)}
    return Look(plan.planar, scene.size, s, layers, colours)
