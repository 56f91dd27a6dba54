"""Traced functions of inverse dynamics: efforts for a given motion alone, and everything that is reported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.actuation import Demand, Distribution, distribute, dot
from closedchain.algorithms.applied import Applied
from closedchain.algorithms.chain import place
from closedchain.algorithms.constraints import System, zeros
from closedchain.algorithms.kinematics import State
from closedchain.algorithms.local_inverse import (
    LocalState,
    cut_wrenches_in_ground,
    local_demand,
    local_kinetic_energy,
    local_state,
    needed_forces,
    needs_in_ground,
    regularity,
    with_accelerations,
)
from closedchain.algorithms.loops import cut_rows
from closedchain.algorithms.motion import move
from closedchain.algorithms.newton_euler import NO_WRENCH, Wrench, gravity_energy
from closedchain.algorithms.reactions import joint_reactions, wrenches_of_cuts
from closedchain.algorithms.steady_states import steady_states
from closedchain.model.inverse_patterns import inverse_pattern
from closedchain.model.loads import extra_states, make_loads
from closedchain.model.model import Drive, Model
from closedchain.model.motion_kernels import bodies, coordinates, motion_inputs, read_opened
from closedchain.model.rows import row_marks
from closedchain.numbers import add, minimum, mul, sqrt

Number = Any
# What kinematics reports of motions that it leaves open.
TURNING = ("qd", "qdd", "body_angular_velocity", "body_angular_acceleration")


@dataclass(frozen=True)
class Choice:
    """How redundant efforts are chosen: with weights, with a preload; plain minimum norm otherwise."""

    weighted: bool = False
    preloaded: bool = False


@dataclass(frozen=True)
class Inverse:
    """Inverse dynamics at one instant, over numbers. r: generalised forces on the tree's rates."""

    system: System
    state: LocalState
    applied: Applied
    r: list[Number]
    demand: Demand


def inverse_at(
    model: Model,
    drive: Drive,
    motion: Mapping[str, Sequence[Number]],
    t: Number,
    parameters: Sequence[Number] | None,
    rates: Sequence[Number] = (),
) -> Inverse:
    """Motion of all links and what it asks of the actuators. motion: closed q, goals, their rates and accelerations.

    rates: all rates of the tree, which tell how fast open freedoms move; without momentum of their own where left out.
    """
    system = model.system(drive, parameters)
    pattern = inverse_pattern(model, drive)
    goals = motion["goal"], motion["goal_rate"], motion["goal_acceleration"]
    state = local_state(system, pattern.solver, motion["q"], goals, pattern.idle, rates)
    loads = make_loads(model, t, parameters, motors=False)
    extra = steady_states(loads, state.v, len(extra_states(model)))
    r, applied = needed_forces(state, loads, extra)
    return Inverse(system, state, applied, r, local_demand(state, r, actuated_rates(model)))


def moving_freely(now: Inverse, preload: Sequence[Number]) -> LocalState:
    """The state with open freedoms accelerated by what acts on them: loads, and actuators at their preload.

    The efforts that bring the motion have no part in it: an actuator that moves an idle freedom brings no motion.
    """
    return with_accelerations(now.state, now.demand.open_accelerations(list(preload)))


def actuated_rates(model: Model) -> list[int]:
    """Tree rate of every actuator, in file order."""
    return [model.locate(actuator.joint.text)[1] for actuator in model.mechanism.actuators.values()]


def chosen(model: Model, now: Inverse, easiness: Sequence[Number] = (), preload: Sequence[Number] = ()) -> Distribution:
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


def effort_kernel(model: Model, drive: Drive, choice: Choice = Choice()):
    """Kernel (q, goal, goal_rate, goal_acceleration, t, easiness, preload) -> efforts alone: the fast one."""

    def function(t=(), easiness=(), preload=(), parameters=None, **motion):
        now = inverse_at(model, drive, filled(motion), t[0], parameters)
        return {"effort": chosen(model, now, easiness, preload).efforts}

    return model.kernel(("effort", drive, choice), function, inverse_inputs(model, drive, choice))


