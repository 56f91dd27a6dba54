"""Random mechanisms in the file format that close by construction: bodies at random poses, joints where they fit."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from counting import Count, Placed
from draws import Draws
from joint_forms import PLANAR, SPATIAL, Pose, compose, inverse, parts, transform
from writing import body_table, chain_table, joint_table

# Loops by the motions their joints share: name -> (rank of the loop, joint types), see `loop_frame`.
LOOPS = {
    "general": (
        6,
        ("revolute", "universal", "cylindrical", "spherical", "prismatic", "helical", "planar", "free", "fixed"),
    ),
    "plane": (3, ("revolute", "prismatic", "planar", "fixed")),
    "sphere": (3, ("revolute", "fixed")),
    "parallelogram": (3, ("revolute",)),
    "slides": (3, ("prismatic", "fixed")),
}
IN_PLANE = (3, ("revolute", "prismatic", "point-in-slot", "planar", "free", "fixed"))
LONGEST = 5


@dataclass
class Mechanism:
    """A mechanism under construction.

    poses: body -> pose at the reference; joints: as placed there; data: what the file says. freedoms: to first order,
    with all joints and couplings; open: what the drives leave open.
    """

    planar: bool
    poses: dict[str, Pose] = field(default_factory=lambda: {"ground": (np.eye(3), np.zeros(3))})
    joints: list[Placed] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    freedoms: int = 0
    open: int = 0


def random_mechanism(draws: Draws, planar: bool | None = None) -> Mechanism:
    """A random mechanism, planar or spatial or either: loops, branches, chains, couplings, drives, outputs."""
    m = Mechanism(draws.choose([True, False, False]) if planar is None else planar)
    m.data = {
        "mechanism": {"planar": m.planar, "gravity": (5.0 * draws.vector(m.planar))[: 2 + (not m.planar)].tolist()},
        "parameters": {"one": 1.0, "half": "one/2", "length": draws.number(0.1, 1.0)},
        "bodies": {}, "joints": {},
    }  # fmt: skip
    if not m.planar and draws.one_in(5):
        add_chain(m, draws)
    for index in range(draws.choose([1, 0, 1, 2, 1, 2])):
        add_loop(m, draws, index)
    for _ in range(draws.choose([0, 0, 1, 2])):
        add_branch(m, draws)
    if len(m.poses) == 1:
        add_branch(m, draws)
    for body in m.poses:
        points = m.data["bodies"].setdefault(body, {}).setdefault("points", {})
        points["P"] = draws.vector(m.planar)[: 2 if m.planar else 3].tolist()
        if body != "ground":
            m.data["bodies"][body] |= body_table(draws, m.planar)
    add_couplings(m, draws)
    m.data["outputs"] = {f"out{k}": {"point": f"{body}.P"} for k, body in enumerate(list(m.poses)[-2:])}
    return m


def new_body(m: Mechanism, draws: Draws) -> str:
    """A body at a random pose."""
    name = f"b{len(m.poses)}"
    m.poses[name] = draws.rotation(m.planar), draws.vector(m.planar)
    return name


def kinds_of(m: Mechanism, total: int, kinds: tuple[str, ...], draws: Draws) -> list[str]:
    """Joint types whose freedoms add up to a total."""
    freedom = {kind: len(parts(kind, m.planar)) for kind in kinds}
    chosen: list[str] = []
    left = total
    while left:
        needed = left / max(LONGEST - len(chosen), 1)
        fitting = [kind for kind in kinds if freedom[kind] <= left and (freedom[kind] + 1 >= needed)]
        fitting = [kind for kind in fitting if freedom[kind] or len(chosen) < LONGEST - 2]
        chosen.append(draws.choose(fitting or [kind for kind in kinds if freedom[kind] == 1]))
        left -= freedom[chosen[-1]]
    return chosen


def add_loop(m: Mechanism, draws: Draws, index: int) -> None:
    """Joints from a body over new bodies to a body that stood before."""
    name = "in plane" if m.planar else draws.choose(["general", *LOOPS, "general"])
    rank, kinds = IN_PLANE if m.planar else LOOPS[name]
    more = draws.choose([1, 1, 1, 2, 0] if index == 0 else [0, 0, 1, 1])
    chain = kinds_of(m, rank + more, kinds, draws) if name != "parallelogram" else ["revolute"] * 4
    bodies = list(m.poses)
    start, end = draws.choose(bodies), draws.choose(bodies)
    while len(chain) < (3 if start == end else 1) or (start == end and chain.count("fixed") > len(chain) - 3):
        chain.insert(1, kinds[0])
    path = [start, *(new_body(m, draws) for _ in chain[1:]), end]
    places = loop_frames(m, name, len(chain), draws)
    for kind, place, before, after in zip(chain, places, path[:-1], path[1:], strict=True):
        add_joint(m, draws, kind, place, before, after, common=name)


def loop_frames(m: Mechanism, name: str, count: int, draws: Draws) -> list[Pose]:
    """Frames of the joints of a loop in ground axes, so that they share the loop's motions."""
    z = draws.rotation(m.planar)[:, 2]
    centre = draws.vector(m.planar)
    frames = []
    for _ in range(count):
        if name in ("plane", "parallelogram"):
            frames.append((draws.turned_about(z), draws.vector(m.planar)))
        elif name == "sphere":
            frames.append((draws.rotation(False), centre))
        else:
            frames.append((draws.rotation(m.planar), draws.vector(m.planar)))
    if name == "parallelogram":
        p, side = frames[1][1], frames[2][1] - frames[1][1]
        corners = (frames[0][1], p, p + side, frames[0][1] + side)
        frames = [(R, corner) for (R, _), corner in zip(frames, corners)]
    return frames


