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
    speed = a_speed(draws)
    data: dict[str, Any] = {"mechanism": {"planar": True, "gravity": gravity}, "joints": {}}
    data["bodies"] = {"ground": {"points": {}}}
    links = {"four-bar": four_bar, "slider-crank": slider_crank, "chain": chain, "six-bar": six_bar}[kind](draws, data)
    put_in_motion(draws, data, links, speed, driven=kind != "chain")
    loosen(draws, data, links)
    return data, duration(draws, speed)


def random_loose_in_space(draws: Draws) -> tuple[dict[str, Any], float]:
    """A four-bar, chain or six-bar in the x-y plane of space, or an RSSR; pins that tilt or do not, loose balls."""
    kind = draws.choose(["RSSR", "four-bar", "chain", "six-bar"])
    gravity = draws.choose([[0.0, -9.81, 0.0], [0.0, 0.0, 0.0], [3.0, -5.0, -7.0]])
    speed = a_speed(draws)
    data: dict[str, Any] = {"mechanism": {"gravity": gravity}, "joints": {}, "bodies": {"ground": {"points": {}}}}
    links = {"four-bar": four_bar, "RSSR": rssr, "chain": chain, "six-bar": six_bar}[kind](draws, data)
    for body in data["bodies"].values():
        for name, at in body["points"].items():
            body["points"][name] = [*at, 0.0] if len(at) == 2 else at
        if "com" in body:
            body["com"] = [*body["com"], draws.choose([0.0, 0.01])]
            body["inertia"] = [draws.number(0.2, 0.9) * body["inertia"], *(2 * [body["inertia"]])]
    put_in_motion(draws, data, links, speed, driven=kind != "chain")
    loosen(draws, data, links)
    if kind == "RSSR":
        add_rssr_places(data)
    return data, duration(draws, speed)


def a_speed(draws: Draws) -> float:
    """Of a crank: 5 to 100 rad/s."""
    return float(np.exp(draws.number(np.log(5.0), np.log(100.0))))


def duration(draws: Draws, speed: float) -> float:
    """Up to a turn [s]."""
    return draws.number(0.3, 1.0) * min(0.15, 2.0 * np.pi / speed)


def put_in_motion(
    draws: Draws, data: dict[str, Any], links: dict[str, tuple[str, str, str]], speed: float, driven: bool
) -> None:
    """Joints, a motor at A or a start of it."""
    for name, (before, after, shape) in links.items():
        data["joints"][name] = {"type": shape, "between": [f"{before}.{name}", f"{after}.{name}"]}
    if driven and draws.choose([True, True, False]):
        data["actuators"] = {"motor": {"joint": "A", "motion": f"0.7 + {speed!r}*t"}}
    else:
        data["joints"]["A"] |= {"guess": 0.7, "rate": draws.choose([0.0, 0.3 * speed])}


def loosen(draws: Draws, data: dict[str, Any], links: dict[str, tuple[str, str, str]]) -> None:
    """Play in one joint behind the first, and in others now and then."""
    names = list(links)
    first = draws.choose(names[1:])
    loose = {first} | {name for name in names if draws.one_in(4)}
    for name in names:
        if name in loose:
            planar, held = "planar" in data["mechanism"], name == "A"
            data["joints"][name]["clearance"] = clearance(draws, links[name][2], planar, held)


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


def rssr(draws: Draws, data: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    """A crank and a rocker about skew axes with a rod on two balls, which turns fully."""
    crank, rod, rocker = draws.number(0.04, 0.06), draws.number(0.29, 0.32), draws.number(0.17, 0.19)
    link(draws, data, "crank", A=(0.0, 0.0), B=(crank, 0.0))
    link(draws, data, "rod", B=(0.0, 0.0), C=(rod, 0.0))
    link(draws, data, "rocker", D=(0.0, 0.0), C=(rocker, 0.0))
    data["bodies"]["ground"]["points"] |= {"A": [0.0, 0.0, 0.0], "D": [0.22, 0.10, 0.08]}
    return {
        "A": ("ground", "crank", "revolute"),
        "B": ("crank", "rod", "spherical"),
        "C": ("rod", "rocker", "spherical"),
        "D": ("ground", "rocker", "revolute"),
    }


def add_rssr_places(data: dict[str, Any]) -> None:
    """The skew axis, and guesses in one assembly mode."""
    data["bodies"]["ground"]["points"]["D"] = {"at": [0.22, 0.10, 0.08], "z": [0.6, 0.8, 0], "x": [0, 0, 1]}
    data["joints"]["B"]["guess"] = [0.0, -1.06, 0.64]
    data["joints"]["C"]["guess"] = [-2.64, -0.33, -0.97]
    data["joints"]["D"]["guess"] = -0.44


def clearance(draws: Draws, shape: str, planar: bool, held: bool) -> dict[str, Any]:
    """Play of 0.02 to 1 mm with a normal law and a friction law; held: a motor needs the angle of a pin."""
    play = float(np.exp(draws.number(np.log(2e-5), np.log(1e-3))))
    turning = shape == "spherical"
    if shape == "prismatic":
        size = {"kind": "prismatic-slider", "radial": play, "length": 0.05, "height": 0.03}
    elif shape == "spherical":
        size = {"kind": "spherical-socket", "radial": play, "bore": 0.01}
    elif not planar and not held and draws.choose([True, False]):
        size = {"kind": "revolute-pin-ends", "radial": play, "bore": 0.01, "length": 0.04}
        size |= draws.choose([{}, {"axial": 3.0 * play}])
        turning = "axial" in size
    else:
        size = {"radial": play, "bore": 0.01}
    return size | normal_law(draws) | friction_law(draws, turning)


def normal_law(draws: Draws) -> dict[str, Any]:
    """A contact law with steel-like stiffness."""
    name = draws.choose(["lankarani-nikravesh", "flores", "hunt-crossley", "gonthier", "kelvin-voigt", "zhang-sharf"])
    if name == "kelvin-voigt":
        ending = draws.choose(["force", "penetration"])
        return {"normal": name, "stiffness": 1e7, "damping": draws.choose([200.0, 2000.0, 20.0]), "ending": ending}
    return {"normal": name, "stiffness": draws.choose([1e10, 1e9]), "restitution": draws.choose([0.9, 0.5, 0.7])}


def friction_law(draws: Draws, turning: bool) -> dict[str, Any]:
    """None, or a friction law of usual numbers; turning: one without states, for a slip that turns."""
    laws = [
        {},
        {"friction": "coulomb", "mu": 0.1, "vr": 1e-2},
        {"friction": "ambrosio", "mu": 0.1, "v0": 1e-3, "v1": 1e-2},
        {"friction": "brown-mcphee", "mu": 0.08, "mu_s": 0.12, "vt": 1e-2},
        {"friction": "threlfall", "mu": 0.15, "vr": 1e-2},
        {"friction": "lugre", "mu": 0.1, "mu_s": 0.15, "vs": 1e-2, "sigma0": 1e5, "sigma1": 300.0, "sigma2": 0.4},
    ]
    return draws.choose(laws[:-1] if turning else laws)
