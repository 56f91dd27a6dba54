"""Freedoms of linkages that move against the count, or seem to and do not, in dimensions and places of our own.

Single loops: Bennett (1903), Goldberg (1943), Myard (1931), Bricard (1897, 1927), Altmann (1954), Schatz (1942); Baker,
Mech. Mach. Theory 14-18. Planar: Burmester's focal mechanism after Kempe (1878) and Burmester (1893), Dixon (1899),
Hoberman (1990). Kinematotropic: the freedom differs between modes (Wohlhart 1996). Flexible octahedron: Bricard (1897).
Platform of Wren (1663; Wunderlich 1980). Folded lattice: Miura (1985).
"""

import numpy as np
import pytest
from assembled_world import World, across, around, lifted, unit
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

import closedchain as cc

UP = np.array([0.0, 0.0, 1.0])
RIGHT = np.pi / 2


def loop(axes):
    """A closed loop of revolutes on given lines (point, direction); the first and the last link are ground."""
    world, n = World(), len(axes)
    names = ["ground", *(f"b{k}" for k in range(1, n)), "ground"]
    for k, (at, z) in enumerate(axes):
        world.joint(f"J{k + 1}", "revolute", names[k], names[k + 1], at, z)
    return world.build()


def axes_of(rows, angles):
    """Lines of a Denavit-Hartenberg loop, rows (a, alpha, d), and how far it is from closing."""
    T, axes = np.eye(4), []
    for (a, alpha, d), t in zip(rows, angles, strict=True):
        axes.append((T[:3, 3].copy(), T[:3, 2].copy()))
        c, s, ca, sa = np.cos(t), np.sin(t), np.cos(alpha), np.sin(alpha)
        T = T @ np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])
    return axes, (T - np.eye(4))[:3].ravel()


def closed(rows, seed):
    """Lines of a loop closed from random angles."""
    draw = np.random.default_rng(seed)
    for _ in range(100):
        found = least_squares(lambda t: axes_of(rows, t)[1], draw.uniform(-np.pi, np.pi, len(rows)), xtol=1e-15,
                              ftol=1e-15, gtol=1e-15)  # fmt: skip
        if np.abs(found.fun).max() < 1e-13:
            return axes_of(rows, found.x)[0]
    raise AssertionError("no closure")


def bennett_axes(a, alpha, beta, first):
    """Opposite links equal, a : sin alpha = b : sin beta, by the closure relation; seen from link 1."""
    b = a * np.sin(beta) / np.sin(alpha)
    ratio = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    second = 2 * np.arctan2(ratio * np.cos(first / 2), np.sin(first / 2))
    axes, gap = axes_of([(a, alpha, 0), (b, beta, 0)] * 2, (first, second, -first, -second))
    assert np.abs(gap).max() < 1e-12
    back = Rotation.from_rotvec([0, 0, -first]).as_matrix()
    return [(back @ at, back @ z) for at, z in axes]


def lines(count, seed):
    draw = np.random.default_rng(seed)
    return [(0.5 * draw.normal(size=3), draw.normal(size=3)) for _ in range(count)]


def goldberg():
    """Two of Bennett's loops share a link and a joint, which then are taken away."""
    one, two = bennett_axes(0.3, 0.8, 1.7, 0.9), bennett_axes(0.3, 0.8, 2.2, 0.4)
    return loop([one[0], one[3], one[2], two[2], two[3]])


def myard():
    alpha, b = 0.9, 0.4
    a = b * np.sin(alpha)
    rows = [(a, alpha, 0), (b, RIGHT, 0), (0, np.pi - 2 * alpha, 0), (b, RIGHT, 0), (a, np.pi - alpha, 0)]
    return loop(closed(rows, 1))


def line_symmetric():
    (p, u), *half = lines(4, 10)
    turn = Rotation.from_rotvec(np.pi * unit(u)).as_matrix()
    return loop([*half, *((p + turn @ (at - p), turn @ z) for at, z in half)])


def plane_symmetric():
    """Two axes in the plane z = 0, two pairs that mirror each other."""
    flat, mirror = np.diag([1.0, 1.0, 0.0]), np.diag([1.0, 1.0, -1.0])
    one, two, three, four = lines(4, 31)
    one, four = ((flat @ at, flat @ z) for at, z in (one, four))
    return loop([one, two, three, four, *((mirror @ at, mirror @ z) for at, z in (three, two))])


