"""All constraints of a mechanism in one list: cut joints, prescribed point motions, couplings of coordinates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.chain import AT_REST, ZERO, Placed, place, placed_along
from closedchain.algorithms.loops import Row, Target, cut_jacobian, cut_rows, target_jacobian, target_rows
from closedchain.algorithms.motion import STANDSTILL, Motion, at_rest, move
from closedchain.algorithms.tree import GROUND, Frame, Link, Tree
from closedchain.elements.joints import Ball, Closure, Rotation, Translation
from closedchain.numbers import Mat3, Vec3, is_zero, mul, quaternion_product, sqrt

Number = Any
# Component of a point motion as said -> part of the pose; a planar angle is a turn about z.
POSE_PARTS = {part: part for part in ("x", "y", "z", "roll", "pitch", "yaw")} | {"angle": "yaw"}


@dataclass(frozen=True)
class Coupling:
    """A linear relation of coordinates: sum of coefficient times coordinate equals a constant.

    terms: (coordinate index, rate index, coefficient).
    """

    name: str
    terms: tuple[tuple[int, int, Number], ...]
    equals: Number


@dataclass(frozen=True)
class PointMotion:
    """A prescribed motion of a frame fixed in a link: which parts of its pose follow which goals.

    goals: part ("x", "y", "z", "roll", "pitch", "yaw") -> index in the vector of goals.
    """

    name: str
    link: int
    frame: Frame
    goals: Mapping[str, int]

    def targets(self) -> tuple[Target, Target]:
        """Position and orientation part."""
        places = Closure(translations=tuple(k for k, part in enumerate("xyz") if part in self.goals))
        turns = Closure(aligned="yaw" in self.goals)
        return Target(self.name, self.link, self.frame, places), Target(self.name, self.link, self.frame, turns)


@dataclass(frozen=True)
class System:
    """A tree with everything that constrains it.

    driven: (coordinate index, rate index) of the coordinates whose motion is given; their goals come first in the
    vector of goals, those of the point motions follow.
    """

    tree: Tree
    planar: bool
    couplings: tuple[Coupling, ...] = ()
    driven: tuple[tuple[int, int], ...] = ()
    motions: tuple[PointMotion, ...] = ()
    goals: int = 0


@dataclass(frozen=True)
class Constraint:
    """One row of the system: its owner, the row's values, and its nonzero Jacobian entries {rate: derivative}."""

    owner: str
    label: str
    length: bool
    value: Number
    rate: Number
    acceleration: Number
    entries: dict[int, Number]
    extra: bool = False


POSE_STEPS = (Translation(0), Translation(1), Translation(2), Rotation(2), Rotation(1), Rotation(0))


def goal_motion(motion: PointMotion, goal, rate, acceleration) -> Motion:
    """Motion of the prescribed frame: position, then yaw, pitch and roll about the fixed z, y and x axes."""
    parts = ("x", "y", "z", "yaw", "pitch", "roll")
    q, v, a = ([source[motion.goals[part]] if part in motion.goals else 0.0 for part in parts]
               for source in (goal, rate, acceleration))  # fmt: skip
    carrier = Link("goal", motion.name, GROUND, POSE_STEPS, False, AT_REST, AT_REST, 0, 0, (0.0,) * 6, 0.0, ZERO,
                   Mat3.identity())  # fmt: skip
    return move(Tree((carrier,), (), 6, 6, ZERO, 1.0), q, v, a)[0]


def as_constraint(owner: str, row: Row, entries: dict[int, Number]) -> Constraint:
    """A closure row under its owner's name."""
    return Constraint(owner, row.label, row.length, row.value, row.rate, row.acceleration, entries, row.extra)


def joint_constraints(
    system: System, motions: tuple[Motion, ...], placed: tuple[Placed, ...], extra: bool = False
) -> list[Constraint]:
    """Rows of all cut joints; without their Jacobian where the links are not placed."""
    found = []
    for cut in system.tree.cuts:
        rows = cut_rows(system.tree, motions, cut, system.planar, extra)
        entries = cut_jacobian(rows, placed, cut) if placed else [{} for _ in rows]
        found += [as_constraint(cut.joint, row, entry) for row, entry in zip(rows, entries, strict=True)]
    return found


