"""How efforts are shared between actuators, and what happens where the actuators cannot bring a motion.

Where the loops leave the motions v = B u (B spans the null space of the loop equations, idle motions left out),
actuators with rates S v balance the generalised forces r when

    E^T tau = Q,        E = S B,        Q = B^T r

The dense solution here serves the samples at which the kernels' elimination meets no pivot: fewer actuators than
freedoms, and singular configurations. It says which freedom has no actuator.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.analyses.determinacy import idle_motions
from closedchain.analyses.position import PositionProblem
from closedchain.exceptions import MechanismError, SingularConfigurationError
from closedchain.model import Drive, Model
from closedchain.model.inverse_kernels import Choice, actuated_rates
from closedchain.model.rows import row_marks

COMMANDED = 1e-6
MINIMUM_NORM = "minimum-norm"


@dataclass(frozen=True, eq=False)
class Sharing:
    """How redundant efforts are chosen: nearest to the preload, in the norm of the weights. One entry per actuator.

    easiness: 1 over the root of the weight (k,); preload [N or N m] (k,); choice: which of them the user gave.
    """

    easiness: np.ndarray
    preload: np.ndarray
    choice: Choice

    def inputs(self) -> np.ndarray:
        """What the kernels take, in their order."""
        given = [self.easiness] * self.choice.weighted + [self.preload] * self.choice.preloaded
        return np.concatenate(given) if given else np.zeros(0)


def read_sharing(
    model: Model, redundancy: str, weights: Mapping[str, float] | None, preload: Mapping[str, float] | None
) -> Sharing:
    """The user's choice among redundant efforts; raises MechanismError for names and numbers that mean nothing."""
    if redundancy != MINIMUM_NORM:
        raise MechanismError(
            f"redundancy is {redundancy!r}; efforts are shared by {MINIMUM_NORM!r}, which weights and preload adapt."
        )
    weight = numbers_by_actuator(model, "weights", weights or {}, 1.0)
    if not np.all(weight > 0.0):
        bad = list(model.mechanism.actuators)[int(np.argmin(weight))]
        raise MechanismError(
            f"the weight of actuator {bad!r} is {weight.min():g}; weights are positive, larger for those to spare."
        )
    return Sharing(
        1.0 / np.sqrt(weight),
        numbers_by_actuator(model, "preload", preload or {}, 0.0),
        Choice(weights is not None, preload is not None),
    )


def numbers_by_actuator(model: Model, what: str, given: Mapping[str, float], default: float) -> np.ndarray:
    """One number per actuator, in file order."""
    names = list(model.mechanism.actuators)
    found = np.full(len(names), default)
    for name, value in given.items():
        if name not in names:
            raise MechanismError(
                f"{what} names {name!r}, which is not an actuator; the actuators are {', '.join(names) or 'none'}."
            )
        found[names.index(name)] = number(what, name, value)
    return found


def number(what: str, name: str, value: Any) -> float:
    """A float that is no NaN."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        result = float("nan")
    if np.isnan(result) or (what == "preload" and np.isinf(result)):
        raise MechanismError(f"the {what.removesuffix('s')} of actuator {name!r} is {value!r}; give a number.")
    return result


@dataclass(frozen=True, eq=False)
class Freedoms:
    """The freedoms of a closed pose and what the actuators do to them, in scaled rates (lengths over the size).

    B: motions that keep the loops closed, idle ones left out, orthonormal (nv, dof); E: rates of the actuators (k,
    dof);
    unit: what a scaled rate of 1 is (nv,); J: scaled rows of loops and couplings (m, nv); row_scale (m,).
    """

    model: Model
    B: np.ndarray
    E: np.ndarray
    unit: np.ndarray
    J: np.ndarray
    row_scale: np.ndarray


def freedoms_at(model: Model, q: np.ndarray) -> Freedoms:
    """Freedoms at closed tree coordinates q (nq,)."""
    problem = PositionProblem(model, Drive(), np.array([]))
    N = problem.null_space(q, tolerance=1e-6)
    unit = 1.0 / np.sqrt(problem.metric)
    rates = actuated_rates(model)
    idle = idle_motions(model, q, problem.free, unit[:, None] * N, frozenset(rates))
    U, _, _ = np.linalg.svd(np.hstack([idle, np.zeros((N.shape[1], 1))]))
    B = N @ U[:, idle.shape[1] :] if N.shape[1] else N
    true_rows = [index for index, mark in enumerate(row_marks(model, Drive())) if not mark[3]]
    J = problem.evaluate(q[None])[1][0][true_rows] / unit_root(problem)
    return Freedoms(model, B, (unit[:, None] * B)[rates], unit, J, problem.row_scales[true_rows])


def unit_root(problem: PositionProblem) -> np.ndarray:
    """Root of the metric of every rate."""
    return np.sqrt(problem.metric)


def numeric_efforts(freedoms: Freedoms, r: np.ndarray, sharing: Sharing) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Efforts (k,), multipliers of loops and couplings (m,), and what stays unmet along the freedoms (dof,).

    r: generalised forces on the tree's rates (nv,).
    """
    Q = freedoms.B.T @ (freedoms.unit * r)
    D = sharing.easiness
    u = np.linalg.lstsq((D[:, None] * freedoms.E).T, Q - freedoms.E.T @ sharing.preload, rcond=1e-12)[0]
    efforts = sharing.preload + D * u
    left = freedoms.unit * r
    for rate, effort in zip(actuated_rates(freedoms.model), efforts, strict=True):
        left[rate] -= freedoms.unit[rate] * effort
    multipliers = np.linalg.lstsq(freedoms.J.T, left, rcond=1e-9)[0] * freedoms.row_scale
    return efforts, multipliers, Q - freedoms.E.T @ efforts


