"""Constraint rows of maximal coordinates by differentiation of the expression graph.

phi' = phi_q q' + phi_t        J = d phi' / d u        gamma = -(d phi' / dt with u held)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from closedchain.algorithms.maximal import (
    FreeBodies,
    all_motions,
    goal_residuals,
    joint_coordinates,
    joint_residuals,
    pose_rates,
)
from closedchain.algorithms.motion import Motion
from closedchain.compile import directional_derivative
from closedchain.compile.derivatives import sparse_jacobian
from closedchain.model.dynamics_kernels import Goals
from closedchain.model.maximal_setting import MaximalSetting
from closedchain.model.model import label
from closedchain.numbers import add, mul, sub

Number = Any
JOINT, COUPLING, IMPOSED, MOTION = "joint", "coupling", "imposed", "motion"


@dataclass
class Rows:
    """Constraint rows over the rates u, in order.

    kinds: JOINT, COUPLING, IMPOSED or MOTION; owners: name of that; lengths: whether the value is a length; values,
    rates; entries: Jacobian {column: value}; bends: the part of the second derivative without u'.
    """

    kinds: list[str] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    lengths: list[bool] = field(default_factory=list)
    values: list[Number] = field(default_factory=list)
    rates: list[Number] = field(default_factory=list)
    entries: list[dict[int, Number]] = field(default_factory=list)
    bends: list[Number] = field(default_factory=list)

    def add(self, kind: str, owner: str, length: bool, value, rate, entries: dict[int, Number], bend) -> None:
        """One more row."""
        self.kinds.append(kind)
        self.owners.append(owner)
        self.lengths.append(length)
        self.values.append(value)
        self.rates.append(rate)
        self.entries.append(entries)
        self.bends.append(bend)


@dataclass(frozen=True)
class JointRates:
    """Coordinates and rates of the involved joints by label.

    pulls: rate -> {column of u: derivative}; bends: the part of the second derivative without u'; direction: time
    derivatives of everything that constraints depend on, u held.
    """

    coordinates: dict[str, Number]
    speeds: dict[str, Number]
    pulls: dict[str, dict[int, Number]]
    bends: dict[str, Number]
    direction: dict[Any, Number]


def turns_of(setting: MaximalSetting, joint: str, turns: Sequence[Number]) -> dict[int, Number]:
    """Place among the coordinates -> integrated angle, of one joint."""
    return {place: turn for (name, place), turn in zip(setting.angles, turns, strict=True) if name == joint}


def angle_rates(setting: MaximalSetting, system: FreeBodies, motions: tuple[Motion, ...]) -> list[Number]:
    """Rates of all joint angles."""
    found: dict[str, list[Number]] = {}
    for connection in system.connections:
        found[connection.joint] = joint_coordinates(system, motions, connection, {})[1]
    rates = []
    for name, place in setting.angles:
        form = setting.model.forms[name]
        rates.append(found[name][form.rates.index(form.coordinates[place])])
    return rates


def joint_rates(setting: MaximalSetting, system: FreeBodies, t: Number, x, u, turns) -> JointRates:
    """Coordinates and rates of the involved joints, with their derivatives."""
    motions = all_motions(system, x, u)
    coordinates: dict[str, Number] = {}
    speeds: dict[str, Number] = {}
    for connection in system.connections:
        name, form = connection.joint, connection.form
        if name in setting.involved:
            values, rates, _ = joint_coordinates(system, motions, connection, turns_of(setting, name, turns))
            coordinates.update((label(name, part), value) for part, value in zip(form.coordinates, values, strict=True))
            speeds.update((label(name, part), rate) for part, rate in zip(form.rates, rates, strict=True))
    direction = dict(zip(x, pose_rates(system, x, u), strict=True))
    direction |= dict(zip(turns, angle_rates(setting, system, motions), strict=True))
    direction[t] = 1.0
    names, pulls = list(speeds), {name: {} for name in speeds}
    for (row, column), value in sparse_jacobian(list(speeds.values()), u).items():
        pulls[names[row]][column] = value
    bends = dict(zip(names, directional_derivative(list(speeds.values()), direction), strict=True))
    return JointRates(coordinates, speeds, pulls, bends, direction)


def constraint_rows(
    setting: MaximalSetting, system: FreeBodies, t: Number, x, u, turns, joints: JointRates, goals: Goals, parameters
) -> Rows:
    """Rows of joints and point motions from their residuals, of couplings and imposed coordinates from joint rates."""
    mechanism = setting.model.mechanism
    evaluate = setting.model.parameters.evaluator(parameters)
    rows = Rows()
    motions = all_motions(system, x)
    for connection in system.connections:
        angle = 0.0
        if connection.closure is None:
            turned, _, _ = joint_coordinates(system, motions, connection, turns_of(setting, connection.joint, turns))
            angle = sub(turned[0], connection.offsets[0])
        residuals = joint_residuals(system, x, connection, angle)
        differentiated(rows, JOINT, connection.joint, residuals, u, joints.direction)
    for coupling in mechanism.couplings.values():
        terms = {reference.text: evaluate(factor) for reference, factor in coupling.sum}
        weighted(rows, COUPLING, coupling.name, terms, joints, (evaluate(coupling.equals), 0.0, 0.0))
    for place, name in enumerate(setting.drive.coordinates):
        weighted(rows, IMPOSED, name, {name: 1.0}, joints, (goals[0][place], goals[1][place], goals[2][place]))
    if setting.drive.motions:
        at_time = setting.model.parameters.evaluator(parameters, t=t)
        for motion in mechanism.motions.values():
            wanted = {part: at_time(value) for part, value in motion.components.items()}
            point = motion.of.point.position(evaluate)
            residuals = goal_residuals(system, x, setting.places[motion.of.body], point, wanted)
            differentiated(rows, MOTION, motion.name, residuals, u, joints.direction)
    return rows


def differentiated(
    rows: Rows, kind: str, owner: str, residuals, u: Sequence[Number], direction: Mapping[Any, Number]
) -> None:
    """Add the rows of constraint functions (value, is a length) of the body coordinates and time."""
    values = [value for value, _ in residuals]
    rates = directional_derivative(values, direction)
    entries: list[dict[int, Number]] = [{} for _ in values]
    for (row, column), value in sparse_jacobian(rates, u).items():
        entries[row][column] = value
    bends = directional_derivative(rates, direction)
    for (value, length), rate, entry, bend in zip(residuals, rates, entries, bends, strict=True):
        rows.add(kind, owner, length, value, rate, entry, bend)


def weighted(rows: Rows, kind: str, owner: str, terms: Mapping[str, Number], joints: JointRates, goal) -> None:
    """Add the row that says: a weighted sum of joint coordinates equals a goal (value, rate, acceleration)."""
    value, rate, bend = (sub(0.0, part) for part in goal)
    entries: dict[int, Number] = {}
    for name, factor in terms.items():
        value = add(value, mul(factor, joints.coordinates[name]))
        rate = add(rate, mul(factor, joints.speeds[name]))
        bend = add(bend, mul(factor, joints.bends[name]))
        for column, entry in joints.pulls[name].items():
            entries[column] = add(entries.get(column, 0.0), mul(factor, entry))
    rows.add(kind, owner, False, value, rate, entries, bend)
