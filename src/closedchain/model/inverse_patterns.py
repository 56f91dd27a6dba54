"""How the loop equations of inverse dynamics are solved: in blocks, by elimination, or with open freedoms as free
bodies."""

from dataclasses import dataclass

import numpy as np

from closedchain.algorithms.block_solver import Blocks, find_blocks
from closedchain.algorithms.closure_solver import Pattern, elimination_order
from closedchain.algorithms.constraints import zeros
from closedchain.algorithms.idle_solver import SHARE
from closedchain.algorithms.link_frames import link_mass_matrix, passages
from closedchain.algorithms.local_inverse import local_rows
from closedchain.algorithms.local_loops import make_view
from closedchain.compile.evaluate import evaluate
from closedchain.model.model import Drive, Model
from closedchain.numbers import is_zero

OPEN = 1e-7


@dataclass(frozen=True)
class InversePattern:
    """The pattern of the solver, and whether freedoms stay open that nothing drives."""

    solver: Blocks | Pattern
    idle: bool = False


def inverse_pattern(model: Model, drive: Drive) -> InversePattern:
    """The pattern near the pose at which `find_pattern` made the one of kinematics; kept with the kernels."""
    key = ("inverse pattern", drive)
    if key not in model.kernels:
        model.kernels[key] = find_inverse_pattern(model, drive, *model.kernels[("sample", drive)])
    return model.kernels[key]


def is_idle(model: Model, drive: Drive) -> bool:
    """Whether a drive leaves freedoms open that nothing drives."""
    return inverse_pattern(model, drive).idle


def find_inverse_pattern(model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray) -> InversePattern:
    """The pattern from the loop equations near the assembled coordinates q."""
    driven = {model.tree_rates[name] for name in drive.coordinates}
    passive = [rate for rate in range(model.topology.rates) if rate not in driven]
    metric = np.array([1.0 if model.tree_units[rate] == "rad" else 1.0 / model.size**2 for rate in passive])
    spread = np.array([0.1 if unit == "rad" else 0.1 * model.size for unit in model.coordinate_units])
    draw = np.random.default_rng(1)
    samples = [q] + [q + spread * draw.uniform(-1.0, 1.0, len(q)) for _ in range(3)]
    J, structure = jacobians(model, drive, passive, samples, goal)
    blocks = find_blocks(passive, J, structure, metric)
    if blocks is not None:
        return InversePattern(blocks)
    scaled = J[0] / np.sqrt(metric)
    values = np.linalg.svd(scaled, compute_uv=False) if scaled.size else np.array([])
    idle = len(passive) > int(np.sum(values > OPEN * max([1e-300, *values[:1]])))
    H = np.repeat(np.diag(metric)[None], len(samples), axis=0)
    H_structure = H[0] != 0.0
    if idle:
        M, H_structure = mass_matrices(model, passive, samples)
        typical = float(np.median(np.einsum("sii->si", M) / metric))
        metric = SHARE * (typical or 1.0) * metric
        H = M + np.diag(metric)
    order, dependent, sizes = elimination_order(H, J, H_structure, structure)
    return InversePattern(Pattern(tuple(passive), tuple(order), tuple(sizes), dependent, tuple(metric)), idle)


def jacobians(
    model: Model, drive: Drive, passive: list[int], samples: list[np.ndarray], goal: np.ndarray, sparse: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Jacobian of the local loop equations at the samples (s, m, n), and where it can differ from zero (m, n).

    sparse: as of `make_view`.
    """

    def rows(q, goal=(), parameters=None):
        system = model.system(drive, parameters)
        tree, still, none = system.tree, zeros(system.tree.rates), zeros(system.goals)
        ways = [passages(link, q) for link in tree.links]
        views = [make_view(tree, ways, cut, system.planar, frozenset(passive), sparse) for cut in tree.cuts]
        found = local_rows(system, ways, views, q, still, still, (goal, none, none), moving=False)
        return {"jacobian": [[row.entries.get(rate, 0.0) for rate in passive] for row in found]}

    traced = model.traced(rows, {"q": model.topology.coordinates, "goal": len(goal)})
    _, shape = traced.outputs["jacobian"]
    shape = shape if len(shape) == 2 else (0, len(passive))
    structure = np.array([not is_zero(entry) for entry in traced.expressions], bool).reshape(shape)
    leaves = [*traced.input_symbols, *traced.parameter_symbols]
    # All samples at once through the graph: the formulas once per sample would take several times as long.
    given = [*np.array(samples).T, *goal.tolist(), *model.parameters.values.tolist()]
    with np.errstate(all="ignore"):
        values = evaluate(traced.expressions, dict(zip(leaves, given, strict=True)))
    found = np.empty((len(values), len(samples)))
    for entry, value in zip(found, values, strict=True):
        entry[:] = value
    return found.T.reshape(len(samples), *shape), structure


def mass_matrices(model: Model, passive: list[int], samples: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Mass matrix of the passive rates at the samples (s, n, n), and where it can differ from zero (n, n)."""
    place = {rate: index for index, rate in enumerate(passive)}
    n = len(passive)

    M = np.zeros((len(samples), n, n))
    system = model.system()
    for index, sample in enumerate(samples):
        for (i, j), value in link_mass_matrix(system.tree, sample.tolist(), system.planar).items():
            if i in place and j in place:
                M[index, place[i], place[j]] = M[index, place[j], place[i]] = float(value)
    # The random samples leave no entry zero by accident.
    return M, (M != 0.0).any(axis=0)
