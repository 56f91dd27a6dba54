"""Reactions of all joints, opened ones and those of the tree.

An opened joint carries the wrench of its rows, force sum of lam_k f_k and moment sum of lam_k m_k on the moving side. A
joint of the tree carries what all bodies beyond it need: inertia less applied wrenches less those of opened joints,
summed from the tips to ground (backward pass of the recursive Newton-Euler algorithm; Luh, Walker and Paul 1980).

That sum contains what acts along the joint's own coordinates (motor, spring, friction). It is taken out with the wrench
that an effort makes: a force along a sliding axis, a moment about a turning or screwing one, at the moving side's
point.
What stays is the reaction: it does no work on the joint's own motion.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from closedchain.algorithms.chain import Placed, placed_link
from closedchain.algorithms.loops import Row
from closedchain.algorithms.newton_euler import NO_WRENCH, Wrench, rates_of
from closedchain.algorithms.tree import GROUND, Cut, Link, Tree
from closedchain.numbers import Vec3, is_zero

Number = Any


def cut_wrench(rows: Sequence[Row], multipliers: Sequence[Number]) -> Wrench:
    """Wrench of an opened joint on its moving side, about the moving side's point."""
    total = NO_WRENCH
    for row, multiplier in zip(rows, multipliers, strict=True):
        total = total + Wrench(row.force * multiplier, row.moment * multiplier)
    return total


def tree_wrenches(
    tree: Tree, placed: Sequence[Placed], needed: Sequence[Wrench], cuts: Mapping[str, Wrench]
) -> list[Wrench]:
    """Wrench that each joint of the tree brings on its link, about the link's frame origin.

    needed: what each link needs (inertia less applied), about its frame origin. cuts: wrench of every opened joint on
    its moving side about the moving point.
    """
    totals = list(needed)
    for cut in tree.cuts:
        point = placed_link(tuple(placed), cut.moving_link).frame @ cut.moving
        for link, sign in ((cut.moving_link, -1.0), (cut.base_link, 1.0)):
            if link != GROUND:
                wrench = cuts[cut.joint]
                wrench = Wrench(wrench.force * sign, wrench.moment * sign)
                totals[link] = totals[link] + wrench.moved(point.p - placed[link].frame.p)
    for index in reversed(range(len(tree.links))):
        parent = tree.links[index].parent
        if parent != GROUND:
            arm = placed[index].frame.p - placed[parent].frame.p
            totals[parent] = totals[parent] + totals[index].moved(arm)
    return totals


def moving_point(link: Link, placed: Sequence[Placed], index: int) -> Vec3:
    """The moving side's point of the joint that carries a link, in ground axes."""
    if link.reversed:
        return (placed_link(tuple(placed), link.parent).frame @ link.inboard).p
    return (placed[index].frame @ link.outboard).p


def joint_wrench(link: Link, placed: Sequence[Placed], index: int, total: Wrench) -> Wrench:
    """Reaction of a tree joint on its moving side about the moving point, from its whole wrench on the link."""
    P = moving_point(link, placed, index)
    wrench = total.moved(placed[index].frame.p - P)
    force, moment = wrench.force, wrench.moment
    for column in placed[index].columns:
        if link.rates <= column.rate < link.rates + rates_of(link):
            effort = column.at(P).dot(force) + column.s.dot(moment)
            if is_zero(column.s.dot(column.s)):
                force = force - column.v * effort
            else:
                moment = moment - column.s * effort
    return Wrench(-force, -moment) if link.reversed else Wrench(force, moment)


def joint_reactions(
    tree: Tree, placed: Sequence[Placed], needed: Sequence[Wrench], cuts: Mapping[str, Wrench]
) -> dict[str, Wrench]:
    """Reaction of every joint on its moving side, about the moving side's point, ground axes.

    needed: wrench that each link needs about its frame origin. cuts: wrench of every opened joint on its moving side
    about the moving point.
    """
    totals = tree_wrenches(tree, placed, needed, cuts)
    carried = {link.joint: joint_wrench(link, placed, index, totals[index]) for index, link in enumerate(tree.links)}
    # A joint closed rigidly behind its own coordinates stands in the tree too, and there without what acts along them.
    return {**cuts, **carried}


def wrenches_of_cuts(cut_rows: Sequence[tuple[Cut, Sequence[Row]]], multipliers: Sequence[Number]) -> dict[str, Wrench]:
    """Wrench of every opened joint, from its rows and their multipliers, in order."""
    found: dict[str, Wrench] = {}
    start = 0
    for cut, rows in cut_rows:
        found[cut.joint] = cut_wrench(rows, multipliers[start : start + len(rows)])
        start += len(rows)
    return found
