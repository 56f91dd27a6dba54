"""Elimination patterns of the dynamics: found from numbers near the assembled pose, kept with the model's kernels."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.algorithms.closure_solver import Pattern, elimination_order, is_steady, typical_inertia
from closedchain.algorithms.link_frames import link_mass_matrix
from closedchain.model.inverse_patterns import jacobians
from closedchain.model.model import Drive, Model
from closedchain.model.rows import row_marks, rows_kernel
from closedchain.numbers import is_zero


@dataclass(frozen=True)
class Patterns:
    """Elimination patterns of the projection (kinematic metric) and of the dynamics (mass matrix).

    quick: of the dynamics with rows seen from the opened joints.
    """

    closure: Pattern
    dynamics: Pattern
    quick: Pattern


def find_patterns(model: Model, drive: Drive, closure: Pattern, q: np.ndarray, goal: np.ndarray) -> Patterns:
    """Patterns of the dynamics near the assembled coordinates q; the closure's pattern is given."""
    key = ("dynamics pattern", drive)
    if key not in model.kernels:
        mass, structure = mass_kernel(model)
        rows, row_structure = rows_kernel(model, drive)
        marks = row_marks(model, drive)
        true_rows = [index for index, mark in enumerate(marks) if not mark[3]]
        passive = list(closure.passive)
        p = model.parameters.values
        c_mass, c_rows = mass.constants(p), rows.constants(p)
        draw = np.random.default_rng(1)
        spread = np.array([0.1 if unit == "rad" else 0.1 * model.size for unit in model.coordinate_units])
        samples = [q] + [q + spread * draw.uniform(-1.0, 1.0, len(q)) for _ in range(3)]
        n, m = len(passive), len(true_rows)
        H = np.array([mass(sample, c_mass) for sample in samples])[:, passive][:, :, passive]
        J = np.zeros((len(samples), m, n))
        if m:
            part, shape = rows.outputs["jacobian"]
            full = [rows(np.concatenate([sample, goal]), c_rows)[part].reshape(shape) for sample in samples]
            J = np.array(full)[:, true_rows][:, :, passive]
        mask = row_structure[np.ix_(true_rows, passive)] if m else np.zeros((0, n), bool)
        linked = structure[np.ix_(passive, passive)]
        dynamics = dynamics_pattern(passive, H, J, linked, mask)
        local, local_mask = jacobians(model, drive, passive, samples, goal, sparse=True)
        model.kernels[key] = dynamics, dynamics_pattern(passive, H, local, linked, local_mask)
    return Patterns(closure, *model.kernels[key])


def dynamics_pattern(
    passive: list[int], H: np.ndarray, J: np.ndarray, H_structure: np.ndarray, J_structure: np.ndarray
) -> Pattern:
    """The pattern of [[H, J^T], [J, 0]] given at several poses, arguments as of `elimination_order`."""
    order, dependent, sizes = elimination_order(H, J, H_structure, J_structure)
    own = np.einsum("ii->i", H[0])
    light = own <= 1e-12 * own.max(initial=0.0)
    typical = typical_inertia(own[~light])
    light_rates = tuple((int(i), typical) for i in np.flatnonzero(light))
    steady = not dependent and not light_rates and is_steady(H, J, order)
    return Pattern(tuple(passive), tuple(order), tuple(sizes), dependent, (), light_rates, steady)


@dataclass(frozen=True)
class MassKernel:
    """The dense mass matrix of the tree from a kernel of the entries that can differ from zero.

    kernel: q -> entries; places: (rate, rate) of each, the later rate first, shape (entries, 2); size: rates.
    """

    kernel: Any
    places: np.ndarray
    size: int

    def constants(self, p: Any) -> np.ndarray:
        """What depends on the parameter vector alone."""
        return self.kernel.constants(p)

    def __call__(self, q: np.ndarray, c: np.ndarray) -> np.ndarray:
        """The matrix (size, size) at coordinates q."""
        M = np.zeros((self.size, self.size))
        i, j = self.places.T
        M[i, j] = M[j, i] = self.kernel.sized(1)(q, c)
        return M


def mass_kernel(model: Model) -> tuple[MassKernel, np.ndarray]:
    """Kernel q -> dense mass matrix of the tree, and where it can differ from zero."""
    key = ("mass",)
    if key not in model.kernels:
        places: list[tuple[int, int]] = []

        def function(q, parameters=None):
            system = model.system(Drive(), parameters)
            M = link_mass_matrix(system.tree, q, system.planar)
            # Traced first: which entries can differ from zero is seen in symbols, not in numbers.
            if not places:
                places.extend(place for place, entry in M.items() if not is_zero(entry))
            return {"M": [M.get(place, 0.0) for place in places]}

        kernel = model.kernel(("mass entries",), function, {"q": model.topology.coordinates})
        found = np.array(places, int).reshape(-1, 2)
        nv = model.topology.rates
        structure = np.zeros((nv, nv), bool)
        structure[found[:, 0], found[:, 1]] = structure[found[:, 1], found[:, 0]] = True
        model.kernels[key] = (MassKernel(kernel, found, nv), structure)
    return model.kernels[key]
