"""Traced functions of the position problem: all rows with their Jacobian, and where everything stands."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from closedchain.algorithms.closure_solver import Pattern, elimination_order
from closedchain.algorithms.constraints import all_constraints, zeros
from closedchain.model.model import Drive, Model
from closedchain.numbers import is_zero

Number = Any


def rows_function(model: Model, drive: Drive):
    """Function(q, goal, parameters) -> rows and dense Jacobian of all constraints, guiding rows included."""

    def rows(q: Sequence[Number], goal: Sequence[Number] = (), parameters: Sequence[Number] | None = None):
        system = model.system(drive, parameters)
        still, none = zeros(system.tree.rates), zeros(system.goals)
        found = all_constraints(system, q, still, still, (goal, none, none), extra=True)
        jacobian = [[row.entries.get(rate, 0.0) for rate in range(system.tree.rates)] for row in found]
        return {"values": [row.value for row in found], "jacobian": jacobian}

    return rows


def row_marks(model: Model, drive: Drive) -> list[tuple[str, str, bool, bool]]:
    """(owner, label, is a length, guides only) of every row of `rows_function`, in order."""
    key = ("row marks", drive)
    if key not in model.kernels:
        system = model.system(drive)
        still, none = zeros(system.tree.rates), zeros(system.goals)
        q = neutral(model)
        found = all_constraints(system, q, still, still, (none, none, none), extra=True)
        model.kernels[key] = [(row.owner, row.label, row.length, row.extra) for row in found]
    return model.kernels[key]


def rows_kernel(model: Model, drive: Drive):
    """Kernel of `rows_function`, and where its Jacobian can differ from zero, shape (rows, rates)."""
    key = ("rows", drive)
    if key not in model.kernels:
        inputs = {"q": model.topology.coordinates, "goal": len(model.goals(drive))}
        traced = model.traced(rows_function(model, drive), inputs)
        part, shape = traced.outputs["jacobian"]
        structure = np.array([not is_zero(entry) for entry in traced.expressions[part]], bool)
        model.kernels[key] = (model.make_kernel(traced), structure.reshape(shape if len(shape) == 2 else (0, 0)))
    return model.kernels[key]


def neutral(model: Model) -> list[float]:
    """Coordinates in which every joint's two frames coincide (quaternions at identity)."""
    q = [0.0] * model.topology.coordinates
    for name, slot in model.topology.slots.items():
        for k, part in enumerate(model.form(name).coordinates):
            if part == "qw":
                q[slot.coordinate + k] = 1.0
    return q


def find_pattern(model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray) -> Pattern:
    """The elimination pattern of the passive rates, from the Jacobian near the assembled coordinates q.

    Samples the pose itself and perturbed ones, so that no entry is taken for small by accident; kept with the kernels
    of the structure.
    """
    key = ("pattern", drive)
    if key not in model.kernels:
        kernel, structure = rows_kernel(model, drive)
        marks = row_marks(model, drive)
        true_rows = [index for index, mark in enumerate(marks) if not mark[3]]
        driven = {model.tree_rates[name] for name in drive.coordinates}
        passive = [rate for rate in range(model.topology.rates) if rate not in driven]
        size = model.size
        metric = np.array([1.0 if model.tree_units[rate] == "rad" else 1.0 / size**2 for rate in passive])
        spread = np.array([0.1 if unit == "rad" else 0.1 * size for unit in model.coordinate_units])
        draw = np.random.default_rng(1)
        samples = [q] + [q + spread * draw.uniform(-1.0, 1.0, len(q)) for _ in range(3)]
        c = kernel.constants(model.parameters.values)
        part, shape = kernel.outputs["jacobian"]
        jacobians = np.array([kernel(np.concatenate([sample, goal]), c)[part].reshape(shape) for sample in samples])
        chosen = jacobians[:, true_rows][:, :, passive] if len(marks) else np.zeros((4, 0, len(passive)))
        mask = structure[np.ix_(true_rows, passive)] if len(marks) else np.zeros((0, len(passive)), bool)
        H = np.repeat(np.diag(metric)[None], len(samples), axis=0)
        order, dependent, sizes = elimination_order(H, chosen, H[0] != 0.0, mask)
        model.kernels[key] = Pattern(tuple(passive), tuple(order), tuple(sizes), dependent, tuple(metric))
        model.kernels["sample", drive] = (q.copy(), goal.copy())
    return model.kernels[key]
