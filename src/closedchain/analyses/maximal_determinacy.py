"""Which reactions statics determines in maximal coordinates, and the smallest ones where it does not.

As in `reaction_determinacy`, from the rows of all joints instead of the opened ones.
"""

import numpy as np

from closedchain.analyses.reaction_determinacy import DEPENDENT, Reactions, smallest, stacked
from closedchain.model.maximal_reactions import carried_by_rows, rows_of_joints
from closedchain.model.maximal_setting import MaximalSetting

PROBES = 5


def settled_maximal(
    setting: MaximalSetting, X: np.ndarray, parameters: np.ndarray, force: np.ndarray, moment: np.ndarray
) -> dict[str, np.ndarray]:
    """Reactions of least norm and their flags by the names of results.

    X: inputs of the kernels, samples last; force, moment: one solution, samples last.
    """
    force, moment = np.moveaxis(force, -1, 0), np.moveaxis(moment, -1, 0)
    found = Reactions(force.copy(), moment.copy(), np.ones(force.shape, bool), np.ones(moment.shape, bool))
    n = X.shape[1]
    probes = np.unique(np.linspace(0, n - 1, PROBES).astype(int)) if n else np.zeros(0, int)
    if any(basis.shape[2] for _, basis in balanced(setting, X[:, probes], parameters)):
        for members, basis in balanced(setting, X, parameters):
            if basis.shape[2]:
                kernel = carried_by_rows(setting, basis.shape[1])
                c = kernel.constants(parameters)
                states = [
                    stacked(kernel.split(kernel.batch(np.concatenate([X[:, members], basis[:, :, k].T]), c)),
                            setting.model.size)
                    for k in range(basis.shape[2])
                ]  # fmt: skip
                smallest(found, members, states, setting.model.size)
    return {
        "reaction_force": np.moveaxis(found.force, 0, -1),
        "reaction_moment": np.moveaxis(found.moment, 0, -1),
        "reaction_determined": np.moveaxis(found.force_determined, 0, -1),
        "reaction_moment_determined": np.moveaxis(found.moment_determined, 0, -1),
    }


def balanced(setting: MaximalSetting, X: np.ndarray, parameters: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Multipliers of joints and couplings that balance by themselves: groups of (samples, (samples, rows, states))."""
    kernel, places, lengths = rows_of_joints(setting)
    if not places or X.shape[1] == 0:
        return []
    size, planar = setting.model.size, setting.model.mechanism.planar
    Y = kernel.batch(np.ascontiguousarray(X), kernel.constants(parameters))
    unit = np.tile([size] * (2 if planar else 3) + [1.0] * (1 if planar else 3), len(setting.bodies))
    scale = np.array([1.0 / size if length else 1.0 for length in lengths])
    J = np.zeros((X.shape[1], len(lengths), len(unit)))
    rows, columns = np.array(places).T
    J[:, rows, columns] = Y.T * scale[rows] * unit[columns]
    chosen = np.unique(rows)
    U, s, _ = np.linalg.svd(np.concatenate([J[:, chosen], np.zeros((len(J), len(chosen), 1))], axis=2))
    ranks = np.sum(s > DEPENDENT * np.maximum(s[:, :1], 1.0), axis=1)
    found = []
    for rank in np.unique(ranks):
        members = np.flatnonzero(ranks == rank)
        basis = np.zeros((len(members), len(lengths), len(chosen) - rank))
        basis[:, chosen] = U[members][:, :, rank:] * scale[chosen][:, None]
        found.append((members, basis))
    return found
