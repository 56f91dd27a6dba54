"""Where the pins of another result stand at its last instant, and how they move, so that a run goes on from there."""

from typing import Any

import numpy as np

from closedchain.algorithms.tree import Frame
from closedchain.model import Model
from closedchain.model.loose import TILT
from closedchain.model.model import label
from closedchain.numbers import Mat3, Vec3, quaternion_from_matrix

PLACES, TURNS, SPINS = ("ex", "ey", "ez"), ("qw", "qx", "qy", "qz"), ("wx", "wy", "wz")
# Position, velocity and angular velocity of a frame, and its rotation, ground axes.
Side = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def tells(ds: Any, model: Model) -> bool:
    """Whether a result holds the bodies' motion and the pins."""
    turned = "body_angle" if model.mechanism.planar else "body_rotation"
    return {"eccentricity", "body_position", "body_velocity", "body_angular_velocity", turned} <= set(ds.data_vars)


def sides_of(model: Model, ds: Any) -> dict[str, tuple[Side, Side]]:
    """Base and moving side of every loose joint that the result had loose too."""
    if not tells(ds, model):
        return {}
    last, evaluate = ds.isel(time=-1), model.parameters.evaluator()
    found = {}
    for name in model.topology.loose:
        if name in last.loose_joint.values:
            joint = model.mechanism.joints[name]
            frames = [Frame(*frame) for frame in joint.frames(evaluate)]
            base, moving = (side_motion(model, last, side.body, frame) for side, frame in
                            zip((joint.base, joint.moving), frames, strict=True))  # fmt: skip
            found[name] = base, moving
    return found


def pins_of(model: Model, ds: Any) -> dict[str, tuple[Vec3, Vec3]]:
    """Eccentricity of every pin and its velocity over the bore; none where the result does not tell."""
    found = {}
    for name, sides in sides_of(model, ds).items():
        clearance = model.mechanism.joints[name].clearance
        assert clearance is not None
        inside = clearance.parameters.get("journal") == "base"
        (bore, bore_speed, spin, _), (journal, speed, _, _) = reversed(sides) if inside else sides
        e = np.resize([*ds.isel(time=-1).eccentricity.sel(loose_joint=name).values, 0.0], 3)
        u = speed - bore_speed - np.cross(spin, journal - bore)
        found[name] = Vec3(*e.tolist()), Vec3(*u.tolist())
    return found


def released_state(model: Model, ds: Any) -> tuple[dict[str, float], dict[str, float]]:
    """Coordinates and rates by label that play adds to the tree: displacements, tilts, and balls in place of angles."""
    values: dict[str, float] = {}
    rates: dict[str, float] = {}
    for name, ((p, v, w, R), (p_moving, v_moving, w_moving, R_moving)) in sides_of(model, ds).items():
        r, spin = R.T @ (p_moving - p), R.T @ (w_moving - w)
        swept, turn = R.T @ (v_moving - v - np.cross(w, p_moving - p)), R.T @ R_moving
        quaternion = quaternion_from_matrix(Mat3(*turn.ravel().tolist()))
        angle = np.arctan2(turn[1, 0], turn[0, 0])
        parts = dict(zip((*PLACES, *TURNS, TILT), (*r, *quaternion, angle), strict=True))
        speeds = dict(zip((*PLACES, *SPINS, TILT), (*swept, *spin, spin[2]), strict=True))
        values |= {label(name, part): float(value) for part, value in parts.items()}
        rates |= {label(name, part): float(value) for part, value in speeds.items()}
    return (
        {name: value for name, value in values.items() if name in model.tree_coordinates},
        {name: rate for name, rate in rates.items() if name in model.tree_rates},
    )


def side_motion(model: Model, last: Any, body: str, frame: Frame) -> Side:
    """A frame's motion at an instant of a result."""
    P = np.array([float(value) for value in frame.p])
    own = np.array([[float(value) for value in frame.R.row(k)] for k in range(3)])
    if body == "ground":
        return P, np.zeros(3), np.zeros(3), own
    com = np.array([float(model.parameters.evaluator()(value)) for value in model.mechanism.bodies[body].com])
    here = last.sel(body=body)
    place, velocity = (np.pad(here[name].values, (0, 3 - here[name].size)) for name in
                       ("body_position", "body_velocity"))  # fmt: skip
    if model.mechanism.planar:
        c, s = np.cos(float(here.body_angle)), np.sin(float(here.body_angle))
        R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        w = np.array([0.0, 0.0, float(here.body_angular_velocity)])
    else:
        R, w = here.body_rotation.values, here.body_angular_velocity.values
    arm = R @ (P - np.pad(com, (0, 3 - len(com))))
    return place + arm, velocity + np.cross(w, arm), w, R @ own
