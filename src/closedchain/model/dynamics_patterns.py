"""Elimination patterns of the dynamics: found from numbers near the assembled pose, kept with the model's kernels."""

from dataclasses import dataclass

import numpy as np

from closedchain.algorithms.closure_solver import Pattern, elimination_order, is_steady, typical_inertia
from closedchain.algorithms.link_frames import link_mass_matrix
from closedchain.compile import compile_kernel
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
        H = np.array([mass(sample, c_mass).reshape(structure.shape) for sample in samples])[:, passive][:, :, passive]
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


def mass_kernel(model: Model):
    """Kernel q -> dense mass matrix of the tree, and where it can differ from zero."""
    key = ("mass",)
    if key not in model.kernels:

        def function(q, parameters=None):
            system = model.system(Drive(), parameters)
            M = link_mass_matrix(system.tree, q, system.planar)
            nv = system.tree.rates
            return {"M": [[M.get((max(i, j), min(i, j)), 0.0) for j in range(nv)] for i in range(nv)]}

        traced = model.traced(function, {"q": model.topology.coordinates})
        nv = model.topology.rates
        structure = np.array([not is_zero(entry) for entry in traced.expressions], bool).reshape(nv, nv)
        model.kernels[key] = (compile_kernel(traced), structure)
    return model.kernels[key]
