"""Random closed mechanisms as dictionaries of the file format: bodies at random poses, joints wherever they like.

At the start every joint's two frames coincide, so all coordinates are zero and the loops are closed by construction.
"""

import itertools

import numpy as np

FREEDOMS = {"revolute": 1, "prismatic": 1, "cylindrical": 2, "universal": 2, "spherical": 3, "planar": 3, "helical": 1}
PLANAR = {"revolute": 1, "prismatic": 1, "point-in-slot": 2}


def rotation(draw, planar: bool) -> np.ndarray:
    """A random rotation matrix; about z in the plane."""
    if planar:
        a = draw.uniform(-np.pi, np.pi)
        return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1.0]])
    Q, R = np.linalg.qr(draw.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q if np.linalg.det(Q) > 0 else -Q


def chain_kinds(draw, kinds: dict[str, int], total: int) -> list[str]:
    """Joint types whose freedoms add up to a total, at least two of them."""
    chosen: list[str] = []
    while sum(kinds[kind] for kind in chosen) < total:
        left = total - sum(kinds[kind] for kind in chosen)
        fitting = [kind for kind in kinds if kinds[kind] <= left]
        chosen.append(fitting[int(draw.integers(len(fitting)))])
    return chosen if len(chosen) > 1 else chain_kinds(draw, kinds, total)


def random_loop(seed: int, planar: bool = False, loops: int = 1, freedoms: int = 1, redundant: int = 0) -> dict:
    """A mechanism with that many loops and freedoms; `freedoms` actuators drive it, `redundant` more have no motion.

    The first loop has all freedoms, the others hang between one of its bodies and ground and leave them as they are.
    """
    draw = np.random.default_rng(seed)
    per_loop, kinds = (3, PLANAR) if planar else (6, FREEDOMS)
    chosen: list[str] = []
    ends: list[tuple[str, str]] = []
    for loop in range(loops):
        chain = chain_kinds(draw, kinds, per_loop + (0 if loop else freedoms))
        bodies_so_far = len(ends) - loop
        path = [f"b{int(draw.integers(bodies_so_far))}" if loop else "ground"]
        path += [f"b{bodies_so_far + k}" for k in range(len(chain) - 1)] + ["ground"]
        ends += itertools.pairwise(path)
        chosen += chain
    size = 2 if planar else 3
    poses = {"ground": (np.eye(3), np.zeros(3))}
    for k in range(len(ends) - loops):
        p = draw.normal(size=3) * ([1, 1, 0] if planar else [1, 1, 1])
        poses[f"b{k}"] = (rotation(draw, planar), p)
    bodies: dict = {name: {"points": {}} for name in poses}
    for name in poses:
        if name != "ground":
            bodies[name] |= {
                "mass": float(draw.uniform(0.5, 2.0)),
                "com": (0.3 * draw.normal(size=size)).tolist(),
                "inertia": float(draw.uniform(0.1, 0.5)) if planar else inertia(draw),
            }
    joints: dict = {}
    for k, (kind, pair) in enumerate(zip(chosen, ends, strict=True)):
        R, p = rotation(draw, planar), draw.normal(size=3) * ([1, 1, 0] if planar else [1, 1, 1])
        pair = pair[::-1] if draw.random() < 0.3 else pair
        for body in pair:
            Rb, pb = poses[body]
            seen = Rb.T @ R
            at = (Rb.T @ (p - pb))[:size].tolist()
            frame = {"at": at, "x": seen[:2, 0].tolist()} if planar else {
                "at": at, "z": seen[:, 2].tolist(), "x": seen[:, 0].tolist()}  # fmt: skip
            bodies[body]["points"][f"J{k}"] = frame
        joints[f"j{k}"] = {"type": kind, "between": [f"{body}.J{k}" for body in pair]}
        if kind == "helical":
            joints[f"j{k}"]["lead"] = float(draw.uniform(0.5, 1.5))
    simple = [name for name, joint in joints.items() if joint["type"] in ("revolute", "prismatic", "helical")]
    driven = list(draw.permutation(simple)[: freedoms + redundant])
    actuators = {}
    for k, name in enumerate(driven):
        actuators[f"m{k}"] = {"joint": str(name)}
        if k < freedoms:
            a, w = draw.uniform(0.1, 0.3), draw.uniform(1.0, 2.0)
            actuators[f"m{k}"]["motion"] = f"{a}*sin({w}*t)"
    return {
        "mechanism": {"planar": planar, "gravity": (3.0 * draw.normal(size=size)).tolist()},
        "bodies": bodies,
        "joints": joints,
        "actuators": actuators,
        "outputs": {"P": {"point": "b0.J0"}},
    }


def inertia(draw) -> list[float]:
    """Entries xx, yy, zz, xy, xz, yz of the tensor of a random body."""
    r = 0.3 * draw.normal(size=(4, 3))
    J = np.sum([np.dot(x, x) * np.eye(3) - np.outer(x, x) for x in r], axis=0)
    return [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
