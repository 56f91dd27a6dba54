"""All results at the samples of a path: predicted, closed by Newton's method, and written once to where they stay."""

from typing import TYPE_CHECKING

import numpy as np

from closedchain.algorithms.closure_solver import Pattern
from closedchain.analyses.continuation import TURN, Follower, Knots, follow, opened_parts
from closedchain.analyses.kinematics_prediction import Curve, close_block, predicted
from closedchain.analyses.motion_checks import solve_densely
from closedchain.analyses.pose import labels_of
from closedchain.compile import result_rows
from closedchain.model import Model

if TYPE_CHECKING:
    from closedchain.analyses.kinematics import Path

# Samples that are worked on together, a multiple of the lanes: what stays in the cache.
BLOCK = 2048
# Scaled residuals of single rows above which a sample takes further Newton steps (closure counts all rows of a joint
# together), is closed again by continuation, or its rates are solved with a pivoted method.
UNSETTLED = 2e-13
UNCLOSED = 1e-12
UNSOLVED = 1e-10


def solve_samples(
    follower: Follower, path: "Path", pattern: Pattern, knots: Knots, samples: np.ndarray
) -> dict[str, np.ndarray]:
    """Outputs of the state kernel by name at ascending samples, the samples as last dimension."""
    n = len(samples)
    curve = predicted(follower, path, knots, n)
    Y = result_rows(follower.state.n_outputs, n)
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        solve_block(follower, path, pattern, knots, curve, samples[start:stop], Y[:, start:stop])
    return follower.state.split(Y)


def solve_block(
    follower: Follower, path: "Path", pattern: Pattern, knots: Knots, curve: Curve, s: np.ndarray, out: np.ndarray
) -> None:
    """Outputs at the samples s (n,), written to out (n_outputs, n)."""
    model, state, c = follower.model, follower.state, follower.c_state
    nq = model.topology.coordinates
    goals = path.goals(s)
    opened = curve.values.shape[1] - nq
    # One array from predictions of opened coordinates to the accelerations of goals: kernels read parts of it.
    work = np.empty((opened + nq + 3 * len(goals[0]), len(s) + 8))[:, : len(s)]
    np.concatenate(goals, out=work[opened + nq :])
    curve.fill(s, work[: opened + nq])
    X = work[opened:]
    close_block(follower, X[: nq + len(goals[0])])
    state.batch(X, c, out)
    residual, speed = (state.outputs[name][0].start for name in ("residual", "rate_residual"))
    if not out[residual].max() < UNSETTLED:
        settle(follower, path, knots, s, X, out)
    if not out[speed].max() < UNSOLVED:
        for column in np.flatnonzero(~(out[speed] < UNSOLVED)):
            solve_densely(model, path.drive, pattern, state, X[:, column], out[:, column])
    count_turns(model, work[:opened], out[state.outputs["q"][0]])


def settle(follower: Follower, path: "Path", knots: Knots, s: np.ndarray, X: np.ndarray, out: np.ndarray) -> None:
    """Further Newton steps where samples are not closed to rounding, then continuation, in place."""
    state, c = follower.state, follower.c_state
    nq = follower.model.topology.coordinates
    goals = len(follower.model.goals(path.drive))
    residual = state.outputs["residual"][0].start
    loose = np.flatnonzero(~(out[residual] < UNSETTLED))
    again = X[:, loose]
    close_block(follower, again[: nq + goals])
    settled = state.batch(again, c)
    nearer = settled[residual] < out[residual, loose]
    X[:, loose[nearer]], out[:, loose[nearer]] = again[:, nearer], settled[:, nearer]
    for column in np.flatnonzero(~(out[residual] < UNCLOSED)):
        X[:nq, column] = rescue(follower, path, knots, float(s[column]))
        out[:, column] = state.batch(X[:, column : column + 1].copy(), c)[:, 0]


def rescue(follower: Follower, path: "Path", knots: Knots, s: float) -> np.ndarray:
    """Closed coordinates at one sample that the lanes did not close, continued from the knot before it."""
    k = max(int(np.searchsorted(knots.s, s, side="right")) - 1, 0)

    def goal_at(x: float) -> np.ndarray:
        return path.goals(np.array([x]))[0][:, 0]

    return follow(follower, goal_at, knots.q[k], float(knots.s[k]), s, path.name, path.longest).q[-1]


def count_turns(model: Model, near: np.ndarray, q: np.ndarray) -> None:
    """Turn the opened joints' angles to the turns counted along the motion, and their quaternions to a steady sign.

    near: opened coordinates as predicted (no, n); q: all coordinates (labels, n), changed in place.
    """
    rows = {name: row for row, name in enumerate(model.coordinates)}
    names = [name for joint in model.opened for name in labels_of(model, joint)]
    for start, stop, kind in opened_parts(model):
        first = rows[names[start]]
        if kind == "rad":
            turns = np.rint((near[start] - q[first]) * (1.0 / TURN))
            if turns.any():
                q[first] += TURN * turns
        elif kind == "quaternion":
            place = slice(first, first + 4)
            turned = np.einsum("ij,ij->j", near[start:stop], q[place]) < 0.0
            if turned.any():
                q[place] *= np.where(turned, -1.0, 1.0)
