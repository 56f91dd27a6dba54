"""The motions that a singular configuration leaves uncontrolled, and those it takes away, as screws."""

from collections.abc import Sequence

import numpy as np

from closedchain.algorithms.chain import place
from closedchain.analyses.input_output import Seen, rank_of
from closedchain.analyses.screws import Screw, as_screw
from closedchain.analyses.surroundings import Surroundings
from closedchain.analyses.twists import body_twists

MOVES = 1e-6
RARE = 0.02
WHOLE = ".body"


def output_map(seen: Seen, name: str) -> np.ndarray:
    """Scaled velocity of an output's point per motion, or with ".body" behind its name the twist of its body."""
    if name in seen.twists:
        return seen.twists[name][3:]
    return seen.twists[name.removesuffix(WHOLE)]


def gained(around: Surroundings) -> np.ndarray:
    """Motions that poses close by do not have; where branches meet, the uncontrolled ones: coefficients (k, u)."""
    here, close = around.here, around.close
    if not close:
        return np.eye(here.freedoms)
    covered = sum((here.N.T @ other.N) @ (here.N.T @ other.N).T for other in close) / len(close)
    values, vectors = np.linalg.eigh(covered)
    rare = vectors[:, values < RARE]
    return rare if rare.shape[1] else uncontrolled(around)


def uncontrolled(around: Surroundings) -> np.ndarray:
    """Motions with all motors locked, all motions where there is no motor: coefficients (k, u)."""
    return around.seen.uncontrolled() if around.inputs else np.eye(around.here.freedoms)


def moving_directions(around: Surroundings, C: np.ndarray) -> tuple[Screw, ...]:
    """The motions with coefficients C (k, u) as screws, idle ones left out."""
    here, model, idle = around.here, around.model, around.seen.idle
    C = C - idle @ (idle.T @ C)
    U, s, _ = np.linalg.svd(C, full_matrices=False)
    U = U[:, s > 0.5]
    placed = place(model.tree(), here.q.tolist())
    twists = {body: T @ here.N @ U for body, T in body_twists(model, placed, around.configurations.unit).items()}
    first = list(dict.fromkeys(item.body for item in around.outputs))
    rates = here.N @ U
    found = []
    for k in range(U.shape[1]):
        moving = {body: float(np.linalg.norm(T[:, k])) for body, T in twists.items()}
        seen_moving = [body for body in first if moving[body] > MOVES]
        body = max(seen_moving or moving, key=lambda name: moving[name])
        index = model.topology.link_of[body]
        P = np.array([float(value) for value in placed[index].frame.p])
        twist = twists[body][:, k] * np.array([1.0] * 3 + [model.size] * 3)
        largest = float(np.abs(rates[:, k]).max())
        moved = {name: float(rates[rate, k]) / largest for name, rate in model.tree_rates.items()}
        moved = {name: rate for name, rate in moved.items() if abs(rate) > MOVES}
        found.append(as_screw(body, twist, P, model.size, model.mechanism.planar, moved))
    return tuple(found)


def lost_outputs(around: Surroundings) -> list[str]:
    """Outputs (points, and with ".body" their whole bodies) that a motor can leave standing still only here.

    What a constraint singularity adds in freedom explains as many.
    """
    found = []
    for item in around.outputs:
        for name in (item.name, item.name + WHOLE):
            usual = min(other.unseen(output_map(other, name)) for other in around.near)
            if around.seen.unseen(output_map(around.seen, name)) - usual > around.growth:
                found.append(name)
    return found


def lost_directions(around: Surroundings, names: Sequence[str]) -> tuple[Screw, ...]:
    """What outputs can do near by and not here, one screw for every rank they lose.

    Where a body loses part of its twist its screw says more than that of its point, which is then left out.
    """
    size, planar = around.model.size, around.model.mechanism.planar
    bodies = {item.name: item.body for item in around.outputs}
    found: list[Screw] = []
    for name in names:
        if name + WHOLE in names:
            continue
        plain = name.removesuffix(WHOLE)
        M = output_map(around.seen, name)
        rank = rank_of(M)
        usual = max(rank_of(output_map(other, name)) for other in around.near)
        if usual <= rank or not around.beside:
            continue
        U, _, _ = np.linalg.svd(M)
        images = [np.linalg.svd(output_map(other, name))[0][:, :usual] for other in around.beside]
        beyond = np.hstack([U[:, rank:] @ (U[:, rank:].T @ image) for image in images])
        V, _, _ = np.linalg.svd(beyond, full_matrices=False)
        for direction in V[:, : usual - rank].T:
            w = direction[:3] if name != plain else np.zeros(3)
            twist = np.concatenate([w, size * direction[-3:]])
            screw = as_screw(bodies[plain], twist, around.seen.places[plain], size, planar)
            if not any(same(screw, other) for other in found):
                found.append(screw)
    return tuple(found)


def same(one: Screw, other: Screw) -> bool:
    """Whether two screws say the same of the same body."""
    if one.body != other.body or one.translation != other.translation:
        return False
    away = np.cross(np.subtract(one.point, other.point), one.axis)
    place = 0.0 if one.translation else float(np.linalg.norm(away))
    return bool(np.linalg.norm(np.subtract(one.axis, other.axis)) < 1e-6 and place < 1e-6)
