"""The loop equations W q_p' + U q_a' = 0 of a mechanism cut at intermediate bodies, with their convective terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from closedchain.analyses.determinacy import idle_motions
from closedchain.analyses.loop_rates import singular_limit
from closedchain.analyses.loops import CutLoop, choose_loops, cut_loops
from closedchain.analyses.paths import Chain, chain_point, make_chain
from closedchain.analyses.pose import Pose
from closedchain.description import Mechanism
from closedchain.exceptions import Finding, MechanismError, SingularConfigurationError
from closedchain.model import Model, compile


@dataclass(frozen=True, eq=False)
class LoopMatrices:
    """Loop equations W q_p' + U q_a' = 0 and W q_p'' + U q_a'' + c = 0 at a pose.

    loops: names; right, left: joints of both paths from the loop's base to its intermediate point, one entry per loop.
    rows: labels of the rows, "loop.wx" ... "loop.vz" (planar wz, vx, vy), couplings by their names.
    passive, driven: labels of the rates of the columns of W (r, m) and U (r, k); units: of passive, then driven.
    C (r, n, n): c = v^T C v over the rates v of passive, then driven, C[i, a, b] = d(column b)/dq_a.
    rank: of W; independent: rows to keep as W0, U0; freedoms: n less the rank of [W U]; idle: freedoms of passive
    joints alone that move no mass centre, no output and no driven joint.
    """

    loops: tuple[str, ...]
    intermediate: tuple[str, ...]
    right: tuple[tuple[str, ...], ...]
    left: tuple[tuple[str, ...], ...]
    rows: tuple[str, ...]
    passive: tuple[str, ...]
    driven: tuple[str, ...]
    units: tuple[str, ...]
    W: np.ndarray
    U: np.ndarray
    C: np.ndarray
    rank: int
    independent: tuple[int, ...]
    freedoms: int
    idle: int
    size: float

    @property
    def W0(self) -> np.ndarray:
        """Independent rows of W, shape (rank, m)."""
        return self.W[list(self.independent)]

    @property
    def U0(self) -> np.ndarray:
        """The same rows of U, shape (rank, k)."""
        return self.U[list(self.independent)]

    def c(self, rates: Mapping[str, float] | ArrayLike) -> np.ndarray:
        """Convective difference c_right - c_left of the two paths' accelerations for rates, shape (r,).

        rates: {label: rate}, or all rates of passive, then driven [rad/s, m/s].
        """
        names = (*self.passive, *self.driven)
        if isinstance(rates, Mapping):
            missing = [name for name in names if name not in rates]
            if missing:
                raise MechanismError(f"c needs the rates of {', '.join(missing)} too.")
            rates = [float(rates[name]) for name in names]
        v = np.asarray(rates, float)
        if v.shape != (len(names),):
            raise MechanismError(f"c needs {len(names)} rates in the order {', '.join(names)}; it got {v.shape}.")
        return np.einsum("imn,m,n->i", self.C, v, v)

    @cached_property
    def dqp_dqa(self) -> np.ndarray:
        """Passive by driven rates: -W0^-1 U0, shape (m, k); idle freedoms take the least rates.

        Raises SingularConfigurationError where the driven joints leave passive ones free, MechanismError where they
        depend on each other.
        """
        m, k = len(self.passive), len(self.driven)
        if m - self.rank > self.idle:
            raise SingularConfigurationError(
                f"the loop equations of {', '.join(self.loops)} leave {m - self.rank - self.idle} motions of passive "
                f"joints open while the driven ones ({', '.join(self.driven) or 'none'}) stand: W has rank {self.rank} "
                f"for {m} passive rates. Take all loops together, drive more joints, or choose another pose "
                "(see cc.singularities)."
            )
        if self.freedoms < m + k - self.rank:
            raise MechanismError(
                f"the driven rates {', '.join(self.driven)} depend on each other: {self.freedoms - self.idle} "
                "freedoms. Name fewer with driven, or solve W q_p' = -U q_a' for rates that are compatible."
            )
        unit = np.array([self.size if kind == "m" else 1.0 for kind in self.units[:m]])
        return -unit[:, None] * np.linalg.lstsq(self.W0 * unit, self.U0, rcond=None)[0]

    def passive_rates(self, driven: Mapping[str, float] | ArrayLike) -> np.ndarray:
        """Passive rates q_p' for driven rates {label: rate} (or in order), shape (m,)."""
        return self.dqp_dqa @ self._driven(driven)

    def passive_accelerations(
        self, driven: Mapping[str, float] | ArrayLike, acceleration: Mapping[str, float] | ArrayLike
    ) -> np.ndarray:
        """q_p'' = -W0^-1 (U0 q_a'' + c0) for driven rates and accelerations, shape (m,)."""
        qa, qaa = self._driven(driven), self._driven(acceleration)
        c = self.c([*(self.dqp_dqa @ qa), *qa])[list(self.independent)]
        m = len(self.passive)
        unit = np.array([self.size if kind == "m" else 1.0 for kind in self.units[:m]])
        return -unit * np.linalg.lstsq(self.W0 * unit, self.U0 @ qaa + c, rcond=None)[0]

    def _driven(self, values: Mapping[str, float] | ArrayLike) -> np.ndarray:
        if isinstance(values, Mapping):
            missing = [name for name in self.driven if name not in values]
            if missing:
                raise MechanismError(f"the driven rates of {', '.join(missing)} are missing.")
            values = [float(values[name]) for name in self.driven]
        array = np.asarray(values, float)
        if array.shape != (len(self.driven),):
            raise MechanismError(
                f"{len(self.driven)} driven values are needed: {', '.join(self.driven)}; there are {array.size}."
            )
        return array

    def __str__(self) -> str:
        lines = [
            f"loop equations W q_p' + U q_a' = 0: {len(self.rows)} rows, {len(self.passive)} passive and "
            f"{len(self.driven)} driven rates",
            f"  passive: {', '.join(self.passive) or 'none'}",
            f"  driven: {', '.join(self.driven) or 'none'}",
        ]
        for name, at, right, left in zip(self.loops, self.intermediate, self.right, self.left, strict=True):
            lines.append(f"  loop {name} to {at}: right {', '.join(right)}; left {', '.join(left)}")
        kept = ", ".join(self.rows[row] for row in self.independent)
        lines.append(f"  rank of W: {self.rank} of {len(self.passive)}; independent rows: {kept or 'none'}")
        idle = f", {self.idle} of them idle" if self.idle else ""
        lines.append(f"  freedoms: {self.freedoms}{idle}")
        return "\n".join(lines)


