"""Position, velocity and acceleration of any point of a body, from a result that is already there."""

from typing import TYPE_CHECKING

import numpy as np

from closedchain.analyses.pose import find_point
from closedchain.description import loads
from closedchain.exceptions import MechanismError
from closedchain.results import dataset

if TYPE_CHECKING:
    import xarray as xr

NEEDED = (
    "body_position",
    "body_velocity",
    "body_acceleration",
    "body_angular_velocity",
    "body_angular_acceleration",
)


def point(ds: "xr.Dataset", of: str) -> "xr.Dataset":
    """Motion of any point of a body along a result.

    ds: result of kinematics or simulate; of: the point "body.point", or an output.

    With r from the mass centre to the point: p = c + r, v = v_c + w x r, a = a_c + e x r + w x (w x r). Returns
    position, velocity and acceleration over (time, point, axis) in ground axes [m, m/s, m/s^2].

    Raises MechanismError for a point that does not exist or a result without the bodies' motion.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {}, "wheel": {"points": {"P": [0.1, 0.0]}}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "wheel.origin"]}},
    ...     "actuators": {"motor": {"joint": "A", "motion": "2*t"}},
    ... })
    >>> cc.point(cc.kinematics(m, [0.0]), "wheel.P").velocity.values.ravel().tolist()
    [0.0, 0.2]
    """
    missing = [name for name in NEEDED if name not in ds]
    if missing:
        raise MechanismError(f"the result has no {', '.join(missing)}; give a result of kinematics or simulate.")
    mechanism = loads(ds.attrs["mechanism"])
    at = find_point(mechanism, of)
    if at.body == "ground":
        raise MechanismError(f"{of!r} is a point of the fixed body; it does not move.")
    evaluate = mechanism.evaluator()
    arm = np.array([*at.point.position(evaluate)]) - np.array([*mechanism.bodies[at.body].mass_properties(evaluate)[1]])
    body = ds.sel(body=at.body)
    planar = mechanism.planar
    R = planar_rotation(body.body_angle.values) if planar else body.body_rotation.values
    r = R @ arm
    w, e = (spatial(body[name].values, planar) for name in NEEDED[3:])
    turn = np.cross(w, r)
    swing = np.cross(e, r) + np.cross(w, turn)
    axes = 2 if planar else 3
    parts = (
        ("position", "body_position", r),
        ("velocity", "body_velocity", turn),
        ("acceleration", "body_acceleration", swing),
    )
    variables = {name: (body[source].values + part[..., :axes])[..., None, :] for name, source, part in parts}
    return dataset(
        variables,
        {"time": ds.time.values, "point": [of], "axis": list(ds.axis.values)},
        analysis="point",
        mechanism=ds.attrs["mechanism"],
        settings={"of": of},
    )


def planar_rotation(angle: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) about z by the angles (n,)."""
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack([c, -s, zero, s, c, zero, zero, zero, one], axis=-1).reshape(*angle.shape, 3, 3)


def spatial(values: np.ndarray, planar: bool) -> np.ndarray:
    """An angular quantity as a vector (n, 3); in the plane it is given about z."""
    if not planar:
        return values
    zero = np.zeros_like(values)
    return np.stack([zero, zero, values], axis=-1)
