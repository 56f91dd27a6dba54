"""Traced functions of the independent formulation: maximal coordinates with multipliers and Baumgarte's stabilisation.

The state is y = [body coordinates, body rates, joint coordinates, extra states, coordinates of the ideal mechanism, input
work, dissipated energy]. Joint coordinates that something acts on, drives or relates are integrated from their rates, so
whole turns count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from closedchain.algorithms.applied import Applied, apply
from closedchain.algorithms.closure_solver import Pattern, elimination_order
from closedchain.algorithms.kinematics import read_cut, worst
from closedchain.algorithms.maximal import (
    Connection,
    FreeBodies,
    FreeBody,
    body_forces,
    body_motion,
    joint_residuals,
    mass_blocks,
    pose_rates,
)
from closedchain.algorithms.motion import Motion
from closedchain.algorithms.newton_euler import Wrench
from closedchain.algorithms.tree import GROUND, Cut, Frame
from closedchain.compile import compile_kernel, directional_derivative, trace
from closedchain.compile.derivatives import sparse_jacobian
from closedchain.elements.joints import Closure, Screw
from closedchain.model.build import offsets, vector
from closedchain.model.dynamics_kernels import IdealMotion, goals_at, ideal_state
from closedchain.model.loads import Places, extra_states, gap_count, loose_in_order, make_loads
from closedchain.model.loose import loose_closure
from closedchain.model.model import Drive, Model, label
from closedchain.model.topology import acted_on
from closedchain.numbers import add, factorize, is_zero, maximum, mul, refine, sqrt, sub

Number = Any


@dataclass(frozen=True)
class MaximalSetting:
    """What is simulated: model (for names, parameters and loose joints), imposed coordinates, ideal motion, Baumgarte."""

    model: Model
    drive: Drive
    ideal: IdealMotion | None
    baumgarte: tuple[float, float]

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """Moving bodies in file order."""
        return tuple(name for name in self.model.mechanism.bodies if name != "ground")

    @cached_property
    def tracked(self) -> tuple[str, ...]:
        """Labels of the joint coordinates that are integrated."""
        model = self.model
        screws = {name for name, form in model.forms.items() if form.closure is None}
        joints = acted_on(model.mechanism) | screws
        joints |= {name for name in model.forms if any(label(name, part) in self.drive.coordinates
                                                       for part in model.forms[name].rates)}  # fmt: skip
        return tuple(
            label(name, part)
            for name, form in model.forms.items()
            if name in joints
            for part in form.rates
            if part in form.coordinates
        )

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Lengths of the parts of the state y, in order."""
        planar = self.model.mechanism.planar
        count = len(self.bodies)
        ideal = self.ideal.model.topology.coordinates if self.ideal else 0
        poses, rates = count * (3 if planar else 7), count * (3 if planar else 6)
        return (poses, rates, len(self.tracked), len(extra_states(self.model)), ideal, 1, 1)

    @property
    def states(self) -> int:
        """Length of y."""
        return sum(self.sizes)

    @cached_property
    def gaps(self) -> tuple[tuple[str, int], ...]:
        """(loose joint, gap) of every place that can touch."""
        counts = [(name, gap_count(self.model, name)) for name in loose_in_order(self.model)]
        return tuple((name, gap) for name, count in counts for gap in range(count))

    @property
    def key(self) -> tuple:
        """What the kernels of this setting are known by."""
        return ("maximal", self.drive, self.ideal.drive if self.ideal else None, self.baumgarte)

    def split(self, y: Sequence[Number]) -> list[list[Number]]:
        """The parts of the state y."""
        parts, start = [], 0
        for size in self.sizes:
            parts.append(list(y[start : start + size]))
            start += size
        return parts


def free_bodies(setting: MaximalSetting, parameters) -> FreeBodies:
    """Bodies and joints in numbers."""
    model = setting.model
    mechanism, evaluate = model.mechanism, model.parameters.evaluator(parameters)
    place = {"ground": GROUND} | {name: index for index, name in enumerate(setting.bodies)}
    bodies = tuple(FreeBody(name, *mechanism.bodies[name].mass_properties(evaluate)) for name in setting.bodies)
    connections = []
    for name, joint in mechanism.joints.items():
        base, moving = (Frame(*frame) for frame in joint.frames(evaluate))
        closure = joint.form.closure
        if name in model.topology.loose:
            closure = loose_closure(joint, mechanism.planar)
        connections.append(
            Connection(
                name, place[joint.base.body], base, place[joint.moving.body], moving, closure, joint.form,
                offsets(mechanism, joint, evaluate),
            )
        )  # fmt: skip
    gravity = vector(mechanism.gravity, evaluate)
    return FreeBodies(bodies, tuple(connections), mechanism.planar, gravity, model.size)


