"""Traced functions of the dynamics in joint coordinates: right-hand side, projection on the constraints, and the report.

The state is y = [coordinates, rates, extra states, input work, dissipated energy]; driven coordinates stand in it too, and
are set to their goals wherever it is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.algorithms.chain import place
from closedchain.algorithms.closure_solver import Pattern, elimination_order, factor_loops
from closedchain.algorithms.constraints import System, all_constraints, retract, zeros
from closedchain.algorithms.forward_dynamics import Dynamics, coordinate_rates, forward_dynamics
from closedchain.algorithms.kinematics import State, scaled, with_driven, worst
from closedchain.algorithms.motion import move
from closedchain.algorithms.newton_euler import gravity_energy, kinetic_energy, mass_matrix
from closedchain.compile import Symbol, compile_kernel, directional_derivative
from closedchain.model.loads import extra_states, make_loads
from closedchain.model.model import Drive, Model
from closedchain.model.motion_kernels import goals_function, report
from closedchain.model.rows import row_marks, rows_kernel
from closedchain.numbers import add, is_zero, mul

Number = Any


@dataclass(frozen=True)
class Layout:
    """Where the parts of the state y stand."""

    coordinates: int
    rates: int
    extra: int

    @property
    def states(self) -> int:
        """Length of y."""
        return self.coordinates + self.rates + self.extra + 2

    def split(self, y: Sequence[Number]):
        """Coordinates, rates, extra states, input work, dissipated energy."""
        a, b = self.coordinates, self.coordinates + self.rates
        c = b + self.extra
        return list(y[:a]), list(y[a:b]), list(y[b:c]), y[c], y[c + 1]


def layout(model: Model) -> Layout:
    """Layout of a model's state."""
    return Layout(model.topology.coordinates, model.topology.rates, len(extra_states(model)))


def goals_at(model: Model, drive: Drive, t: Number, parameters) -> tuple[list[Number], list[Number], list[Number]]:
    """Values, rates and accelerations of the given motions at t."""
    values = goals_function(model, drive)([t], parameters)["goal"]
    if not isinstance(t, Symbol):
        raise TypeError("goals_at needs a traced time; the kernel of goals gives numbers")
    rates = directional_derivative(values, {t: 1.0})
    return values, rates, directional_derivative(rates, {t: 1.0})


@dataclass(frozen=True)
class Patterns:
    """Elimination patterns of the projection (kinematic metric) and of the dynamics (mass matrix)."""

    closure: Pattern
    dynamics: Pattern


def evaluate(model: Model, drive: Drive, patterns: Patterns, t: Number, y: Sequence[Number], parameters, baumgarte=(0.0, 0.0)):
    """System, goals, coordinates, rates and the dynamics at a state."""
    system = model.system(drive, parameters)
    goals = goals_at(model, drive, t, parameters)
    q, v, extra, _, _ = layout(model).split(y)
    q = with_driven(system, q, goals[0], rates=False)
    v = with_driven(system, v, goals[1], rates=True)
    loads = make_loads(model, t, parameters)
    return system, goals, q, v, forward_dynamics(system, patterns.dynamics, loads, q, v, extra, goals, baumgarte)


def input_power(system: System, v: Sequence[Number], dynamics: Dynamics) -> Number:
    """Power of motors, imposed coordinates, point motions and given forces [W]."""
    total = dynamics.applied.supply
    for effort, (_, rate) in zip(dynamics.driven_efforts, system.driven, strict=True):
        total = add(total, mul(effort, v[rate]))
    names = {motion.name for motion in system.motions}
    for row, multiplier in zip(dynamics.rows, dynamics.multipliers, strict=True):
        if row.owner in names:
            for rate, entry in row.entries.items():
                total = add(total, mul(multiplier, mul(entry, v[rate])))
    return total


def rhs_kernel(model: Model, drive: Drive, patterns: Patterns, baumgarte: tuple[float, float] = (0.0, 0.0)):
    """Kernel (t, y) -> dy/dt."""

    def function(t, y, parameters=None):
        system, _, q, v, dynamics = evaluate(model, drive, patterns, t[0], y, parameters, baumgarte)
        rates = coordinate_rates(system, q, v)
        power = input_power(system, v, dynamics)
        return {"rate": [*rates, *dynamics.a, *dynamics.applied.state_rates, power, dynamics.applied.dissipation]}

    return model.kernel(("rhs", drive, baumgarte), function, {"t": 1, "y": layout(model).states})


