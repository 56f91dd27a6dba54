"""How idle freedoms move along a given motion: integrated from its start, as a simulation with the motion imposed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from closedchain.analyses.continuation import opened_parts
from closedchain.analyses.integration import ended
from closedchain.analyses.pose import labels_of
from closedchain.analyses.preparing import first_rates
from closedchain.exceptions import IntegrationError
from closedchain.model import Drive, Model
from closedchain.model.idle_kernels import idle_motion_kernel, idle_projection_kernel, idle_rate_kernel
from closedchain.model.motion_kernels import goals_kernel
from closedchain.model.rows import find_pattern

if TYPE_CHECKING:
    from closedchain.analyses.kinematics import Path

# Efforts follow the idle freedoms smoothly, so a simulation with them comes back to the motion this exactly.
RTOL, ATOL = 1e-11, 1e-13


def integrated(
    path: "Path", drive: Drive, q0: np.ndarray, samples: np.ndarray, preload: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Closed tree coordinates (nq, n) and rates (nv, n) at the samples of a path over time, in any order.

    The idle freedoms start at t = 0 where assembly put them, with the rates of the file or without momentum of their
    own, and follow their own equations of motion from there, before t = 0 backwards.

    drive: independent motions of the path. q0: closed tree coordinates at t = 0. preload: constant part of the efforts
    (k,).

    Raises IntegrationError where the loops lose rank on the way.
    """
    model = path.model
    kernel = goals_kernel(model, drive)
    start = kernel.split(kernel(np.zeros(1), kernel.constants(model.parameters.values)))
    v0 = first_rates(model, drive, q0, start["goal"], start["goal_rate"], {})
    closure = find_pattern(model, drive, q0, start["goal"])
    instants, places = np.unique(samples, return_inverse=True)
    y0 = np.concatenate([q0, v0])
    found = np.empty((len(instants), len(y0)))
    for chosen in (np.flatnonzero(instants >= 0.0), np.flatnonzero(instants < 0.0)[::-1]):
        if len(chosen):
            found[chosen] = followed(model, drive, closure, y0, instants[chosen], preload)
    y = found[places].T
    return y[: len(q0)], y[len(q0) :]


def followed(model: Model, drive: Drive, closure, y0: np.ndarray, times: np.ndarray, preload: np.ndarray) -> np.ndarray:
    """States at times that lead away from t = 0 (n, states), on the loops to rounding."""
    from closedchain.numerics.driver import integrate
    from closedchain.numerics.problem import BoundKernel, HybridProblem

    rates, projection = idle_rate_kernel(model, drive), idle_projection_kernel(model, drive, closure)
    c = projection.constants(model.parameters.values)
    place = projection.outputs["y"][0]
    y = np.repeat(y0[None], len(times), axis=0)
    if times[-1] != 0.0:
        bound = BoundKernel(rates, rates.constants(model.parameters.values)), BoundKernel(projection, c)
        problem = HybridProblem(len(y0), bound[0], len(preload), projection=bound[1])
        solution = integrate(problem, 0.0, y0, preload, float(times[-1]), times, RTOL, ATOL, "dop853")
        if not solution.success:
            raise IntegrationError(ended(solution, drive.coordinates))
        y = solution.y
    held = np.repeat(preload[:, None], len(times), axis=1)
    for _ in range(2):
        y = projection.batch(np.concatenate([times[None], y.T, held]), c)[place].T
    return y


def free_values(model: Model, drive: Drive, motion: Sequence[np.ndarray], preload: np.ndarray) -> dict[str, np.ndarray]:
    """What kinematics reports, with idle freedoms as they move; samples last.

    motion: closed coordinates, goals and their derivatives, instants, rates, samples last. preload: constant part of
    the efforts (k,).
    """
    kernel = idle_motion_kernel(model, drive)
    X = np.concatenate([*motion, np.repeat(preload[:, None], motion[0].shape[1], axis=1)])
    return dict(kernel.split(kernel.batch(X, kernel.constants(model.parameters.values))))


def steady(model: Model, samples: np.ndarray, q: np.ndarray, near: np.ndarray) -> np.ndarray:
    """Coordinates (labels, n) with the turns of opened joints counted and the signs of their quaternions kept.

    near: coordinates of kinematics, whose turns are counted already; idle freedoms part from them gradually.
    """
    order, q = np.argsort(samples, kind="stable"), q.copy()
    rows = {name: row for row, name in enumerate(model.coordinates)}
    names = [name for joint in model.opened for name in labels_of(model, joint)]
    for first, last, kind in opened_parts(model):
        chosen = [rows[name] for name in names[first:last]]
        here, known = q[chosen][:, order], near[chosen][:, order]
        if kind == "rad":
            apart = np.unwrap(here - known)
            here = known + apart - 2.0 * np.pi * np.round(apart[:, :1] / (2.0 * np.pi))
        elif kind == "quaternion":
            agree = np.concatenate([[np.sum(here[:, 0] * known[:, 0])], np.sum(here[:, 1:] * here[:, :-1], axis=0)])
            here = here * np.cumprod(np.where(agree < 0.0, -1.0, 1.0))
        for row, values in zip(chosen, here, strict=True):
            q[row, order] = values
    return q
