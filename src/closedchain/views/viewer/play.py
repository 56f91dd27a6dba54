"""Joints with play as one sees them under a glass: the bore as a ring, the pin inside it with its way enlarged."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.elements.joints import Rotation
from closedchain.views.palette import FORCE
from closedchain.views.scene import PlannedJoint
from closedchain.views.viewer.meshes import cylinder, sphere, tube
from closedchain.views.viewer.shapes import DARK, PAPER
from closedchain.views.viewer.stage import ROOT, Stage, colour

BORE, WALL, PIN = 0.95, 0.3, 0.5


@dataclass(frozen=True, eq=False)
class PlayedJoint:
    """A loose joint: side of the bore (0 base, 1 moving), radial clearance [m], axis of the pin, None for a ball."""

    joint: PlannedJoint
    bore: int
    radial: float
    axis: int | None


def played_joints(m: Any, joints: tuple[PlannedJoint, ...]) -> Iterator[PlayedJoint]:
    """The loose joints of a mechanism whose play is that of a pin in a bore, or of a ball in a socket."""
    evaluate = m.evaluator()
    for joint in joints:
        clearance = m.joints[joint.name].clearance
        if clearance is None or "radial" not in clearance.parameters:
            continue
        radial = float(evaluate(clearance.parameters["radial"]))
        axis = next((step.axis for step in joint.steps if isinstance(step, Rotation)), None)
        if radial > 0.0:
            yield PlayedJoint(joint, 1 if clearance.parameters.get("journal") == "base" else 0, radial, axis)


class Play:
    """Draws one loose joint: its pin moves by the eccentricity, enlarged so that it meets the ring when it touches."""

    def __init__(self, stage: Stage, number: int, played: PlayedJoint) -> None:
        self.stage, self.played = stage, played
        joint, s = played.joint, stage.look.s
        self.body = joint.bodies[played.bore]
        frame = joint.frames[played.bore]
        self.centre = frame[:3, 3]
        if played.axis is None:
            bore, pin, clear = sphere(self.centre, (BORE + WALL) * s), sphere(np.zeros(3), PIN * s), 0.3
        else:
            axis = frame[:3, played.axis]
            low, high = -1.3 * s, 1.3 * s
            if stage.look.planar:
                low, high = stage.look.layer(*joint.bodies)
            low, high = low - 0.1 * s, high + 0.2 * s
            bore = tube(self.centre + low * axis, self.centre + high * axis, BORE * s, (BORE + WALL) * s)
            pin, clear = cylinder((low - 0.2 * s) * axis, (high + 0.2 * s) * axis, PIN * s), None
        self.ring = stage.mesh(f"{ROOT}/{self.body}/bore{number}", bore, DARK, opacity=clear)
        self.pin = stage.mesh(f"{ROOT}/{self.body}/journal{number}", pin, PAPER, position=stage.scaled(self.centre))
        self.enlarged = (BORE - PIN) * s / played.radial

    def show(self, eccentricity: np.ndarray | None, touching: bool = False) -> None:
        """Moves the pin to an eccentricity in ground axes [m] (3,), the centre by default; red while it touches."""
        turn = self.stage.at[self.body][:3, :3]
        off = np.zeros(3) if eccentricity is None else turn.T @ eccentricity
        length = float(np.linalg.norm(off))
        if length > 1.05 * self.played.radial:  # a contact's penetration would be enlarged out of the ring
            off *= 1.05 * self.played.radial / length
        self.pin.position = self.stage.scaled(self.centre + self.enlarged * off)
        self.pin.color = colour(FORCE if touching else PAPER)


def make_plays(stage: Stage, m: Any) -> dict[str, Play]:
    """Every loose joint of a mechanism by name."""
    return {
        played.joint.name: Play(stage, number, played)
        for number, played in enumerate(played_joints(m, stage.plan.joints))
    }