def projection_kernel(model: Model, drive: Drive, patterns: Patterns):
    """Kernel (t, y) -> y on the constraints in position and velocity, residual before, conditioning."""

    def function(t, y, parameters=None):
        system = model.system(drive, parameters)
        goals = goals_at(model, drive, t[0], parameters)
        parts = layout(model)
        q, v, extra, work, lost = parts.split(y)
        q = with_driven(system, q, goals[0], rates=False)
        v = with_driven(system, v, goals[1], rates=True)
        still = zeros(system.tree.rates)
        rows = all_constraints(system, q, v, still, (goals[0], goals[1], zeros(system.goals)))
        solver = factor_loops([row.entries for row in rows], patterns.closure)
        step, change = zeros(system.tree.rates), list(v)
        position = solver.solve([-row.value for row in rows])
        velocity = solver.solve([-row.rate for row in rows])
        for rate, dq, dv in zip(patterns.closure.passive, position, velocity, strict=True):
            step[rate], change[rate] = dq, v[rate] + dv
        moved = retract(system.tree, q, step)
        return {
            "y": [*moved, *change, *extra, work, lost],
            "residual": worst(scaled(system, rows)),
            "conditioning": solver.conditioning(),
        }

    return model.kernel(("projection", drive), function, {"t": 1, "y": layout(model).states})


def report_kernel(model: Model, drive: Drive, patterns: Patterns):
    """Kernel (t, y) -> everything that a simulation reports at an instant."""

    def function(t, y, parameters=None):
        system, goals, q, v, dynamics = evaluate(model, drive, patterns, t[0], y, parameters)
        motions = move(system.tree, q, v, dynamics.a)
        rows = all_constraints(system, q, v, dynamics.a, goals)
        solver = factor_loops([row.entries for row in rows], patterns.closure)
        state = State(q, v, dynamics.a, motions, rows, solver)
        parts = layout(model).split(y)
        return {
            **report(model, system, state, parameters),
            **efforts(model, drive, system, v, dynamics),
            "kinetic_energy": kinetic_energy(system.tree, motions, system.planar),
            "potential_energy": add(gravity_energy(system.tree, motions), dynamics.applied.energy),
            "input_work": parts[3],
            "dissipated_energy": parts[4],
            "multipliers": dynamics.multipliers,
        }

    return model.kernel(("report", drive), function, {"t": 1, "y": layout(model).states})


def efforts(model: Model, drive: Drive, system: System, v: Sequence[Number], dynamics: Dynamics) -> dict[str, list[Number]]:
    """Effort and power of every actuator, in file order."""
    imposed = dict(zip(drive.coordinates, dynamics.driven_efforts, strict=False))
    made = [a.name for a in model.mechanism.actuators.values() if a.effort is not None or a.control is not None]
    given = dict(zip(made, dynamics.applied.motor_efforts, strict=True))
    found: dict[str, list[Number]] = {"effort": [], "power": []}
    for actuator in model.mechanism.actuators.values():
        effort = given.get(actuator.name, imposed.get(actuator.joint.text, 0.0))
        _, rate = model.locate(actuator.joint.text)
        found["effort"].append(effort)
        found["power"].append(mul(effort, v[rate]))
    return found


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
        order, dependent, sizes = elimination_order(H, J, structure[np.ix_(passive, passive)], mask)
        own = np.einsum("ii->i", H[0]) if n else np.zeros(0)
        typical = float(np.median(own)) if n else 1.0
        light = tuple((i, typical or 1.0) for i in range(n) if own[i] <= 1e-12 * max(own.max(), 1e-300))
        model.kernels[key] = Pattern(tuple(passive), tuple(order), tuple(sizes), dependent, (), light)
    return Patterns(closure, model.kernels[key])


def mass_kernel(model: Model):
    """Kernel q -> dense mass matrix of the tree, and where it can differ from zero."""
    key = ("mass",)
    if key not in model.kernels:

        def function(q, parameters=None):
            system = model.system(Drive(), parameters)
            M = mass_matrix(system.tree, place(system.tree, q), system.planar)
            nv = system.tree.rates
            return {"M": [[M.get((max(i, j), min(i, j)), 0.0) for j in range(nv)] for i in range(nv)]}

        traced = model.traced(function, {"q": model.topology.coordinates})
        nv = model.topology.rates
        structure = np.array([not is_zero(entry) for entry in traced.expressions], bool).reshape(nv, nv)
        model.kernels[key] = (compile_kernel(traced), structure)
    return model.kernels[key]


__all__ = ["Layout", "Patterns", "find_patterns", "layout", "projection_kernel", "report_kernel", "rhs_kernel"]
