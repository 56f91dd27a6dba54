"""Static equilibrium: where a mechanism rests under gravity, springs and constant forces, and whether it stays."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from closedchain.algorithms.constraints import retract
from closedchain.analyses.linear_point import Held, held_at_start
from closedchain.analyses.pose import Pose, read_pose
from closedchain.description import Mechanism
from closedchain.exceptions import AssemblyError, SingularConfigurationError
from closedchain.model import Model

STEPS = 500
BALANCED = 1e-12
ROUNDING = 1e-9
# steps along the free motions, an angle in rad, a length as a fraction of the size
LONGEST, SHORTEST, FAR = 0.3, 1e-9, 60.0
# stiffness below this part of the largest one, or of the forces at work, counts as none
INDIFFERENT = 1e-9


@dataclass(frozen=True, eq=False)
class Equilibrium(Pose):
    """A pose in static equilibrium.

    stability: "stable", "unstable", or "indifferent" where some motion meets no stiffness. stiffness: eigenvalues of
    the stiffness along the free motions (lengths as fractions of the mechanism's size) [N m], smallest first.
    unbalance: largest generalised force left along a free motion [N m]. efforts: efforts that hold the imposed
    coordinates [N, N m].
    """

    stability: str = "stable"
    stiffness: np.ndarray = field(default_factory=lambda: np.zeros(0))
    unbalance: float = 0.0
    efforts: Mapping[str, float] = field(default_factory=dict)

    @property
    def stable(self) -> bool:
        """Whether the mechanism comes back after a small push."""
        return self.stability == "stable"


@dataclass(frozen=True, eq=False)
class Balance:
    """Forces along the free motions at a pose.

    N: these motions (scaled passive rates, columns); g: what drives along them [N m]; K: stiffness along them; x:
    negative multipliers that carry the rest; typical: size of the forces at work; parts: outputs of the linear
    kernel.
    """

    q: np.ndarray
    N: np.ndarray
    g: np.ndarray
    K: np.ndarray
    x: np.ndarray
    typical: float
    parts: dict[str, np.ndarray]


def equilibrium(
    mechanism: Mechanism | Model, guess: Pose | Mapping[str, Any] | None = None, values: Mapping[str, Any] | None = None
) -> Equilibrium:
    """Where the mechanism rests under gravity, springs and constant forces.

    guess: a Pose or {joint: value} to start from, downhill; the file's guesses otherwise. A guess that is balanced
    already is the answer, also where it is unstable. values: coordinates that are held where they are said. Motions,
    efforts and forces count as at t = 0; integrals of controllers are zero.

    Solves N^T (h - tau) = 0 at rest, N the motions that the loops leave free, by Newton's method on the stiffness with
    the multipliers' part (Nikravesh 1988, ch. 10); where the stiffness is negative, the step goes downhill.

    Raises AssemblyError where the loops cannot be closed or the search does not end; SingularConfigurationError where
    nothing holds a motion that forces drive.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -9.81]},
    ...     "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "guess": 0.0}},
    ... })
    >>> rest = cc.equilibrium(m)
    >>> round(rest["A"], 9), rest.stability
    (-1.570796327, 'stable')
    """
    held, pose = held_at_start(mechanism, values, guess)
    state = balance(held, pose.tree(held.model))
    trust, travelled = LONGEST, 0.0
    for _ in range(STEPS):
        if unbalance(state) <= BALANCED * state.typical:
            return settled(held, pose, state)
        step, newton = downhill(state, trust)
        moved = balance(held, closed(held, state.q, state.N @ step))
        if newton and unbalance(moved) >= unbalance(state) and unbalance(state) <= ROUNDING * state.typical:
            return settled(held, pose, state)
        if not newton and trust > SHORTEST and turned_round(state, moved, step):
            trust *= 0.5
            continue
        travelled += float(np.abs(step).max(initial=0.0))
        if travelled > FAR:
            break
        state, trust = moved, min(LONGEST, 1.5 * trust)
    if travelled > FAR:
        raise SingularConfigurationError(
            f"nothing holds {driven_names(held, state)}: a force drives it and no spring or weight stops it. Add a "
            "spring or a joint, or hold a coordinate with values."
        )
    raise AssemblyError(
        f"no equilibrium was found near the guess: {unbalance(state):.3g} N m are left along "
        f"{driven_names(held, state)}. Give a guess nearer to the rest position, or hold a coordinate with values."
    )


def turned_round(state: Balance, moved: Balance, step: np.ndarray) -> bool:
    """Whether what drives along a step has turned round by its end: the step was too long."""
    return float(moved.g @ (moved.N.T @ (state.N @ step))) < -0.5 * float(state.g @ step)


def balance(held: Held, q: np.ndarray) -> Balance:
    """Forces at rest in a closed pose, with the multipliers that carry what the loops can carry."""
    rough = held.about(q)
    N, J = held.free_directions(rough["jacobian"]), rough["jacobian"][:, held.passive] * held.unit
    needed = rough["forces"][held.passive] * held.unit
    x = np.linalg.lstsq(J.T, -needed, rcond=1e-10)[0] if len(J) else np.zeros(0)
    parts = held.about(q, x=x)
    stiffness = parts["stiffness"][np.ix_(held.passive, held.passive)] * np.outer(held.unit, held.unit)
    weight = float(np.abs(needed).max(initial=0.0))
    return Balance(
        q, N, -N.T @ needed, N.T @ stiffness @ N, x, max(weight, float(np.abs(stiffness).max(initial=0.0))), parts
    )


def unbalance(state: Balance) -> float:
    """Largest force along a free motion [N m]."""
    return float(np.abs(state.g).max(initial=0.0))


def downhill(state: Balance, trust: float) -> tuple[np.ndarray, bool]:
    """The next step along the free motions, at most `trust` long, and whether it is a full step of Newton's method."""
    K = 0.5 * (state.K + state.K.T)
    values, vectors = np.linalg.eigh(K)
    along = vectors.T @ state.g
    loose = np.abs(values) <= INDIFFERENT * state.typical
    if np.all(values > INDIFFERENT * state.typical):
        step = np.linalg.solve(state.K, state.g)
        if np.abs(step).max(initial=0.0) <= trust:
            return step, True
    # where no stiffness says how far, the longest step is taken
    curvature = np.where(loose, np.maximum(np.abs(along) / trust, 1e-300), np.abs(values))
    step = vectors @ np.where(np.abs(along) > 0.0, along / curvature, 0.0)
    longest = float(np.abs(step).max(initial=0.0))
    return step * min(1.0, trust / max(longest, 1e-300)), False


