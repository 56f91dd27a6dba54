"""Traced functions of inverse dynamics: efforts for a given motion, what they are made of, and everything reported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.actuation import Demand, Distribution, distribute, find_demand
from closedchain.algorithms.applied import Applied, apply
from closedchain.algorithms.chain import Placed, place
from closedchain.algorithms.closure_solver import Pattern
from closedchain.algorithms.constraints import System, zeros
from closedchain.algorithms.kinematics import State, full_state
from closedchain.algorithms.loops import cut_rows
from closedchain.algorithms.motion import move
from closedchain.algorithms.newton_euler import (
    NO_WRENCH,
    gravity_energy,
    kinetic_energy,
    needed_wrenches,
    required_forces,
)
from closedchain.algorithms.reactions import joint_reactions
from closedchain.algorithms.steady_states import steady_states
from closedchain.model.loads import extra_states, make_loads
from closedchain.model.model import Drive, Model
from closedchain.model.motion_kernels import motion_inputs
from closedchain.model.rows import row_marks
from closedchain.numbers import add, mul, sub

Number = Any


@dataclass(frozen=True)
class Choice:
    """How redundant efforts are chosen: with weights, with a preload; plain minimum norm otherwise."""

    weighted: bool = False
    preloaded: bool = False


@dataclass(frozen=True)
class Inverse:
    """Inverse dynamics at one instant, over numbers. r: generalised forces on the tree's rates."""

    system: System
    state: State
    placed: tuple[Placed, ...]
    applied: Applied
    r: list[Number]
    demand: Demand


def inverse_at(model: Model, drive: Drive, pattern: Pattern, motion: Mapping[str, Sequence[Number]], t, parameters):
    """Motion of all links and what it asks of the actuators, at goals with their rates and accelerations."""
    system = model.system(drive, parameters)
    state = full_state(system, pattern, *(motion[name] for name in ("q", "goal", "goal_rate", "goal_acceleration")))
    loads = make_loads(model, t, parameters, motors=False)
    extra = steady_states(loads, state.v, len(extra_states(model)))
    applied = apply(loads, state.motions, state.q, state.v, extra)
    placed = place(system.tree, state.q)
    r = required_forces(system.tree, placed, state.motions, applied.wrenches, system.planar)
    for rate, effort in applied.efforts.items():
        r[rate] = sub(r[rate], effort)
    demand = find_demand(system, state.solver, state.rows, r, actuated_rates(model))
    return Inverse(system, state, placed, applied, r, demand)


def actuated_rates(model: Model) -> list[int]:
    """Tree rate of every actuator, in file order."""
    return [model.locate(actuator.joint.text)[1] for actuator in model.mechanism.actuators.values()]


def chosen(model: Model, now: Inverse, easiness: Sequence[Number], preload: Sequence[Number]) -> Distribution:
    """Efforts of the actuators."""
    count = len(model.mechanism.actuators)
    return distribute(now.demand.E, now.demand.Q, list(easiness) or [1.0] * count, list(preload) or [0.0] * count)


def inverse_inputs(model: Model, drive: Drive, choice: Choice) -> dict[str, int]:
    """Inputs of the kernels: motion, time, and what chooses among redundant efforts."""
    count = len(model.mechanism.actuators)
    return {
        **motion_inputs(model, drive),
        "t": 1,
        "easiness": count if choice.weighted else 0,
        "preload": count if choice.preloaded else 0,
    }


def effort_kernel(model: Model, drive: Drive, pattern: Pattern, choice: Choice = Choice()):
    """Kernel (q, goal, goal_rate, goal_acceleration, t, easiness, preload) -> efforts alone: the fast one."""

    def function(t=(), easiness=(), preload=(), parameters=None, **motion):
        now = inverse_at(model, drive, pattern, filled(motion), t[0], parameters)
        return {"effort": chosen(model, now, easiness, preload).efforts}

    return model.kernel(("effort", drive, choice), function, inverse_inputs(model, drive, choice))


def force_kernel(model: Model, drive: Drive, pattern: Pattern, choice: Choice = Choice()):
    """Kernel of the inputs of `effort_kernel` -> every force, power and energy that inverse dynamics reports."""

    def function(t=(), easiness=(), preload=(), parameters=None, **motion):
        now = inverse_at(model, drive, pattern, filled(motion), t[0], parameters)
        found = chosen(model, now, easiness, preload)
        multipliers = now.demand.multipliers(found.efforts)
        tree, motions = now.system.tree, now.state.motions
        needed = needed_wrenches(tree, motions, now.applied.wrenches, now.system.planar)
        speeds = [now.state.v[rate] for rate in actuated_rates(model)]
        own = [multiplier for multiplier, row in zip(multipliers, now.state.rows, strict=True)
               if row.owner not in model.mechanism.motions]  # fmt: skip
        return {
            "effort": found.efforts,
            "power": [mul(effort, speed) for effort, speed in zip(found.efforts, speeds, strict=True)],
            **reactions(model, now.system, motions, now.placed, needed, own),
            "kinetic_energy": kinetic_energy(tree, motions, now.system.planar),
            "potential_energy": add(gravity_energy(tree, motions), now.applied.energy),
            "dissipated_power": now.applied.dissipation,
            "load_power": now.applied.supply,
            "authority": found.authority,
            "multipliers": own,
            "required": now.r,
        }

    return model.kernel(("forces", drive, choice), function, inverse_inputs(model, drive, choice))


def carried_kernel(model: Model):
    """Kernel (q, multipliers) -> reactions that multipliers of loops and couplings alone bring into the joints."""
    still = zeros(model.topology.rates)
    count = sum(1 for mark in row_marks(model, Drive()) if not mark[3])

    def function(q, multipliers=(), parameters=None):
        system = model.system(Drive(), parameters)
        motions, placed = move(system.tree, q, still, still), place(system.tree, q)
        needed = [NO_WRENCH] * len(system.tree.links)
        return reactions(model, system, motions, placed, needed, multipliers)

    return model.kernel(("carried",), function, {"q": model.topology.coordinates, "multipliers": count})


def reactions(model: Model, system: System, motions, placed, needed, multipliers) -> dict[str, list]:
    """Reactions of all joints in file order; planar ones as x, y forces and the moment about z."""
    rows = [(cut, cut_rows(system.tree, motions, cut, system.planar)) for cut in system.tree.cuts]
    found = joint_reactions(system.tree, placed, needed, rows, multipliers)
    wrenches = [found[name] for name in model.mechanism.joints]
    if system.planar:
        forces = [list(wrench.force)[:2] for wrench in wrenches]
        return {"reaction_force": forces, "reaction_moment": [wrench.moment.z for wrench in wrenches]}
    return {
        "reaction_force": [list(wrench.force) for wrench in wrenches],
        "reaction_moment": [list(wrench.moment) for wrench in wrenches],
    }


def filled(motion: Mapping[str, Sequence[Number]]) -> dict[str, Sequence[Number]]:
    """The motion with empty goals where a mechanism has none."""
    return {name: motion.get(name, ()) for name in ("q", "goal", "goal_rate", "goal_acceleration")}
