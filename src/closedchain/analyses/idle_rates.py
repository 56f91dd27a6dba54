"""Idle freedoms and their momentum: at the start of a motion they have none of their own, in every analysis."""

from collections.abc import Iterable

import numpy as np

from closedchain.analyses.determinacy import undriven_motions
from closedchain.model import Model
from closedchain.model.dynamics_patterns import mass_kernel
from closedchain.model.inverse_kernels import actuated_rates

OPEN = 1e-9
WEIGHTLESS = 1e-12


def idle_directions(
    model: Model, q: np.ndarray, J: np.ndarray, free: np.ndarray, watched: frozenset[int] = frozenset()
) -> tuple[np.ndarray, np.ndarray]:
    """Directions of idle freedoms that have inertia over all tree rates, shape (nv, k), and their inertias (k,).

    Rods whose mass centre lies off the line through their ball joints count as well: they swing about it. The
    directions N are principal: N^T M N is diagonal. Freedoms of bodies without inertia about their own axis are
    left out.

    q: tree coordinates. J: rows that rates satisfy (m, nv). free: tree rates that may move (n,). watched: tree rates
    that idle freedoms do not move.
    """
    units = np.array([1.0 if unit == "rad" else model.size for unit in model.tree_units])
    scaled = J[:, free] * units[free]
    _, s, Vt = np.linalg.svd(np.vstack([scaled, np.zeros((1, len(free)))]))
    N = units[free][:, None] * Vt[int(np.sum(s > OPEN * max([1.0, *s[:1]]))) :].T
    mix = undriven_motions(model, q, free, N, watched)
    idle = np.zeros((J.shape[1], mix.shape[1]))
    if mix.shape[1] == 0:
        return idle, np.zeros(0)
    M = mass_matrix(model, q)
    idle[free] = N @ mix
    values, axes = np.linalg.eigh(idle.T @ M @ idle)
    heavy = values > WEIGHTLESS * float(np.abs(np.diag(M)).max(initial=0.0))
    return idle @ axes[:, heavy], values[heavy]


def mass_matrix(model: Model, q: np.ndarray) -> np.ndarray:
    """Mass matrix of the tree's rates at coordinates q, shape (nv, nv)."""
    mass, structure = mass_kernel(model)
    return mass(q, mass.constants(model.parameters.values)).reshape(structure.shape)


def momentum_free(model: Model, q: np.ndarray, J: np.ndarray, v: np.ndarray, said: Iterable[str]) -> np.ndarray:
    """Tree rates v (nv,) with what nobody asked for taken out: the momentum of idle freedoms, N^T M v = 0.

    A rod between two ball joints may spin at any rate. The least rates of its joints would make it spin a little, which
    its mass then keeps; inverse dynamics takes it without momentum of its own, and so a simulation with the efforts
    found there has to start.

    q: tree coordinates. J: rows that the rates satisfy (m, nv). said: tree rates by name that are given or wished.
    """
    kept = {model.tree_rates[name] for name in said if name in model.tree_rates}
    free = np.array([rate for rate in range(len(v)) if rate not in kept], int)
    # A driven joint moves no idle freedom: the wheel of a motor starts as the file says, at rest against its carrier.
    N, inertias = idle_directions(model, q, J, free, frozenset(actuated_rates(model)))
    if N.shape[1] == 0:
        return v
    return v - N @ ((N.T @ (mass_matrix(model, q) @ v)) / inertias)
