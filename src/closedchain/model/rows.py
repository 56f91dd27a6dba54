"""The rows of the position problem with their Jacobian, and where everything stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.algorithms.closure_solver import Pattern, elimination_order, is_steady
from closedchain.algorithms.constraints import Constraint, all_constraints, zeros
from closedchain.model.model import Drive, Model
from closedchain.numbers import is_zero

Number = Any


@dataclass(frozen=True)
class RowsKernel:
    """Values and dense Jacobian of all rows, from a kernel of the entries that can differ from zero alone.

    kernel: of coordinates and the goals of point motions; places: where its outputs stand among `outputs`; passed_over:
    inputs that no row reads, the goals of driven coordinates (first, end); shape: rows and rates.
    """

    kernel: Any
    places: np.ndarray
    passed_over: tuple[int, int]
    shape: tuple[int, int]

    @property
    def outputs(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Name -> slice of the flat outputs, and shape."""
        m, n = self.shape
        return {"values": (slice(0, m), (m,)), "jacobian": (slice(m, m + m * n), (m, n))}

    def constants(self, p: Any) -> np.ndarray:
        """What depends on the parameter vector alone."""
        return self.kernel.constants(p)

    def batch(self, x: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Outputs at states x (coordinates and goals, n), shape (outputs, n)."""
        first, end = self.passed_over
        read = np.concatenate([x[:first], x[end:]]) if end > first else x
        m, n = self.shape
        y = np.zeros((m + m * n, x.shape[1]))
        y[self.places] = self.kernel.sized(x.shape[1]).batch(read, c)
        return y

    def __call__(self, x: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Outputs at one state."""
        return self.batch(np.asarray(x, float)[:, None], c)[:, 0]

    def split(self, y: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs by name, in their shapes."""
        return {name: y[part].reshape((*shape, *y.shape[1:])) for name, (part, shape) in self.outputs.items()}


def row_list(model: Model, drive: Drive, q: Sequence[Number], goal: Sequence[Number], parameters) -> list[Constraint]:
    """All constraints at rest, guiding rows included."""
    system = model.system(drive, parameters)
    still, none = zeros(system.tree.rates), zeros(system.goals)
    return all_constraints(system, q, still, still, (goal, none, none), extra=True)


def row_marks(model: Model, drive: Drive) -> list[tuple[str, str, bool, bool]]:
    """(owner, label, is a length, guides only) of every row of `rows_kernel`, in order."""
    base = Drive((), drive.motions)
    entries_kernel(model, base)
    return model.kernels["row marks", base]


def rows_kernel(model: Model, drive: Drive) -> tuple[RowsKernel, np.ndarray]:
    """Kernel (q, goal) of the values and the Jacobian of all constraints, guiding rows included, and where the
    Jacobian can differ from zero, shape (rows, rates).
    """
    key = ("rows", drive)
    if key not in model.kernels:
        kernel, places, rows = entries_kernel(model, Drive((), drive.motions))
        n, nq = model.topology.rates, model.topology.coordinates
        structure = np.zeros((rows, n), bool)
        structure[tuple(places.T)] = True
        flat = np.concatenate([np.arange(rows), rows + n * places[:, 0] + places[:, 1]])
        wrapped = RowsKernel(kernel, flat, (nq, nq + len(drive.coordinates)), (rows, n))
        model.kernels[key] = (wrapped, structure)
    return model.kernels[key]


def entries_kernel(model: Model, drive: Drive) -> tuple[Any, np.ndarray, int]:
    """Kernel (q, goal) of the values of all rows and the entries that can differ from zero, the places (row, rate) of
    these, shape (entries, 2), and the number of rows.
    """
    key = ("entries", drive)
    if key not in model.kernels:
        places: list[tuple[int, int]] = []
        marks: list[tuple[str, str, bool, bool]] = []

        def function(q, goal=(), parameters=None):
            found = row_list(model, drive, q, goal, parameters)
            # Traced first: which entries can differ from zero is seen in symbols, not in numbers.
            if not places:
                marks[:] = [(row.owner, row.label, row.length, row.extra) for row in found]
                places.extend((k, rate) for k, row in enumerate(found) for rate, entry in row.entries.items()
                              if not is_zero(entry))  # fmt: skip
            return {
                "values": [row.value for row in found],
                "entries": [found[k].entries.get(rate, 0.0) for k, rate in places],
            }

        inputs = {"q": model.topology.coordinates, "goal": len(model.goals(drive))}
        kernel = model.kernel(("entry values", drive), function, inputs)
        rows = kernel.outputs["values"][1][0]
        model.kernels["row marks", drive] = marks
        model.kernels[key] = (kernel, np.array(places, int).reshape(-1, 2), rows)
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
        driven = {model.rate_place(name) for name in drive.coordinates}
        passive = [rate for rate in range(model.topology.rates) if rate not in driven]
        size = model.size
        metric = np.array([1.0 if model.tree_units[rate] == "rad" else 1.0 / size**2 for rate in passive])
        spread = np.array([0.1 if unit == "rad" else 0.1 * size for unit in model.coordinate_units])
        draw = np.random.default_rng(1)
        samples = [q] + [q + spread * draw.uniform(-1.0, 1.0, len(q)) for _ in range(3)]
        c = kernel.constants(model.parameters.values)
        part, shape = kernel.outputs["jacobian"]
        X = np.concatenate([np.array(samples).T, np.repeat(goal[:, None], len(samples), axis=1)])
        jacobians = kernel.batch(X, c)[part].T.reshape(len(samples), *shape)
        chosen = jacobians[:, true_rows][:, :, passive] if len(marks) else np.zeros((4, 0, len(passive)))
        mask = structure[np.ix_(true_rows, passive)] if len(marks) else np.zeros((0, len(passive)), bool)
        H = np.repeat(np.diag(metric)[None], len(samples), axis=0)
        order, dependent, sizes = elimination_order(H, chosen, H[0] != 0.0, mask)
        model.kernels[key] = Pattern(tuple(passive), tuple(order), tuple(sizes), dependent, tuple(metric))
        model.kernels["steady", drive] = not dependent and is_steady(H, chosen, order)
        model.kernels["sample", drive] = (q.copy(), goal.copy())
    return model.kernels[key]