def force_kernel(model: Model, drive: Drive, choice: Choice = Choice(), rated: bool = False):
    """Kernel of the inputs of `effort_kernel` -> every force, power and energy that inverse dynamics reports.

    Freedoms that nothing drives move as free bodies, so rates and their derivatives are among the outputs where there
    are any. rated: with the tree's rates as a further input, which tell how fast these freedoms move.
    """

    def function(t=(), easiness=(), preload=(), rates=(), parameters=None, **motion):
        now = inverse_at(model, drive, filled(motion), t[0], parameters, rates)
        found = chosen(model, now, easiness, preload)
        state = with_accelerations(now.state, now.demand.open_accelerations(found.efforts))
        tree, placed = now.system.tree, place(now.system.tree, state.q)
        needed = needs_in_ground(state, placed, now.applied.wrenches)
        cuts = cut_wrenches_in_ground(state, placed, now.demand.multipliers(found.efforts))
        standing = move(tree, state.q, zeros(tree.rates), zeros(tree.rates))
        speeds = [state.v[rate] for rate in actuated_rates(model)]
        return {
            "effort": found.efforts,
            "power": [mul(effort, speed) for effort, speed in zip(found.efforts, speeds, strict=True)],
            **named(model, joint_reactions(tree, placed, needed, cuts)),
            "kinetic_energy": local_kinetic_energy(state),
            "potential_energy": add(gravity_energy(tree, standing), now.applied.energy),
            "dissipated_power": now.applied.dissipation,
            "load_power": now.applied.supply,
            "authority": minimum(found.authority, reach(model, drive, now.demand)),
            "regularity": regularity(state, rate_units(model)),
            **free_rates(model, drive, state, parameters),
        }

    inputs = {**inverse_inputs(model, drive, choice), "rates": model.topology.rates if rated else 0}
    return model.kernel(("forces", drive, choice, rated), function, inputs)


def reach(model: Model, drive: Drive, demand: Demand) -> Number:
    """Least size of what a speed does to all actuators, lengths over the mechanism's size."""
    rates, followed = rate_units(model), {motion.name for motion in model.followed}
    units = [rates[model.tree_rates[name]] for name in drive.coordinates]
    units += [model.size if length else 1.0 for owner, _, length, guides in row_marks(model, drive)
              if owner in followed and not guides]  # fmt: skip
    own = [1.0 / rates[rate] for rate in actuated_rates(model)]
    lowest: Number = 1.0
    for j, unit in enumerate(units):
        parts = [mul(line[j], unit * scale) for line, scale in zip(demand.E, own, strict=True)]
        lowest = minimum(lowest, sqrt(dot(parts, parts)))
    return lowest


def rate_units(model: Model) -> list[float]:
    """What a scaled rate of 1 is: 1 rad/s, or the mechanism's size per second."""
    return [model.size if unit == "m" else 1.0 for unit in model.tree_units]


def free_rates(model: Model, drive: Drive, state: LocalState, parameters: Sequence[Number] | None) -> dict[str, list]:
    """Rates of all joints, how bodies turn, and the derivatives of both, where some freedoms move as free bodies;
    nothing where none does."""
    if not inverse_pattern(model, drive).idle:
        return {}
    motions = move(state.system.tree, state.q, state.v, state.a)
    read = read_opened(model, state.system, motions, parameters)
    whole = State(state.q, state.v, state.a, motions, [], state.solver)
    columns = coordinates(model, whole, read) | bodies(model, state.system, whole, parameters)
    return {name: columns[name] for name in TURNING}


def carried_kernel(model: Model):
    """Kernel (q, multipliers) -> reactions that multipliers of loops and couplings alone bring into the joints.

    The multipliers are those of the rows in ground axes, as in `rows_kernel`.
    """
    still = zeros(model.topology.rates)
    count = sum(1 for mark in row_marks(model, Drive()) if not mark[3])

    def function(q, multipliers=(), parameters=None):
        system = model.system(Drive(), parameters)
        tree, placed = system.tree, place(system.tree, q)
        motions = move(tree, q, still, still)
        rows = [(cut, cut_rows(tree, motions, cut, system.planar)) for cut in tree.cuts]
        nothing = [NO_WRENCH] * len(tree.links)
        return named(model, joint_reactions(tree, placed, nothing, wrenches_of_cuts(rows, multipliers)))

    return model.kernel(("carried",), function, {"q": model.topology.coordinates, "multipliers": count})


def named(model: Model, reactions: Mapping[str, Wrench]) -> dict[str, list]:
    """Reactions of all joints in file order; planar ones as x, y forces and the moment about z."""
    wrenches = [reactions[name] for name in model.mechanism.joints]
    if model.mechanism.planar:
        forces = [list(wrench.force)[:2] for wrench in wrenches]
        return {"reaction_force": forces, "reaction_moment": [wrench.moment.z for wrench in wrenches]}
    return {
        "reaction_force": [list(wrench.force) for wrench in wrenches],
        "reaction_moment": [list(wrench.moment) for wrench in wrenches],
    }


def filled(motion: Mapping[str, Sequence[Number]]) -> dict[str, Sequence[Number]]:
    """The motion with empty goals where a mechanism has none."""
    return {name: motion.get(name, ()) for name in ("q", "goal", "goal_rate", "goal_acceleration")}
