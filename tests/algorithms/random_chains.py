"""Random serial chains of elementary steps between random frames, and coefficients of a point of their last link."""

import numpy as np

from closedchain.algorithms.chain import first_order, place, second_order
from closedchain.algorithms.constraints import retract
from closedchain.algorithms.tree import GROUND, Frame, Link, Tree
from closedchain.elements.joints import Ball
from closedchain.numbers import Mat3, Vec3, rotation_x, rotation_y, rotation_z

ZERO = Vec3(0.0, 0.0, 0.0)
POINT = Vec3(0.3, -0.7, 0.45)


def random_frame(draw) -> Frame:
    a, b, c = draw.uniform(-3.0, 3.0, 3)
    return Frame(rotation_z(a) @ rotation_y(b) @ rotation_x(c), Vec3(*draw.normal(size=3).tolist()))


def random_chain(steps, seed, backwards=False) -> Tree:
    """A chain of single-step joints between random frames; every other joint is passed backwards where asked."""
    draw = np.random.default_rng(seed)
    links, coordinate, rate = [], 0, 0
    for k, step in enumerate(steps):
        nq, nv = (4, 3) if isinstance(step, Ball) else (1, 1)
        reverse = backwards and k % 2 == 1
        frames = random_frame(draw), random_frame(draw)
        offsets = tuple(draw.normal(size=nq).tolist()) if nq == 1 else (0.0,) * nq
        parent = k - 1 if k else GROUND
        links.append(Link(f"b{k}", f"j{k}", parent, (step,), reverse, *frames, coordinate, rate, offsets, 1.0, ZERO,
                          Mat3.identity()))  # fmt: skip
        coordinate, rate = coordinate + nq, rate + nv
    return Tree(tuple(links), (), coordinate, rate, ZERO, 1.0)


def random_coordinates(tree: Tree, seed) -> list[float]:
    draw = np.random.default_rng(seed)
    q = draw.normal(size=tree.coordinates)
    for link in tree.links:
        if isinstance(link.steps[0], Ball):
            part = slice(link.coordinates, link.coordinates + 4)
            q[part] /= np.linalg.norm(q[part])
    return q.tolist()


def end(tree: Tree, q):
    """Rotation and position of the point on the last link, as nested lists of numbers."""
    frame = place(tree, q)[-1].frame
    p = frame.p + frame.R @ POINT
    return [list(row) for row in frame.R], list(p)


def coefficients(tree: Tree, q):
    """G (6, n) and H (6, n, n) of the point over the rates, as arrays."""
    body = place(tree, q)[-1]
    P = body.frame.p + body.frame.R @ POINT
    n = tree.rates
    G, H = np.zeros((6, n), complex), np.zeros((6, n, n), complex)
    for column, (w, v) in zip(body.columns, first_order(body.columns, P), strict=True):
        G[:, column.rate] = [*w, *v]
    for along, row in zip(body.columns, second_order(body.columns, P), strict=True):
        for column, (w, v) in zip(body.columns, row, strict=True):
            H[:, along.rate, column.rate] = [*w, *v]
    return (np.real(G), np.real(H)) if all(isinstance(value, float) for value in q) else (G, H)


def moved(tree: Tree, q, rate, amount):
    step = [0.0] * tree.rates
    step[rate] = amount
    return retract(tree, q, step)


def vee(S):
    """The vector of a skew matrix."""
    return np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2.0
