"""Influence coefficients of closed mechanisms: how everything moves with the driven coordinates, to second order."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from closedchain.analyses.loop_rates import LoopRates, loop_rates, nearby
from closedchain.analyses.pose import Pose
from closedchain.analyses.variables import Variable, actuated, expand, find_variable, independent
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError, SingularConfigurationError
from closedchain.model import Model

CONTRADICTION = 1e-5
INSTANTANEOUS = (
    "the freedom at this pose is only instantaneous: the loop equations allow the velocity but contradict each other "
    "in the acceleration. Choose another pose; see cc.mobility."
)


def influence(
    mechanism: Mechanism | Model, pose: Pose, of: str, wrt: Sequence[str] | str | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """First- and second-order influence coefficients of a point with respect to independent variables y.

        (w, v) = G y'          (e, a) = G y'' + y'^T H y'

    mechanism, pose: the assembled mechanism. of: "body.point" or the name of an output. wrt: joints,
    "joint.coordinate", motions or "motion.component" (roll, pitch, yaw with pitch within a quarter turn), actuators; by
    default the actuated coordinates in file order. For a ball joint the rates "joint.wx" may be named.

    Returns G, shape (6, k), and H, shape (6, k, k), with H[i, m, n] = dG[i, n]/dy_m, not symmetrised; angular rows
    first, ground axes, SI. Planar mechanisms have three rows: w, x, y.

    With the loop equations J v = 0 of all joint rates v and y' = S v, the rates follow y by v = g y', [J; S] g = [0;
    1], and dg from the derivative of the same equations (Freeman and Tesar 1988); a freedom that is idle takes the
    least rates.

    Raises MechanismError when the variables depend on each other or leave a freedom open (idle ones may stay open),
    naming an independent set; SingularConfigurationError where the pose is to blame.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {}, "arm": {"points": {"P": [0.5, 0]}}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]}},
    ... })
    >>> G, H = cc.influence(m, cc.assemble(m, {"A": 0.0}), of="arm.P", wrt=["A"])
    >>> G[:, 0].tolist(), H[:, 0, 0].tolist()
    ([1.0, 0.0, 0.5], [0.0, -0.5, 0.0])
    """
    rates = loop_rates(mechanism, pose)
    variables = [find_variable(rates, name) for name in expand(rates, wrt)]
    transfer = find_transfer(rates, variables)
    return transfer.point(of)


@dataclass(frozen=True, eq=False)
class Transfer:
    """Rates of all joints by those of the chosen variables.

    g (nv, k): v = g y'; dg (nv, k, k): dg[:, m, n] = derivative of g[:, n] along variable m; unscaled, over the tree
    rates of `rates.model`.
    """

    rates: LoopRates
    variables: tuple[Variable, ...]
    g: np.ndarray
    dg: np.ndarray

    def point(self, of: str) -> tuple[np.ndarray, np.ndarray]:
        """G (6, k) and H (6, k, k) of a point, planar 3 rows."""
        G, H = self.rates.point(of)
        second = np.einsum("irs,rm,sn->imn", H, self.g, self.g, optimize=True)
        return G @ self.g, second + np.einsum("ir,rmn->imn", G, self.dg)


def find_transfer(rates: LoopRates, variables: Sequence[Variable]) -> Transfer:
    """Solve the loop equations for the rates of all joints by the chosen variables, to second order.

    A = [J; S] may have dependent rows and, where freedoms are idle, a null space; g = A^+ [0; 1] is then the least
    solution, and dg = -A^+ B g + (1 - A^+ A) B^T A^+T g its exact derivative, B = dA along the variable (Golub and
    Pereyra 1973).
    """
    require_independent(rates, variables)
    k, nv = len(variables), len(rates.unit)
    S = np.array([variable.S for variable in variables]).reshape(k, nv)
    A = np.vstack([rates.J, S])
    inverse = pseudo_inverse(A, rates.rank + k)
    g = inverse[:, len(rates.J) :]
    K = np.concatenate([rates.K, np.array([variable.dS for variable in variables]).reshape(k, nv, nv)])
    B = np.einsum("rsn,sm->mrn", K, g, optimize=True)
    Bg = np.einsum("mrs,sn->rmn", B, g)
    solved = np.einsum("sr,rmn->smn", inverse, Bg)
    contradiction = np.abs(Bg - np.einsum("rs,smn->rmn", A, solved)).max(initial=0.0)
    if contradiction > CONTRADICTION * (1.0 + np.abs(Bg).max(initial=0.0)):
        raise SingularConfigurationError(INSTANTANEOUS)
    dg = -solved
    if rates.rank + k < nv:
        still = np.eye(nv) - inverse @ A
        dg += np.einsum("st,mrt,rn->smn", still, B, inverse.T @ g, optimize=True)
    y = np.array([rates.model.size if variable.unit == "m" else 1.0 for variable in variables])
    unit = rates.unit[:, None]
    return Transfer(rates, tuple(variables), unit * g / y, unit[..., None] * dg / y[:, None] / y)


def pseudo_inverse(A: np.ndarray, rank: int) -> np.ndarray:
    """Moore-Penrose inverse of a matrix of known rank."""
    if A.size == 0 or rank == 0:
        return np.zeros(A.shape[::-1])
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    return (Vt[:rank].T / s[:rank]) @ U[:, :rank].T


def require_independent(rates: LoopRates, variables: Sequence[Variable]) -> None:
    """Raise unless the variables determine every motion that is not idle, each in its own way."""
    names = [variable.name for variable in variables]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise MechanismError(
            f"{', '.join(twice)} {'is' if len(twice) == 1 else 'are'} named twice; name every variable once."
        )
    moving, _ = rates.split_idle([name for name in names if name in rates.model.tree_rates])
    k, dof = len(variables), moving.shape[1]
    found = independent_count(variables, moving, rates.limit)
    if found == k == dof:
        return
    near = nearby(rates) if k <= dof else None
    if near is not None:
        near_moving, _ = near.split_idle([name for name in names if name in rates.model.tree_rates])
        if near_moving.shape[1] < dof:
            raise SingularConfigurationError(
                f"the loop equations lose rank at this pose: {dof} instantaneous freedoms instead of "
                f"{near_moving.shape[1]}. Influence coefficients do not exist here; choose another pose. See "
                "cc.singularities."
            )
        near_found = independent_count([find_variable(near, name) for name in names], near_moving, near.limit)
        if near_found > found:
            raise SingularConfigurationError(
                f"at this pose {', '.join(loose_rates(rates, variables, moving))} can move while {', '.join(names)} "
                f"stand still (smallest singular value {smallest(variables, moving):.1e}), so coefficients do not "
                f"exist. Choose another pose, or with respect to {set_of(rates, names)}. See cc.singularities."
            )
    raise MechanismError(mismatch(rates, names, found, dof) + f" An independent set is {set_of(rates, names)}.")


def mismatch(rates: LoopRates, names: Sequence[str], found: int, dof: int) -> str:
    """Sentence about variables that are dependent, too many or too few."""
    freedoms = f"{dof} freedom{'' if dof == 1 else 's'}"
    source = "the actuated coordinates " if list(names) == actuated(rates) else ""
    if dof == 0:
        return f"nothing can move at this pose, so there are no coefficients with respect to {', '.join(names)}."
    if len(names) > dof:
        return f"{source}{', '.join(names)} are {len(names)} variables for {freedoms}, so they depend on each other."
    if found < len(names):
        return f"{source}{', '.join(names)} depend on each other; the mechanism has {freedoms}."
    said = ", ".join(names) or "no variables"
    return f"{source}{said} leave {dof - found} of {freedoms} open."


def set_of(rates: LoopRates, names: Sequence[str]) -> str:
    """Names of an independent set, as text."""
    return ", ".join(independent(rates, names)) or "the empty one"


def slopes(variables: Sequence[Variable], moving: np.ndarray) -> np.ndarray:
    """Rates of the variables by the coefficients of the motions, shape (k, dof)."""
    return np.array([variable.S @ moving for variable in variables]).reshape(len(variables), moving.shape[1])


def loose_rates(rates: LoopRates, variables: Sequence[Variable], moving: np.ndarray) -> list[str]:
    """Labels of the rates in the motion that moves the variables least."""
    _, _, Vt = np.linalg.svd(slopes(variables, moving))
    motion = np.abs(moving @ Vt[-1])
    return [name for name in rates.model.rates if motion[rates.model.tree_rates[name]] > 1e-4 * motion.max()]


def smallest(variables: Sequence[Variable], moving: np.ndarray) -> float:
    """Smallest singular value of the variables over the motions."""
    s = np.linalg.svd(slopes(variables, moving), compute_uv=False)
    return float(s.min(initial=np.inf)) if len(s) else 0.0


def independent_count(variables: Sequence[Variable], moving: np.ndarray, limit: float) -> int:
    """Rank of the variables over the motions."""
    if not variables or moving.shape[1] == 0:
        return 0
    s = np.linalg.svd(slopes(variables, moving), compute_uv=False)
    return int(np.sum(s > limit * max(1.0, s[0])))


__all__ = ["Transfer", "find_transfer", "influence", "pseudo_inverse"]