def add_branch(m: Mechanism, draws: Draws) -> None:
    """A body on any joint at any body."""
    kinds = PLANAR if m.planar else SPATIAL
    kind = draws.choose([*kinds, "revolute", "prismatic"])
    before = draws.choose(list(m.poses))
    add_joint(m, draws, kind, (draws.rotation(m.planar), draws.vector(m.planar)), before, new_body(m, draws))


def add_joint(
    m: Mechanism, draws: Draws, kind: str, place: Pose, before: str, after: str, common: str = "general"
) -> None:
    """A joint at a frame in ground axes, either way round, at random coordinates.

    common: the kind of loop; in a loop of parallel axes a slide lies across them.
    """
    if common in ("plane",) and kind == "prismatic":
        R = place[0]
        place = np.column_stack([R[:, 1], R[:, 2], R[:, 0]]), place[1]
    if draws.one_in(3):
        before, after = after, before
    lead = draws.number(-0.5, 0.5) if kind == "helical" else 0.0
    shift = draws.rng.choice([0.0, 0.4])
    q = draws.rng.uniform(-1.0, 1.0, len(parts(kind, m.planar))) * shift
    moving = compose(place, transform(kind, q, m.planar, lead))
    offset = np.zeros(len(q))
    if kind not in ("spherical", "fixed") and (kind != "free" or m.planar) and draws.rng.random() < 0.3:
        offset = draws.rng.uniform(-0.5, 0.5, len(q))
    joint = Placed(f"j{len(m.joints)}", kind, before, after, place, moving, q, offset, lead)
    local = [compose(inverse(m.poses[body]), frame) for body, frame in ((before, place), (after, moving))]
    joint, table = joint_table(draws, m.planar, joint, local, m.data["bodies"], m.poses)
    m.data["joints"][joint.name] = table
    m.joints.append(joint)


def add_chain(m: Mechanism, draws: Draws) -> None:
    """A Denavit-Hartenberg chain from ground."""
    foot = draws.rotation(False), draws.vector(False)
    m.data["bodies"]["ground"] = {
        "points": {"foot": {"at": foot[1].tolist(), "z": foot[0][:, 2].tolist(), "x": foot[0][:, 0].tolist()}}
    }
    joints, poses, chain, guesses = chain_table(draws, foot)
    m.joints += joints
    m.poses |= poses
    m.data["chains"] = {"arm": chain}
    m.data["joints"] |= guesses


def add_couplings(m: Mechanism, draws: Draws) -> None:
    """Now and then a linear relation of two coordinates; counts the freedoms."""
    count = Count(m.planar, list(m.poses), m.joints)
    values = reference_values(m)
    names = [name for name in count.rate_rows if name in values]
    m.freedoms = count.null_space().shape[1]
    if m.freedoms > 1 and len(names) > 1 and draws.one_in(3):
        a, b = (names[k] for k in draws.rng.permutation(len(names))[:2])
        terms = {str(a): 1.0, str(b): draws.number(-2.0, 2.0)}
        total = sum(factor * values[name] for name, factor in terms.items())
        m.data["couplings"] = {"gear": {"sum": terms, "equals": float(total)}}
        count.rows = np.vstack([count.rows, count.rate_row(terms)])
        m.freedoms = count.null_space().shape[1]
    add_drives(m, draws, count, values)


