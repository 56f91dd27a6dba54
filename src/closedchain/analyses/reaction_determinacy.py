"""Which reactions statics determines, and the smallest ones where it does not.

Multipliers lam with J^T lam = 0 are states of self-stress: reactions of all joints in balance by themselves. Any of
them may be added to a solution. A component of a reaction is determined when it vanishes in all of them, which is a
property of the mechanism and its pose and not of the choice of rows or axes; where some do not vanish, the reactions
of least norm over all joints are given (moments over the mechanism's size), so that opened and other joints count
alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from closedchain.model import Drive, Model
from closedchain.model.inverse_kernels import carried_kernel
from closedchain.model.rows import row_marks, rows_kernel

BLOCK = 2048
ZERO = 1e-6
DEPENDENT = 1e-7


@dataclass(frozen=True, eq=False)
class Reactions:
    """Reactions with the samples first, and whether each number is determined.

    force: (n, joints, axes) [N]; moment: (n, joints, 3) [N m], planar (n, joints).
    """

    force: np.ndarray
    moment: np.ndarray
    force_determined: np.ndarray
    moment_determined: np.ndarray


def settle_reactions(
    model: Model, q: np.ndarray, force: np.ndarray, moment: np.ndarray, suspicious: np.ndarray
) -> Reactions:
    """Reactions of least norm where they are not determined, and flags that say where.

    q: closed tree coordinates (nq, n). force, moment: one solution, samples first. suspicious: samples at which the
    loops are nearly singular (n,), to be looked at one by one; the others need it only where poses along the way are
    redundant.
    """
    n = q.shape[1]
    found = Reactions(force.copy(), moment.copy(), np.ones(force.shape, bool), np.ones(moment.shape, bool))
    if n == 0 or not model.topology.cuts:
        return found
    probes = np.unique(np.linspace(0, n - 1, 5).astype(int))
    generic = any(part[1].shape[2] for part in self_stresses(model, q[:, probes]))
    for start in range(0, n, BLOCK):
        chosen = np.arange(start, min(start + BLOCK, n))
        if not generic:
            chosen = chosen[suspicious[chosen]]
        for members, multipliers in self_stresses(model, q[:, chosen]):
            if multipliers.shape[2]:
                settle(model, q, found, chosen[members], multipliers)
    return found


def settled_reactions(
    model: Model,
    q: np.ndarray,
    force: np.ndarray,
    moment: np.ndarray,
    suspicious: np.ndarray | None = None,
    determined: bool = False,
) -> dict[str, np.ndarray]:
    """Reactions and their flags by the names of results; arrays as in `settle_reactions`, but the samples last.

    determined: it is known that statics determines all of them.
    """
    if determined:
        flags = np.ones(force.shape, bool), np.ones(moment.shape, bool)
        return {
            "reaction_force": force,
            "reaction_moment": moment,
            "reaction_determined": flags[0],
            "reaction_moment_determined": flags[1],
        }
    marked = np.zeros(q.shape[1], bool) if suspicious is None else suspicious
    found = settle_reactions(model, q, np.moveaxis(force, -1, 0), np.moveaxis(moment, -1, 0), marked)
    return {
        "reaction_force": np.moveaxis(found.force, 0, -1),
        "reaction_moment": np.moveaxis(found.moment, 0, -1),
        "reaction_determined": np.moveaxis(found.force_determined, 0, -1),
        "reaction_moment_determined": np.moveaxis(found.moment_determined, 0, -1),
    }


def any_self_stress(model: Model, q: np.ndarray, parameters: np.ndarray) -> bool:
    """Whether reactions are undetermined at any of the poses q (nq, n), each with its own parameters (np, n)."""
    found = self_stresses(model, q, parameters) if model.topology.cuts else []
    return any(part[1].shape[2] for part in found)


def self_stresses(
    model: Model, q: np.ndarray, parameters: np.ndarray | None = None
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Multipliers that balance by themselves at poses q (nq, n): groups of (poses, bases (poses, rows, states)).

    parameters: the parameter vector, or one column per pose; the model's otherwise.
    """
    kernel, _ = rows_kernel(model, Drive())
    marks = row_marks(model, Drive())
    rows = [index for index, mark in enumerate(marks) if not mark[3]]
    if not rows or q.shape[1] == 0:
        return []
    part, shape = kernel.outputs["jacobian"]
    p = model.parameters.values if parameters is None else parameters
    Y = kernel.batch(np.ascontiguousarray(q), kernel.constants(p))
    unit = np.array([model.size if kind == "m" else 1.0 for kind in model.tree_units])
    scale = np.array([1.0 / model.size if mark[2] else 1.0 for mark in marks])
    J = (Y[part].T.reshape(-1, *shape) * scale[:, None] * unit)[:, rows]
    U, s, _ = np.linalg.svd(np.concatenate([J, np.zeros((len(J), len(rows), 1))], axis=2))
    ranks = np.sum(s > DEPENDENT * np.maximum(s[:, :1], 1.0), axis=1)
    return [
        (np.flatnonzero(ranks == rank), U[ranks == rank][:, :, rank:] * scale[rows][:, None])
        for rank in np.unique(ranks)
    ]


def settle(model: Model, q: np.ndarray, found: Reactions, members: np.ndarray, multipliers: np.ndarray) -> None:
    """Replace the reactions at some samples by the ones of least norm, and set their flags.

    members: samples (p,). multipliers: bases of self-stress there (p, rows, states).
    """
    kernel = carried_kernel(model)
    c = kernel.constants(model.parameters.values)
    states = []
    for k in range(multipliers.shape[2]):
        Y = kernel.batch(np.concatenate([q[:, members], multipliers[:, :, k].T]), c)
        states.append(stacked(kernel.split(Y), model.size))
    smallest(found, members, states, model.size)


def smallest(found: Reactions, members: np.ndarray, states: list[np.ndarray], size: float) -> None:
    """Take self-stresses out of the reactions at some samples, and flag what they would change.

    members: samples (p,). states: each self-stress as `stacked` gives it, (p, numbers). size: of the mechanism [m].
    """
    N = np.moveaxis(np.array(states), 0, -1)
    U, s, _ = np.linalg.svd(N, full_matrices=False)
    U = U * (s > ZERO * np.maximum(s[:, :1], 1e-300))[:, None, :]
    given = {"reaction_force": np.moveaxis(found.force[members], 0, -1),
             "reaction_moment": np.moveaxis(found.moment[members], 0, -1)}  # fmt: skip
    R = stacked(given, size)
    least = R - (U @ (U.transpose(0, 2, 1) @ R[:, :, None]))[:, :, 0]
    free = np.linalg.norm(U, axis=2) > ZERO
    count = found.force[0].size
    found.force[members] = least[:, :count].reshape(-1, *found.force.shape[1:])
    found.moment[members] = least[:, count:].reshape(-1, *found.moment.shape[1:]) * size
    found.force_determined[members] = ~free[:, :count].reshape(-1, *found.force.shape[1:])
    found.moment_determined[members] = ~free[:, count:].reshape(-1, *found.moment.shape[1:])


def stacked(reactions: Mapping[str, np.ndarray], size: float) -> np.ndarray:
    """Forces, then moments over the size, of all joints: (samples, numbers); the samples come last in the input."""
    parts = [reactions["reaction_force"], reactions["reaction_moment"] / size]
    return np.concatenate([part.reshape(-1, part.shape[-1]) for part in parts]).T