def coupling_constraints(system: System, q, v, a) -> list[Constraint]:
    """Rows of all couplings."""
    found = []
    for coupling in system.couplings:
        value, rate, acceleration = -coupling.equals, 0.0, 0.0
        for coordinate, index, coefficient in coupling.terms:
            value = value + mul(coefficient, q[coordinate])
            rate = rate + mul(coefficient, v[index])
            acceleration = acceleration + mul(coefficient, a[index])
        entries = {index: coefficient for _, index, coefficient in coupling.terms}
        found.append(Constraint(coupling.name, "sum", False, value, rate, acceleration, entries))
    return found


def motion_constraints(
    system: System, motions: tuple[Motion, ...], placed: tuple[Placed, ...], goals: Sequence, extra: bool = False
) -> list[Constraint]:
    """Rows of all prescribed point motions; `goals` = (values, rates, accelerations). placed: as joint_constraints."""
    found = []
    for motion in system.motions:
        goal = goal_motion(motion, *goals)
        upright = Motion(Frame(AT_REST.R, goal.frame.p), ZERO, goal.v, ZERO, goal.a)
        for target, aim in zip(motion.targets(), (upright, goal), strict=True):
            rows = target_rows(motions, target, aim, system.planar, extra)
            entries = target_jacobian(rows, placed, target) if placed else [{} for _ in rows]
            found += [as_constraint(motion.name, row, entry) for row, entry in zip(rows, entries, strict=True)]
    return found


def all_constraints(system: System, q, v, a, goals: Sequence, extra: bool = False) -> list[Constraint]:
    """Rows of cut joints, couplings and point motions, in this order, at q, rates v and their derivatives a."""
    if all(is_zero(x) for x in (*v, *a)):
        placed = place(system.tree, q)
        return constraints_at(system, q, v, a, goals, at_rest(placed), placed, extra)
    motions = move(system.tree, q, v, a)
    placed = placed_along(system.tree, [motion.path for motion in motions])
    return constraints_at(system, q, v, a, goals, motions, placed, extra)


def constraints_at(
    system: System, q, v, a, goals: Sequence, motions: tuple[Motion, ...],
    placed: tuple[Placed, ...] = (), extra: bool = False,
) -> list[Constraint]:  # fmt: skip
    """The same for links whose motions are known; placed: with the Jacobian where the links are given."""
    return [
        *joint_constraints(system, motions, placed, extra),
        *coupling_constraints(system, q, v, a),
        *motion_constraints(system, motions, placed, goals, extra),
    ]


def retract(tree: Tree, q, step) -> list[Number]:
    """Coordinates after a small step of the rates: a sum, for a ball the product with the quaternion of the turn."""
    moved = list(q)
    for link in tree.links:
        coordinate, rate = link.coordinates, link.rates
        for item in link.steps:
            if isinstance(item, Ball):
                turn = (1.0, *(mul(0.5, step[rate + k]) for k in range(3)))
                product = quaternion_product(turn, tuple(q[coordinate : coordinate + 4]))
                norm = sqrt(sum(value * value for value in product))
                moved[coordinate : coordinate + 4] = [value / norm for value in product]
                coordinate, rate = coordinate + 4, rate + 3
            else:
                moved[coordinate] = q[coordinate] + step[rate]
                coordinate, rate = coordinate + 1, rate + 1
    return moved


def zeros(count: int) -> list[float]:
    """Exact zeros, which fold when traced."""
    return [0.0] * count


__all__ = [
    "POSE_PARTS", "STANDSTILL", "Constraint", "Coupling", "PointMotion", "System", "Vec3", "all_constraints",
    "coupling_constraints", "goal_motion", "joint_constraints", "motion_constraints", "retract", "zeros",
]  # fmt: skip
