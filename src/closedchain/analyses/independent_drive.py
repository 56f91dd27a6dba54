"""Independent ones among given motions: what a mechanism needs to be told, where it is told more."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from closedchain.analyses.actuator_efforts import freedoms_at
from closedchain.analyses.assembly import assemble
from closedchain.exceptions import AssemblyError
from closedchain.model import Drive
from closedchain.model.rows import row_marks, rows_kernel

if TYPE_CHECKING:
    from closedchain.analyses.kinematics import Path

INDEPENDENT = 1e-4
AGREE = 1e-6


def independent_drive(path: "Path", q: np.ndarray, goal: np.ndarray) -> tuple[Drive, list[int]] | None:
    """A drive with as many motions as freedoms, and which of the path's goals it keeps; None where point motions alone
    depend on each other.

    Three motors that drive two freedoms are told consistent motions, but their efforts are only determined once two of
    the motions count as given and the third as a consequence.

    q: closed tree coordinates (nq,); goal: goals there (ng,).
    """
    model, drive = path.model, path.drive
    freedoms = freedoms_at(model, q)
    left = freedoms.B
    count = len(drive.coordinates)
    if drive.motions:
        moved = motion_slopes(path, q, goal, freedoms.unit) @ left
        _, s, Vt = np.linalg.svd(moved)
        if int(np.sum(s > INDEPENDENT * s[0])) < len(moved):
            return None
        left = left @ Vt[len(moved) :].T
    kept = []
    for index, name in enumerate(drive.coordinates):
        slope = left[model.tree_rates[name]]
        if np.linalg.norm(slope) > INDEPENDENT:
            kept.append(index)
            _, _, Vt = np.linalg.svd(slope[None])
            left = left @ Vt[1:].T
    chosen = Drive(tuple(drive.coordinates[index] for index in kept), drive.motions)
    return chosen, [*kept, *range(count, len(goal))]


def motion_slopes(path: "Path", q: np.ndarray, goal: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """Rows of the point motions over scaled rates, shape (rows, nv)."""
    model, drive = path.model, path.drive
    kernel, _ = rows_kernel(model, drive)
    marks = row_marks(model, drive)
    part, shape = kernel.outputs["jacobian"]
    J = kernel(np.concatenate([q, goal]), kernel.constants(model.parameters.values))[part].reshape(shape)
    followed = {motion.name for motion in model.followed}
    rows = [index for index, mark in enumerate(marks) if mark[0] in followed and not mark[3]]
    scale = np.array([1.0 / model.size if marks[index][2] else 1.0 for index in rows])
    return J[rows] * scale[:, None] * unit


def without_redundant(path: "Path") -> "Path":
    """The path with as many given motions as freedoms; of given arrays those that follow from the others are left out.

    Between samples the others then move as the mechanism makes them; `check_left_out` compares at the samples.
    """
    if path.count == 0 or len(path.drive.coordinates) < 2:
        return path
    pose = assemble(path.model.mechanism, path.values)
    goal = path.goals(np.array([path.origin]))[0][:, 0]
    found = independent_drive(path, pose.tree(path.model), goal)
    if found is None or found[0] == path.drive:
        return path
    drive, kept = found

    def goals(s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        values, rates, accelerations = path.goals(s)
        return values[kept], rates[kept], accelerations[kept]

    return replace(path, drive=drive, goals=goals)


def check_left_out(whole: "Path", samples: np.ndarray, values: Mapping[str, np.ndarray]) -> None:
    """Raise AssemblyError where given motions that were left out contradict the others."""
    model = whole.model
    goals = whole.goals(samples)
    for name, labels, given, what in zip(("q", "qd", "qdd"), (model.coordinates, model.rates, model.rates), goals,
                                         ("stands", "moves", "accelerates"), strict=True):  # fmt: skip
        for row, label in enumerate(whole.drive.coordinates):
            found = values[name][labels.index(label)]
            gap = np.abs(found - given[row])
            worst = int(np.argmax(gap))
            size = max(1.0 if model.tree_units[model.tree_rates[label]] == "rad" else model.size, np.abs(found).max())
            if gap[worst] > AGREE * size:
                raise AssemblyError(
                    f"the given motions contradict each other at {whole.name} = {samples[worst]:.6g}: joint {label!r} "
                    f"{what} at {found[worst]:.9g} as the others make it, at {given[row, worst]:.9g} as given. Give "
                    "motions of one closed mechanism, or as many as it has freedoms."
                )