def pitch_of(model: Model, connection: Connection, evaluate) -> Number:
    """Advance of a screw per radian [m/rad]."""
    joint = model.mechanism.joints[connection.joint]
    values = {name: evaluate(value) for name, value in joint.parameters.items()}
    step = joint.form.steps(values)[0]
    assert isinstance(step, Screw)
    return step.pitch


@dataclass(frozen=True)
class ConstraintRows:
    """All constraint rows over the rates u: values, rates, Jacobian entries, and the part of phi" without u'."""

    owners: list[str]
    lengths: list[bool]
    values: list[Number]
    rates: list[Number]
    entries: list[dict[int, Number]]
    convective: list[Number]


def joint_rates(system: FreeBodies, motions: Sequence[Motion], connection: Connection):
    """Coordinates, rates and their derivatives of a joint, from the motions of its two bodies."""
    base, moving = motions_of(motions, connection)
    cut = Cut(connection.joint, 0, 0, connection.base, connection.moving, Closure())
    return read_cut(cut, base, moving, connection.form, connection.offsets)


def motions_of(motions: Sequence[Motion], connection: Connection) -> tuple[Motion, Motion]:
    """Motions of a joint's two bodies; the last motion stands for ground."""
    return motions[connection.base_body], motions[connection.moving_body]


def all_motions(system: FreeBodies, x, u, a=()) -> list[Motion]:
    """Motion of every body frame, that of ground last (index GROUND)."""
    return [
        *(body_motion(system, x, u, body, a) for body in range(len(system.bodies))),
        body_motion(system, x, u, GROUND),
    ]


@dataclass(frozen=True)
class Present:
    """The setting at one state: everything the equations need."""

    system: FreeBodies
    x: list[Number]
    u: list[Number]
    joints: list[Number]
    extra: list[Number]
    motions: list[Motion]
    speeds: dict[str, Number]
    pulls: dict[str, dict[int, Number]]
    rows: ConstraintRows
    applied: Applied
    goals: tuple[list[Number], list[Number], list[Number]]
    ideal: Any


def present(setting: MaximalSetting, t: Number, y: Sequence[Number], memory, parameters) -> Present:
    """The setting at a state y of traced symbols."""
    model = setting.model
    system = free_bodies(setting, parameters)
    x, u, joints, extra, followed, _, _ = setting.split(y)
    ideal = ideal_state(setting.ideal, t, followed, parameters) if setting.ideal else None
    goals = goals_at(model, setting.drive, t, parameters, ideal.motion if ideal else None)
    motions = all_motions(system, x, u)
    speeds: dict[str, Number] = {}
    for connection in system.connections:
        names = [label(connection.joint, part) for part in connection.form.rates]
        if any(name in setting.tracked for name in names):
            _, rates, _ = joint_rates(system, motions, connection)
            speeds.update((name, rate) for name, rate in zip(names, rates, strict=True) if name in setting.tracked)
    jacobian = sparse_jacobian(list(speeds.values()), u)
    pulls: dict[str, dict[int, Number]] = {name: {} for name in speeds}
    names = list(speeds)
    for (row, column), value in jacobian.items():
        pulls[names[row]][column] = value
    rows = constraint_rows(setting, system, x, u, joints, speeds, pulls, goals, parameters)
    index = {name: place for place, name in enumerate(setting.tracked)}
    places = Places(lambda name: (index[name], index[name]), {"ground": GROUND} | {
        name: place for place, name in enumerate(setting.bodies)
    })  # fmt: skip
    targets = {name: (q, qd, 0.0) for name, (q, qd, _) in ideal.motion.items()} if ideal else None
    loads = make_loads(model, t, parameters, targets, places=places)
    rates = [speeds[name] for name in setting.tracked]
    applied = apply(loads, tuple(motions), joints, rates, extra, memory)
    return Present(system, x, u, joints, extra, motions, speeds, pulls, rows, applied, goals, ideal)


