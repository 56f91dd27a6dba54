"""States a second of kinematics with all its output arrays: positions, rates and accelerations of everything.

Three figures each: the kernel writing results, the whole analysis in memory of earlier results, and the whole analysis
in memory fresh from the system, which clears it first. The floor is a plain fill of the same arrays, or the kernel's
arithmetic at the machine's peak where that takes longer.
"""

from typing import Any

import numpy as np
from measuring import Row, best, load, per_operation

import closedchain as cc
from closedchain.analyses.kinematics import Path, along, time_path
from closedchain.compile import memory, result_rows
from closedchain.model.motion_kernels import state_kernel
from closedchain.model.rows import find_pattern

# example, end of its motion [s], target [million states per second], samples: results of some 350 MB each
CASES = (("shift_manipulator", 0.85, 5.0, 400_000), ("gough_stewart", 2.0, 1.0, 100_000))


def closed_start(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Closed tree coordinates and the goals at the path's origin; leaves the pattern of the loops with the model."""
    model, first = path.model, np.array([path.origin])
    values = along(path, first)
    rows = {name: row for row, name in enumerate(model.coordinates)}
    goal, rate, acceleration = (part[:, 0] for part in path.goals(first))
    driven = dict(zip(path.drive.coordinates, goal, strict=False))
    labels = sorted(model.tree_coordinates, key=model.tree_coordinates.__getitem__)
    q = np.array([values["q"][rows[name], 0] if name in rows else driven[name] for name in labels])
    return q, np.concatenate([q, goal, rate, acceleration])


def rate(run: Any, samples: int) -> float:
    """Million states a second of a run over all samples."""
    return 1e-6 * samples / best(run, repeats=12)


def fresh(run: Any) -> Any:
    """The run without the memory of earlier results."""

    def first() -> Any:
        memory._FREE.clear()
        return run()

    return first


def rows() -> list[Row]:
    """Per example: the kernel alone, with its results, and the whole analysis [million states per second]."""
    found = []
    for example, until, target, samples in CASES:
        mechanism, times = load(example), np.linspace(0.0, until, samples)
        path = time_path(cc.compile(mechanism), times)
        q, x = closed_start(path)
        goal = path.goals(np.array([path.origin]))[0][:, 0]
        kernel = state_kernel(path.model, path.drive, find_pattern(path.model, path.drive, q, goal))
        c, X = kernel.constants(path.model.parameters.values), np.repeat(x[:, None], 8192, axis=1)
        arithmetic = 1e3 / (kernel.instructions * per_operation())

        def whole(mechanism: Any = mechanism, times: np.ndarray = times) -> Any:
            return cc.kinematics(mechanism, times)

        def write(kernel: Any = kernel, X: np.ndarray = X, c: np.ndarray = c, samples: int = samples) -> None:
            out = result_rows(kernel.n_outputs, samples)
            for start in range(0, samples, X.shape[1]):
                part = out[:, start : start + X.shape[1]]
                kernel.batch(X[:, : part.shape[1]], c, part)

        def fill(count: int = kernel.n_outputs, samples: int = samples) -> None:
            result_rows(count, samples)[:] = 1.0

        count = kernel.instructions
        again, new = (min(arithmetic, rate(run, samples)) for run in (fill, fresh(fill)))
        found += [
            Row(
                f"{example}: kinematics, kernel with results", rate(write, samples), "M states/s", target, count, again
            ),
            Row(f"{example}: kinematics, whole", rate(whole, samples), "M states/s", target, count, again),
            Row(
                f"{example}: kinematics, whole, fresh memory",
                rate(fresh(whole), samples),
                "M states/s",
                None,
                count,
                new,
            ),
        ]
    return found


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
