"""All results at the samples of a path: predicted, closed by Newton's method, and written once to where they stay."""

from dataclasses import dataclass
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

# Numbers that are worked on together and stay in the cache, and most samples in a block, a multiple of the lanes.
CACHED = 1 << 17
LONGEST = 8192
# Scaled residuals of single rows above which a sample takes further Newton steps (closure counts all rows of a joint
# together), is closed again by continuation, or its rates are solved with a pivoted method.
UNSETTLED = 2e-13
UNCLOSED = 1e-12
UNSOLVED = 1e-10
# Above this part of the rates, or below this conditioning, rates found without refinement lose digits.
UNREFINED, SENSITIVE = 2e-14, 0.01
# Angles are read between -pi and pi, and predicted much nearer than what is left of pi here: no turns to count.
WITHIN_A_TURN = 2.0


def solve_samples(
    follower: Follower, path: "Path", pattern: Pattern, knots: Knots, samples: np.ndarray
) -> dict[str, np.ndarray]:
    """Outputs of the state kernel by name at ascending samples, the samples as last dimension."""
    n = len(samples)
    curve, opened = predicted(follower, path, knots, n), find_opened(follower.model)
    Y = result_rows(follower.state.n_outputs, n)
    rows = curve.values.shape[1] + 2 * follower.newton.n_outputs
    block = min(LONGEST, 8 * (CACHED // (8 * rows) + 1))
    for start in range(0, n, block):
        stop = min(start + block, n)
        solve_block(follower, path, pattern, knots, curve, opened, samples[start:stop], Y[:, start:stop])
    return follower.state.split(Y)


def solve_block(
    follower: Follower,
    path: "Path",
    pattern: Pattern,
    knots: Knots,
    curve: Curve,
    opened: "Opened",
    s: np.ndarray,
    out: np.ndarray,
) -> None:
    """Outputs at the samples s (n,), written to out (n_outputs, n)."""
    model, state, c = follower.model, follower.state, follower.c_state
    nq = model.topology.coordinates
    goals = path.goals(s)
    angles = curve.angles
    # One array from predictions of opened angles to the accelerations of goals: kernels read parts of it.
    work = np.empty((angles + nq + 3 * len(goals[0]), len(s) + 8))[:, : len(s)]
    np.concatenate(goals, out=work[angles + nq :])
    curve.fill(s, work[: angles + nq])
    X = work[angles:]
    close_block(follower, X[: nq + len(goals[0])])
    state.batch(X, c, out)
    residual, speed, conditioning = (
        state.outputs[name][0].start for name in ("residual", "rate_residual", "conditioning")
    )
    if not out[residual].max() < UNSETTLED:
        settle(follower, path, knots, s, X, out)
    if not (out[speed].max() < UNREFINED and out[conditioning].min() > SENSITIVE):
        refine(follower, X, out, np.flatnonzero(~((out[speed] < UNREFINED) & (out[conditioning] > SENSITIVE))))
    if not out[speed].max() < UNSOLVED:
        for column in np.flatnonzero(~(out[speed] < UNSOLVED)):
            solve_densely(model, path.drive, pattern, state, X[:, column], out[:, column])
    q = out[state.outputs["q"][0]]
    count_turns(opened, work[:angles], q)
    keep_signs(opened, curve, s, q)


def refine(follower: Follower, X: np.ndarray, out: np.ndarray, columns: np.ndarray) -> None:
    """The samples at these columns again with refined rates, in place; nothing where the kernel refines anyway."""
    kernel = follower.refined_state()
    if kernel is not follower.state:
        out[:, columns] = kernel.batch(X[:, columns], kernel.constants(follower.model.parameters.values))


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


@dataclass(frozen=True)
class Opened:
    """Where angles and quaternions of opened joints stand among all coordinates, and what is added to an angle as read.

    In the order of Curve: angles (first row, offset), quaternions (first row).
    """

    angles: list[tuple[int, float]]
    quaternions: list[int]


def find_opened(model: Model) -> Opened:
    """The places of the opened joints' coordinates."""
    rows = {name: row for row, name in enumerate(model.coordinates)}
    names = [name for joint in model.opened for name in labels_of(model, joint)]
    offsets = [float(value) for joint in model.opened for value in model.offsets(joint)]
    parts = opened_parts(model)
    return Opened(
        [(rows[names[start]], offsets[start]) for start, _, kind in parts if kind == "rad"],
        [rows[names[start]] for start, _, kind in parts if kind == "quaternion"],
    )


def count_turns(opened: Opened, near: np.ndarray, q: np.ndarray) -> None:
    """Turn the opened joints' angles to the turns counted along the motion.

    near: opened angles as predicted (number, n); q: all coordinates (labels, n), changed in place.
    """
    for ahead, (row, offset) in zip(near, opened.angles, strict=True):
        if max(ahead.max() - offset, offset - ahead.min()) > WITHIN_A_TURN:
            turns = ahead - q[row]
            turns *= 1.0 / TURN
            np.rint(turns, out=turns)
            if turns.any():
                q[row] += TURN * turns


def keep_signs(opened: Opened, curve: Curve, s: np.ndarray, q: np.ndarray) -> None:
    """Give the opened joints' quaternions a steady sign along the motion; q: all coordinates (labels, n), in place."""
    inner = curve.s[1:-1]
    first, last = np.searchsorted(inner, s[[0, -1]], side="right")
    for part, row in enumerate(opened.quaternions):
        signs = curve.signs[first : last + 1, part]
        if len(curve.s) > 1 and (signs > 0.0).all():
            continue
        turned = np.ones(1, bool)
        if len(curve.s) == 1 or not (signs < 0.0).all():
            turned = np.einsum("in,in->n", curve.quaternion(part, s), q[row : row + 4]) < 0.0
        if turned.any():
            q[row : row + 4] *= np.where(turned, -1.0, 1.0)