def constraint_rows(setting, system, x, u, joints, speeds, pulls, goals, parameters) -> ConstraintRows:
    """Rows of all joints by differentiation of their residuals, then couplings and imposed coordinates."""
    model = setting.model
    evaluate = model.parameters.evaluator(parameters)
    tracked = {name: place for place, name in enumerate(setting.tracked)}
    owners: list[str] = []
    lengths: list[bool] = []
    values: list[Number] = []
    direction = dict(zip(x, pose_rates(system, x, u), strict=True))
    for connection in system.connections:
        for value, length in joint_residuals(system, x, connection):
            owners.append(connection.joint)
            lengths.append(length)
            values.append(value)
        if connection.closure is None:
            base, moving = (system_frame(system, x, connection, side) for side in (0, 1))
            advance = base.R.transpose_times(moving.p - base.p)[2]
            turned = sub(joints[tracked[connection.joint]], connection.offsets[0])
            owners.append(connection.joint)
            lengths.append(True)
            values.append(sub(advance, mul(pitch_of(model, connection, evaluate), turned)))
            direction[joints[tracked[connection.joint]]] = speeds[connection.joint]
    rates = directional_derivative(values, direction)
    entries: list[dict[int, Number]] = [{} for _ in values]
    for (row, column), value in sparse_jacobian(rates, u).items():
        entries[row][column] = value
    convective = directional_derivative(rates, direction)
    bends = dict(zip(speeds, directional_derivative(list(speeds.values()), direction), strict=True))
    for coupling in model.mechanism.couplings.values():
        terms = [(reference.text, evaluate(factor)) for reference, factor in coupling.sum]
        add_row(owners, lengths, values, rates, entries, convective, coupling.name, terms, tracked, joints, speeds, pulls,
                bends, (evaluate(coupling.equals), 0.0, 0.0))  # fmt: skip
    for place, name in enumerate(setting.drive.coordinates):
        goal = tuple(part[place] for part in goals)
        add_row(owners, lengths, values, rates, entries, convective, name, [(name, 1.0)], tracked, joints, speeds, pulls, bends,
                goal)  # fmt: skip
    return ConstraintRows(owners, lengths, values, rates, entries, convective)


def add_row(
    owners, lengths, values, rates, entries, convective, owner, terms, tracked, joints, speeds, pulls, bends, goal
):
    """A row that says: a weighted sum of joint coordinates equals a goal."""
    value, rate, bend = -goal[0], -goal[1], -goal[2]
    row: dict[int, Number] = {}
    for name, factor in terms:
        value = add(value, mul(factor, joints[tracked[name]]))
        rate = add(rate, mul(factor, speeds[name]))
        bend = add(bend, mul(factor, bends[name]))
        for column, entry in pulls[name].items():
            row[column] = add(row.get(column, 0.0), mul(factor, entry))
    owners.append(owner)
    lengths.append(False)
    values.append(value)
    rates.append(rate)
    entries.append(row)
    convective.append(bend)


def system_frame(system: FreeBodies, x, connection: Connection, side: int) -> Frame:
    """A joint's frame in ground axes, base side 0 or moving side 1."""
    none = [0.0] * (len(system.bodies) * system.rate_size)
    body = connection.base_body if side == 0 else connection.moving_body
    return body_motion(system, x, none, body).frame @ (connection.base if side == 0 else connection.moving)


def accelerations(setting: MaximalSetting, pattern: Pattern, now: Present) -> tuple[list[Number], list[Number]]:
    """Derivatives of the body rates and the multipliers (force along each row)."""
    n = len(now.u)
    wrenches: dict[int, Wrench] = now.applied.wrenches
    forces = body_forces(now.system, now.x, now.u, wrenches)
    for place, effort in now.applied.efforts.items():
        for column, entry in now.pulls[setting.tracked[place]].items():
            forces[column] = add(forces[column], mul(entry, effort))
    matrix = dict(mass_blocks(now.system, now.x))
    matrix = {key: value for key, value in matrix.items() if key[0] == key[1] or not is_zero(value)}
    alpha, beta = setting.baumgarte
    rhs = list(forces)
    rows = now.rows
    for index, row in enumerate(rows.entries):
        for column, value in row.items():
            matrix[n + index, column] = value
        rhs.append(-rows.convective[index] - rows.rates[index] * (2.0 * alpha) - rows.values[index] * beta**2)
    solution = refine(matrix, factorize(matrix, pattern.order, pattern.shift), rhs, 1)
    return solution[:n], [-value for value in solution[n:]]


