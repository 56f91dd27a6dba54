"""Parallel mechanisms of many kinds in one assembled configuration, turned in space."""

import numpy as np
from assembled_world import World, across, around, unit

UP = np.array([0.0, 0.0, 1.0])


def ring(count, radius, height=0.0, start=0.0, uneven=0.0):
    """Points of a circle, every other one shifted along it."""
    angles = 2 * np.pi * (np.arange(count) + uneven * (np.arange(count) % 2)) / count + start
    return [radius * around(angle)[0] + height * UP for angle in angles]


def feet(count):
    """Pairs of points of ground and platform, no two limbs alike."""
    draw = np.random.default_rng(count)
    below, above = ring(count, 0.5, uneven=-0.25), ring(count, 0.3, 0.5, start=0.5, uneven=0.3)
    return [(A + 0.06 * draw.normal(size=3), B + 0.05 * draw.normal(size=3)) for A, B in zip(below, above, strict=True)]


def cross_axis(A):
    return across(np.array([0.1, 0.2, 1.0]), A)


def legs(count):
    """Universal, driven prismatic, spherical; more of them than freedoms where count is above six."""
    world = World()
    for k, (A, B) in enumerate(feet(count)):
        z, v = cross_axis(A), unit(B - A)
        world.joint(f"U{k}", "universal", "ground", f"low{k}", A, z, across(v, z))
        world.joint(f"P{k}", "prismatic", f"low{k}", f"high{k}", A, v)
        world.joint(f"S{k}", "spherical", f"high{k}", "plate", B)
        world.drive(f"P{k}")
    return world


def cylinders():
    """Universal, cylindrical with driven length, universal."""
    world, top = World(), unit([0.3, 1.0, 0.2])
    for k, (A, B) in enumerate(feet(6)):
        z, v = cross_axis(A), unit(B - A)
        world.joint(f"U{k}", "universal", "ground", f"low{k}", A, z, across(v, z))
        world.joint(f"C{k}", "cylindrical", f"low{k}", f"high{k}", A, v)
        world.joint(f"V{k}", "universal", "plate", f"high{k}", B, top, across(v, top))
        world.drive(f"C{k}.length")
    return world


def telescopes():
    """Legs of two stages, the second 1.5 times as far as the first, driven by a screw with a belt."""
    world = World()
    for k, (A, B) in enumerate(feet(6)):
        z, v = cross_axis(A), unit(B - A)
        world.joint(f"U{k}", "universal", "ground", f"low{k}", A, z, across(v, z))
        world.joint(f"P{k}", "prismatic", f"low{k}", f"middle{k}", A, v)
        world.joint(f"Q{k}", "prismatic", f"middle{k}", f"high{k}", B, v)
        world.joint(f"H{k}", "helical", f"low{k}", f"nut{k}", A, v, lead=0.01)
        world.joint(f"S{k}", "spherical", f"high{k}", "plate", B)
        world.couplings[f"stages{k}"] = {"sum": {f"P{k}": 1.5, f"Q{k}": -1}, "equals": 0}
        world.couplings[f"belt{k}"] = {"sum": {f"P{k}": 1, f"H{k}": -0.02}, "equals": 0}
        world.drive(f"H{k}")
    return world


def cranks_in_the_legs():
    """Legs whose length a slider-crank within the leg makes: a closed loop in every limb."""
    world = World()
    for k, (A, B) in enumerate(feet(6)):
        z, v = cross_axis(A), unit(B - A)
        n = across(np.array([0.2, 0.3, 0.5]), v)
        t = np.cross(n, v)
        D = A + 0.1 * v + 0.02 * t
        world.joint(f"U{k}", "universal", "ground", f"low{k}", A, z, across(v, z))
        world.joint(f"P{k}", "prismatic", f"low{k}", f"high{k}", A, v)
        world.joint(f"S{k}", "spherical", f"high{k}", "plate", B)
        world.joint(f"D{k}", "revolute", f"low{k}", f"crank{k}", D, n)
        world.joint(f"E{k}", "revolute", f"crank{k}", f"rod{k}", D + 0.05 * v + 0.06 * t, n)
        world.joint(f"F{k}", "revolute", f"rod{k}", f"high{k}", A + 0.3 * v, n)
        world.drive(f"D{k}")
    return world


def sliders():
    """Inclined slides, revolutes, spherical joints: five freedoms a limb."""
    world = World()
    for k, (A, B) in enumerate(zip(ring(3, 0.5), ring(3, 0.3, 0.5), strict=True)):
        world.joint(f"P{k}", "prismatic", "ground", f"slide{k}", A, A + 5 * UP)
        world.joint(f"R{k}", "revolute", f"slide{k}", f"link{k}", A, across(A, UP))
        world.joint(f"S{k}", "spherical", f"link{k}", "plate", B)
        world.drive(f"P{k}")
    return world


