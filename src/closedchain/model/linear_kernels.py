"""Traced functions of statics and linearisation: what the equations of motion leave over, and its exact derivatives.

    R(q, v, a, x) = M a + h - tau + J^T x,      phi(q) = 0,  phi'(q, v) = 0,  phi"(q, v, a) = 0

differentiated along small turns and shifts s of the rates (q moved by s), so quaternions bring no extra direction.
"""

from collections.abc import Sequence
from typing import Any

import closedchain.numbers
from closedchain.algorithms.applied import apply
from closedchain.algorithms.constraints import all_constraints, retract, zeros
from closedchain.algorithms.dynamics_residual import needed_forces
from closedchain.algorithms.kinematics import State
from closedchain.algorithms.link_frames import link_mass_matrix
from closedchain.algorithms.motion import move
from closedchain.compile import sparse_jacobian, substitute, unknowns
from closedchain.model.loads import extra_states, make_loads
from closedchain.model.model import Drive, Model
from closedchain.model.motion_kernels import bodies, coordinates, read_opened

Number = Any
GOALS = ("goal", "goal_rate", "goal_acceleration")


def followers(model: Model) -> list[str]:
    """Coordinates whose controllers follow the ideal motion."""
    actuators = model.mechanism.actuators.values()
    return [a.joint.text for a in actuators if a.control is not None and a.control.target == "motion"]


def row_count(model: Model, drive: Drive) -> int:
    """Number of constraint rows."""
    from closedchain.model.rows import row_marks

    return sum(1 for mark in row_marks(model, drive) if not mark[3])


def linear_inputs(model: Model, drive: Drive) -> dict[str, int]:
    """Inputs of the kernel."""
    nv, goals = model.topology.rates, len(model.goals(drive))
    return {
        "t": 1, "q": model.topology.coordinates, "v": nv, "a": nv, "x": row_count(model, drive),
        **dict.fromkeys(GOALS, goals), "target": 2 * len(followers(model)),
    }  # fmt: skip


def linear_kernel(model: Model, drive: Drive):
    """Kernel of the inputs above -> R, rows and their derivatives.

    "forces" (nv,) R of all rates; "values", "rates", "accelerations" (m,) of the rows; "jacobian" (m, nv);
    "mass" (nv, nv); "stiffness", "damping" (nv, nv) dR/ds, dR/dv; "rate_s" (m, nv) d(phi')/ds; "acceleration_s",
    "acceleration_v" (m, nv).
    Controllers' integrals and bristles of friction are zero.
    """

    def function(t, q, v, a, x=(), goal=(), goal_rate=(), goal_acceleration=(), target=(), parameters=None):
        system = model.system(drive, parameters)
        nv = system.tree.rates
        step = unknowns(nv, q[0])
        moved = retract(system.tree, q, step)
        names = followers(model)
        ideal = {name: (target[2 * k], target[2 * k + 1], 0.0) for k, name in enumerate(names)}
        loads = make_loads(model, t[0], parameters, ideal)
        extra = zeros(len(extra_states(model)))
        applied = apply(loads, move(system.tree, moved, v, zeros(nv)), moved, v, extra)
        rows = all_constraints(system, moved, v, a, (goal, goal_rate, goal_acceleration))
        forces = needed_forces(system, applied, moved, v, a, rows, x)
        rates, accelerations = [row.rate for row in rows], [row.acceleration for row in rows]
        M = link_mass_matrix(system.tree, moved, system.planar)
        found = {
            "forces": forces,
            "values": [row.value for row in rows],
            "rates": rates,
            "accelerations": accelerations,
            "jacobian": [[row.entries.get(rate, 0.0) for rate in range(nv)] for row in rows],
            "mass": [[M.get((max(i, j), min(i, j)), 0.0) for j in range(nv)] for i in range(nv)],
            "stiffness": jacobian(forces, step),
            "damping": jacobian(forces, v),
            "rate_s": jacobian(rates, step),
            "acceleration_s": jacobian(accelerations, step),
            "acceleration_v": jacobian(accelerations, v),
            "energy": applied.energy,
        }
        return at_rest(found, step)

    return model.kernel(("linear", drive), function, linear_inputs(model, drive))


def jacobian(values: Sequence[Number], leaves: Sequence[Number]) -> list[list[Number]]:
    """Dense derivative by some leaves."""
    entries = sparse_jacobian(values, leaves)
    return [[entries.get((i, j), 0.0) for j in range(len(leaves))] for i in range(len(values))]


def at_rest(found: dict[str, Any], step: Sequence[Number]) -> dict[str, Any]:
    """The outputs at s = 0."""
    still = dict.fromkeys(step, 0.0)
    result = {}
    for name, value in found.items():
        if isinstance(value, list) and value and isinstance(value[0], list):
            width = len(value[0])
            flat = substitute([entry for row in value for entry in row], still, closedchain.numbers)
            result[name] = [flat[k : k + width] for k in range(0, len(flat), width)] if width else value
        elif isinstance(value, list):
            result[name] = substitute(value, still, closedchain.numbers)
        else:
            result[name] = substitute([value], still, closedchain.numbers)[0]
    return result


def shape_kernel(model: Model):
    """Kernel (q, v) -> rates of all joints "qd", velocities of mass centres and angular velocities of bodies."""

    def function(q, v, parameters=None):
        system = model.system(Drive(), parameters)
        still = zeros(system.tree.rates)
        motions = move(system.tree, q, v, still)
        state = State(list(q), list(v), still, motions, [], None)  # type: ignore[arg-type]
        read = read_opened(model, system, motions, parameters)
        found = bodies(model, system, state, parameters)
        return {
            "qd": coordinates(model, state, read)["qd"],
            "body_velocity": found["body_velocity"],
            "body_angular_velocity": found["body_angular_velocity"],
        }

    inputs = {"q": model.topology.coordinates, "v": model.topology.rates}
    return model.kernel(("shape",), function, inputs)