def altmann():
    return loop(closed([(0.3, RIGHT, 0), (0, RIGHT, 0), (0.45, -RIGHT, 0)] * 2, 3))


def schatz():
    a, d = 0.2, 0.11
    middle = [(a, RIGHT, 0)] * 3
    return loop(closed([(0, RIGHT, d), *middle, (0, RIGHT, 0), (np.sqrt(3) * a, 0, -d)], 1))


def plane_linkage(joints):
    """Joints (name, base, moving, point) with parallel axes."""
    world = World()
    for name, base, moving, at in joints:
        world.joint(name, "revolute", base, moving, lifted(at), UP)
    return world.build()


def meet(P, r, Q, s, side):
    """The point at r from P and s from Q, left or right of the way."""
    w = Q - P
    along = (r**2 - s**2 + w @ w) / (2 * (w @ w))
    return P + along * w + side * np.sqrt(r**2 / (w @ w) - along**2) * np.array([-w[1], w[0]])


def focal(off=0.0):
    """Kempe and Burmester: four links from a point to the sides of a four-bar, neighbours' angles supplementary.

    Opposite partial four-bars are similar: A R P U to P T C S, B R P S to P T D U; that leaves one condition.
    """
    AR, BR, p, AU, k = 0.3, 0.35, 0.32, 0.25, 1.15
    m = k * AR / BR
    BS = np.sqrt((BR * (AR**2 + p**2 - AU**2) + AR * (BR**2 + p**2 - (k * AU) ** 2)) / (BR * m**2 + AR))
    A, B, R = np.zeros(2), np.array([AR + BR, 0.0]), np.array([AR, 0.0])
    P = R + p * np.array([-np.cos(1.3), np.sin(1.3)])
    U, S = meet(A, AU, P, m * BS, 1), meet(B, BS, P, k * AU, -1)
    D, C = U + (U - A) * m * k, S + (S - B) * k * m
    T = C + (D - C) * (k / (k + m) + off)
    sides = [("B", "ground", "BC", B), ("C", "BC", "CD", C), ("D", "CD", "DA", D), ("A", "DA", "ground", A)]
    feet = [("R", "ground", "r", R), ("S", "BC", "s", S), ("T", "CD", "t", T), ("U", "DA", "u", U)]
    return plane_linkage([*sides, *feet, *((f"P{n}", "r", n, P) for n in "stu")])


def bars(points, pairs):
    """Bars between pins; the first is ground."""
    names = {pair: "ground" if k == 0 else f"bar{k}" for k, pair in enumerate(pairs)}
    joints = []
    for k, at in enumerate(points):
        first, *others = [name for pair, name in names.items() if k in pair]
        joints += [(f"P{k}_{name}", first, name, at) for name in others]
    return plane_linkage(joints)


def dixon_one():
    """Every point of one line joined to every point of a line square to it."""
    points = [(0.3, 0.0), (-0.5, 0.0), (0.8, 0.0), (0.0, 0.4), (0.0, -0.35), (0.0, 0.9)]
    return bars(points, [(i, 3 + j) for i in range(3) for j in range(3)])


def dixon_two():
    """The corners of two rectangles with common axes of symmetry, all of one joined to all of the other."""
    points = [(sx * x, sy * y) for x, y in ((0.5, 0.3), (0.2, 0.7)) for sx in (1, -1) for sy in (1, -1)]
    return bars(points, [(i, 4 + j) for i in range(4) for j in range(4)])


def on_a_conic():
    """Six points on an ellipse: shaky, and rigid (Whiteley 1984)."""
    t = [0.1, 1.0, 2.3, 3.3, 4.0, 5.5]
    return bars([(0.5 * np.cos(x), 0.3 * np.sin(x)) for x in t], [(i, 3 + j) for i in range(3) for j in range(3)])


def hoberman():
    """A ring of six pairs of angulated scissors."""
    n, inner, outer = 6, 0.3, 0.55
    part = 2 * np.pi / n
    middle = (inner + outer) / 2 / np.cos(part / 2)
    name = ["ground", *(f"p{k}" for k in range(1, n))]
    joints = [(f"M{k}", name[k], f"q{k}", middle * around(k * part)[0][:2]) for k in range(n)]
    for k in range(n):
        out, after = around((k + 0.5) * part)[0][:2], (k + 1) % n
        joints += [(f"O{k}", f"q{k}", name[after], outer * out), (f"I{k}", name[k], f"q{after}", inner * out)]
    return plane_linkage(joints)


