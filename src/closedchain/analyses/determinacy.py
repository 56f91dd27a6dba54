"""Do the given motions determine the mechanism's motion, up to idle freedoms?"""

import numpy as np

from closedchain.algorithms.chain import place, placed_link
from closedchain.algorithms.tree import Tree
from closedchain.analyses.position import PositionProblem
from closedchain.exceptions import MechanismError
from closedchain.model import Drive, Model
from closedchain.numbers import Vec3

STILL = 1e-7


def idle_motions(
    model: Model, q: np.ndarray, free: np.ndarray, basis: np.ndarray, watched: frozenset[int]
) -> np.ndarray:
    """The part of a space of motions that moves no output, no watched rate and no mass centre.

    free: tree rates (n,) that the rows of `basis` (n, k) stand for; watched: tree rates whose motion counts.
    Returns orthonormal coefficients (k, idle).
    """
    if basis.shape[1] == 0:
        return np.zeros((0, 0))
    rates = np.zeros((model.topology.rates, basis.shape[1]))
    rates[free] = basis
    seen = [rates[sorted(watched)]]
    evaluate = model.parameters.evaluator()
    tree = model.tree()
    placed = place(tree, [float(value) for value in q])
    points = [
        (model.topology.link_of[output.point.body], output.point.point.position(evaluate))
        for output in model.mechanism.outputs.values()
    ]
    points += [(index, link.com) for index, link in enumerate(tree.links) if link.body and link.mass != 0.0]
    points += massless_points(tree)
    for index, point in points:
        body = placed_link(placed, index)
        P = body.frame.p + body.frame.R @ point
        velocity = np.zeros((3, model.topology.rates))
        for column in body.columns:
            velocity[:, column.rate] = [float(value) for value in column.at(P)]
        seen.append(velocity @ rates / model.size)
    M = np.vstack(seen)
    _, s, Vt = np.linalg.svd(M)
    rank = int(np.sum(s > STILL * max(float(np.abs(rates).max(initial=0.0)), 1e-30)))
    return Vt[rank:].T


def massless_points(tree: Tree) -> list[tuple[int, Vec3]]:
    """(link, point) of the joints of massless bodies: having no mass centre, they count by what is hinged to them."""
    hinges = [(index, link.outboard.p) for index, link in enumerate(tree.links)]
    hinges += [(link.parent, link.inboard.p) for link in tree.links]
    hinges += [(cut.base_link, cut.base.p) for cut in tree.cuts]
    hinges += [(cut.moving_link, cut.moving.p) for cut in tree.cuts]
    massless = {index for index, link in enumerate(tree.links) if link.body and link.mass == 0.0}
    return [(index, point) for index, point in hinges if index in massless]


def require_determined(model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray) -> None:
    """Raise MechanismError when the given motions leave a freedom open that moves something."""
    held = frozenset(model.tree_rates[name] for name in drive.coordinates)
    problem = PositionProblem(model, drive, goal, held)
    N = problem.null_space(q)
    if N.shape[1] == 0:
        return
    basis = N / np.sqrt(problem.metric)[:, None]
    idle = idle_motions(model, q, problem.free, basis, frozenset())
    open_count = N.shape[1] - idle.shape[1]
    if open_count <= 0:
        return
    move = np.abs(N @ (np.eye(N.shape[1]) - idle @ idle.T)).max(axis=1)
    labels = {rate: name for name, rate in model.tree_rates.items()}
    moving = [labels[rate] for rate, size in zip(problem.free, move, strict=True) if size > 1e-6]
    given = ", ".join(name for name, _ in model.goals(drive)) or "none"
    raise MechanismError(
        f"the given motions ({given}) leave {open_count} freedom{'s' if open_count > 1 else ''} open; "
        f"joints {', '.join(moving)} "
        f"can still move. Give {open_count} more actuator motion{'s' if open_count > 1 else ''} or point motions."
    )
