"""Random mechanisms with loose joints in the file format: loops and trees in a plane, any laws, any speeds."""

from typing import Any

import numpy as np
from draws import Draws

# masses per length of the links [kg/m]
LINE = 4.0


def random_loose_mechanism(draws: Draws) -> tuple[dict[str, Any], float]:
    """A four-bar, slider-crank, chain or six-bar, some joints loose: what its file says, and how long to run it."""
    kind = draws.choose(["four-bar", "slider-crank", "chain", "six-bar"])
    gravity = draws.choose([[0.0, -9.81], [0.0, 0.0], [6.0, -7.7]])
    speed = float(np.exp(draws.number(np.log(5.0), np.log(100.0))))
    data: dict[str, Any] = {
        "mechanism": {"planar": True, "gravity": gravity},
        "bodies": {"ground": {"points": {}}},
        "joints": {},
    }
    links = {"four-bar": four_bar, "slider-crank": slider_crank, "chain": chain, "six-bar": six_bar}[kind](draws, data)
    for name, (before, after, shape) in links.items():
        data["joints"][name] = {"type": shape, "between": [f"{before}.{name}", f"{after}.{name}"]}
    if kind != "chain" and draws.choose([True, True, False]):
        data["actuators"] = {"motor": {"joint": "A", "motion": f"0.7 + {speed!r}*t"}}
    else:
        data["joints"]["A"] |= {"guess": 0.7, "rate": draws.choose([0.0, 0.3 * speed])}
    names = list(links)
    first = draws.choose(names[1:])
    loose = {first} | {name for name in names if draws.one_in(4)}
    for name in names:
        if name in loose:
            data["joints"][name]["clearance"] = clearance(draws, links[name][2])
    return data, draws.number(0.3, 1.0) * min(0.15, 2.0 * np.pi / speed)


def link(draws: Draws, data: dict[str, Any], name: str, **points: tuple[float, float]) -> None:
    """A body with points in its own axes, its mass that of a rod through the first two."""
    at = np.array(list(points.values()))
    length = float(np.linalg.norm(at[1] - at[0])) if len(at) > 1 else 0.1
    mass = LINE * length * draws.number(0.5, 2.0)
    centre = at.mean(axis=0) + np.array([0.0, draws.choose([0.0, 0.2]) * length])
    data["bodies"][name] = {
        "mass": mass,
        "com": centre.tolist(),
        "inertia": mass * length**2 / 9.0,
        "points": {key: list(map(float, each)) for key, each in points.items()},
    }


def four_bar(draws: Draws, data: dict[str, Any], ends: str = "ABCD") -> dict[str, tuple[str, str, str]]:
    """A crank-rocker: the crank turns fully (Grashof)."""
    a, b, c, d = ends
    crank, coupler, rocker = draws.number(0.05, 0.12), draws.number(0.3, 0.4), draws.number(0.25, 0.35)
    data["bodies"]["ground"]["points"] |= {a: [0.0, 0.0], d: [draws.number(0.3, 0.38), draws.number(-0.05, 0.05)]}
    link(draws, data, "crank", **{a: (0.0, 0.0), b: (crank, 0.0)})
    link(draws, data, "coupler", **{b: (0.0, 0.0), c: (coupler, 0.0), "E": (0.5 * coupler, 0.1)})
    link(draws, data, "rocker", **{d: (0.0, 0.0), c: (rocker, 0.0)})
    return {
        a: ("ground", "crank", "revolute"),
        b: ("crank", "coupler", "revolute"),
        c: ("coupler", "rocker", "revolute"),
        d: ("ground", "rocker", "revolute"),
    }


def slider_crank(draws: Draws, data: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    """A slider-crank whose slide runs along x."""
    crank, rod = draws.number(0.04, 0.1), draws.number(0.2, 0.3)
    data["bodies"]["ground"]["points"] |= {"A": [0.0, 0.0], "S": [0.0, draws.choose([0.0, 0.02])]}
    link(draws, data, "crank", A=(0.0, 0.0), B=(crank, 0.0))
    link(draws, data, "rod", B=(0.0, 0.0), C=(rod, 0.0))
    link(draws, data, "slider", C=(0.0, 0.0), S=(0.0, 0.0))
    data["bodies"]["slider"] |= {"mass": draws.number(0.1, 1.0), "inertia": 1e-3, "com": [0.0, 0.0]}
    return {
        "A": ("ground", "crank", "revolute"),
        "B": ("crank", "rod", "revolute"),
        "C": ("rod", "slider", "revolute"),
        "S": ("ground", "slider", "prismatic"),
    }


def chain(draws: Draws, data: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    """An open chain of two or three links."""
    data["bodies"]["ground"]["points"] |= {"A": [0.0, 0.0]}
    joints, before = {}, "ground"
    for here, there in ("AB", "BC", "CD")[: draws.choose([2, 3])]:
        name = f"link{here}"
        link(draws, data, name, **{here: (0.0, 0.0), there: (draws.number(0.1, 0.4), 0.0)})
        joints[here] = (before, name, "revolute")
        before = name
    return joints


def six_bar(draws: Draws, data: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    """A four-bar whose coupler point moves a dyad."""
    joints = four_bar(draws, data)
    data["bodies"]["ground"]["points"]["G"] = [draws.number(-0.1, 0.3), draws.number(0.45, 0.5)]
    link(draws, data, "arm", E=(0.0, 0.0), F=(0.3, 0.0))
    link(draws, data, "swing", G=(0.0, 0.0), F=(0.35, 0.0))
    return joints | {
        "E": ("coupler", "arm", "revolute"),
        "F": ("arm", "swing", "revolute"),
        "G": ("ground", "swing", "revolute"),
    }


def clearance(draws: Draws, shape: str) -> dict[str, Any]:
    """Play of 0.02 to 1 mm with a normal law and a friction law."""
    play = float(np.exp(draws.number(np.log(2e-5), np.log(1e-3))))
    size = (
        {"kind": "prismatic-slider", "radial": play, "length": 0.05, "height": 0.03}
        if shape == "prismatic"
        else {"radial": play, "bore": 0.01}
    )
    return size | normal_law(draws) | friction_law(draws)


def normal_law(draws: Draws) -> dict[str, Any]:
    """A contact law with steel-like stiffness."""
    name = draws.choose(["lankarani-nikravesh", "flores", "hunt-crossley", "gonthier", "kelvin-voigt", "zhang-sharf"])
    if name == "kelvin-voigt":
        ending = draws.choose(["force", "penetration"])
        return {"normal": name, "stiffness": 1e7, "damping": draws.choose([200.0, 2000.0, 20.0]), "ending": ending}
    return {"normal": name, "stiffness": draws.choose([1e10, 1e9]), "restitution": draws.choose([0.9, 0.5, 0.7])}


def friction_law(draws: Draws) -> dict[str, Any]:
    """None, or a friction law of usual numbers."""
    return draws.choose([
        {},
        {"friction": "coulomb", "mu": 0.1, "vr": 1e-2},
        {"friction": "ambrosio", "mu": 0.1, "v0": 1e-3, "v1": 1e-2},
        {"friction": "brown-mcphee", "mu": 0.08, "mu_s": 0.12, "vt": 1e-2},
        {"friction": "threlfall", "mu": 0.15, "vr": 1e-2},
        {"friction": "lugre", "mu": 0.1, "mu_s": 0.15, "vs": 1e-2, "sigma0": 1e5, "sigma1": 300.0, "sigma2": 0.4},
    ])  # fmt: skip
