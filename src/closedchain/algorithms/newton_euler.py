"""Mass matrix and generalised forces of the tree, in ground axes about each link's frame origin.

Mass matrix by composite bodies (Walker and Orin 1982, method 3; Featherstone 2008, ch. 6): with mass m, first moment
c and inertia I of all bodies that a joint carries, about the origin p of its link, the rate with unit twist (s, u) at
p has

    momentum f = m u + s x c,   n = I s + c x u,      M_jn = u_j . f + s_j . n

Generalised forces by the recursive Newton-Euler algorithm (Luh, Walker and Paul 1980): inertia and applied wrenches
summed from the tips to ground, then projected on each rate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.algorithms.chain import ZERO, Placed
from closedchain.algorithms.motion import Motion
from closedchain.algorithms.tree import GROUND, Link, Tree
from closedchain.numbers import Mat3, Vec3, is_zero, mul, outer

Number = Any
NO_INERTIA = Mat3(*(0.0,) * 9)


@dataclass(frozen=True)
class Wrench:
    """A force and a moment about a stated point, in ground axes [N], [N m]."""

    force: Vec3
    moment: Vec3

    def __add__(self, other: "Wrench") -> "Wrench":
        return Wrench(self.force + other.force, self.moment + other.moment)

    def moved(self, arm: Vec3) -> "Wrench":
        """The same wrench about another point, `arm` from that point to the present one."""
        return Wrench(self.force, self.moment + arm.cross(self.force))


NO_WRENCH = Wrench(ZERO, ZERO)


@dataclass(frozen=True)
class Composite:
    """Mass [kg], first moment [kg m] and inertia [kg m^2] of carried bodies about a link's origin, in ground axes."""

    mass: Number
    first: Vec3
    inertia: Mat3

    def __add__(self, other: "Composite") -> "Composite":
        return Composite(self.mass + other.mass, self.first + other.first, self.inertia + other.inertia)

    def moved(self, arm: Vec3) -> "Composite":
        """The same bodies about another point, `arm` from that point to the present one (Steiner)."""
        m, c = self.mass, self.first
        first = c + arm * m
        # I' = I + (2 c.d 1 - c d^T - d c^T) + m (d.d 1 - d d^T)
        shift = double_cross(arm, c) + double_cross(c, arm) + double_cross(arm, arm) * m
        return Composite(m, first, self.inertia + shift)


def double_cross(a: Vec3, b: Vec3) -> Mat3:
    """The matrix (a . b) 1 - b a^T, so that it times w is a x (w x b)."""
    product = outer(b, a)
    trace = a.dot(b)
    return Mat3(trace, 0.0, 0.0, 0.0, trace, 0.0, 0.0, 0.0, trace) + product * -1.0


def inertia_in_ground(R: Mat3, link: Link, planar: bool) -> Mat3:
    """Inertia tensor about the mass centre in ground axes; in the plane only the component about z is asked for."""
    if planar:
        return Mat3(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, link.inertia.row(2)[2])
    return R @ link.inertia @ R.T


def own_composite(link: Link, R: Mat3, planar: bool) -> Composite:
    """One body about its frame origin, in ground axes."""
    m = link.mass
    d = R @ link.com
    return Composite(m, d * m, inertia_in_ground(R, link, planar) + double_cross(d, d) * m)


def mass_matrix(tree: Tree, placed: Sequence[Placed], planar: bool) -> dict[tuple[int, int], Number]:
    """Lower triangle {(i, j): value} of the mass matrix over the rates, structural zeros left out."""
    composites = [own_composite(link, place.frame.R, planar) for link, place in zip(tree.links, placed, strict=True)]
    matrix: dict[tuple[int, int], Number] = {}
    for index in reversed(range(len(tree.links))):
        link, place, composite = tree.links[index], placed[index], composites[index]
        p = place.frame.p
        own = [column for column in place.columns if link.rates <= column.rate < link.rates + rates_of(link)]
        for column in own:
            u = column.at(p)
            f = u * composite.mass + column.s.cross(composite.first)
            n = composite.inertia @ column.s + composite.first.cross(u)
            for other in place.columns:
                if other.rate > column.rate and other in own:
                    continue
                value = other.at(p).dot(f) + other.s.dot(n)
                if not is_zero(value):
                    matrix[max(other.rate, column.rate), min(other.rate, column.rate)] = value
        if link.parent != GROUND:
            arm = p - placed[link.parent].frame.p
            composites[link.parent] = composites[link.parent] + composite.moved(arm)
    return matrix


