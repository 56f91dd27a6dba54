"""States a second of kinematics with all its output arrays: positions, rates and accelerations of everything."""

import numpy as np
from measuring import Row, best, load, per_lane, per_operation

import closedchain as cc
from closedchain.analyses.kinematics import Path, along, time_path
from closedchain.model.motion_kernels import state_kernel
from closedchain.model.rows import find_pattern

SAMPLES = 100_000
CASES = (("shift_manipulator", 0.85, 5.0), ("gough_stewart", 2.0, 1.0))


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


def rows() -> list[Row]:
    """Per example: the kernel alone, the whole analysis, and the floor of the kernel [million states per second]."""
    found = []
    for example, until, target in CASES:
        times = np.linspace(0.0, until, SAMPLES)
        path = time_path(cc.compile(load(example)), times)
        q, x = closed_start(path)
        goal = path.goals(np.array([path.origin]))[0][:, 0]
        kernel = state_kernel(path.model, path.drive, find_pattern(path.model, path.drive, q, goal))
        alone = per_lane(kernel, kernel.constants(path.model.parameters.values), x)
        floor = 1e3 / (kernel.instructions * per_operation())
        whole = 1e-6 * SAMPLES / best(lambda path=path, times=times: along(path, times), repeats=8)
        found += [
            Row(f"{example}: kinematics, kernel", 1e3 / alone, "M states/s", target, kernel.instructions, floor),
            Row(f"{example}: kinematics, whole", whole, "M states/s", target, kernel.instructions, floor),
        ]
    return found


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