def loop_matrices(
    mechanism: Mechanism | Model,
    pose: Pose,
    loop: str | int | None = None,
    intermediate: str | Mapping[str, str] | None = None,
    driven: Sequence[str] | None = None,
) -> LoopMatrices:
    """The loop equations at a pose, loops cut at intermediate bodies.

    mechanism, pose: the assembled mechanism. loop: the joint that names a loop (the one opened to form the tree),
    another joint that only one loop passes, or its position; by default all loops stacked, with the couplings.
    intermediate: the body (or "body.point", the reference point) where the two paths of a loop meet, {loop: body} for
    several loops; by default the moving side of the opened joint. driven: rates that count as driven; by default those
    of all actuated coordinates.

    With h_r = 1 on the right path and -1 on the left one, and rho_r from the joint to the reference point,
    x_r = h_r e_r and y_r = h_r e_r x rho_r for a revolute, x_r = 0 and y_r = h_r e_r for a prismatic joint; the columns
    of driven joints form U, all others W; c is the convective acceleration of the right path less that of the left one.

    Raises MechanismError for loops, bodies and rates that do not exist.

    >>> import closedchain as cc
    >>> arm = {"points": {"end": [0.5, 0]}}
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {"points": {"B": [0.6, 0]}}, "arm": arm, "leg": arm,
    ...                "bar": {"points": {"end": [0.6, 0]}}},
    ...     "joints": {
    ...         "A": {"type": "revolute", "between": ["ground.origin", "arm.origin"], "guess": "90 deg"},
    ...         "C": {"type": "revolute", "between": ["arm.end", "bar.origin"], "guess": "-90 deg"},
    ...         "B": {"type": "revolute", "between": ["ground.B", "leg.origin"], "guess": "90 deg"},
    ...         "D": {"type": "revolute", "between": ["leg.end", "bar.end"], "guess": "-90 deg"},
    ...     },
    ...     "actuators": {"motor": {"joint": "A"}},
    ... })
    >>> equations = cc.loop_matrices(m, cc.assemble(m, {"A": 1.2}), intermediate="bar")
    >>> equations.W.shape, equations.U.shape, equations.passive
    ((3, 3), (3, 1), ('C', 'B', 'D'))
    >>> equations.dqp_dqa.ravel().round(12).tolist()
    [-1.0, 1.0, -1.0]
    """
    model = compile(mechanism)
    cuts = cut_loops(model, choose_loops(model, loop), intermediate)
    paths = [
        (make_chain(model, pose, cut.right, cut.loop.base), make_chain(model, pose, cut.left, cut.loop.base))
        for cut in cuts
    ]
    couplings = coupling_rows(model) if loop is None else {}
    names = column_names(model, paths, couplings)
    active = tuple(name for name in driven_rates(model, driven) if name in names)
    passive = tuple(name for name in names if name not in active)
    columns = {name: k for k, name in enumerate((*passive, *active))}
    blocks = [loop_block(model, cut, *pair, columns) for cut, pair in zip(cuts, paths, strict=True)]
    n, m = len(columns), len(passive)
    extra = np.zeros((len(couplings), n))
    for row, terms in enumerate(couplings.values()):
        for name, coefficient in terms.items():
            extra[row, columns[name]] = coefficient
    A = np.concatenate([*(block for block, _ in blocks), extra])
    C = np.concatenate([*(block for _, block in blocks), np.zeros((len(couplings), n, n))])
    units = tuple(names[name] for name in columns)
    scaled = scale(A, units, model, len(couplings))
    limit = singular_limit(pose.residual)
    rank, independent = independent_rows(scaled[:, :m], limit)
    return LoopMatrices(
        tuple(cut.loop.name for cut in cuts),
        tuple(cut.at.text for cut in cuts),
        tuple(right.joints for right, _ in paths),
        tuple(left.joints for _, left in paths),
        row_names(model, cuts, couplings),
        passive,
        active,
        units,
        A[:, :m],
        A[:, m:],
        C,
        rank,
        independent,
        n - independent_rows(scaled, limit)[0],
        count_idle(model, pose, scaled[:, :m], rank, passive, units),
        model.size,
    )