def rates_of(link: Link) -> int:
    """Number of rates of the joint that carries a link."""
    from closedchain.elements.joints import Ball

    return sum(3 if isinstance(step, Ball) else 1 for step in link.steps)


def required_forces(
    tree: Tree,
    placed: Sequence[Placed],
    motions: Sequence[Motion],
    applied: Mapping[int, Wrench],
    planar: bool,
) -> list[Number]:
    """Generalised forces that the given motion of the tree needs: inertia less gravity and applied wrenches.

    motions: of every body frame. applied: link -> wrench about its frame origin. With the derivatives of the rates
    set to zero this is the bias h of M a + h = tau.
    """
    wrenches = needed_wrenches(tree, motions, applied, planar)
    forces: list[Number] = [0.0] * tree.rates
    for index in reversed(range(len(tree.links))):
        link, place, wrench = tree.links[index], placed[index], wrenches[index]
        p = place.frame.p
        for column in place.columns:
            if link.rates <= column.rate < link.rates + rates_of(link):
                forces[column.rate] = column.at(p).dot(wrench.force) + column.s.dot(wrench.moment)
        if link.parent != GROUND:
            arm = p - placed[link.parent].frame.p
            wrenches[link.parent] = wrenches[link.parent] + wrench.moved(arm)
    return forces


def needed_wrenches(tree: Tree, motions: Sequence[Motion], applied: Mapping[int, Wrench], planar: bool) -> list[Wrench]:
    """What every body needs from its joints, about its frame origin: inertia less gravity and applied wrenches."""
    wrenches = []
    for index, (link, motion) in enumerate(zip(tree.links, motions, strict=True)):
        wrench = inertia_wrench(tree, link, motion, planar)
        if index in applied:
            given = applied[index]
            wrench = Wrench(wrench.force - given.force, wrench.moment - given.moment)
        wrenches.append(wrench)
    return wrenches


def inertia_wrench(tree: Tree, link: Link, motion: Motion, planar: bool) -> Wrench:
    """Rate of momentum less weight of one body, as a wrench about its frame origin."""
    if is_zero(link.mass) and all(is_zero(value) for i in range(3) for value in link.inertia.row(i)):
        return NO_WRENCH
    centre = motion.point(link.com)
    force = (centre.a - tree.gravity) * link.mass
    I = inertia_in_ground(motion.frame.R, link, planar)
    moment = I @ motion.e if planar else I @ motion.e + motion.w.cross(I @ motion.w)
    arm = centre.frame.p - motion.frame.p
    return Wrench(force, moment + arm.cross(force))


def kinetic_energy(tree: Tree, motions: Sequence[Motion], planar: bool) -> Number:
    """Sum of m v.v / 2 + w . I w / 2 over the bodies [J]."""
    total: Number = 0.0
    for link, motion in zip(tree.links, motions, strict=True):
        centre = motion.point(link.com)
        I = inertia_in_ground(motion.frame.R, link, planar)
        total = total + mul(0.5, mul(link.mass, centre.v.dot(centre.v)) + motion.w.dot(I @ motion.w))
    return total


def gravity_energy(tree: Tree, motions: Sequence[Motion]) -> Number:
    """Potential energy of gravity, - sum of m g . p [J]."""
    total: Number = 0.0
    for link, motion in zip(tree.links, motions, strict=True):
        total = total - mul(link.mass, tree.gravity.dot(motion.point(link.com).frame.p))
    return total
