"""Random open mechanisms with every joint type, as dictionaries of the file format."""

import numpy as np

SPATIAL = ("revolute", "prismatic", "cylindrical", "universal", "spherical", "helical", "planar", "free", "fixed")
PLANAR = ("revolute", "prismatic", "planar", "free", "fixed", "point-in-slot")


def random_tree(seed: int, bodies: int = 5, planar: bool = False, kinds=None) -> dict:
    """A tree of bodies hung on earlier ones by random joints in random frames, every third one listed backwards."""
    draw = np.random.default_rng(seed)
    size = 2 if planar else 3
    names = kinds or (PLANAR if planar else SPATIAL)
    data: dict = {
        "mechanism": {"planar": planar, "gravity": draw.normal(size=size).tolist()},
        "bodies": {"ground": {"points": {f"J{k}": frame(draw, planar) for k in range(bodies)}}},
        "joints": {},
    }
    for k in range(bodies):
        points = {"base": frame(draw, planar)} | {f"J{n}": frame(draw, planar) for n in range(k + 1, bodies)}
        data["bodies"][f"b{k}"] = {
            "mass": float(draw.uniform(0.5, 2.0)),
            "com": draw.normal(size=size).tolist(),
            "inertia": float(draw.uniform(0.1, 1.0)) if planar else inertia(draw),
            "points": points,
        }
        carrier = f"b{draw.integers(k)}" if k and draw.random() < 0.8 else "ground"
        ends = [f"{carrier}.J{k}", f"b{k}.base"]
        kind = names[int(draw.integers(len(names)))]
        joint = {"type": kind, "between": ends[::-1] if k % 3 == 1 else ends}
        if kind == "helical":
            joint["lead"] = float(draw.normal())
        if kind in ("revolute", "prismatic"):
            joint["offset"] = float(draw.normal())
        data["joints"][f"j{k}"] = joint
    return data


def frame(draw, planar: bool) -> dict:
    """A point with random axes."""
    if planar:
        return {"at": draw.normal(size=2).tolist(), "x": draw.normal(size=2).tolist()}
    return {"at": draw.normal(size=3).tolist(), "z": draw.normal(size=3).tolist(), "x": draw.normal(size=3).tolist()}


def inertia(draw) -> list[float]:
    """Entries xx, yy, zz, xy, xz, yz of the tensor of a random body."""
    r = draw.normal(size=(4, 3))
    J = np.sum([np.dot(x, x) * np.eye(3) - np.outer(x, x) for x in r], axis=0)
    return [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]


def random_state(model, draw) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates (quaternions of length 1), rates and their derivatives."""
    q = draw.normal(size=model.topology.coordinates)
    for name, slot in model.topology.slots.items():
        parts = model.form(name).coordinates
        if "qw" in parts:
            at = slice(slot.coordinate + parts.index("qw"), slot.coordinate + parts.index("qw") + 4)
            q[at] /= np.linalg.norm(q[at])
    return q, draw.normal(size=model.topology.rates), draw.normal(size=model.topology.rates)