def raise_unmet(freedoms: Freedoms, q: np.ndarray, unmet: np.ndarray, sharing: Sharing, where: str) -> None:
    """Raise the error about a motion that the actuators cannot bring, with the freedom and the joint in question."""
    model = freedoms.model
    direction = unmet / np.linalg.norm(unmet)
    motion = freedoms.B @ direction
    labels = sorted(model.tree_rates, key=lambda name: model.tree_rates[name])
    known = [index for index, name in enumerate(labels) if name in model.rates]
    strong = [index for index in known if abs(motion[index]) > 0.05 * np.abs(motion[known]).max()]
    best = max(strong, key=lambda index: abs(motion[index]))
    force = abs(float(direction @ unmet)) / abs(motion[best]) / freedoms.unit[best]
    need = f"{force:.4g} {'N m' if model.tree_units[best] == 'rad' else 'N'} along joint {labels[best]!r}"
    moving = ", ".join(labels[index] for index in strong)
    freedom = f"the freedom of joint {moving}" if len(strong) == 1 else f"the freedom in which {moving} move together"
    in_use = [name for name, d in zip(model.mechanism.actuators, sharing.easiness, strict=True) if d > 0.0]
    names = ", ".join(in_use) or "there are none"
    active = sharing.easiness > 0.0
    near = freedoms_nearby(freedoms, q)
    if near is not None and near.B.shape[1] < freedoms.B.shape[1] and not uncommanded(near, active):
        raise SingularConfigurationError(
            f"at {where} the loops lose rank and {freedom} opens as well; the motion needs {need} there, which no "
            "joint carries: a constraint singularity, near which reactions grow without bound. Keep the motion, or "
            "the samples, away from it."
        )
    if int(active.sum()) < freedoms.B.shape[1] or (near is not None and uncommanded(near, active)):
        other = " there, or on another of these joints" if len(strong) > 1 else " there"
        raise MechanismError(
            f"the actuators ({names}) cannot bring the given motion: nothing acts on {freedom}. At {where} it needs "
            f"{need}; put an actuator{other}."
        )
    raise SingularConfigurationError(
        f"at {where} the actuators ({names}) have no effect on {freedom}, and the motion needs {need} there: a forward "
        "singularity. Keep the motion away from it or put an actuator on that joint."
    )


def freedoms_nearby(freedoms: Freedoms, q: np.ndarray) -> Freedoms | None:
    """The freedoms at a closed pose nearby, None where none is found; q: closed tree coordinates (nq,)."""
    problem = PositionProblem(freedoms.model, Drive(), np.array([]))
    draw = np.random.default_rng(1)
    step = 0.1 * (freedoms.B @ draw.choice([-1.0, 1.0], freedoms.B.shape[1])) * freedoms.unit
    near = problem.solve(problem.retract(q[None], step[None]))
    return freedoms_at(freedoms.model, near.q[0]) if near.residual[0] < 1e-9 else None


def uncommanded(freedoms: Freedoms, in_use: np.ndarray) -> bool:
    """Whether some freedom moves none of the actuators in use."""
    E = freedoms.E[in_use]
    s = np.linalg.svd(np.vstack([E, np.zeros((1, E.shape[1]))]), compute_uv=False)
    return int(np.sum(s > COMMANDED * max([1e-300, *s[:1]]))) < E.shape[1]
