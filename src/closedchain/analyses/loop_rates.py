"""The loop equations of a pose as matrices over the rates of all joints, with their derivatives along every rate."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from closedchain.algorithms.chain import Placed, first_order, place, placed_link, second_order
from closedchain.algorithms.constraints import Constraint, System, all_constraints, retract, zeros
from closedchain.algorithms.influence import cut_derivatives
from closedchain.analyses.determinacy import idle_motions
from closedchain.analyses.pose import Pose, find_point
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError
from closedchain.model import Drive, Model, compile

OPEN = 1e-6
ROUNDING = 1e-15
SAFETY = 1e3


@dataclass(frozen=True, eq=False)
class LoopRates:
    """Scaled loop equations J v = 0 of one pose over the rates v of all joints (none is opened), couplings included.

    model: every joint's coordinates stand in its tree; q: tree coordinates (nq,); placed: links and joint columns;
    unit: what a scaled rate of 1 is, the mechanism's size for a length, 1 rad for an angle (nv,);
    J: rows as fractions of the size or in rad, over scaled rates (r, nv); residual: largest row value.
    """

    model: Model
    system: System
    q: np.ndarray
    placed: tuple[Placed, ...]
    unit: np.ndarray
    row_scale: np.ndarray
    J: np.ndarray
    residual: float

    @property
    def planar(self) -> bool:
        """Whether the mechanism moves in x-y."""
        return self.system.planar

    @property
    def limit(self) -> float:
        """Singular values below count as zero."""
        return singular_limit(self.residual)

    @cached_property
    def K(self) -> np.ndarray:
        """K[r, m, n]: derivative of J[r, n] along rate m, scaled, shape (r, nv, nv)."""
        nv = len(self.unit)
        K = np.zeros((len(self.J), nv, nv))
        row = 0
        for cut in self.system.tree.cuts:
            for entries in cut_derivatives(self.system.tree, self.placed, cut, self.planar):
                for at, value in entries.items():
                    K[(row, *at)] = value
                row += 1
        return K * self.row_scale[:, None, None] * self.unit[:, None] * self.unit

    @cached_property
    def singular_values(self) -> np.ndarray:
        """Singular values of J, largest first."""
        return np.linalg.svd(self.J, compute_uv=False) if self.J.size else np.array([])

    @cached_property
    def rank(self) -> int:
        """Rank of J."""
        return int(np.sum(self.singular_values > self.limit * max([1.0, *self.singular_values[:1]])))

    @cached_property
    def freedoms(self) -> np.ndarray:
        """All motions that keep the loops closed to first order: orthonormal scaled rates, shape (nv, nv - rank)."""
        nv = len(self.unit)
        _, _, Vt = np.linalg.svd(np.vstack([self.J, np.zeros((1, nv))]))
        return Vt[self.rank :].T

    def split_idle(self, watched: Sequence[str] = (), among: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Motions that move something, and idle ones: scaled rates, shapes (nv, dof), (nv, idle).

        watched: labels of rates whose motion counts, beside those of driven joints, mass centres and outputs.
        among: orthonormal motions to split (nv, n); all that keep the loops closed by default.
        """
        N = self.freedoms if among is None else among
        if N.shape[1] == 0:
            return N, N
        driven = [actuator.joint.text for actuator in self.model.mechanism.actuators.values()]
        seen = frozenset(self.model.tree_rates[name] for name in (*driven, *watched))
        idle = idle_motions(self.model, self.q, np.arange(len(self.unit)), self.unit[:, None] * N, seen)
        U, _, _ = np.linalg.svd(np.hstack([idle, np.zeros((N.shape[1], 1))]))
        return N @ U[:, idle.shape[1] :], N @ idle

    def point(self, of: str) -> tuple[np.ndarray, np.ndarray]:
        """G (6, nv) and H (6, nv, nv) of a point over all rates, unscaled, angular rows first; planar 3 rows."""
        at = find_point(self.model.mechanism, of)
        body = placed_link(self.placed, self.model.topology.link_of[at.body])
        P = body.frame.p + body.frame.R @ at.point.position(self.model.parameters.evaluator())
        return influence_arrays(body, P, len(self.unit), self.planar)


def singular_limit(residual: float) -> float:
    """Singular values (of scaled matrices) that count as zero at a pose closed to a residual.

    Near a singular configuration a pose closed to e has a singular value s known to about e/s only, so s means
    something where s^2 is well above e.
    """
    return float(np.sqrt(SAFETY * max(residual, ROUNDING)))


