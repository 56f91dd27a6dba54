"""The nominal motion of a mechanism and the coordinates that are held to it while its dimensions deviate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.algorithms.closure_solver import Pattern
from closedchain.analyses.determinacy import require_determined
from closedchain.analyses.kinematics import along, as_times, time_path
from closedchain.analyses.pose import Pose, known_joint
from closedchain.exceptions import MechanismError
from closedchain.model import Drive, Model, compile
from closedchain.model.motion_kernels import goals_kernel
from closedchain.model.rows import find_pattern, row_marks, rows_kernel

INDEPENDENT = 1e-8


@dataclass(frozen=True)
class Held:
    """A mechanism along its nominal motion, driven by coordinates that do not know of any error.

    moving: whether it follows the file's motions, and does not rest in a pose; times: instants (n,) [s]; q: closed tree
    coordinates (nq, n); goals: values, rates and accelerations of what is driven, each (ng, n).
    """

    model: Model
    drive: Drive
    pattern: Pattern
    moving: bool
    times: np.ndarray
    q: np.ndarray
    goals: tuple[np.ndarray, np.ndarray, np.ndarray]


def hold(base: Model, at: Any, driven: Sequence[str] | None, live: Sequence[str]) -> Held:
    """The nominal motion, and a model in whose tree the driven coordinates stand.

    at: instants [s], a Pose (at rest), or None for t = 0. driven: coordinates by name; by default those of the
    actuators, as many as are independent; without actuators the point motions of the file. live: paths of literal zeros
    that are inputs of the kernels.
    """
    times, labels = nominal(base, at)
    count = len(times)
    names = list(driven) if driven is not None else [each.joint.text for each in base.mechanism.actuators.values()]
    for name in names:
        known_joint(base.mechanism, name)
        if name not in base.rates or name not in base.coordinates:
            raise MechanismError(
                f"driven names {name!r}; give a coordinate that can be driven: {', '.join(base.rates)}."
            )
    model = compile(
        base.mechanism, keep=[known_joint(base.mechanism, name) for name in names], live=live, code=base.code
    )
    q = np.zeros((model.topology.coordinates, count))
    for name, place in model.tree_coordinates.items():
        q[place] = labels["q"][name]
    if not names and base.mechanism.motions and not isinstance(at, Pose):
        drive = Drive((), True)
        kernel = goals_kernel(model, drive)
        parts = kernel.split(kernel.batch(np.ascontiguousarray(times[None]), kernel.constants(model.parameters.values)))
        goals = (parts["goal"], parts["goal_rate"], parts["goal_acceleration"])
    else:
        if driven is None:
            names = independent(model, q[:, 0] if count else np.zeros(len(q)), names)
        drive = Drive(tuple(names))
        goals = tuple(
            np.array([labels[part][name] for name in names]).reshape(len(names), count) for part in ("q", "qd", "qdd")
        )
    first = goals[0][:, 0]
    pattern = find_pattern(model, drive, q[:, 0], first)
    require_determined(model, drive, q[:, 0], first)
    return Held(model, drive, pattern, not isinstance(at, Pose), times, q, goals)  # pyright: ignore[reportArgumentType]


def nominal(base: Model, at: Any) -> tuple[np.ndarray, dict[str, dict[str, np.ndarray]]]:
    """Instants, and coordinates, rates and accelerations by label; a Pose stands still."""
    if isinstance(at, Pose):
        still = {name: np.zeros(1) for name in base.rates}
        return np.zeros(1), {
            "q": {name: np.array([x]) for name, x in at.coordinates.items()},
            "qd": still,
            "qdd": still,
        }
    times = as_times(0.0 if at is None else at)
    if not len(times):
        raise MechanismError("there is no instant; give times in seconds or a pose.")
    path = time_path(base, times)
    values = along(path, times)
    rates = path.model.rates
    return times, {
        "q": dict(zip(path.model.coordinates, values["q"], strict=True)),
        "qd": dict(zip(rates, values["qd"], strict=True)),
        "qdd": dict(zip(rates, values["qdd"], strict=True)),
    }


def independent(model: Model, q: np.ndarray, names: Sequence[str]) -> list[str]:
    """As many of the coordinates, in order, as do not depend on the ones before through the loops at q."""
    kernel, _ = rows_kernel(model, Drive())
    keep = np.array([not mark[3] for mark in row_marks(model, Drive())], bool)
    part, _ = kernel.outputs["jacobian"]
    J = kernel(q, kernel.constants(model.parameters.values))[part].reshape(len(keep), model.topology.rates)[keep]
    scale = np.array([1.0 if unit == "rad" else model.size for unit in model.tree_units])
    _, s, Vt = np.linalg.svd(J * scale)
    free = Vt[int(np.sum(s > INDEPENDENT * max(float(s.max(initial=0.0)), 1e-30))) :].T
    chosen: list[str] = []
    for name in names:
        rows = free[[model.tree_rates[each] for each in (*chosen, name)]]
        if np.linalg.svd(rows, compute_uv=False).min(initial=np.inf) > INDEPENDENT and len(rows) <= free.shape[1]:
            chosen.append(name)
    return chosen