def screws():
    """The same on nuts that climb screws beside a guide: a loop in every limb."""
    world = World()
    for k, (A, B) in enumerate(zip(ring(3, 0.5), ring(3, 0.3, 0.5), strict=True)):
        way = np.array([0.1, 0.2, 1.0])
        world.joint(f"H{k}", "helical", "ground", f"nut{k}", A, way, lead=0.05)
        world.joint(f"N{k}", "revolute", f"nut{k}", f"slide{k}", A, way)
        world.joint(f"G{k}", "prismatic", "ground", f"slide{k}", A, way)
        world.joint(f"R{k}", "revolute", f"slide{k}", f"link{k}", A, across(A, UP))
        world.joint(f"S{k}", "spherical", f"link{k}", "plate", B)
        world.drive(f"H{k}")
    return world


def translating_legs():
    """Universal, prismatic, universal: the plate translates."""
    world = World()
    for k, (A, B) in enumerate(zip(ring(3, 0.5), ring(3, 0.3, 0.5), strict=True)):
        z, v = across(A, UP), unit(B - A)
        world.joint(f"A{k}", "universal", "ground", f"low{k}", A, z, across(v, z))
        world.joint(f"P{k}", "prismatic", f"low{k}", f"high{k}", A, v)
        world.joint(f"B{k}", "universal", "plate", f"high{k}", B, z, across(v, z))
        world.drive(f"P{k}")
    return world


def scara(turned=True):
    """Two limbs of revolutes and a cylindrical or prismatic joint along one direction, two motors in each."""
    world = World(turned=turned)
    one, two = ([0, 0, 0], [0.3, 0.1, 0.1], [0.4, 0.5, 0.2]), ([0.8, 0.1, 0], [0.7, 0.4, 0.3], [0.55, 0.5, 0.2])
    for name, kind, base, moving, at in (
        ("A0", "revolute", "ground", "arm0", one[0]), ("B0", "revolute", "arm0", "forearm0", one[1]),
        ("Z0", "prismatic", "forearm0", "wrist0", one[2]), ("C0", "revolute", "wrist0", "plate", one[2]),
        ("A1", "cylindrical", "ground", "arm1", two[0]), ("B1", "revolute", "arm1", "forearm1", two[1]),
        ("C1", "revolute", "forearm1", "plate", two[2]),
    ):  # fmt: skip
        world.joint(name, kind, base, moving, at, UP)
    world.drive("A0", "B0", "A1.angle", "A1.length")
    return world


def plane_arms(count, motors):
    """Limbs of three parallel revolutes; motors: the driven joints, more than three are redundant."""
    world = World()
    for k, (A, B) in enumerate(zip(ring(count, 0.6), ring(count, 0.15, start=0.4), strict=True)):
        E = (A + B) / 2 + 0.2 * across(B - A, UP)
        world.joint(f"A{k}", "revolute", "ground", f"arm{k}", A, UP)
        world.joint(f"E{k}", "revolute", f"arm{k}", f"forearm{k}", E, UP)
        world.joint(f"B{k}", "revolute", f"forearm{k}", "plate", B, UP)
    world.drive(*motors)
    return world


def two_limbs_anywhere():
    """Two limbs of a revolute, a prismatic, a universal joint and a revolute in no special place: four freedoms."""
    world, draw = World(), np.random.default_rng(3)
    for k in range(2):
        names = ["ground", f"a{k}", f"b{k}", f"c{k}", "plate"]
        for j, kind in enumerate(("revolute", "prismatic", "universal", "revolute")):
            world.joint(f"L{k}{j}", kind, names[j], names[j + 1], 0.4 * draw.normal(size=3), draw.normal(size=3))
    world.drive("L00", "L01", "L10", "L11")
    return world


# name: mechanism, platform's freedoms, whether its limbs are simple chains
PLATFORMS = {
    "6-UPS": (lambda: legs(6), 6, True),
    "7-UPS": (lambda: legs(7), 6, True),
    "6-UCU": (cylinders, 6, True),
    "telescopes": (telescopes, 6, True),
    "cranks in the legs": (cranks_in_the_legs, 6, False),
    "3-PRS": (sliders, 3, True),
    "3-PRS on screws": (screws, 3, False),
    "3-UPU": (translating_legs, 3, True),
    "two SCARA limbs": (scara, 4, True),
    "4-RRR": (lambda: plane_arms(4, ("A0", "A1", "A2", "A3")), 3, True),
    "2-RRR, two motors in a limb": (lambda: plane_arms(2, ("A0", "E0", "A1")), 3, True),
    "two limbs anywhere": (two_limbs_anywhere, 4, True),
}
