"""Does it matter how idle freedoms turn? A slender rod looks the same at every angle of its spin, a bent one not."""

import numpy as np

from closedchain.algorithms.chain import place, placed_link
from closedchain.algorithms.tree import GROUND, Link
from closedchain.analyses.idle_rates import idle_directions
from closedchain.model import Drive, Model
from closedchain.model.loads import make_loads
from closedchain.model.rows import row_marks, rows_kernel

STILL = 1e-9
SYMMETRIC = 1e-10
SAME = 1e-7


def spin_matters(model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray) -> bool:
    """Whether efforts and reactions depend on the angles and rates of idle freedoms at closed tree coordinates q (nq,).

    They do not where every body that turns has its mass centre on its axis and is symmetric about it, I u = I_u u and
    equal inertias across u, where bodies that turn on their own turn independently, and where no force, spring, damper,
    friction or start rate acts on what turns: the momentum about the axis then stays zero. Anything else counts as
    mattering.

    goal: values of the drive's motions there (ng,).
    """
    turning = turning_directions(model, drive, q, goal)
    if turning.shape[1] == 0:
        return False
    tree = model.tree()
    placed = place(tree, [float(value) for value in q])
    spins: list[np.ndarray] = []
    moved: set[int] = set()
    for index, link in enumerate(tree.links):
        body = placed_link(placed, index)
        w, v = np.zeros((2, 3, turning.shape[1]))
        centre = body.frame.p + body.frame.R @ link.com
        for column in body.columns:
            w += np.outer([float(value) for value in column.s], turning[column.rate])
            v += np.outer([float(value) for value in column.at(centre)], turning[column.rate])
        if not np.abs(w).max() > STILL * np.abs(turning).max():
            continue
        moved.add(index)
        R = np.array([[float(body.frame.R[i, j]) for j in range(3)] for i in range(3)])
        if link.mass != 0.0 and np.abs(v).max() > STILL * model.size * np.abs(w).max():
            return True
        if not (model.mechanism.planar or is_symmetric(link, R.T @ w)):
            return True
        if not any(np.abs(w - other).max() < SAME * np.abs(w).max() for other in spins):
            spins.append(w)
    independent = sum(int(np.linalg.matrix_rank(w, tol=SAME * np.abs(w).max())) for w in spins)
    return independent > turning.shape[1] or is_acted_on(model, moved, turning)


def turning_directions(model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Directions of the idle freedoms that a drive leaves open over all tree rates, shape (nv, k)."""
    marks = row_marks(model, drive)
    kernel, _ = rows_kernel(model, drive)
    part, _ = kernel.outputs["jacobian"]
    J = kernel(np.concatenate([q, goal]), kernel.constants(model.parameters.values))[part]
    J = J.reshape(len(marks), model.topology.rates)[[not mark[3] for mark in marks]]
    held = {model.tree_rates[name] for name in drive.coordinates}
    free = np.array([rate for rate in range(model.topology.rates) if rate not in held], int)
    return idle_directions(model, q, J, free)[0]


def is_symmetric(link: Link, w: np.ndarray) -> bool:
    """Whether a body is symmetric about every axis about which it turns; w: angular velocities in body axes (3, k)."""
    inertia = np.array([[float(link.inertia[i, j]) for j in range(3)] for i in range(3)])
    size = np.abs(inertia).max()
    axes, s, _ = np.linalg.svd(w)
    for axis in axes.T[: int(np.sum(s > SAME * s[0]))]:
        _, _, frame = np.linalg.svd(axis[None])
        turned = frame @ inertia @ frame.T
        off = [turned[0, 1], turned[0, 2], turned[1, 2], turned[1, 1] - turned[2, 2]]
        if np.abs(off).max() > SYMMETRIC * size:
            return False
    return True


def is_acted_on(model: Model, moved: set[int], turning: np.ndarray) -> bool:
    """Whether a load acts on links that idle freedoms turn or on their rates, or the file gives them rates to start
    with."""
    loads = make_loads(model, 0.0, motors=False)
    rates = {load.rate for load in (*loads.coordinates, *loads.frictions)}
    links = {link for force in loads.forces for link in (force.base_link, force.moving_link) if link != GROUND}
    link_of = model.topology.link_of
    started = {
        link_of[side.body]
        for joint in model.mechanism.joints.values()
        if joint.rate is not None
        for side in (joint.base, joint.moving)
    }
    own = np.abs(turning).max(axis=1) > STILL * np.abs(turning).max()
    return bool(moved & (links | started)) or any(own[rate] for rate in rates)