def sarrus_and_parallelograms(turned):
    """A table on slides carried by two four-bars in a row: parallelograms leave it two freedoms, turned ones one."""
    world = World()
    world.joint("X", "prismatic", "ground", "slide", [0, 0, 0], [1, 0, 0], UP)
    world.joint("Y", "prismatic", "slide", "table", [0, 0, 0], [0, 1, 0], UP)
    for name, base, top, at, size, tilt, crank in (
        ("p", "ground", "middle", (0.0, 0.0), 1.0, 0.0, 1.1), ("q", "middle", "table", (0.1, 0.6), 0.8, 0.4, 2.0),
    ):  # fmt: skip
        A, D = np.zeros(2), np.array([0.3, 0.0])
        B = 0.5 * np.array([np.cos(crank), np.sin(crank)])
        C = B + D
        if turned:
            u = (D - B) / np.linalg.norm(D - B)
            C = B + (2 * np.outer(u, u) - np.eye(2)) @ (C - B)
        c, s = np.cos(tilt), np.sin(tilt)
        place = [np.array(at) + size * np.array([[c, -s], [s, c]]) @ P for P in (A, D, B, C)]
        pairs = [(base, f"{name}1"), (base, f"{name}2"), (f"{name}1", top), (f"{name}2", top)]
        for letter, (below, above), P in zip("ADBC", pairs, place, strict=True):
            world.joint(f"{name}{letter}", "revolute", below, above, lifted(P), UP)
    return world.build()


def rods(below, above):
    """A plate on massless rods between balls."""
    world = World()
    for k, (A, B) in enumerate(zip(below, above, strict=True)):
        world.body(f"rod{k}", massless=True)
        world.joint(f"A{k}", "spherical", "ground", f"rod{k}", A)
        world.joint(f"B{k}", "spherical", f"rod{k}", "plate", B)
    return world.build()


def octahedron(symmetric):
    """Two opposite faces and the six edges between them; corners in pairs by a half turn, or anywhere."""
    (p, u), *_ = lines(1, 77)
    turn = Rotation.from_rotvec(np.pi * unit(u)).as_matrix()
    draw = np.random.default_rng(4)
    one = 0.4 * draw.normal(size=(3, 3))
    two = p + (one - p) @ turn.T if symmetric else draw.normal(size=(3, 3))
    edges = [(i, j) for i in range(3) for j in range(3) if i != j]
    return rods([one[i] for i, _ in edges], [two[j] for _, j in edges])


def wren():
    """Four parallel rods of one length: the plate moves on a sphere, and is shaky everywhere there."""
    feet = np.random.default_rng(1).normal(size=(4, 3)) * [0.4, 0.4, 0.0]
    return rods(feet, feet + np.array([0.1, 0.2, 0.6]))


def miura(n=3, fold=0.7):
    """A folded sheet of n x n equal parallelograms."""
    a, b, c, s, t = 0.3, 0.25, np.cos(fold), np.sin(fold), np.tan(1.0)
    H, long = a * s * np.sin(1.0), np.sqrt(1 + (c * t) ** 2)
    S, V, L = b * c * t / long, b / long, a * np.sqrt(1 - (s * np.sin(1.0)) ** 2)
    P = np.array([[[i * S, j * L + V * (i % 2), H * (j % 2)] for j in range(n + 1)] for i in range(n + 1)])
    world = World()

    def name(i, j):
        return f"p{i}{j}" if i or j else "ground"

    for i in range(n):
        for j in range(n):
            right, next_ = P[i + 1, j], P[i, j + 1]
            if i + 1 < n:
                world.joint(f"x{i}{j}", "revolute", name(i, j), name(i + 1, j), right, P[i + 1, j + 1] - right)
            if j + 1 < n:
                world.joint(f"y{i}{j}", "revolute", name(i, j), name(i, j + 1), next_, P[i + 1, j + 1] - next_)
    return world.build()


