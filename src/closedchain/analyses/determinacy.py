"""Do the given motions determine the mechanism's motion, up to idle freedoms?"""

from collections.abc import Sequence

import numpy as np

from closedchain.algorithms.chain import place, placed_link
from closedchain.algorithms.tree import Tree
from closedchain.analyses.position import PositionProblem
from closedchain.exceptions import MechanismError
from closedchain.model import Drive, Model
from closedchain.numbers import Vec3

STILL = 1e-7
# Distance of two points of the same line, of the size.
APART = 1e-9


def idle_motions(
    model: Model, q: np.ndarray, free: np.ndarray, basis: np.ndarray, watched: frozenset[int]
) -> np.ndarray:
    """The part of a space of motions that moves no output, no watched rate and no mass centre.

    free: tree rates (n,) that the rows of `basis` (n, k) stand for; watched: tree rates whose motion counts.
    Returns orthonormal coefficients (k, idle).
    """
    tree = model.tree()
    points = [(index, link.com) for index, link in enumerate(tree.links) if link.body and link.mass != 0.0]
    return unmoving(model, q, free, basis, watched, [*points, *massless_points(tree)], [])


def spinning_motions(
    model: Model, q: np.ndarray, free: np.ndarray, basis: np.ndarray, watched: frozenset[int]
) -> np.ndarray:
    """The part of a space of motions in which bodies turn in ball joints about the line through them, whether their
    mass centres lie on it or not.

    It moves no output, no watched rate, no joint's point and no joint but balls; a body that hangs in one point alone
    has its mass centre watched too. Arguments and result as of `idle_motions`.
    """
    tree = model.tree()
    placed = place(tree, [float(value) for value in q])
    held: dict[int, list[np.ndarray]] = {}
    for index, point in hinges(tree):
        body = placed_link(placed, index)
        held.setdefault(index, []).append(np.array([float(value) for value in body.frame.p + body.frame.R @ point]))
    far = {
        index
        for index, places in held.items()
        if max(np.linalg.norm(place - places[0]) for place in places) > APART * model.size
    }
    points = hinges(tree)
    points += [(index, link.com) for index, link in enumerate(tree.links) if link.mass != 0.0 and index not in far]
    balls = {name for name, form in model.forms.items() if len(form.coordinates) > len(form.rates)}
    others = {rate for label, rate in model.tree_rates.items() if label.rpartition(".")[0] not in balls}
    joints = [(cut.base_link, cut.moving_link) for cut in tree.cuts if cut.joint not in balls]
    return unmoving(model, q, free, basis, watched | others, points, joints)


def unmoving(
    model: Model, q: np.ndarray, free: np.ndarray, basis: np.ndarray, watched: frozenset[int] | set[int],
    points: Sequence[tuple[int, Vec3]], turns: Sequence[tuple[int, int]],
) -> np.ndarray:  # fmt: skip
    """The part of a space of motions that moves no output, no watched rate, no given point (link, place in it), and
    turns no link of a pair against the other."""
    if basis.shape[1] == 0:
        return np.zeros((0, 0))
    rates = np.zeros((model.topology.rates, basis.shape[1]))
    rates[free] = basis
    seen = [rates[sorted(watched)]]
    evaluate = model.parameters.evaluator()
    placed = place(model.tree(), [float(value) for value in q])
    outputs = [
        (model.topology.link_of[output.point.body], output.point.point.position(evaluate))
        for output in model.mechanism.outputs.values()
    ]
    for index, point in (*outputs, *points):
        body = placed_link(placed, index)
        P = body.frame.p + body.frame.R @ point
        velocity = np.zeros((3, model.topology.rates))
        for column in body.columns:
            velocity[:, column.rate] = [float(value) for value in column.at(P)]
        seen.append(velocity @ rates / model.size)
    for pair in turns:
        turn = np.zeros((3, model.topology.rates))
        for index, sign in zip(pair, (-1.0, 1.0), strict=True):
            for column in placed_link(placed, index).columns:
                turn[:, column.rate] += [sign * float(value) for value in column.s]
        seen.append(turn @ rates)
    M = np.vstack(seen)
    _, s, Vt = np.linalg.svd(M)
    rank = int(np.sum(s > STILL * max(float(np.abs(rates).max(initial=0.0)), 1e-30)))
    return Vt[rank:].T


def undriven_motions(
    model: Model, q: np.ndarray, free: np.ndarray, basis: np.ndarray, watched: frozenset[int]
) -> np.ndarray:
    """Idle motions and spinning ones together; arguments and result as of `idle_motions`."""
    parts = [of(model, q, free, basis, watched) for of in (idle_motions, spinning_motions)]
    if basis.shape[1] == 0:
        return parts[0]
    U, s, _ = np.linalg.svd(np.hstack([*parts, np.zeros((basis.shape[1], 1))]), full_matrices=False)
    return U[:, s > 1e-6]


def hinges(tree: Tree) -> list[tuple[int, Vec3]]:
    """(link, point) of both sides of every joint."""
    found = [(index, link.outboard.p) for index, link in enumerate(tree.links)]
    found += [(link.parent, link.inboard.p) for link in tree.links]
    found += [(cut.base_link, cut.base.p) for cut in tree.cuts]
    return found + [(cut.moving_link, cut.moving.p) for cut in tree.cuts]


def massless_points(tree: Tree) -> list[tuple[int, Vec3]]:
    """(link, point) of the joints of massless bodies: having no mass centre, they count by what is hinged to them."""
    massless = {index for index, link in enumerate(tree.links) if link.body and link.mass == 0.0}
    return [(index, point) for index, point in hinges(tree) if index in massless]


def require_determined(model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray, spinning: bool = False) -> None:
    """Raise MechanismError when the given motions leave a freedom open that moves something.

    spinning: rods may spin between ball joints although their mass centres swing; dynamics determines that.
    """
    held = frozenset(model.tree_rates[name] for name in drive.coordinates)
    problem = PositionProblem(model, drive, goal, held)
    N = problem.null_space(q)
    if N.shape[1] == 0:
        return
    basis = N / np.sqrt(problem.metric)[:, None]
    either = undriven_motions(model, q, problem.free, basis, frozenset())
    idle = either if spinning else idle_motions(model, q, problem.free, basis, frozenset())
    open_count = N.shape[1] - idle.shape[1]
    if open_count <= 0:
        return
    move = np.abs(N @ (np.eye(N.shape[1]) - idle @ idle.T)).max(axis=1)
    labels = {rate: name for name, rate in model.tree_rates.items()}
    moving = [labels[rate] for rate, size in zip(problem.free, move, strict=True) if size > 1e-6]
    given = ", ".join(name for name, _ in model.goals(drive)) or "none"
    if either.shape[1] == N.shape[1]:
        raise MechanismError(
            f"the given motions ({given}) do not say how rods turn between their ball joints ({', '.join(moving)}): "
            "their mass centres lie off the line through these, so they swing. inverse_dynamics over times and "
            "simulate follow that; for kinematics put the mass centres onto the line."
        )
    raise MechanismError(
        f"the given motions ({given}) leave {open_count} freedom{'s' if open_count > 1 else ''} open; "
        f"joints {', '.join(moving)} "
        f"can still move. Give {open_count} more actuator motion{'s' if open_count > 1 else ''} or point motions."
    )
