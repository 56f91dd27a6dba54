"""A mechanism in maximal coordinates at one traced state: what the equations need, and the accelerations they give."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.algorithms.applied import Applied, Loads, apply
from closedchain.algorithms.closure_solver import LoopSolver, Pattern, elimination_order
from closedchain.algorithms.maximal import FreeBodies, all_motions, body_forces, mass_blocks
from closedchain.algorithms.motion import Motion
from closedchain.compile import compile_kernel, trace
from closedchain.model.dynamics_kernels import Goals, IdealState, goals_at, ideal_state, ideal_targets
from closedchain.model.loads import Places, make_loads
from closedchain.model.maximal_rows import JointRates, Rows, constraint_rows, joint_rates
from closedchain.model.maximal_setting import MaximalSetting, free_bodies
from closedchain.numbers import add, factorize, is_zero, mul, refine

Number = Any
SAMPLES = 3
SPREAD = 0.05


@dataclass(frozen=True)
class Present:
    """The setting at one state."""

    system: FreeBodies
    x: list[Number]
    u: list[Number]
    turns: list[Number]
    extra: list[Number]
    motions: tuple[Motion, ...]
    joints: JointRates
    rows: Rows
    loads: Loads
    applied: Applied
    goals: Goals
    ideal: IdealState | None


def present(setting: MaximalSetting, t: Number, y: Sequence[Number], memory, parameters) -> Present:
    """The setting at a state y of traced symbols."""
    model = setting.model
    system = free_bodies(setting, parameters)
    x, u, turns, extra, followed, _, _ = setting.split(y)
    ideal = ideal_state(setting.ideal, t, followed, parameters) if setting.ideal else None
    goals = goals_at(model, setting.drive, t, parameters, ideal.motion if ideal else None)
    joints = joint_rates(setting, system, t, x, u, turns)
    rows = constraint_rows(setting, system, t, x, u, turns, joints, goals, parameters)
    index = {name: place for place, name in enumerate(setting.rates)}
    places = Places(lambda name: (index[name], index[name]), setting.places)
    loads = make_loads(model, t, parameters, ideal_targets(ideal), places=places)
    coordinates = [joints.coordinates.get(name, 0.0) for name in setting.rates]
    speeds = [joints.speeds[name] for name in setting.rates]
    motions = all_motions(system, x, u)
    applied = apply(loads, motions, coordinates, speeds, extra, memory)
    return Present(system, x, u, turns, extra, motions, joints, rows, loads, applied, goals, ideal)


@dataclass(frozen=True)
class Accelerations:
    """Derivatives of the body rates, force along each row, and the factored equations."""

    a: list[Number]
    multipliers: list[Number]
    solver: LoopSolver


def accelerations(
    setting: MaximalSetting, pattern: Pattern, now: Present, baumgarte: Sequence[Number]
) -> Accelerations:
    """Solve Newton's and Euler's equations with the constraints, stabilised after Baumgarte."""
    n = len(now.u)
    rhs = body_forces(now.system, now.x, now.u, now.applied.wrenches)
    for place, effort in now.applied.efforts.items():
        for column, entry in now.joints.pulls[setting.rates[place]].items():
            rhs[column] = add(rhs[column], mul(entry, effort))
    matrix = mass_blocks(now.system)
    alpha, beta = baumgarte
    rows = now.rows
    for index, entries in enumerate(rows.entries):
        for column, value in entries.items():
            matrix[n + index, column] = value
        rhs.append(-rows.bends[index] - 2.0 * alpha * rows.rates[index] - beta * beta * rows.values[index])
    factor = factorize(matrix, pattern.order, pattern.shift)
    solution = refine(matrix, factor, rhs, pattern.refinements)
    # The multiplier of the equations with +J^T is the negative of the force along the row.
    return Accelerations(solution[:n], [-value for value in solution[n:]], LoopSolver(pattern, matrix, factor))


def find_maximal_pattern(setting: MaximalSetting, y: np.ndarray) -> Pattern:
    """Elimination pattern from the mass matrix and the Jacobian at the start y and near it."""
    key, model = ("pattern", setting.key), setting.model
    if key in model.kernels:
        return model.kernels[key]

    entries: list[tuple[int, int]] = []

    def function(t, y, memory=(), parameters=None):
        # Only what can differ from zero: dense matrices of many bodies would be code without end.
        now = present(setting, t[0], y, memory, parameters)
        n, matrix = len(now.u), dict(mass_blocks(now.system))
        for row, columns in enumerate(now.rows.entries):
            matrix |= {(n + row, column): value for column, value in columns.items()}
        kept = {place: value for place, value in matrix.items() if not is_zero(value)}
        entries.extend(kept)
        return {"entries": list(kept.values()), "size": float(n + len(now.rows.entries))}

    traced = trace(function, setting.inputs, {"parameters": len(model.parameters.paths)})
    kernel = compile_kernel(traced)
    c = kernel.constants(model.parameters.values)
    n, size = setting.sizes[1], int(traced.output("size"))
    at = tuple(np.array(entries).reshape(-1, 2).T)
    found = np.zeros((SAMPLES, size, size))
    for number, sample in enumerate(samples(setting, y)):
        found[number][at] = kernel(sample, c)[:-1]
    H = found[:, :n, :n] + np.tril(found[:, :n, :n], -1).transpose(0, 2, 1)
    structure = np.zeros((size, size), bool)
    structure[at] = True
    order, dependent, sizes = elimination_order(
        H, found[:, n:, :n], structure[:n, :n] | structure[:n, :n].T, structure[n:, :n]
    )
    own = np.einsum("ii->i", H[0])
    typical = float(np.median(own[own > 0.0])) if (own > 0.0).any() else 1.0
    light = tuple((i, typical) for i in range(n) if own[i] <= 1e-12 * max(own.max(), 1e-300))
    model.kernels[key] = Pattern(tuple(range(n)), tuple(order), tuple(sizes), dependent, (), light)
    return model.kernels[key]


def samples(setting: MaximalSetting, y: np.ndarray) -> list[np.ndarray]:
    """Inputs of the kernels at the start and with all bodies moved a little; quaternions stay normalised."""
    model, draw = setting.model, np.random.default_rng(1)
    size, planar = setting.sizes[0], model.mechanism.planar
    scale = np.tile([model.size] * (2 if planar else 3) + [1.0] * (1 if planar else 4), len(setting.bodies))
    found = []
    for k in range(SAMPLES):
        moved = np.array(y, float)
        moved[:size] += (k > 0) * SPREAD * scale * draw.uniform(-1.0, 1.0, size)
        if not planar:
            for start in range(3, size, 7):
                moved[start : start + 4] /= np.linalg.norm(moved[start : start + 4])
        found.append(np.concatenate([[0.0], moved, np.zeros(setting.memory)]))
    return found
