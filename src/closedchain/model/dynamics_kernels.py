"""Traced functions of the dynamics in joint coordinates: right-hand side, projection, report.

The state is y = [coordinates, rates, extra states, coordinates of the ideal mechanism, input work, dissipated energy].
Driven coordinates stand in it too, and are set to their goals wherever it is read. The ideal mechanism, which follows
the file's point motions for actuators that take their motion from it, is carried along as coordinates that one Newton
step closes exactly at every evaluation: never interpolated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from closedchain.algorithms.closure_solver import Pattern, factor_loops
from closedchain.algorithms.constraints import System, all_constraints, retract, zeros
from closedchain.algorithms.contact import MEMORY, Contacts
from closedchain.algorithms.forward_dynamics import Dynamics, coordinate_rates, forward_dynamics
from closedchain.algorithms.kinematics import State, full_state, newton_step, scaled, with_driven, worst
from closedchain.algorithms.motion import move
from closedchain.algorithms.newton_euler import gravity_energy, kinetic_energy
from closedchain.compile import Symbol, directional_derivative
from closedchain.description import Mechanism
from closedchain.model.dynamics_patterns import Patterns
from closedchain.model.inverse_kernels import Inverse, chosen, inverse_at, moving_freely
from closedchain.model.latch import latch
from closedchain.model.loads import extra_states, gaps_in_order, make_loads
from closedchain.model.model import Drive, Model
from closedchain.model.motion_kernels import coordinates, goals_function, read_opened, report
from closedchain.model.simulated_reactions import simulated_reactions
from closedchain.numbers import (
    add,
    maximum,
    mul,
)  # fmt: skip

Number = Any


@dataclass(frozen=True)
class IdealMotion:
    """The ideal mechanism that follows the file's motions: its model (own topology), drive and elimination pattern.

    rated: its rates are carried along too, because efforts fed forward depend on how idle freedoms move.
    """

    model: Model
    drive: Drive
    pattern: Pattern
    rated: bool = False

    @property
    def key(self) -> tuple:
        """What tells it from others of the same mechanism."""
        return self.drive, self.rated

    @property
    def states(self) -> int:
        """How many numbers are carried along."""
        return self.model.topology.coordinates + (self.model.topology.rates if self.rated else 0)


@dataclass(frozen=True)
class Setting:
    """What is simulated: model, imposed coordinates, patterns, the ideal motion where an actuator asks for it.

    careful: every solution is refined, as near a loss of rank. latched: which piece of its friction law acts at a
    contact is latched, with events where the slip leaves it.
    """

    model: Model
    drive: Drive
    patterns: Patterns
    ideal: IdealMotion | None = None
    baumgarte: tuple[float, float] = (0.0, 0.0)
    careful: bool = False
    latched: bool = False

    @property
    def key(self) -> tuple:
        """What the kernels of this setting are known by."""
        return (self.drive, self.ideal.key if self.ideal else None, self.baumgarte, self.careful, self.latched)

    @property
    def is_quick(self) -> bool:
        """Whether rows may be seen from the opened joints, which takes the loops as closed."""
        return self.baumgarte == (0.0, 0.0)

    @property
    def quick_pattern(self) -> Pattern:
        """The pattern of the equations of motion where nothing asks for the multipliers in ground axes."""
        return self.patterns.quick if self.is_quick else self.patterns.dynamics

    @cached_property
    def gaps(self) -> tuple[tuple[str, int], ...]:
        """(loose joint, gap) of every place that can touch, in the order of the memory."""
        return gaps_in_order(self.model)

    @property
    def memory(self) -> int:
        """Length of the memory: mode and approach speed of every gap."""
        return MEMORY * len(self.gaps)

    @property
    def inputs(self) -> dict[str, int]:
        """Inputs of the kernels."""
        return {"t": 1, "y": self.states, "memory": self.memory}

    @property
    def sizes(self) -> tuple[int, ...]:
        """Lengths of the parts of the state y, in order."""
        ideal = self.ideal.states if self.ideal else 0
        return (self.model.topology.coordinates, self.model.topology.rates, len(extra_states(self.model)), ideal, 1, 1)

    @property
    def states(self) -> int:
        """Length of y."""
        return sum(self.sizes)

    def split(self, y: Sequence[Number]) -> list[list[Number]]:
        """The parts of the state y."""
        parts, start = [], 0
        for size in self.sizes:
            parts.append(list(y[start : start + size]))
            start += size
        return parts


Goals = tuple[list[Number], list[Number], list[Number]]


def goals_at(model: Model, drive: Drive, t: Number, parameters, known: Mapping[str, Any] | None = None) -> Goals:
    """Values, rates and accelerations of the given motions at a traced t; `known` gives those of ideal coordinates."""
    values = goals_function(model, drive)([t], parameters)["goal"]
    if not isinstance(t, Symbol):
        raise TypeError("goals_at needs a traced time; the kernel of goals gives numbers")
    rates = directional_derivative(values, {t: 1.0})
    goals = (list(values), rates, directional_derivative(rates, {t: 1.0}))
    for index, (name, function) in enumerate(model.goals(drive)):
        if function is None and known and name in known:
            for part, number in zip(goals, known[name], strict=True):
                part[index] = number
    return goals


@dataclass(frozen=True)
class IdealState:
    """The ideal mechanism at an instant: its closed states, their time derivatives, label -> (q, qd, qdd), and the
    efforts of the actuators by label where a controller feeds them forward."""

    states: list[Number]
    rates: list[Number]
    motion: dict[str, tuple[Number, Number, Number]]
    efforts: dict[str, Number]


def ideal_state(ideal: IdealMotion, t: Number, followed: Sequence[Number], parameters) -> IdealState:
    """Close the ideal mechanism from nearby states, and find its rates and accelerations."""
    system = ideal.model.system(ideal.drive, parameters)
    goals = goals_at(ideal.model, ideal.drive, t, parameters)
    count = ideal.model.topology.coordinates
    q = newton_step(system, ideal.pattern, followed[:count], goals[0])["q"]
    if ideal.rated:
        now = ideal_inverse(ideal, t, q, goals, parameters, followed[count:])
        moving = moving_freely(now, [0.0] * len(ideal.model.mechanism.actuators))
        motions = move(system.tree, moving.q, moving.v, moving.a)
        state = State(moving.q, moving.v, moving.a, motions, [], moving.solver)
    else:
        state = full_state(system, ideal.pattern, q, *goals)
        now = ideal_inverse(ideal, t, q, goals, parameters) if feeds_forward(ideal.model.mechanism) else None
    read = read_opened(ideal.model, system, state.motions, parameters)
    columns = coordinates(ideal.model, state, read)
    names = dict(zip(ideal.model.coordinates, columns["q"], strict=True))
    rates = zip(ideal.model.rates, columns["qd"], columns["qdd"], strict=True)
    motion = {name: (names[name], qd, qdd) for name, qd, qdd in rates if name in names}
    labels = [actuator.joint.text for actuator in ideal.model.mechanism.actuators.values()]
    efforts = dict(zip(labels, chosen(ideal.model, now).efforts, strict=True)) if now else {}
    changes = coordinate_rates(system, state.q, state.v)
    if ideal.rated:
        return IdealState([*state.q, *state.v], [*changes, *state.a], motion, efforts)
    return IdealState(state.q, changes, motion, efforts)


def feeds_forward(mechanism: Mechanism) -> bool:
    """Whether a controller feeds the efforts of the ideal mechanism forward."""
    controls = (actuator.control for actuator in mechanism.actuators.values())
    return any(control is not None and control.feedforward for control in controls)


def ideal_inverse(
    ideal: IdealMotion, t: Number, q: Sequence[Number], goals: Goals, parameters, rates: Sequence[Number] = ()
) -> Inverse:
    """Inverse dynamics of the ideal mechanism."""
    motion = {"q": q, "goal": goals[0], "goal_rate": goals[1], "goal_acceleration": goals[2]}
    return inverse_at(ideal.model, ideal.drive, motion, t, parameters, rates)


@dataclass(frozen=True)
class Instant:
    """A setting at one state: system, goals, coordinates and rates with the driven ones at their goals, ideal state."""

    system: System
    goals: Goals
    q: list[Number]
    v: list[Number]
    extra: list[Number]
    ideal: IdealState | None


def instant(setting: Setting, t: Number, y: Sequence[Number], parameters) -> Instant:
    """The setting at a state y."""
    system = setting.model.system(setting.drive, parameters)
    q, v, extra, followed, _, _ = setting.split(y)
    ideal = ideal_state(setting.ideal, t, followed, parameters) if setting.ideal else None
    goals = goals_at(setting.model, setting.drive, t, parameters, ideal.motion if ideal else None)
    q = with_driven(system, q, goals[0], rates=False)
    v = with_driven(system, v, goals[1], rates=True)
    return Instant(system, goals, q, v, extra, ideal)


def ideal_targets(ideal: IdealState | None) -> dict[str, tuple[Number, Number, Number]] | None:
    """Coordinate label -> value, rate and effort in the ideal mechanism."""
    if ideal is None:
        return None
    efforts = ideal.efforts
    return {name: (q, qd, efforts.get(name, 0.0)) for name, (q, qd, _) in ideal.motion.items()}


def dynamics_at(
    setting: Setting, now: Instant, t: Number, parameters, memory: Sequence[Number], quickly: bool = False
) -> Dynamics:
    """Accelerations, multipliers and efforts at an instant.

    quickly: with rows seen from the opened joints, where nothing asks for the multipliers in ground axes.
    """
    loads = make_loads(setting.model, t, parameters, ideal_targets(now.ideal), latched=setting.latched)
    quickly = quickly and setting.is_quick
    pattern = setting.quick_pattern if quickly else setting.patterns.dynamics
    if setting.careful:
        pattern = replace(pattern, steady=False)
    state = now.q, now.v, now.extra, now.goals
    return forward_dynamics(now.system, pattern, loads, *state, setting.baumgarte, memory, seen_from_joints=quickly)


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


def event_values(found: Sequence[Contacts]) -> list[Number]:
    """Event functions: start and end of contact of every gap, in the order of the memory; then where slips leave the
    latched piece of their friction law."""
    touches = [each for joint in found for each in joint.touches]
    watched = [each.slipping for each in touches if each.slipping is not None]
    contacts = [value for each in touches for value in (each.starting, each.ending)]
    return [*contacts, *(value for each in watched for value in (each.faster, each.slower))]


def event_names(gaps: Sequence[tuple[str, int]], kernel) -> list[tuple[str, int]]:
    """Name and direction of every event function of a kernel that gives them."""
    found = []
    for joint, _ in gaps:
        found += [(f"start of contact at {joint}", 1), (f"end of contact at {joint}", -1)]
    part, _ = kernel.outputs["events"]
    while len(found) < part.stop - part.start:
        found += [("faster slip than the law's piece", 1), ("slower slip than the law's piece", -1)]
    return found


def rhs_kernel(setting: Setting):
    """Kernel (t, y, memory) -> dy/dt, event functions: start and end of contact of every gap."""

    def function(t, y, memory=(), parameters=None):
        now = instant(setting, t[0], y, parameters)
        dynamics = dynamics_at(setting, now, t[0], parameters, memory, quickly=True)
        rates = coordinate_rates(now.system, now.q, now.v)
        ideal = now.ideal.rates if now.ideal else []
        power = input_power(now.system, now.v, dynamics)
        parts = [*rates, *dynamics.a, *dynamics.applied.state_rates, *ideal, power, dynamics.applied.dissipation]
        return {"rate": parts, "events": event_values(dynamics.applied.contacts)}

    return setting.model.kernel(("rhs", setting.key), function, setting.inputs)


def rhs_events(setting: Setting) -> list[tuple[str, int]]:
    """Name and direction of every event function of the right-hand side."""
    return event_names(setting.gaps, rhs_kernel(setting)) if setting.gaps else []


def transition_kernel(setting: Setting):
    """Kernel (t, y, memory, flags) -> y, memory: what changes where contacts start and end."""

    def function(t, y, memory=(), flags=(), parameters=None):
        now = instant(setting, t[0], y, parameters)
        dynamics = dynamics_at(setting, now, t[0], parameters, memory)
        loads = make_loads(setting.model, t[0], parameters, ideal_targets(now.ideal), latched=setting.latched)
        extra, after, lost = latch(loads.loose, dynamics.applied.contacts, now.extra, memory, flags)
        sizes = setting.sizes
        head, tail = list(y[: sizes[0] + sizes[1]]), list(y[sum(sizes[:3]) : -1])
        return {"y": [*head, *extra, *tail, add(y[-1], lost)], "memory": after}

    inputs = {**setting.inputs, "flags": len(rhs_events(setting))}
    return setting.model.kernel(("transition", setting.key), function, inputs)


def projection_kernel(setting: Setting):
    """Kernel (t, y, memory) -> y on the constraints in position and velocity, residual before, conditioning."""

    def function(t, y, memory=(), parameters=None):
        now = instant(setting, t[0], y, parameters)
        system, closure = now.system, setting.patterns.closure
        still = zeros(system.tree.rates)
        rows = all_constraints(system, now.q, now.v, still, (now.goals[0], now.goals[1], zeros(system.goals)))
        solver = factor_loops([row.entries for row in rows], closure)
        step, change = zeros(system.tree.rates), list(now.v)
        position = solver.solve([-row.value for row in rows])
        velocity = solver.solve([-row.rate for row in rows])
        for rate, dq, dv in zip(closure.passive, position, velocity, strict=True):
            step[rate], change[rate] = dq, now.v[rate] + dv
        moved = retract(system.tree, now.q, step)
        ideal = now.ideal.states if now.ideal else []
        return {
            "y": [*moved, *change, *now.extra, *ideal, *y[-2:]],
            "residual": worst(scaled(system, rows)),
            "conditioning": solver.conditioning(),
        }

    return setting.model.kernel(("projection", setting.key), function, setting.inputs)


def report_kernel(setting: Setting):
    """Kernel (t, y, memory) -> everything that a simulation reports at an instant."""

    def function(t, y, memory=(), parameters=None):
        now = instant(setting, t[0], y, parameters)
        system = now.system
        dynamics = dynamics_at(setting, now, t[0], parameters, memory)
        motions = move(system.tree, now.q, now.v, dynamics.a)
        rows = all_constraints(system, now.q, now.v, dynamics.a, now.goals)
        solver = factor_loops([row.entries for row in rows], setting.patterns.closure)
        state = State(now.q, now.v, dynamics.a, motions, rows, solver)
        return {
            **report(setting.model, system, state, parameters),
            **efforts(setting.model, setting.drive, now.v, dynamics),
            "kinetic_energy": kinetic_energy(system.tree, motions, system.planar),
            "potential_energy": add(gravity_energy(system.tree, motions), dynamics.applied.energy),
            "input_work": y[-2],
            "dissipated_energy": y[-1],
            **contact_report(setting.model, dynamics.applied.contacts),
            **simulated_reactions(setting.model, system, now.q, dynamics, motions),
        }

    return setting.model.kernel(("report", setting.key), function, setting.inputs)


def contact_report(model: Model, contacts: Sequence[Contacts]) -> dict[str, list]:
    """Eccentricity, force on the journal, penetration and contact of every loose joint, in file order."""
    if not contacts:
        return {}
    axes = 2 if model.mechanism.planar else 3
    found: dict[str, list] = {name: [] for name in ("eccentricity", "contact_force", "penetration", "in_contact")}
    for joint in contacts:
        found["eccentricity"].append(list(joint.eccentricity)[:axes])
        found["contact_force"].append(list(joint.force)[:axes])
        deepest, touching = joint.touches[0].gap.delta, joint.touches[0].in_contact
        for each in joint.touches[1:]:
            deepest, touching = maximum(deepest, each.gap.delta), maximum(touching, each.in_contact)
        found["penetration"].append(deepest)
        found["in_contact"].append(touching)
    return found


def efforts(model: Model, drive: Drive, v: Sequence[Number], dynamics: Dynamics) -> dict[str, list[Number]]:
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