def rhs_function(setting: MaximalSetting, pattern: Pattern):
    """Function (t, y, memory) -> dy/dt and the events of the contacts."""

    def function(t, y, memory=(), parameters=None):
        now = present(setting, t[0], y, memory, parameters)
        a, multipliers = accelerations(setting, pattern, now)
        ideal = now.ideal.rates if now.ideal else []
        power = input_power(setting, now, multipliers)
        rate = [
            *pose_rates(now.system, now.x, now.u), *a, *(now.speeds[name] for name in setting.tracked),
            *now.applied.state_rates, *ideal, power, now.applied.dissipation,
        ]  # fmt: skip
        gaps = [each for joint in now.applied.contacts for each in joint.touches]
        return {"rate": rate, "events": [value for each in gaps for value in (each.starting, each.ending)]}

    return function


def input_power(setting: MaximalSetting, now: Present, multipliers: Sequence[Number]) -> Number:
    """Power of motors, imposed coordinates and given forces [W]."""
    total = now.applied.supply
    imposed = multipliers[len(multipliers) - len(setting.drive.coordinates) :]
    for name, effort in zip(setting.drive.coordinates, imposed, strict=True):
        total = add(total, mul(effort, now.speeds[name]))
    return total


def gaps_of(now: Present) -> tuple[Number, Number]:
    """Largest gap [m] and rotation gap [rad] over all joints."""
    found: dict[bool, Number] = {True: 0.0, False: 0.0}
    for connection in now.system.connections:
        for length in (True, False):
            total: Number = 0.0
            for owner, is_length, value in zip(now.rows.owners, now.rows.lengths, now.rows.values, strict=True):
                if owner == connection.joint and is_length is length:
                    total = add(total, mul(value, value))
            found[length] = maximum(found[length], 0.0 if is_zero(total) else sqrt(total))
    return found[True], found[False]


def residual_of(now: Present) -> Number:
    """Largest row, lengths over the size."""
    scaled = [mul(value, 1.0 / now.system.size) if length else value
              for value, length in zip(now.rows.values, now.rows.lengths, strict=True)]  # fmt: skip
    return worst(scaled)


def find_maximal_pattern(setting: MaximalSetting, y: np.ndarray) -> Pattern:
    """Elimination pattern from the mass matrix and the Jacobian near the start."""
    key = ("pattern", setting.key)
    kernels = setting.model.kernels
    if key not in kernels:

        def function(t, y, memory=(), parameters=None):
            now = present(setting, t[0], y, memory, parameters)
            n = len(now.u)
            blocks = mass_blocks(now.system, now.x)
            H = [[blocks.get((max(i, j), min(i, j)), 0.0) for j in range(n)] for i in range(n)]
            return {"H": H, "J": [[row.get(column, 0.0) for column in range(n)] for row in now.rows.entries]}

        inputs = inputs_of(setting)
        traced = trace(function, inputs, {"parameters": len(setting.model.parameters.paths)})
        kernel = compile_kernel(traced)
        c = kernel.constants(setting.model.parameters.values)
        draw = np.random.default_rng(1)
        spread = 0.05 * np.ones(len(y))
        memory = np.zeros(inputs["memory"])
        samples = [
            kernel(np.concatenate([[0.0], y + k * spread * draw.uniform(-1, 1, len(y)), memory]), c) for k in (0, 1, 1)
        ]
        n, m = (
            setting.sizes[1],
            (traced.outputs["J"][0].stop - traced.outputs["J"][0].start) // max(setting.sizes[1], 1),
        )
        H = np.array([sample[traced.outputs["H"][0]].reshape(n, n) for sample in samples])
        J = np.array([sample[traced.outputs["J"][0]].reshape(m, n) for sample in samples])
        zero = np.array([is_zero(entry) for entry in traced.expressions], bool)
        H_structure = ~zero[traced.outputs["H"][0]].reshape(n, n)
        J_structure = ~zero[traced.outputs["J"][0]].reshape(m, n)
        order, dependent, sizes = elimination_order(H, J, H_structure, J_structure)
        own = np.einsum("ii->i", H[0])
        typical = float(np.median(own[own > 0.0])) if (own > 0.0).any() else 1.0
        light = tuple((i, typical) for i in range(n) if own[i] <= 1e-12 * max(own.max(), 1e-300))
        kernels[key] = Pattern(tuple(range(n)), tuple(order), tuple(sizes), dependent, (), light)
    return kernels[key]


def inputs_of(setting: MaximalSetting) -> dict[str, int]:
    """Inputs of the kernels."""
    return {"t": 1, "y": setting.states, "memory": 2 * len(setting.gaps)}
