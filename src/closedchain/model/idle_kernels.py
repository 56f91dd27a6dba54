"""Traced functions of idle freedoms along a given motion: how they accelerate, their projection, and all they do.

The state is y = [coordinates, rates] of the whole tree. The given motions and the loops determine all of it but the
idle freedoms (a rod between two ball joints that spins about itself); these follow from Kane's equations for their
speeds, N^T (M a + h) = 0: nothing drives them. Driven coordinates and rates are set to their goals wherever y is read.
The memory holds the actuators' preload, the efforts that they make whatever the motion is.
"""

from collections.abc import Mapping
from typing import Any

from closedchain.algorithms.closure_solver import Pattern, factor_loops
from closedchain.algorithms.constraints import all_constraints, retract, zeros
from closedchain.algorithms.forward_dynamics import coordinate_rates
from closedchain.algorithms.kinematics import State, scaled, with_driven, worst
from closedchain.algorithms.local_inverse import LocalState
from closedchain.algorithms.motion import move
from closedchain.model.dynamics_kernels import Goals, goals_at
from closedchain.model.inverse_kernels import Inverse, inverse_at, moving_freely
from closedchain.model.model import Drive, Model
from closedchain.model.motion_kernels import motion_inputs, report

Number = Any


def idle_inputs(model: Model) -> dict[str, int]:
    """Inputs of the kernels."""
    count = model.topology.coordinates + model.topology.rates
    return {"t": 1, "y": count, "memory": len(model.mechanism.actuators)}


def idle_rate_kernel(model: Model, drive: Drive):
    """Kernel (t, y, memory) -> dy/dt along the motions of the file."""
    nq = model.topology.coordinates

    def function(t, y, memory=(), parameters=None):
        goal, rate, acceleration = goals_at(model, drive, t[0], parameters)
        motion = {"q": y[:nq], "goal": goal, "goal_rate": rate, "goal_acceleration": acceleration}
        now = inverse_at(model, drive, motion, t[0], parameters, y[nq:])
        state = moving_freely(now, memory)
        return {"rate": [*coordinate_rates(now.system, state.q, state.v), *state.a]}

    return model.kernel(("idle rates", drive), function, idle_inputs(model))


def idle_projection_kernel(model: Model, drive: Drive, closure: Pattern):
    """Kernel (t, y, memory) -> y on the loops and given motions, residual before, conditioning.

    closure: elimination pattern of kinematics.
    """
    nq = model.topology.coordinates

    def function(t, y, memory=(), parameters=None):
        system = model.system(drive, parameters)
        goals: Goals = goals_at(model, drive, t[0], parameters)
        q = with_driven(system, y[:nq], goals[0], rates=False)
        v = with_driven(system, y[nq:], goals[1], rates=True)
        still = zeros(system.tree.rates)
        rows = all_constraints(system, q, v, still, (goals[0], goals[1], zeros(system.goals)))
        solver = factor_loops([row.entries for row in rows], closure)
        step, change = zeros(system.tree.rates), list(v)
        position = solver.solve([-row.value for row in rows])
        velocity = solver.solve([-row.rate for row in rows])
        for rate, dq, dv in zip(closure.passive, position, velocity, strict=True):
            step[rate], change[rate] = dq, v[rate] + dv
        return {
            "y": [*retract(system.tree, q, step), *change],
            "residual": worst(scaled(system, rows)),
            "conditioning": solver.conditioning(),
        }

    return model.kernel(("idle projection", drive), function, idle_inputs(model))


def idle_motion_kernel(model: Model, drive: Drive):
    """Kernel (q, goals and their derivatives, t, rates, preload) -> everything that kinematics reports, with the idle
    freedoms as they move, and the tree's rates and their derivatives."""

    def function(t=(), rates=(), preload=(), parameters=None, **motion):
        given = {name: motion.get(name, ()) for name in ("q", "goal", "goal_rate", "goal_acceleration")}
        now = inverse_at(model, drive, given, t[0], parameters, rates)
        state = moving_freely(now, preload)
        goals = given["goal"], given["goal_rate"], given["goal_acceleration"]
        return free_report(model, now, state, goals, parameters)

    inputs = {
        **motion_inputs(model, drive),
        "t": 1,
        "rates": model.topology.rates,
        "preload": len(model.mechanism.actuators),
    }
    return model.kernel(("idle motion", drive), function, inputs)


def free_report(model: Model, now: Inverse, state: LocalState, goals, parameters) -> Mapping[str, Any]:
    """The report of kinematics at a state of inverse dynamics."""
    system = now.system
    motions = move(system.tree, state.q, state.v, state.a)
    rows = all_constraints(system, state.q, state.v, state.a, goals)
    return report(model, system, State(state.q, state.v, state.a, motions, rows, state.solver), parameters)
