"""Rates of idle freedoms at the start of a simulation: no momentum of their own, as inverse dynamics takes them."""

from collections.abc import Iterable

import numpy as np

from closedchain.analyses.determinacy import idle_motions
from closedchain.model import Model
from closedchain.model.dynamics_patterns import mass_kernel

OPEN = 1e-9
WEIGHTLESS = 1e-12


def momentum_free(model: Model, q: np.ndarray, J: np.ndarray, v: np.ndarray, said: Iterable[str]) -> np.ndarray:
    """Tree rates v (nv,) with what nobody asked for taken out: the momentum of idle freedoms, N^T M v = 0.

    A rod between two ball joints may spin at any rate. The least rates of its joints would make it spin a little, which
    its mass then keeps; inverse dynamics takes it without momentum of its own, and so a simulation with the efforts
    found there has to start.

    q: tree coordinates. J: rows that the rates satisfy (m, nv). said: tree rates by name that are given or wished.
    """
    kept = {model.tree_rates[name] for name in said if name in model.tree_rates}
    free = np.array([rate for rate in range(len(v)) if rate not in kept], int)
    units = np.array([1.0 if unit == "rad" else model.size for unit in model.tree_units])
    scaled = J[:, free] * units[free]
    _, s, Vt = np.linalg.svd(np.vstack([scaled, np.zeros((1, len(free)))]))
    N = units[free][:, None] * Vt[int(np.sum(s > OPEN * max([1.0, *s[:1]]))) :].T
    mix = idle_motions(model, q, free, N, frozenset())
    if mix.shape[1] == 0:
        return v
    mass, structure = mass_kernel(model)
    M = mass(q, mass.constants(model.parameters.values)).reshape(structure.shape)
    idle = np.zeros((len(v), mix.shape[1]))
    idle[free] = N @ mix
    inertia = idle.T @ M @ idle
    values, axes = np.linalg.eigh(inertia)
    # Freedoms of bodies without inertia about their own axis keep the least rates.
    heavy = values > WEIGHTLESS * float(np.abs(np.diag(M)).max(initial=0.0))
    axes = axes[:, heavy]
    return v - idle @ (axes @ ((axes.T @ (idle.T @ (M @ v))) / values[heavy]))
