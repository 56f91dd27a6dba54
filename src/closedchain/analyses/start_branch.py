"""Start rates in poses where branches of motion meet: of all rates that the loops allow there, those that go on."""

from collections.abc import Iterable

import numpy as np

from closedchain.algorithms.constraints import retract
from closedchain.analyses.start import goal_drift, opened_rates
from closedchain.exceptions import AssemblyError
from closedchain.model import Drive, Model
from closedchain.model.motion_kernels import goals_kernel
from closedchain.model.rows import row_marks, rows_kernel

# Singular values of the loops, lengths as parts of the size, below which a direction counts as lost: a toggle is
# assembled to the square root of rounding.
LOST = 1e-6
# Part of the square of the largest rate that accelerations may leave open.
FOLLOWED = 1e-5
# Step of the differences along the motion, in rad or parts of the size.
STEP = 1e-4
ROUNDS = 40


def followed_rates(
    model: Model,
    drive: Drive,
    q: np.ndarray,
    goals: tuple[np.ndarray, np.ndarray],
    v: np.ndarray,
    given: Iterable[str],
) -> np.ndarray:
    """Tree rates near v that the loops can follow.

    Where the loops lose rank (a dead centre, links in line) they allow more rates than those of their branches: a rate
    goes on only where an acceleration exists as well, J a = -(dJ/dt v + d(drift)/dt) (Kumar and Waldron 1980;
    second-order mobility). What the left null space L of J asks, L^T (dJ/dt v + ...) = 0, is quadratic in v and
    solved by Gauss-Newton over the rates that the loops leave free.

    q: tree coordinates. goals: values and rates of the imposed motions. v: rates that satisfy the loops. given:
    names of rates that stay as they are.

    Raises AssemblyError where no such rates are found.
    """
    given = list(given)
    goal, rate = goals
    accelerated = goal_accelerations(model, drive)
    if accelerated is None:
        return v
    units = np.where(np.array(model.tree_units) == "rad", 1.0, model.size)
    driven = {model.tree_rates[name]: accelerated[k] for k, name in enumerate(drive.coordinates)}
    push = np.zeros(len(v))
    push[list(driven)] = list(driven.values())
    free = np.array([k for k in range(len(v)) if k not in driven], int)
    stays = driven.keys() | {model.tree_rates[name] for name in given if name in model.tree_rates}
    loose = np.array([k for k in range(len(v)) if k not in stays], int)
    keep = [mark for mark in row_marks(model, drive) if not mark[3]]
    parts = np.array([1.0 / model.size if is_length else 1.0 for _, _, is_length, _ in keep])
    J = parts[:, None] * jacobian(model, drive, q, goal) * units
    if not len(free) or not len(J):
        return v
    U, s, _ = np.linalg.svd(J[:, free])
    L = U[:, int(np.sum(s > LOST)) :]
    if not L.shape[1]:
        return v

    def asked(v: np.ndarray) -> np.ndarray:
        """What the lost directions ask of an acceleration, lengths as parts of the size."""
        h = STEP / max(float(np.abs(v / units).max()), float(np.sqrt(np.abs(push / units).max())), 1e-9)
        ends = []
        for step in (h, -h):
            place = np.array(retract(model.system(drive).tree, q.tolist(), (step * v).tolist()), float)
            speed = jacobian(model, drive, place, goal + step * rate) @ (v + step * push)
            if drive.motions:
                speed = speed + goal_drift(model, drive, place, goal + step * rate, rate + step * accelerated)
            ends.append(speed)
        return L.T @ (parts * (ends[0] - ends[1]) / (2.0 * h))

    def allowed(v: np.ndarray) -> float:
        return FOLLOWED * max(float(np.abs(v / units).max()) ** 2, float(np.abs(push / units).max(initial=0.0)))

    said = opened_rates(model, drive, q, [name for name in given if name not in model.tree_rates])
    _, s, Vt = np.linalg.svd(np.vstack([J, said * units])[:, loose])
    Z = np.zeros((len(v), len(loose) - int(np.sum(s > LOST))))
    Z[loose] = Vt[len(loose) - Z.shape[1] :].T * units[loose, None]
    left = asked(v)
    for _ in range(ROUNDS):
        if np.abs(left).max() <= allowed(v):
            return v
        if not Z.shape[1]:
            break
        size = max(float(np.abs(v / units).max()), 1e-9)
        slopes = np.array([asked(v + size * z) - asked(v - size * z) for z in Z.T]).T / (2.0 * size)
        v = v + Z @ np.linalg.lstsq(slopes, -left, rcond=1e-6)[0]
        left = asked(v)
    if len(drive.coordinates) > len(v) - int(np.sum(np.linalg.svd(J, compute_uv=False) > LOST)):
        # More motions than freedoms part ways: the run says so, and when.
        return v
    names = ", ".join(drive.coordinates) or ", ".join(given)
    raise AssemblyError(
        "the loops lose rank at the start (a dead centre or links in line), where branches of motion meet, and no "
        f"branch goes on with {f'the rates of {names}' if names else 'these rates'}. Start a little beside that "
        "position, or give the rates of joints that move there."
    )


def jacobian(model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Rows of the loops and couplings that close them, over the tree's rates."""
    kernel, _ = rows_kernel(model, drive)
    keep = np.array([not mark[3] for mark in row_marks(model, drive)], bool)
    parts = kernel.split(kernel(np.concatenate([q, goal]), kernel.constants(model.parameters.values)))
    return parts["jacobian"].reshape(len(keep), model.topology.rates)[keep]


def goal_accelerations(model: Model, drive: Drive) -> np.ndarray | None:
    """Accelerations of the imposed motions at t = 0; None where a coordinate is imposed as the ideal one moves."""
    if any(function is None for _, function in model.goals(drive)):
        return None
    kernel = goals_kernel(model, drive)
    parts = kernel.split(kernel(np.array([0.0]), kernel.constants(model.parameters.values)))
    return np.array(parts["goal_acceleration"])
