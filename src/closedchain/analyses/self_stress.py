"""Which joints carry the forces that redundant constraints can lock in: the states of self-stress of the loops.

A dependency of the rows is a set of wrenches at the opened joints that leaves all motions free. Each of them runs
through the joints of its loop; a joint of the tree carries what the opened joints beyond it bring.
"""

from dataclasses import dataclass

import numpy as np

from closedchain.algorithms.constraints import zeros
from closedchain.algorithms.loops import cut_rows
from closedchain.algorithms.motion import move
from closedchain.analyses.tangent import Configurations, Tangent

CARRIED = 1e-6


@dataclass(frozen=True)
class Redundancy:
    """Constraint rows that depend on each other: how many too many, and the joints and couplings that share them."""

    count: int
    members: tuple[str, ...]


def redundancies(configurations: Configurations, here: Tangent) -> tuple[Redundancy, ...]:
    """Groups of redundant rows at a configuration, loops that do not influence each other apart."""
    if here.left.shape[1] == 0:
        return ()
    owners, wrenches = row_wrenches(configurations, here.q)
    P = here.left @ here.left.T
    groups = connected(owners, P)
    found = []
    for group in groups:
        rows = [k for k, owner in enumerate(owners) if owner in group]
        count = round(float(np.trace(P[np.ix_(rows, rows)])))
        if count:
            share = [(owners[k], wrenches[k], here.left[k]) for k in rows]
            found.append(Redundancy(count, members(configurations, share)))
    return tuple(found)


def row_wrenches(configurations: Configurations, q: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Owner of every row, its scaled wrench (moment about the ground's origin, force) on the moving side, (m, 6)."""
    model = configurations.model
    system = model.system()
    still = zeros(system.tree.rates)
    motions = move(system.tree, q.tolist(), still, still)
    owners: list[str] = []
    wrenches: list[np.ndarray] = []
    for cut in system.tree.cuts:
        for row in cut_rows(system.tree, motions, cut, system.planar):
            force = np.array([float(value) for value in row.force])
            moment = np.array([float(value) for value in row.moment])
            P = np.array([float(value) for value in row.point])
            scale = 1.0 / model.size if row.length else 1.0
            owners.append(cut.joint)
            wrenches.append(scale * np.concatenate([moment + np.cross(P, force), model.size * force]))
    for coupling in system.couplings:
        owners.append(coupling.name)
        wrenches.append(np.zeros(6))
    return owners, np.array(wrenches).reshape(-1, 6)


def connected(owners: list[str], P: np.ndarray) -> list[set[str]]:
    """Owners of rows in groups that dependencies connect."""
    group = {owner: {owner} for owner in owners}
    for i, j in np.argwhere(np.abs(P) > CARRIED):
        joined = group[owners[i]] | group[owners[j]]
        for owner in joined:
            group[owner] = joined
    return list({id(members): members for members in group.values()}.values())


def members(configurations: Configurations, rows: list[tuple[str, np.ndarray, np.ndarray]]) -> tuple[str, ...]:
    """Joints and couplings that carry some state of self-stress, in the file's order.

    rows: owner, wrench (6,) and share in every dependency (r,) of the rows of one group.
    """
    tree = configurations.model.system().tree
    mechanism = configurations.model.mechanism
    carrying = {owner for owner, _, share in rows if np.abs(share).max() > CARRIED}
    for index, link in enumerate(tree.links):
        passed = np.zeros((6, len(rows[0][2])))
        for cut in tree.cuts:
            beyond = (index in tree.ancestors(cut.moving_link)) - (index in tree.ancestors(cut.base_link))
            passed += sum(beyond * np.outer(wrench, share) for owner, wrench, share in rows if owner == cut.joint)
        if np.abs(passed).max() > CARRIED:
            carrying.add(link.joint)
    return tuple(name for name in (*mechanism.joints, *mechanism.couplings) if name in carrying)
