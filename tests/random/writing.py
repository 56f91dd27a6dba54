"""How random mechanisms are written down: frames or axes, units, expressions, inertia, chains."""

from typing import Any

import numpy as np
from counting import Placed
from draws import Draws
from joint_forms import Pose, compose, inverse, parts, smallest_turn, transform, turn

AXIAL = ("revolute", "cylindrical", "planar", "helical")


def written(draws: Draws, value: float, unit: str) -> Any:
    """A number as a literal, a quantity or an expression."""
    kind = draws.rng.integers(8)
    if value == 0.0 or kind > 2:
        return value
    if kind == 0:
        return f"{value * 1e3!r} mm" if unit == "m" else f"{float(np.degrees(value))!r} deg"
    if kind == 1:
        return f"one*{value!r}"
    return f"{2.0 * value!r}*half"


def exact(values: np.ndarray) -> list[float]:
    """Numbers with rounding next to 0 and ±1 taken away."""
    near = np.where(np.abs(values - np.round(values)) < 1e-15, np.round(values), values) + 0.0
    return near.tolist()


def joint_table(
    draws: Draws, planar: bool, joint: Placed, local: list[Pose], bodies: dict[str, Any], poses: dict[str, Pose]
) -> tuple[Placed, dict[str, Any]]:
    """The joint's table and its points on both bodies; by axes alone the coordinates follow from the library's rule."""
    table: dict[str, Any] = {
        "type": joint.kind,
        "between": [f"{joint.base}.{joint.name}", f"{joint.moving}.{joint.name}"],
    }
    if not planar and joint.kind in AXIAL and draws.rng.random() < 0.4:
        joint, local, axes = by_axes(joint, local, poses)
        table["axis"] = axes[0] if axes[0] == axes[1] else axes
        points: list[Any] = [[written(draws, x, "m") for x in exact(frame[1])] for frame in local]
    elif planar and joint.kind in ("prismatic", "point-in-slot") and draws.rng.random() < 0.5:
        axes = [exact(frame[0][:2, 0]) for frame in local]
        table["axis"] = axes[0] if axes[0] == axes[1] else axes
        points = [[written(draws, x, "m") for x in exact(frame[1])[:2]] for frame in local]
    else:
        points = [frame_table(draws, planar, frame) for frame in local]
    for body, point in zip((joint.base, joint.moving), points, strict=True):
        bodies.setdefault(body, {}).setdefault("points", {})[joint.name] = point
    if joint.kind == "helical":
        table["lead"] = written(draws, joint.lead, "m")
    units = [unit for _, unit in parts(joint.kind, planar)]
    if joint.offset.any():
        offset = [written(draws, x, unit) for x, unit in zip(joint.offset.tolist(), units)]
        table["offset"] = offset[0] if len(offset) == 1 else offset
    values = joint.q + joint.offset
    if len(units) and (values.any() or draws.rng.random() < 0.5):
        near = values + draws.rng.uniform(-0.02, 0.02, len(values)) * draws.rng.choice([0.0, 1.0])
        guess = [written(draws, x, unit) for x, unit in zip(near.tolist(), units)]
        if joint.kind == "spherical" and draws.rng.random() < 0.5:
            half = 0.5 * np.linalg.norm(near)
            guess = [float(np.cos(half)), *(0.5 * np.sinc(half / np.pi) * near).tolist()]
        table["guess"] = guess[0] if len(guess) == 1 else guess
    if len(units) == 1 and draws.rng.random() < 0.2:
        table["limits"] = [float(values[0]) - 2.0, float(values[0]) + 2.0]
    if draws.one_in(6):
        table["cut"] = True
    return joint, table


