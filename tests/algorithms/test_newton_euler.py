"""Tree dynamics against derivatives of the poses alone: no velocity, column or inertia formula is shared with the
code."""

import numpy as np
import pytest

import closedchain as cc
from closedchain.algorithms.chain import place
from closedchain.algorithms.motion import move
from closedchain.algorithms.newton_euler import (
    Wrench,
    gravity_energy,
    kinetic_energy,
    mass_matrix,
    required_forces,
)
from closedchain.elements.joints import Ball
from closedchain.numbers import Vec3

RADIUS, POINTS = 0.05, 32
TURN = np.exp(2j * np.pi * np.arange(POINTS) / POINTS)


def derivatives(f, count):
    """The first derivatives of an analytic function at 0, from a circle in the complex plane (Cauchy's integral)."""
    samples = np.array([f(RADIUS * w) for w in TURN])
    factor = (1, 1, 2)
    return [factor[n] / RADIUS**n * np.real(np.tensordot(TURN**-n, samples, 1)) / POINTS for n in range(count)]


def displaced(model, q, turn):
    """Coordinates after a small motion given per rate (a rotation vector in base-side axes for a ball)."""
    moved = [complex(value) for value in q]
    for name, slot in model.topology.slots.items():
        coordinate, rate = slot.coordinate, slot.rate
        for step in model.form(name).steps({"lead": 0.0}):
            if not isinstance(step, Ball):
                moved[coordinate] += turn[rate]
                coordinate, rate = coordinate + 1, rate + 1
                continue
            w, x, y, z = q[coordinate : coordinate + 4]
            h2 = sum(value * value for value in turn[rate : rate + 3]) / 4.0
            c = sum((-h2) ** k / np.prod(np.arange(1, 2 * k + 1)) for k in range(9))
            s = sum((-h2) ** k / np.prod(np.arange(1, 2 * k + 2)) for k in range(9))
            a, b, d = (0.5 * s * value for value in turn[rate : rate + 3])
            moved[coordinate : coordinate + 4] = [
                c * w - a * x - b * y - d * z, c * x + a * w + b * z - d * y,
                c * y + b * w + d * x - a * z, c * z + d * w + a * y - b * x,
            ]  # fmt: skip
            coordinate, rate = coordinate + 4, rate + 3
    return moved


def poses(model, tree, q, turn):
    """Mass centres (links, 3) and rotations (links, 3, 3) side by side, shape (links, 12)."""
    placed = place(tree, displaced(model, q, turn))
    return np.array(
        [
            [*(p.frame.p + p.frame.R @ link.com), *(value for row in p.frame.R for value in row)]
            for link, p in zip(tree.links, placed, strict=True)
        ],
        complex,
    )


def vector(spin):
    """The vector of a skew matrix."""
    return np.array([spin[2, 1], spin[0, 2], spin[1, 0]])


def by_poses(model, tree, q, v, a):
    """Generalised forces, kinetic and potential energy from momentum rates of every body, all by Cauchy derivatives."""
    nv = model.topology.rates
    zero, first, second = derivatives(lambda s: poses(model, tree, q, v * s + a * s * s / 2), 3)
    partial = [derivatives(lambda s, k=k: poses(model, tree, q, np.eye(nv)[k] * s), 2)[1] for k in range(nv)]
    g = np.array([float(value) for value in tree.gravity])
    forces, kinetic, potential = np.zeros(nv), 0.0, 0.0
    for i, link in enumerate(tree.links):
        I = np.array([[float(value) for value in row] for row in link.inertia])
        R, R1, R2 = (part[i, 3:].reshape(3, 3) for part in (zero, first, second))
        w = vector(R1 @ R.T)
        # angular momentum L = R I R^T w in ground axes, differentiated as it stands
        wd = vector(R2 @ R.T + R1 @ R1.T)
        moment = R1 @ I @ R.T @ w + R @ I @ R1.T @ w + R @ I @ R.T @ wd
        force = link.mass * (second[i, :3] - g)
        for k in range(nv):
            forces[k] += force @ partial[k][i, :3] + moment @ vector(partial[k][i, 3:].reshape(3, 3) @ R.T)
        kinetic += 0.5 * link.mass * first[i, :3] @ first[i, :3] + 0.5 * w @ R @ I @ R.T @ w
        potential -= link.mass * g @ zero[i, :3]
    return forces, kinetic, potential


@pytest.mark.parametrize("planar", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_forces_and_energies_follow_from_the_poses(trees, seed, planar):
    model = cc.compile(cc.Mechanism.from_dict(trees.random_tree(seed, planar=planar)))
    tree = model.tree()
    q, v, a = trees.random_state(model, np.random.default_rng(seed))
    forces, kinetic, potential = by_poses(model, tree, q, v, a)
    motions = move(tree, q.tolist(), v.tolist(), a.tolist())
    placed = place(tree, q.tolist())
    found = required_forces(tree, placed, motions, {}, planar)
    scale = np.abs(forces).max(initial=1.0)
    assert np.abs(np.array(found, float) - forces).max(initial=0.0) < 1e-10 * scale
    assert float(kinetic_energy(tree, motions, planar)) == pytest.approx(kinetic, rel=1e-10, abs=1e-12)
    assert float(gravity_energy(tree, motions)) == pytest.approx(potential, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("planar", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_mass_matrix_is_what_accelerations_cost(trees, seed, planar):
    model = cc.compile(cc.Mechanism.from_dict(trees.random_tree(100 + seed, planar=planar)))
    tree, nv = model.tree(), model.topology.rates
    q, v, a = trees.random_state(model, np.random.default_rng(seed))
    placed = place(tree, q.tolist())
    lower = mass_matrix(tree, placed, planar)
    M = np.array([[float(lower.get((max(i, j), min(i, j)), 0.0)) for j in range(nv)] for i in range(nv)])

    def forces(acceleration):
        motions = move(tree, q.tolist(), v.tolist(), acceleration.tolist())
        return np.array(required_forces(tree, placed, motions, {}, planar), float)

    assert np.abs(forces(a) - forces(0 * a) - M @ a).max(initial=0.0) < 1e-11 * np.abs(M).max(initial=1.0)
    motions = move(tree, q.tolist(), v.tolist(), a.tolist())
    assert float(kinetic_energy(tree, motions, planar)) == pytest.approx(0.5 * v @ M @ v, rel=1e-12, abs=1e-13)
    if nv:
        assert np.linalg.eigvalsh(M).min() > 0.0


def test_applied_wrenches_count_against_what_is_required(trees):
    model = cc.compile(cc.Mechanism.from_dict(trees.random_tree(3)))
    tree = model.tree()
    draw = np.random.default_rng(3)
    q, v, a = trees.random_state(model, draw)
    motions, placed = move(tree, q.tolist(), v.tolist(), a.tolist()), place(tree, q.tolist())
    last = len(tree.links) - 1
    F, N = Vec3(*draw.normal(size=3).tolist()), Vec3(*draw.normal(size=3).tolist())
    free = np.array(required_forces(tree, placed, motions, {}, False), float)
    pushed = np.array(required_forces(tree, placed, motions, {last: Wrench(F, N)}, False), float)
    # power of the wrench at the rates v, from the motion of the link's frame
    power = float(F.dot(motions[last].v) + N.dot(motions[last].w))
    assert (free - pushed) @ v == pytest.approx(power, rel=1e-11)
