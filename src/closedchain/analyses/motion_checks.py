"""Watch over a computed motion: closed loops, finite numbers, limits, nearness of singular configurations.

Where the sparse factorisation with its fixed order lost accuracy, a pivoted dense solution takes its place.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.algorithms.closure_solver import Pattern
from closedchain.algorithms.kinematics import full_state
from closedchain.analyses.assembly import check_limits_along
from closedchain.exceptions import AssemblyError
from closedchain.model import Drive, Model
from closedchain.model.motion_kernels import state_report
from closedchain.model.rows import row_marks, rows_kernel

Goals = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
# Pivot ratio that calls for a closer look, and the ratio of singular values that is near a singular configuration.
SUSPECT = 1e-7
NEAR_SINGULAR = 1e-4
RANK = 1e-10
# Sum of coordinates, rates and accelerations above which every number is looked at.
LARGEST = 1e50


@dataclass(frozen=True)
class DenseSolver:
    """Loop equations solved by singular values: smallest rates in the metric, dependent rows as they are."""

    J: np.ndarray
    weight: np.ndarray

    def solve(self, b: Sequence[float], steps: int = 0) -> list[float]:
        """Passive rates x with J x = b; needs no steps of refinement."""
        if not self.J.size:
            return [0.0] * self.J.shape[1]
        step = np.linalg.lstsq(self.J * self.weight, np.asarray(b, float), rcond=RANK)[0]
        return (self.weight * step).tolist()

    def conditioning(self) -> float:
        """Smallest over largest singular value, squared, of those that count."""
        s = np.linalg.svd(self.J * self.weight, compute_uv=False) if self.J.size else np.ones(1)
        s = s[s > RANK * s[0]]
        return float((s[-1] / s[0]) ** 2) if len(s) else 0.0


def dense_solver(jacobian: Sequence[Mapping[int, float]], pattern: Pattern) -> DenseSolver:
    """The pivoted counterpart of closure_solver.factor_loops."""
    J = np.array([[entries.get(rate, 0.0) for rate in pattern.passive] for entries in jacobian], float)
    weight = 1.0 / np.sqrt(np.array(pattern.metric, float))
    return DenseSolver(J.reshape(len(jacobian), len(pattern.passive)), weight)


def solve_densely(model: Model, drive: Drive, pattern: Pattern, kernel: Any, x: np.ndarray, out: np.ndarray) -> None:
    """One sample of the state kernel again, in place, on floats with the pivoted solver."""
    parts = {name: x[part].tolist() for name, part in kernel.inputs.items()}
    system = model.system(drive)
    state = full_state(system, pattern, parts["q"], parts.get("goal", []), parts.get("goal_rate", []),
                       parts.get("goal_acceleration", []), dense_solver)  # fmt: skip
    for name, values in state_report(model, system, state, None).items():
        out[kernel.outputs[name][0]] = np.ravel(np.array(values, float))


def check_motion(
    model: Model,
    drive: Drive,
    pattern: Pattern,
    name: str,
    samples: np.ndarray,
    values: Mapping[str, np.ndarray],
    goals: Goals,
) -> None:
    """Raise where a loop is open, a limit passed or a number not finite; warn near singular configurations."""
    if len(samples) == 0:
        return
    # All else are products of coordinates and rates: finite where these are, unless they are beyond all reason.
    if not np.abs(values["total"]).max() < LARGEST:
        check_finite(name, samples, values)
    worst = int(np.argmax(values["residual"]))
    if values["residual"][worst] > 1e-9:
        raise AssemblyError(
            f"the given motions contradict each other or the loops at {name} = {samples[worst]:.6g}: a gap of "
            f"{values['residual'][worst]:.3g} (fraction of the size, or rad) is left."
        )
    check_limits_along(model, samples, values["q"], name)
    if model.topology.loops and not values["conditioning"].min() >= SUSPECT:
        suspects = np.flatnonzero(~(values["conditioning"] >= SUSPECT))
        warn_near_singular(model, drive, pattern, name, samples, values["q"], goals, suspects)


def check_finite(name: str, samples: np.ndarray, values: Mapping[str, np.ndarray]) -> None:
    """Raise where a number is not finite."""
    for key, array in values.items():
        if key != "total" and not np.isfinite(array).all():
            bad = int(np.flatnonzero(~np.isfinite(array.reshape(-1, array.shape[-1])).all(axis=0))[0])
            raise AssemblyError(
                f"{key} is not finite at {name} = {samples[bad]:.6g}: the motion passes through a singular "
                "configuration there."
            )


def warn_near_singular(model, drive, pattern, name, samples, q, goals: Goals, suspects: np.ndarray) -> None:
    """Look at suspect samples by singular values, and warn with the nearest one."""
    chosen = suspects[:: max(len(suspects) // 200, 1)]
    rank = len(pattern.rows) - len(pattern.dependent)
    ratios = [distance(model, drive, pattern, q[:, k], goals(samples[k : k + 1])[0][:, 0], rank) for k in chosen]
    nearest = int(np.argmin(ratios))
    if ratios[nearest] < NEAR_SINGULAR:
        warnings.warn(
            f"the motion passes near a singular configuration at {name} = {samples[chosen[nearest]]:.6g} "
            f"(smallest over largest "
            f"singular value {ratios[nearest]:.1e}); rates and accelerations lose accuracy there. "
            "See cc.singularities.",
            stacklevel=5,
        )


def distance(model: Model, drive: Drive, pattern: Pattern, q: np.ndarray, goal: np.ndarray, rank: int) -> float:
    """Smallest over largest singular value of the loop equations at their generic rank."""
    labels = dict(zip(model.coordinates, q, strict=True))
    goals = dict(zip(drive.coordinates, goal, strict=False))
    tree = np.zeros(model.topology.coordinates)
    for label, place in model.tree_coordinates.items():
        tree[place] = labels[label] if label in labels else goals[label]
    kernel, _ = rows_kernel(model, drive)
    marks = row_marks(model, drive)
    part, _ = kernel.outputs["jacobian"]
    x = np.concatenate([tree, goal])[:, None]
    J = kernel.batch(x, kernel.constants(model.parameters.values))[part, 0].reshape(len(marks), model.topology.rates)
    scale = np.array([1.0 / model.size if mark[2] else 1.0 for mark in marks])
    kept = [index for index, mark in enumerate(marks) if not mark[3]]
    weight = 1.0 / np.sqrt(np.array(pattern.metric, float))
    s = np.linalg.svd((J * scale[:, None])[kept][:, list(pattern.passive)] * weight, compute_uv=False)
    if rank == 0 or rank > len(s):
        return 1.0
    return float(s[rank - 1] / s[0])