def by_axes(joint: Placed, local: list[Pose], poses: dict[str, Pose]) -> tuple[Placed, list[Pose], list[list[float]]]:
    """The same joint with frames whose x follows from z: the smallest rotation from the body's z."""
    axes = [exact(frame[0][:, 2]) for frame in local]
    turned = [(smallest_turn(np.array(axis)), frame[1]) for axis, frame in zip(axes, local)]
    base = compose(poses[joint.base], turned[0])
    R = base[0].T @ poses[joint.moving][0] @ turned[1][0]
    angle = float(np.arctan2(R[1, 0], R[0, 0]))
    q = joint.q.copy()
    if joint.kind == "planar":
        q[:2] = (base[0].T @ (joint.moving_frame[1] - joint.base_frame[1]))[:2]
        q[2] = angle
    else:
        q[0] = angle
    moving = compose(base, transform(joint.kind, q, False, joint.lead))
    turned[1] = turned[1][0], (compose(inverse(poses[joint.moving]), moving))[1]
    return joint._replace(q=q, base_frame=base, moving_frame=moving), turned, axes


def frame_table(draws: Draws, planar: bool, frame: Pose) -> Any:
    """A point's frame as briefly as it can be said."""
    R, p = frame
    at = [written(draws, x, "m") for x in exact(p)[: 2 if planar else 3]]
    x, z = exact(R[:, 0]), exact(R[:, 2])
    stretch = float(draws.rng.choice([1.0, 1.0, 2.5]))
    if planar:
        return at if x == [1.0, 0.0, 0.0] else {"at": at, "x": [stretch * value for value in x[:2]]}
    said: dict[str, Any] = {"at": at}
    if z != [0.0, 0.0, 1.0]:
        said["z"] = [stretch * value for value in z]
    if not np.allclose(smallest_turn(np.array(z)), R, atol=1e-15):
        said["x"] = x
    return said if len(said) > 1 else at


def body_table(draws: Draws, planar: bool) -> dict[str, Any]:
    """Mass, mass centre and inertia; nothing for one body in four."""
    if draws.rng.random() < 0.25:
        return {}
    com = draws.vector(planar, 0.2)
    if planar:
        return {"mass": draws.number(0.5, 2.0), "com": com[:2].tolist(), "inertia": draws.number(0.02, 0.2)}
    r = 0.3 * draws.rng.normal(size=(4, 3))
    J = np.sum(r * r) * np.eye(3) - r.T @ r
    entries = [float(J[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return {"mass": draws.number(0.5, 2.0), "com": com.tolist(), "inertia": entries}


def chain_table(draws: Draws, foot: Pose):
    """A Denavit-Hartenberg chain: its joints, body poses, table, and guesses."""
    modified = draws.choose([False, True])
    rows, joints, poses, guesses = [], [], {}, {}
    before, body = foot, "ground"
    for k in range(draws.choose([1, 2, 3])):
        kind = draws.choose(["revolute", "prismatic"])
        row: dict[str, Any] = {name: draws.number(-0.4, 0.4) for name in ("a", "d")}
        row["theta"] = draws.number(-2.0, 2.0)
        alpha = draws.rng.integers(4)
        turned = [0.0, np.pi / 2, -np.pi / 2, draws.number(-2.0, 2.0)][alpha]
        row["alpha"] = [0.0, "90 deg", "-90 deg", turned][alpha]
        q = np.array([draws.number(-0.5, 0.5)])
        constant = turn(2, row["theta"]), np.array([0.0, 0.0, row["d"]])
        link = turn(0, turned), np.array([row["a"], 0.0, 0.0])
        base = compose(before, compose(link, constant)) if modified else before
        moving = compose(base, transform(kind, q, False))
        pose = moving if modified else compose(moving, compose(constant, link))
        name = f"arm.{k + 1}"
        joints.append(Placed(name, kind, body, name, base, moving, q, np.zeros(1), 0.0))
        guesses[name] = {"guess": float(q[0])}
        poses[name] = pose
        before, body = pose, name
        rows.append({**row, "type": kind})
    chain = {"from": "ground.foot", "convention": "modified" if modified else "standard", "rows": rows}
    return joints, poses, chain, guesses