def delta(kind):
    """Three arms, three parallelograms of two rods: on balls, on universal joints, or hinged throughout (Tsai)."""
    world, tool = World(), np.array([0.03, -0.02, -0.55])
    for k in range(3):
        out, along = around(2 * np.pi * k / 3 + 0.2)
        A, C = 0.3 * out, tool + 0.1 * out
        E = A + 0.35 * (np.cos(0.3 + 0.1 * k) * out - np.sin(0.3 + 0.1 * k) * UP)
        square = across(C - E, along)
        world.joint(f"A{k}", "revolute", "ground", f"arm{k}", A, along)
        base, top = f"arm{k}", "plate"
        if kind == "hinges":
            base, top = f"up{k}", f"down{k}"
            world.joint(f"B{k}", "revolute", f"arm{k}", base, E, along)
            world.joint(f"C{k}", "revolute", top, "plate", C, along)
        for side, rod in ((0.06, f"rod{k}a"), (-0.06, f"rod{k}b")):
            world.body(rod, massless=True)
            joint, z, x = {"balls": ("spherical", along, None), "universals": ("universal", along, square),
                           "hinges": ("revolute", square, None)}[kind]  # fmt: skip
            world.joint(f"P{rod}", joint, base, rod, E + side * along, z, x)
            world.joint(f"Q{rod}", joint, top, rod, C + side * along, z, x)
    world.output("tool", "plate", tool)
    world.drive("A0", "A1", "A2")
    return world.build()


def three_upu(legs_upright):
    """Universal, prismatic, universal in the arrangement that translates; with upright legs it can tilt at once."""
    world = World()
    for k in range(3):
        out, along = around(2 * np.pi * k / 3)
        A, B = 0.3 * out, (0.3 if legs_upright else 0.17) * out + 0.6 * UP
        axis, square = unit(B - A), across(B - A, along)
        world.joint(f"A{k}", "universal", "ground", f"low{k}", A, along, square)
        world.joint(f"L{k}", "prismatic", f"low{k}", f"high{k}", A, axis)
        world.joint(f"B{k}", "universal", "plate", f"high{k}", B, along, square)
    return world.build()


# name: mechanism, freedoms, count, idle, instantaneous
TABLE = {
    "Bennett": (lambda: loop(bennett_axes(0.31, 0.7, 1.9, 1.1)), 1, -2, 0, 0),
    "Goldberg": (goldberg, 1, -1, 0, 0),
    "Myard": (myard, 1, -1, 0, 0),
    "Bricard, line-symmetric": (line_symmetric, 1, 0, 0, 0),
    "Bricard, plane-symmetric": (plane_symmetric, 1, 0, 0, 0),
    "Altmann": (altmann, 1, 0, 0, 0),
    "Schatz": (schatz, 1, 0, 0, 0),
    "six axes anywhere": (lambda: loop(lines(6, 60)), 0, 0, 0, 0),
    "focal mechanism": (focal, 1, -13, 0, 0),
    "focal mechanism, one foot off": (lambda: focal(0.05), 0, -13, 0, 0),
    "Dixon I": (dixon_one, 1, -12, 0, 0),
    "Dixon II": (dixon_two, 1, -30, 0, 0),
    "nine bars on a conic": (on_a_conic, 0, -12, 0, 1),
    "Hoberman ring": (hoberman, 1, -24, 0, 0),
    "two modes, parallelograms": (lambda: sarrus_and_parallelograms(False), 2, -8, 0, 0),
    "two modes, turned": (lambda: sarrus_and_parallelograms(True), 1, -8, 0, 0),
    "Bricard's octahedron": (lambda: octahedron(True), 7, 6, 6, 0),
    "any octahedron": (lambda: octahedron(False), 6, 6, 6, 0),
    "Wren's platform": (wren, 6, 6, 4, 1),
    "Miura's sheet": (miura, 1, -12, 0, 0),
    "Delta on balls": (lambda: delta("balls"), 9, 9, 6, 0),
    "Delta on universal joints": (lambda: delta("universals"), 3, -3, 0, 0),
    "Delta on hinges": (lambda: delta("hinges"), 3, -9, 0, 0),
    "3-UPU": (lambda: three_upu(False), 3, 3, 0, 0),
    "3-UPU, legs upright": (lambda: three_upu(True), 3, 3, 0, 2),
}


@pytest.mark.parametrize("name", TABLE)
def test_freedoms(name):
    build, dof, count, idle, instantaneous = TABLE[name]
    found = cc.mobility(build())
    assert (found.dof, found.gruebler, found.idle, found.instantaneous) == (dof, count, idle, instantaneous)
    assert found.redundant == found.rows - found.rank
    # Wren's plate is shaky everywhere on its sphere, and a structure has no other pose: the rank there is what counts
    shaky = instantaneous if name in ("Wren's platform", "nine bars on a conic") else 0
    assert found.redundant == dof + shaky - count
    if instantaneous and dof == 0:
        assert found.second_order == "blocked"