def influence_arrays(body: Placed, P, rates: int, planar: bool) -> tuple[np.ndarray, np.ndarray]:
    """G (6, rates) and H (6, rates, rates) of a point of a placed link, angular rows first; planar (3, ...)."""
    G, H = np.zeros((6, rates)), np.zeros((6, rates, rates))
    at = [column.rate for column in body.columns]
    if at:
        G[:, at] = column_array(first_order(body.columns, P)).T
        table = np.array([column_array(row) for row in second_order(body.columns, P)])
        H[:, np.array(at)[:, None], at] = np.moveaxis(table, -1, 0)
    rows = [2, 3, 4] if planar else slice(None)
    return G[rows], H[rows]


def column_array(columns) -> np.ndarray:
    """(angular, linear) pairs as rows of six numbers, shape (n, 6)."""
    return np.array([[*angular, *linear] for angular, linear in columns], float)


def loop_rates(mechanism: Mechanism | Model, pose: Pose) -> LoopRates:
    """The loop equations of a mechanism at a pose.

    Raises MechanismError for a pose of another mechanism.
    """
    base = compile(mechanism)
    model = compile(base, keep=base.mechanism.joints)
    if set(model.tree_coordinates) != set(pose.coordinates):
        raise MechanismError("the pose belongs to another mechanism; assemble this one.")
    return loop_rates_at(model, pose.tree(model))


def loop_rates_at(model: Model, q: np.ndarray) -> LoopRates:
    """The loop equations of a model whose tree holds all joints, at tree coordinates q (nq,)."""
    system = model.system(Drive())
    unit = np.array([model.size if kind == "m" else 1.0 for kind in model.tree_units])
    numbers = [float(value) for value in q]
    rows = constraint_rows(system, numbers)
    values, scale, J = as_arrays(rows, unit, model.size)
    residual = float(np.abs(values).max(initial=0.0))
    if residual > OPEN:
        raise MechanismError(
            f"the pose leaves the loops open by {residual:.1e} of the mechanism's size; assemble the mechanism with "
            "these values and use the pose that cc.assemble returns."
        )
    return LoopRates(model, system, np.array(numbers), place(system.tree, numbers), unit, scale, J, residual)


def constraint_rows(system: System, q: Sequence[float]) -> list[Constraint]:
    """Rows of all cut joints and couplings at rest."""
    still = zeros(system.tree.rates)
    return all_constraints(system, q, still, still, ((), (), ()))


def as_arrays(rows: Sequence[Constraint], unit: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scaled values (r,), scale of every row (r,), scaled Jacobian (r, nv).

    A length counts as a fraction of the size; a coupling is made one of unit coefficients.
    """
    J = np.zeros((len(rows), len(unit)))
    scale = np.ones(len(rows))
    for index, row in enumerate(rows):
        for rate, value in row.entries.items():
            J[index, rate] = value * unit[rate]
        if row.label == "sum":
            scale[index] = 1.0 / (float(np.linalg.norm(J[index])) or 1.0)
        elif row.length:
            scale[index] = 1.0 / size
    return np.array([float(row.value) for row in rows]) * scale, scale, J * scale[:, None]


def nearby(rates: LoopRates, away: float = 0.05) -> LoopRates | None:
    """The loop equations at another closed pose, `away` (rad or fraction of the size) along all freedoms at once.

    None where no closed pose is found; there the mechanism cannot move that way.
    """
    draw = np.random.default_rng(1)
    for _ in range(6):
        N = rates.freedoms
        step = away * N @ draw.choice([-1.0, 1.0], N.shape[1]) * draw.uniform(0.5, 1.0)
        q = closed(rates, retract(rates.system.tree, rates.q.tolist(), (rates.unit * step).tolist()))
        if q is not None:
            return loop_rates_at(rates.model, np.array(q))
        away *= 0.5
    return None


def closed(rates: LoopRates, q: list[float]) -> list[float] | None:
    """Closed coordinates near q by Newton's method with the smallest steps, None where it does not converge."""
    for _ in range(30):
        rows = constraint_rows(rates.system, q)
        values, _, J = as_arrays(rows, rates.unit, rates.model.size)
        if np.abs(values).max(initial=0.0) < 1e-13:
            return q
        step = -np.linalg.lstsq(J, values, rcond=1e-7)[0]
        q = retract(rates.system.tree, q, (rates.unit * step).tolist())
    return q if np.abs(values).max(initial=0.0) < 1e-11 else None