def reference_values(m: Mechanism) -> dict[str, float]:
    """Coordinates at the reference with their offsets, by label; those of quaternions are left out."""
    found = {}
    for joint in m.joints:
        for (part, _), q, offset in zip(parts(joint.kind, m.planar), joint.q, joint.offset):
            if not part.startswith("w"):
                found[f"{joint.name}.{part}" if part else joint.name] = float(q + offset)
    return found


def add_drives(m: Mechanism, draws: Draws, count: Count, values: dict[str, float]) -> None:
    """Motions of joints, of points where joints cannot be driven, until nothing is left open."""
    N = count.null_space()
    actuators: dict[str, Any] = {}
    motions: dict[str, Any] = {}

    def independent(rows: np.ndarray) -> bool:
        nonlocal N
        s = np.linalg.svd(rows @ N, compute_uv=False)
        if len(rows) > N.shape[1] or s[-1] < 0.05 * np.linalg.norm(rows, axis=1).max():
            return False
        N = N @ np.linalg.svd(rows @ N)[2][len(rows) :].T
        return True

    def drive_joints() -> None:
        for name in draws.rng.permutation(sorted(values)):
            if N.shape[1] and independent(count.rate_row({str(name): 1.0})):
                actuators[f"m{len(actuators)}"] = {"joint": str(name), "motion": motion_text(draws, values[str(name)])}

    def drive_points() -> None:
        for body in list(m.poses)[:0:-1]:
            if not N.shape[1]:
                return
            table = point_motion(m, draws, count, body, independent)
            if len(table) > 1:
                motions[f"move_{body.replace('.', '_')}"] = table

    if draws.one_in(4):
        drive_points()
        drive_joints()
    else:
        drive_joints()
        drive_points()
    m.open = N.shape[1]
    m.data["actuators"], m.data["motions"] = actuators, motions


def point_motion(m: Mechanism, draws: Draws, count: Count, body: str, independent) -> dict[str, Any]:
    """A motion of a body's point by those components that are still open."""
    R, p = m.poses[body]
    at = np.array([*m.data["bodies"][body]["points"]["P"], 0.0])[:3]
    P = p + R @ at
    T = count.twist(body, P)[:, count.keep]
    table: dict[str, Any] = {"of": f"{body}.P"}
    if m.planar:
        angle = float(np.arctan2(R[1, 0], R[0, 0]))
        if independent(T[2:3]):
            table["angle"] = motion_text(draws, angle)
    elif abs(R[2, 0]) < 0.95 and independent(T[:3]):
        pitch = -np.arcsin(R[2, 0])
        angles = (np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0]))
        table["rotation"] = [motion_text(draws, float(angle)) for angle in angles]
    for k, axis in enumerate("xy" if m.planar else "xyz"):
        if independent(T[3 + k : 4 + k]):
            table[axis] = motion_text(draws, float(P[k]))
    return table


def motion_text(draws: Draws, value: float) -> str:
    """A smooth function of t that starts at a value and moves little."""
    a, w = draws.number(0.02, 0.1) * float(draws.rng.choice([-1.0, 1.0])), draws.number(1.0, 3.0)
    forms = (
        f"{value!r} + {a!r}*sin({w!r}*t)",
        f"{value!r} + {a!r}*t + {a!r}*half*t**2",
        f"{value!r} + {a!r}*(exp({w!r}*t) - one)",
        f"{value!r} + {2 * a!r}*(one - cos({w!r}*t))",
        f"cycloid(t, -1, 2, {value - a / 2!r} + {a / 2 - a * CYCLOID!r}, {value + a / 2!r} + {a / 2 - a * CYCLOID!r})",
    )
    return forms[draws.rng.integers(len(forms))]


# Share of a cycloid's stroke done after a third of its time.
CYCLOID = 1.0 / 3.0 - float(np.sin(2.0 * np.pi / 3.0)) / (2.0 * np.pi)
