"""Inverse dynamics in link frames: the motion of all rates, the forces it needs and the efforts, with few operations.

The same equations as kinematics.py and kane.py, written in the axes of the links and of the opened joints, with the
adjoint solution of actuation.py in place of partial velocities. Kane's equations need one velocity solution per speed
and the partial velocities of every body, the adjoint one backward pass over the tree. Operations of a kernel that
gives the efforts alone, from closed positions and the given motion:

                            four-bar   shift manipulator   3-RRR    6-UPS
    Kane, ground axes            291               1 417   1 315   11 474
    adjoint, ground axes         289               1 651   1 105    7 163
    adjoint, link frames         123                 435     771    2 394

So the kernels use this form, and kane.py is what it is tested against.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from closedchain.algorithms.actuation import Demand
from closedchain.algorithms.applied import Applied, Loads, apply
from closedchain.algorithms.block_solver import Blocks, BlockSolver, Inverse, factor_blocks
from closedchain.algorithms.chain import Placed, place, placed_link
from closedchain.algorithms.closure_solver import Pattern, factor_loops
from closedchain.algorithms.constraints import System, coupling_constraints, motion_constraints, zeros
from closedchain.algorithms.idle_solver import IdleSolver, factor_idle
from closedchain.algorithms.kane import motion_rows
from closedchain.algorithms.kinematics import with_driven
from closedchain.algorithms.link_frames import (
    LocalMotion,
    Passage,
    Ways,
    body_wrenches,
    collected,
    link_mass_matrix,
    local_motions,
    passages,
    seen_from,
    standing,
)
from closedchain.algorithms.local_loops import (
    STILL,
    LocalVelocity,
    View,
    local_velocities,
    make_view,
    motion_parts,
    negative,
    velocity_parts,
)
from closedchain.algorithms.loops import Row
from closedchain.algorithms.motion import Motion, move
from closedchain.algorithms.newton_euler import NO_WRENCH, Wrench
from closedchain.algorithms.reactions import cut_wrench
from closedchain.algorithms.tree import GROUND, Frame
from closedchain.numbers import absolute, add, minimum, mul, sub

Number = Any
Goals = Sequence[Sequence[Number]]


@dataclass(frozen=True)
class LocalRow:
    """One equation: its owner, rate and acceleration with the unknown ones left at zero, Jacobian entries, and its row
    where it belongs to an opened joint."""

    owner: str
    rate: Number
    acceleration: Number
    entries: dict[int, Number]
    row: Row | None = None


@dataclass(frozen=True)
class LocalState:
    """One instant: coordinates, rates, their derivatives, motions of all links in their own axes, factored loops."""

    system: System
    ways: list[list[Passage]]
    views: list[View]
    q: list[Number]
    v: list[Number]
    a: list[Number]
    motions: list[LocalMotion]
    rows: list[LocalRow]
    solver: Any


def local_rows(
    system: System, ways: Ways, views: Sequence[View], q, v, a, goals: Goals, moving: bool
) -> list[LocalRow]:
    """Equations of opened joints, couplings and point motions, in this order; accelerations only where `moving`."""
    tree = system.tree
    velocities = local_velocities(tree, ways, v)
    motions = local_motions(tree, ways, v, a) if moving else None
    in_ground = move(tree, q, v, a)
    found = []
    for view in views:
        (link, frame), (other, other_frame) = view.sides
        inner = frame_parts(system, velocities, motions, link, frame)
        if view.in_ground:
            outer = ground_parts(system, in_ground, other, other_frame)
        else:
            outer = frame_parts(system, velocities, motions, other, other_frame)
        rows = view.rows(inner, outer, system.planar)
        found += [LocalRow(view.cut.joint, row.rate, row.acceleration, view.entries(row), row) for row in rows]
    further = list(coupling_constraints(system, q, v, a))
    if system.motions:
        further += motion_constraints(system, in_ground, place(tree, q), goals)
    return found + [LocalRow(row.owner, row.rate, row.acceleration, row.entries) for row in further]


def frame_parts(
    system: System, velocities: Sequence[LocalVelocity], motions: Sequence[LocalMotion] | None, link: int, frame: Frame
):
    """(w, v, e, a) of a frame of a link in its own axes; accelerations zero where no motions are given."""
    velocity = (STILL if link == GROUND else velocities[link]).inside(frame)
    if motions is None:
        return velocity_parts(velocity)
    motion = standing(system.tree) if link == GROUND else motions[link]
    return motion_parts(motion.inside(frame), velocity)


def ground_parts(system: System, motions: Sequence[Motion], link: int, frame: Frame):
    """(w, v, e, a) of a frame of a link in ground axes, its acceleration less gravity as in link frames."""
    motion = motions[link].at(frame)
    return motion.w, motion.v, motion.e, motion.a - system.tree.gravity


def local_state(
    system: System, pattern: Blocks | Pattern, q, goals: Goals, idle: bool = False, rates: Sequence[Number] = ()
) -> LocalState:
    """Rates and their derivatives of a closed mechanism, and the motion of all links.

    pattern: how the loop equations are solved. q: closed coordinates. goals: values, rates, accelerations. idle: some
    freedoms are open and move as free bodies do (the pattern's metric is then little beside the mass matrix). rates:
    all rates of the tree, which tell how fast the open freedoms move; without momentum of their own where left out.
    """
    passive = pattern.passive
    tree, nv = system.tree, system.tree.rates
    q = with_driven(system, q, goals[0], rates=False)
    ways = [passages(link, q) for link in tree.links]
    unknown = frozenset(passive)
    views = [make_view(tree, ways, cut, system.planar, unknown) for cut in tree.cuts]
    still, none = zeros(nv), zeros(system.goals)
    v = with_driven(system, list(rates) or still, goals[1], rates=True)
    rows = local_rows(system, ways, views, q, v, still, (goals[0], goals[1], none), moving=False)
    jacobian = [row.entries for row in rows]
    known: dict[str, Any] = {}
    solver: Any
    if isinstance(pattern, Blocks):
        solver = factor_blocks(jacobian, pattern)
    elif idle:
        solver = factor_idle(jacobian, pattern, link_mass_matrix(tree, q, system.planar))
        known = {} if len(rates) else {"known": v}
    else:
        solver = factor_loops(jacobian, pattern)
    # With rates given this is what their rounding leaves open, the smallest in the mass matrix.
    for rate, value in zip(passive, solver.solve([-row.rate for row in rows], **known), strict=True):
        v[rate] = add(v[rate], value)
    a = with_driven(system, still, goals[2], rates=True)
    rows = local_rows(system, ways, views, q, v, a, goals, moving=True)
    for rate, value in zip(passive, solver.solve([-row.acceleration for row in rows]), strict=True):
        a[rate] = value
    return LocalState(system, ways, views, q, v, a, local_motions(tree, ways, v, a), rows, solver)


def needed_forces(state: LocalState, loads: Loads, extra: Sequence[Number]) -> tuple[list[Number], Applied]:
    """Generalised forces on the rates that the motion needs beyond the loads, and what the loads do."""
    system, tree = state.system, state.system.tree
    applied = apply(loads, move(tree, state.q, state.v, zeros(tree.rates)), state.q, state.v, extra)
    placed: Sequence[Placed] = place(tree, state.q) if applied.wrenches else ()
    needed = body_wrenches(tree, state.motions, placed, applied.wrenches, system.planar)
    r = collected(tree, state.ways, needed)
    for rate, effort in applied.efforts.items():
        r[rate] = sub(r[rate], effort)
    return r, applied


def local_demand(state: LocalState, r: Sequence[Number], actuated: Sequence[int]) -> Demand:
    """What the forces r on the rates ask of actuators on the rates `actuated`; multipliers of the rows of `state`."""
    system, nv = state.system, state.system.tree.rates
    passive = state.solver.pattern.passive
    idle = isinstance(state.solver, IdleSolver)
    moving = motion_rows(system, state.rows)

    def split(f: Sequence[Number]) -> tuple[list[Number], list[Number], list[Number]]:
        """Multipliers that bring f on the passive rates, what is left along the speeds, surplus accelerations."""
        on_passive = [f[rate] for rate in passive]
        mu = state.solver.forces(on_passive)
        surplus = state.solver.surplus(on_passive) if idle else []
        taken = cut_needs(state, mu)
        left = []
        for _, rate in system.driven:
            value = add(f[rate], taken[rate])
            if idle:
                value = sub(value, state.solver.carried(surplus, rate))
            for row, multiplier in zip(state.rows, mu, strict=True):
                if row.row is None and rate in row.entries:
                    value = sub(value, mul(row.entries[rate], multiplier))
            left.append(value)
        return mu, [*left, *(mu[index] for index in moving)], surplus

    free, Q, surplus = split(r)
    units = [split([1.0 if rate == index else 0.0 for index in range(nv)]) for rate in actuated]
    return Demand(
        Q, [left for _, left, _ in units], free, [mu for mu, _, _ in units], surplus, [x for _, _, x in units]
    )


def regularity(state: LocalState, unit: Sequence[float]) -> Number:
    """How far the loop equations are from losing rank, between 0 and 1. unit: what a scaled rate of 1 is.

    For blocks the least of |det| over the product of the lengths that their rows have elsewhere.
    """
    if not isinstance(state.solver, BlockSolver):
        return state.solver.conditioning()
    lowest: Number = 1.0
    for block, solver in zip(state.solver.pattern.blocks, state.solver.solvers, strict=True):
        if not isinstance(solver, Inverse):
            lowest = minimum(lowest, solver.conditioning())
            continue
        scale = prod(unit[state.solver.pattern.passive[column]] for column in block.columns) / prod(block.lengths)
        lowest = minimum(lowest, mul(absolute(solver.determinant), scale))
    return lowest


def with_accelerations(state: LocalState, change: Sequence[Number]) -> LocalState:
    """The state with passive accelerations lowered by `change`, as open freedoms take them."""
    if not change:
        return state
    a = list(state.a)
    for rate, value in zip(state.solver.pattern.passive, change, strict=True):
        a[rate] = sub(a[rate], value)
    return replace(state, a=a, motions=local_motions(state.system.tree, state.ways, state.v, a))


def cut_needs(state: LocalState, multipliers: Sequence[Number]) -> list[Number]:
    """What the opened joints take from the need of every rate, for given multipliers."""
    tree = state.system.tree
    placed = place(tree, state.q)
    needs = [NO_WRENCH] * len(tree.links)
    in_ground: dict[int, Wrench] = {}
    for view in state.views:
        wrench = view_wrench(state, view, multipliers)
        (link, _), (other, frame) = view.sides
        if link != GROUND:
            needs[link] = needs[link] + negative(view.on_inner(wrench))
        if other != GROUND and view.in_ground:
            arm = placed[other].frame.R @ frame.p
            in_ground[other] = in_ground.get(other, NO_WRENCH) + negative(view.on_outer(wrench)).moved(arm)
        elif other != GROUND:
            needs[other] = needs[other] + negative(seen_from(view.on_outer(wrench), frame))
    forces = collected(tree, state.ways, needs)
    for link, wrench in in_ground.items():
        for column in placed[link].columns:
            value = column.at(placed[link].frame.p).dot(wrench.force) + column.s.dot(wrench.moment)
            forces[column.rate] = add(forces[column.rate], value)
    return forces


def view_wrench(state: LocalState, view: View, multipliers: Sequence[Number]) -> Wrench:
    """Wrench of an opened joint on its moving side about the moving point, in the inner axes."""
    chosen = [(row.row, multiplier) for row, multiplier in zip(state.rows, multipliers, strict=True)
              if row.owner == view.cut.joint and row.row is not None]  # fmt: skip
    return cut_wrench([row for row, _ in chosen], [multiplier for _, multiplier in chosen])


def cut_wrenches_in_ground(
    state: LocalState, placed: Sequence[Placed], multipliers: Sequence[Number]
) -> dict[str, Wrench]:
    """Wrench of every opened joint on its moving side about the moving point, ground axes."""
    found = {}
    for view in state.views:
        wrench = view_wrench(state, view, multipliers)
        link, frame = view.sides[0]
        R = placed_link(tuple(placed), link).frame.R @ frame.R
        found[view.cut.joint] = Wrench(R @ wrench.force, R @ wrench.moment)
    return found


def needs_in_ground(state: LocalState, placed: Sequence[Placed], applied: Mapping[int, Wrench]) -> list[Wrench]:
    """What every body needs from its joints, about its frame origin in ground axes."""
    needed = body_wrenches(state.system.tree, state.motions, placed, applied, state.system.planar)
    return [Wrench(place.frame.R @ wrench.force, place.frame.R @ wrench.moment)
            for place, wrench in zip(placed, needed, strict=True)]  # fmt: skip


def local_kinetic_energy(state: LocalState) -> Number:
    """Sum of m v.v / 2 + w . I w / 2 over the bodies [J]."""
    total: Number = 0.0
    velocities = local_velocities(state.system.tree, state.ways, state.v)
    for link, velocity in zip(state.system.tree.links, velocities, strict=True):
        w, centre = velocity.w, velocity.v + velocity.w.cross(link.com)
        spin = mul(link.inertia.row(2)[2], mul(w.z, w.z)) if state.system.planar else w.dot(link.inertia @ w)
        total = add(total, mul(0.5, add(mul(link.mass, centre.dot(centre)), spin)))
    return total
