"""Position, velocity and acceleration of a closed mechanism whose driven motions are given.

Newton step:    J_p dq = -phi,                      all rows of the loops, couplings and point motions
velocities:     J_p v_p = -phi'(v_p = 0)
accelerations:  J_p a_p = -phi"(a_p = 0)

with J_p the columns of the passive rates. The functions run on floats and on traced symbols alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from closedchain.algorithms.chain import UNIT, placed_along
from closedchain.algorithms.closure_solver import Pattern, factor_loops
from closedchain.algorithms.constraints import (
    Constraint,
    System,
    all_constraints,
    constraints_at,
    retract,
    zeros,
)
from closedchain.algorithms.motion import Motion, move
from closedchain.algorithms.tree import Cut
from closedchain.elements.joints import Ball, JointType, Rotation, Screw
from closedchain.numbers import Mat3, absolute, add, is_zero, maximum, mul, sqrt

Number = Any
Factor = Callable[[Sequence[dict[int, Number]], Pattern], Any]


def with_driven(system: System, values: Sequence, goals: Sequence, rates: bool) -> list[Number]:
    """Coordinates (or rates) with the driven ones replaced by their goals."""
    full = list(values)
    for goal, (coordinate, rate) in enumerate(system.driven):
        full[rate if rates else coordinate] = goals[goal]
    return full


def worst(values: Sequence[Number]) -> Number:
    """Largest absolute value, 0.0 of none."""
    result: Number = 0.0
    for value in values:
        result = maximum(result, absolute(value))
    return result


def scaled(system: System, rows: Sequence[Constraint]) -> list[Number]:
    """Row values as fractions: lengths over the mechanism's size, angles as they are."""
    return [mul(row.value, 1.0 / system.tree.size) if row.length else row.value for row in rows]


def newton_step(system: System, pattern: Pattern, q, goal) -> dict[str, Any]:
    """One Newton step of the position problem: new coordinates, and the residual before the step."""
    nv = system.tree.rates
    q = with_driven(system, q, goal, rates=False)
    still = zeros(nv)
    none = zeros(system.goals)
    rows = all_constraints(system, q, still, still, (goal, none, none))
    solver = factor_loops([row.entries for row in rows], pattern)
    passive = solver.solve([-row.value for row in rows], steps=0)
    step = zeros(nv)
    for rate, value in zip(pattern.passive, passive, strict=True):
        step[rate] = value
    return {"q": retract(system.tree, q, step), "residual": worst(scaled(system, rows)), "step": worst(passive)}


@dataclass(frozen=True)
class State:
    """One instant: coordinates, rates, their derivatives, motions of all links, rows, factored loops."""

    q: list[Number]
    v: list[Number]
    a: list[Number]
    motions: tuple[Motion, ...]
    rows: list[Constraint]
    solver: Any


def full_state(
    system: System, pattern: Pattern, q, goal, goal_rate, goal_acceleration, factor: Factor = factor_loops
) -> State:
    """Rates and their derivatives from the velocity and acceleration loop equations, and the motion of all links.

    factor: makes the solver of the loop equations from their Jacobian and the pattern.
    """
    nv = system.tree.rates
    q = with_driven(system, q, goal, rates=False)
    v0 = with_driven(system, zeros(nv), goal_rate, rates=True)
    still, none = zeros(nv), zeros(system.goals)
    pushed = move(system.tree, q, v0, still)
    placed = placed_along(system.tree, [motion.path for motion in pushed])
    rows = constraints_at(system, q, v0, still, (goal, goal_rate, none), pushed, placed)
    solver = factor([row.entries for row in rows], pattern)
    v = list(v0)
    for rate, value in zip(
        pattern.passive, solver.solve([-row.rate for row in rows], pattern.refinements), strict=True
    ):
        v[rate] = value
    a0 = with_driven(system, still, goal_acceleration, rates=True)
    bent = constraints_at(system, q, v, a0, (goal, goal_rate, goal_acceleration), move(system.tree, q, v, a0, pushed))
    rows = [replace(row, entries=known.entries) for row, known in zip(bent, rows, strict=True)]
    a = list(a0)
    for rate, value in zip(
        pattern.passive, solver.solve([-row.acceleration for row in rows], pattern.refinements), strict=True
    ):
        a[rate] = value
    return State(q, v, a, move(system.tree, q, v, a, pushed), rows, solver)


def closure_gaps(system: System, rows: Sequence[Constraint]) -> tuple[Number, Number]:
    """Largest gap [m] and largest rotation gap [rad] over the opened joints."""
    gaps: dict[bool, Number] = {True: 0.0, False: 0.0}
    for cut in system.tree.cuts:
        for length in (True, False):
            total: Number = 0.0
            for row in rows:
                if row.owner == cut.joint and row.length is length and not row.extra:
                    total = total + row.value * row.value
            gaps[length] = maximum(gaps[length], 0.0 if is_zero(total) else sqrt(total))
    return gaps[True], gaps[False]


def read_cut(cut: Cut, base: Motion, moving: Motion, form: JointType, offsets: Sequence[Number]):
    """Coordinates, rates and their derivatives of an opened joint, from the motions of its two bodies.

    Seen from the base frame: w = w_m - w_b, e = e_m - e_b - w_b x w, and likewise for the origin; each rate is the
    component along its step's axis (the axes of every joint's rotations are orthogonal, so are its translations).
    """
    b, m = base.at(cut.base), moving.at(cut.moving)
    R = b.frame.R
    r = m.frame.p - b.frame.p
    turn = m.w - b.w
    w = R.transpose_times(turn)
    e = R.transpose_times(m.e - b.e - b.w.cross(turn))
    drift = m.v - b.v - b.w.cross(r)
    swerve = m.a - b.a - b.e.cross(r) - b.w.cross(b.w.cross(r)) - b.w.cross(drift) * 2.0
    u, s = R.transpose_times(drift), R.transpose_times(swerve)
    relative, place_in_base = R.T @ m.frame.R, R.transpose_times(r)
    q = list(form.read(relative, place_in_base))
    rates, accelerations = [], []
    for axis, rotation in rate_axes(form, relative):
        rates.append(axis.dot(w) if rotation else axis.dot(u))
        accelerations.append(axis.dot(e) if rotation else axis.dot(s))
    return [add(value, offset) for value, offset in zip(q, offsets, strict=True)], rates, accelerations


def rate_axes(form: JointType, relative: Mat3):
    """Axis of every rate in the base frame, and whether it is a rotation."""
    axes = []
    steps = form.steps(dict.fromkeys((parameter.name for parameter in form.parameters), 0.0))
    for position, step in enumerate(steps):
        if isinstance(step, Ball):
            axes += [(axis, True) for axis in UNIT]
        elif isinstance(step, Rotation | Screw):
            # The last rotation's axis stays with the moving side, the first one's with the base side.
            first = not any(isinstance(other, Rotation) for other in steps[:position])
            axes.append((UNIT[step.axis] if first else relative.column(step.axis), True))
        else:
            axes.append((UNIT[step.axis], False))
    return axes