def driven_rates(model: Model, driven: Sequence[str] | None) -> list[str]:
    """Labels of the driven rates, each once: the given ones, else the actuated ones in file order."""
    if driven is None:
        return list(dict.fromkeys(actuator.joint.text for actuator in model.mechanism.actuators.values()))
    given = [driven] if isinstance(driven, str) else list(driven)
    unknown = [name for name in given if name not in model.rates]
    if unknown:
        raise MechanismError(Finding("", f"{unknown[0]!r} is not a rate.", f"The rates are {', '.join(model.rates)}."))
    return list(dict.fromkeys(given))


def coupling_rows(model: Model) -> dict[str, dict[str, float]]:
    """Coefficients of every coupling by rate label."""
    evaluate = model.parameters.evaluator()
    return {
        name: {reference.text: float(evaluate(value)) for reference, value in coupling.sum}
        for name, coupling in model.mechanism.couplings.items()
    }


def column_names(model: Model, paths: Sequence[tuple[Chain, Chain]], couplings: Mapping[str, Any]) -> dict[str, str]:
    """Label -> unit of all rates of the loops in file order; couplings may add joints outside the loops."""
    found = {name for pair in paths for chain in pair for name in chain.rates}
    found |= {name for terms in couplings.values() for name in terms}
    units = [unit for form in model.forms.values() for unit in form.units]
    return {name: unit for name, unit in zip(model.rates, units, strict=True) if name in found}


def loop_block(
    model: Model, cut: CutLoop, right: Chain, left: Chain, columns: Mapping[str, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Columns (x_r, y_r) and convective tensor of one loop, shapes (6, n), (6, n, n); planar 3 rows."""
    rows, n = (3 if right.planar else 6), len(columns)
    A, C = np.zeros((rows, n)), np.zeros((rows, n, n))
    for chain, h in ((right, 1.0), (left, -1.0)):
        G, H = chain.influence(chain_point(model, chain, cut.at))
        at = [columns[name] for name in chain.rates]
        A[:, at] += h * G
        C[:, np.array(at, int)[:, None], at] += h * H
    return A, C


def row_names(model: Model, cuts: Sequence[CutLoop], couplings: Mapping[str, Any]) -> tuple[str, ...]:
    """Labels of the rows."""
    parts = ("wz", "vx", "vy") if model.mechanism.planar else ("wx", "wy", "wz", "vx", "vy", "vz")
    return (*(f"{cut.loop.name}.{part}" for cut in cuts for part in parts), *couplings)


def scale(A: np.ndarray, units: Sequence[str], model: Model, couplings: int) -> np.ndarray:
    """The matrix with lengths as fractions of the size and couplings of unit coefficients."""
    size = model.size
    scaled = A * np.array([size if unit == "m" else 1.0 for unit in units])
    one_loop = [1.0, size, size] if model.mechanism.planar else [1.0] * 3 + [size] * 3
    loops = (len(A) - couplings) // len(one_loop)
    scaled[: len(A) - couplings] /= np.array(one_loop * loops)[:, None]
    for row in range(len(A) - couplings, len(A)):
        scaled[row] /= np.linalg.norm(scaled[row]) or 1.0
    return scaled


def independent_rows(A: np.ndarray, limit: float) -> tuple[int, tuple[int, ...]]:
    """Rank, and that many rows that are independent: by QR with pivoting of the transpose."""
    if A.size == 0:
        return 0, ()
    from scipy.linalg import qr

    s = np.linalg.svd(A, compute_uv=False)
    rank = int(np.sum(s > limit * max(1.0, s[0])))
    order: np.ndarray = qr(A.T, mode="r", pivoting=True)[-1]
    return rank, tuple(sorted(int(row) for row in order[:rank]))


def count_idle(model: Model, pose: Pose, W: np.ndarray, rank: int, passive: Sequence[str], units: Sequence[str]) -> int:
    """Number of idle freedoms among the motions of passive joints alone that W allows."""
    if rank == len(passive):
        return 0
    whole = compile(model, keep=model.mechanism.joints)
    _, _, Vt = np.linalg.svd(np.vstack([W, np.zeros((1, len(passive)))]))
    unit = np.array([model.size if kind == "m" else 1.0 for kind in units[: len(passive)]])
    at = np.array([whole.tree_rates[name] for name in passive])
    driven = [whole.tree_rates[actuator.joint.text] for actuator in model.mechanism.actuators.values()]
    return idle_motions(whole, pose.tree(whole), at, unit[:, None] * Vt[rank:].T, frozenset(driven)).shape[1]


__all__ = ["LoopMatrices", "loop_matrices"]
