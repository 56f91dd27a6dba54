"""Derivatives of loop equations and of pose components against complex step, all closures, planar and spatial."""

from dataclasses import replace

import numpy as np
import pytest

from closedchain.algorithms.chain import place
from closedchain.algorithms.influence import closure_derivatives, frame_rate
from closedchain.algorithms.loops import closure_rows, jacobian_row
from closedchain.algorithms.motion import move
from closedchain.algorithms.tree import Frame, Tree
from closedchain.elements.joints import Ball, Closure, Rotation, Screw, Translation
from closedchain.numbers import Mat3, Vec3

SHARED = 2
STEPS = [Rotation(2), Ball(), Translation(0), Rotation(1), Screw(2, 0.4), Rotation(0), Ball(), Rotation(2)]
CLOSURES = {
    "spherical": Closure((0, 1, 2)),
    "revolute": Closure((0, 1, 2), parallel=(2,)),
    "prismatic": Closure((0, 1), aligned=True),
    "cylindrical": Closure((0, 1), parallel=(2,)),
    "universal": Closure((0, 1, 2), perpendicular=((0, 2),)),
    "planar": Closure((2,), parallel=(2,)),
    "rigid": Closure((0, 1, 2), aligned=True),
}


def forked(chains, steps, seed) -> Tree:
    """A chain whose later links sit on link SHARED - 1 by turns: two branches with shared joints below."""
    tree = chains.random_chain(steps, seed, backwards=True)
    parents = [k - 1 if k <= SHARED else (SHARED - 1 if k == SHARED + 1 else k - 2) for k in range(len(steps))]
    links = [replace(link, parent=parent) for link, parent in zip(tree.links, parents, strict=True)]
    return replace(tree, links=tuple(links))


def flat(tree: Tree) -> Tree:
    """The same tree with all frames in the plane."""
    links = [replace(link, inboard=flatten(link.inboard), outboard=flatten(link.outboard)) for link in tree.links]
    return replace(tree, links=tuple(links))


def step_along(chains, tree, q, rate):
    """Coordinates a complex step along a rate."""
    return chains.moved(tree, [complex(x) for x in q], rate, 1e-30j)


def rows_at(tree, q, frames, closure, planar):
    """Jacobian of the closure between the last two links, as an array (rows, rates)."""
    still = [0.0] * tree.rates
    motions, placed = move(tree, q, still, still), place(tree, q)
    base, moving = len(tree.links) - 2, len(tree.links) - 1
    rows = closure_rows(motions[base].at(frames[0]), motions[moving].at(frames[1]), closure, planar)
    J = np.zeros((len(rows), tree.rates), complex)
    for k, row in enumerate(rows):
        for rate, value in jacobian_row(row, placed, base, moving).items():
            J[k, rate] = value
    return J


@pytest.mark.parametrize("name", CLOSURES)
def test_rows_turn_as_derived(chains, name):
    """At any configuration, closed or not, along the joints of both branches."""
    tree, closure = forked(chains, STEPS, 11), CLOSURES[name]
    q = chains.random_coordinates(tree, 12)
    draw = np.random.default_rng(13)
    frames = chains.random_frame(draw), chains.random_frame(draw)
    placed = place(tree, q)
    base, moving = placed[-2], placed[-1]
    derived = closure_derivatives(base, moving, base.frame @ frames[0], moving.frame @ frames[1], closure, False)
    own = sorted({column.rate for column in base.columns} ^ {column.rate for column in moving.columns})
    assert len(own) == tree.rates - 4
    for m in own:
        exact = np.imag(rows_at(tree, step_along(chains, tree, q, m), frames, closure, False)) / 1e-30
        for k, entries in enumerate(derived):
            assert [entries[m, n] for n in own] == pytest.approx(exact[k, own], abs=1e-12)


@pytest.mark.parametrize(
    "closure", [Closure((0, 1)), Closure((1,)), Closure((1,), aligned=True), Closure((0, 1), aligned=True)]
)
def test_planar_rows_turn_as_derived(chains, closure):
    steps = [Rotation(2), Translation(0), Rotation(2), Translation(1), Rotation(2), Rotation(2)]
    tree = flat(forked(chains, steps, 21))
    q = chains.random_coordinates(tree, 22)
    draw = np.random.default_rng(23)
    frames = flatten(chains.random_frame(draw)), flatten(chains.random_frame(draw))
    placed = place(tree, q)
    base, moving = placed[-2], placed[-1]
    derived = closure_derivatives(base, moving, base.frame @ frames[0], moving.frame @ frames[1], closure, True)
    own = sorted({column.rate for column in base.columns} ^ {column.rate for column in moving.columns})
    for m in own:
        exact = np.imag(rows_at(tree, step_along(chains, tree, q, m), frames, closure, True)) / 1e-30
        assert len(derived) == len(exact)
        for k, entries in enumerate(derived):
            assert [entries[m, n] for n in own] == pytest.approx(exact[k, own], abs=1e-12)


def flatten(frame: Frame) -> Frame:
    """A frame of the plane with the same angle of x."""
    x, y = frame.R[0, 0], frame.R[1, 0]
    c, s = x / np.hypot(x, y), y / np.hypot(x, y)
    return Frame(Mat3(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), Vec3(frame.p.x, frame.p.y, 0.0))


@pytest.mark.parametrize("part", ["x", "y", "z", "roll", "pitch", "yaw"])
def test_pose_components_and_their_rates(chains, part):
    tree = chains.random_chain(STEPS, 31, backwards=True)
    q = chains.random_coordinates(tree, 32)
    frame = chains.random_frame(np.random.default_rng(33))
    rate = frame_rate(place(tree, q)[-1], frame, part, False)

    def component(q):
        seen = place(tree, q)[-1].frame @ frame
        R, p = seen.R, seen.p
        angles = {
            "roll": np.arctan(R[2, 1] / R[2, 2]),
            "pitch": -np.arcsin(R[2, 0]),
            "yaw": np.arctan(R[1, 0] / R[0, 0]),
        }
        return angles[part] if part in angles else p["xyz".index(part)]

    for m in range(tree.rates):
        ahead = step_along(chains, tree, q, m)
        assert rate.entries[m] == pytest.approx(np.imag(component(ahead)) / 1e-30, abs=1e-12)
        turned = frame_rate(place(tree, ahead)[-1], frame, part, False)
        for n in range(tree.rates):
            exact = np.imag(turned.entries[n]) / 1e-30
            assert rate.derivatives.get((m, n), 0.0) == pytest.approx(exact, abs=1e-11)


def test_a_planar_angle_turns_with_every_rotation_evenly(chains):
    tree = flat(chains.random_chain([Rotation(2), Translation(0), Rotation(2)], 41))
    frame = flatten(chains.random_frame(np.random.default_rng(1)))
    rate = frame_rate(place(tree, [0.3, 0.1, -0.8])[-1], frame, "yaw", True)
    assert rate.entries == {0: 1.0, 1: 0.0, 2: 1.0}
    assert not rate.derivatives