def closed(held: Held, q: np.ndarray, step: np.ndarray) -> np.ndarray:
    """The closed pose after a step of the scaled passive rates: the step, then Newton's method on the loops."""
    tree = held.model.tree()
    for attempt in range(30):
        full = np.zeros(held.model.topology.rates)
        full[held.passive] = held.unit * step
        q = np.array([float(value) for value in retract(tree, list(q), list(full))])
        parts = held.about(q)
        if (
            not len(parts["values"])
            or np.abs(parts["values"]).max() <= 1e-14 * max(held.model.size, 1.0)
            or attempt == 29
        ):
            break
        J = parts["jacobian"][:, held.passive] * held.unit
        step = np.linalg.lstsq(J, -parts["values"], rcond=1e-10)[0]
        if np.abs(step).max() < 1e-15:
            break
    return q


def settled(held: Held, pose: Pose, state: Balance) -> Equilibrium:
    """The answer, with its stability and the efforts of what is held."""
    stiffness = np.linalg.eigvalsh(0.5 * (state.K + state.K.T))
    small = INDIFFERENT * state.typical
    if np.any(stiffness < -small):
        stability = "unstable"
    elif np.any(stiffness <= small):
        stability = "indifferent"
    else:
        stability = "stable"
    found = read_pose(held.model, state.q.tolist(), pose.coordinates)
    rates = held.model.tree_rates
    efforts = {name: float(state.parts["forces"][rates[name]]) for name in held.drive.coordinates}
    return Equilibrium(
        found.mechanism,
        found.coordinates,
        found.frames,
        found.residual,
        stability,
        stiffness,
        unbalance(state),
        efforts,
    )


def driven_names(held: Held, state: Balance) -> str:
    """The joints that move most along what drives."""
    move = np.abs(state.N @ state.g)
    chosen = np.flatnonzero(move > 0.1 * move.max(initial=0.0)) if move.size else []
    return ", ".join(held.names(chosen)) or "nothing"
