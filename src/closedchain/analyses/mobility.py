"""Mobility: how many freedoms a mechanism has, which constraints are redundant, and which freedoms are idle."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from closedchain.algorithms.chain import place
from closedchain.analyses.assembly import assemble
from closedchain.analyses.determinacy import idle_motions
from closedchain.analyses.pose import Pose
from closedchain.analyses.second_order import quadratic_forms, verdict
from closedchain.analyses.self_stress import Redundancy, redundancies
from closedchain.analyses.tangent import Configurations, Tangent, split
from closedchain.analyses.twists import body_twists
from closedchain.description import Mechanism
from closedchain.exceptions import AssemblyError, MechanismError
from closedchain.language import plural, tr
from closedchain.model import Model, compile

MOVES = 1e-6
CLOSED = 1e-8
TRIED = 4


@dataclass(frozen=True)
class IdleMotion:
    """Idle freedoms that belong together: how many, the bodies and the joints that move in them."""

    count: int
    bodies: tuple[str, ...]
    joints: tuple[str, ...]


@dataclass(frozen=True)
class Mobility:
    """Freedoms of a mechanism; `str()` explains them.

    dof: freedoms of finite motion, idle ones included. gruebler: what counting says, body coordinates - rows.
    rows: constraint rows of all joints (6 - freedoms each, planar 3 - freedoms) and couplings.
    rank: independent rows at generic assembled poses near by; rank_at_pose: at the pose itself. redundant: rows - rank.
    idle: independent freedoms that move no output, no driven joint and no mass centre; idle_joints: joints that move in
    them; idle_motions: which bodies and joints move together.
    loops: independent loops. bodies: moving bodies. instantaneous: freedoms of the pose to first order that are no
    finite motion. redundancies: which joints share redundant rows, group by group. second_order: what the second-order
    test says of the pose's freedoms: "free", "cone" or "blocked".
    """

    dof: int
    gruebler: int
    rows: int
    rank: int
    redundant: int
    idle: int
    idle_joints: tuple[str, ...]
    idle_motions: tuple[IdleMotion, ...]
    loops: int
    bodies: int
    planar: bool
    rank_at_pose: int
    instantaneous: int
    redundancies: tuple[Redundancy, ...]
    second_order: str

    def __str__(self) -> str:
        return "\n".join(sentences(self))


def mobility(mechanism: Mechanism | Model, pose: Pose | None = None) -> Mobility:
    """Count the freedoms of a mechanism by rank, at an assembled pose and at poses near by that its freedoms lead to.

    mechanism: the mechanism. pose: where to look; assembled from the file's guesses by default.

    The rank is that of the loop equations, lengths as fractions of the mechanism's size. A freedom that the equations
    admit to first order only is told from a finite one by its second-order coefficients and by following it for a
    finite step.

    Raises AssemblyError where the mechanism does not assemble or the pose is not closed; MechanismError for a pose of
    another mechanism.

    >>> import closedchain as cc
    >>> bar = {"points": {"P": [0, 0], "Q": [1, 0]}}
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {"points": {"A": [0, 0], "D": [2, 0]}}, "crank": bar, "coupler": bar, "rocker": bar},
    ...     "joints": {
    ...         "A": {"type": "revolute", "between": ["ground.A", "crank.P"], "guess": 1.0},
    ...         "B": {"type": "revolute", "between": ["crank.Q", "coupler.P"]},
    ...         "C": {"type": "revolute", "between": ["coupler.Q", "rocker.Q"]},
    ...         "D": {"type": "revolute", "between": ["ground.D", "rocker.P"], "guess": 2.0},
    ...     },
    ... })
    >>> found = cc.mobility(m)
    >>> found.dof, found.gruebler, found.redundant, found.idle, found.loops
    (1, 1, 0, 0, 1)
    """
    model = compile(mechanism)
    pose = assemble(model) if pose is None else pose
    configurations = Configurations(model)
    here = tangent_at(configurations, pose)
    generic, dof, movable = finite_freedoms(configurations, here)
    coordinates, rows = model.counted
    rank = coordinates - generic.freedoms
    idle = idle_freedoms(configurations, generic, movable)
    instantaneous = here.freedoms - dof
    needs_forms = instantaneous > 0 and here.left.shape[1] > 0
    return Mobility(
        dof=dof,
        gruebler=coordinates - rows,
        rows=rows,
        rank=rank,
        redundant=rows - rank,
        idle=sum(motion.count for motion in idle),
        idle_joints=tuple(name for name in model.mechanism.joints if any(name in motion.joints for motion in idle)),
        idle_motions=idle,
        loops=model.topology.loops,
        bodies=len(model.topology.link_of) - 1,
        planar=model.mechanism.planar,
        rank_at_pose=coordinates - here.freedoms,
        instantaneous=instantaneous,
        redundancies=redundancies(configurations, generic),
        second_order=verdict(quadratic_forms(configurations, here)) if needs_forms else "free",
    )


def tangent_at(configurations: Configurations, pose: Pose) -> Tangent:
    """First-order freedoms at a pose; raises where the pose is not one of this mechanism."""
    model = configurations.model
    if set(pose.coordinates) != set(model.coordinates):
        raise MechanismError("the pose belongs to another mechanism; assemble this one.")
    q = pose.tree(model)
    if len(configurations.true_rows):
        rows, _ = configurations.problem.rows(q[None])
        gap = float(np.abs(rows).max(initial=0.0))
        if gap > CLOSED:
            raise AssemblyError(
                f"the pose leaves the loops open by {gap:.1e} of the mechanism's size; use a pose that `assemble` "
                "returns for this mechanism."
            )
    return configurations.tangents(q[None])[0]


def finite_freedoms(configurations: Configurations, here: Tangent) -> tuple[Tangent, int, np.ndarray]:
    """The generic configuration near by, the number of finite freedoms, and their directions there (nv, dof).

    Without dependent rows the configurations are a smooth surface and its dimension is that of the null space. With
    dependent rows, the freedoms are followed to neighbours, and from there once more: where several surfaces meet, the
    largest counts.
    """
    if here.freedoms == 0 or here.left.shape[1] == 0:
        return here, here.freedoms, here.N
    neighbours = configurations.neighbours(here)
    if not neighbours:
        return here, 0, here.N[:, :0]
    neighbours.sort(key=lambda tangent: tangent.freedoms)
    least = neighbours[0].freedoms
    tried = [tangent for tangent in neighbours if tangent.freedoms == least][:TRIED]
    tried += [tangent for tangent in neighbours if tangent.freedoms > least][-TRIED:]
    best: tuple[Tangent, int, np.ndarray] | None = None
    for tangent in tried:
        movable = configurations.movable(tangent)
        if best is None or movable.shape[1] > best[1]:
            best = (tangent, movable.shape[1], movable)
    assert best is not None
    return best


def idle_freedoms(configurations: Configurations, here: Tangent, movable: np.ndarray) -> tuple[IdleMotion, ...]:
    """Idle freedoms, those of bodies that move independently apart."""
    model = configurations.model
    driven = frozenset(model.tree_rates[actuator.joint.text] for actuator in model.mechanism.actuators.values())
    rates = configurations.unit[:, None] * here.N
    still = here.N @ idle_motions(model, here.q, np.arange(len(configurations.unit)), rates, driven)
    # first-order freedoms are exact, those that were followed a finite step are known to the square of the step
    _, s, Vt = np.linalg.svd(np.vstack([movable.T @ still, np.zeros((1, still.shape[1]))]))
    idle = still @ Vt[: int(np.sum(s > 0.9))].T
    if idle.shape[1] == 0:
        return ()
    placed = place(model.tree(), here.q.tolist())
    twists = {body: T @ idle for body, T in body_twists(model, placed, configurations.unit).items()}
    joints = {
        name: twists[joint.moving.body] - twists[joint.base.body] for name, joint in model.mechanism.joints.items()
    }
    found = []
    moving = {("body", name): T for name, T in twists.items()} | {("joint", name): T for name, T in joints.items()}
    for group in together(moving):
        seen = np.vstack([joints[name] for kind, name in group if kind == "joint"])
        count = int(np.linalg.matrix_rank(seen, MOVES))
        names = [tuple(name for sort, name in group if sort == kind) for kind in ("body", "joint")]
        found.append(IdleMotion(count, *names))
    return tuple(found)


def together(maps: dict[tuple[str, str], np.ndarray]) -> list[list[tuple[str, str]]]:
    """Names whose maps of the idle freedoms (6, k) share a freedom, in groups; names that do not move are left out."""
    group = {name: [name] for name, T in maps.items() if np.abs(T).max() > MOVES}
    for a in list(group):
        for b in list(group):
            if group[a] is not group[b] and np.abs(maps[a] @ maps[b].T).max() > MOVES:
                joined = group[a] + group[b]
                for name in joined:
                    group[name] = joined
    return list({id(names): names for names in group.values()}.values())


def sentences(found: Mobility) -> Iterable[str]:
    """The explanation, line by line, in the reader's language."""
    freedoms = plural(found.dof, "{n} freedom", "{n} freedoms", "no freedom")
    loops = plural(found.loops, "{n} independent loop", "{n} independent loops", "no closed loop")
    if found.idle:
        yield tr("{freedoms}, {idle} of them idle; {loops}.", freedoms=freedoms, idle=found.idle, loops=loops)
    else:
        yield tr("{freedoms}; {loops}.", freedoms=freedoms, loops=loops)
    if not found.bodies:
        return
    yield tr(
        "Counting (Grübler) gives {gruebler}: {bodies} with {per_body} coordinates each, less {rows}.",
        gruebler=found.gruebler,
        bodies=plural(found.bodies, "{n} moving body", "{n} moving bodies"),
        per_body=3 if found.planar else 6,
        rows=plural(found.rows, "{n} constraint row", "{n} constraint rows", "no constraint row"),
    )
    if found.redundant:
        rows = plural(found.redundant, "{n} of these rows is redundant", "{n} of these rows are redundant")
        yield tr(
            "{rows} (rank {rank}): the mechanism is overconstrained, and small errors of its dimensions strain it.",
            rows=rows,
            rank=found.rank,
        )
        for group in found.redundancies:
            shared = plural(group.count, "{n} redundant row", "{n} redundant rows")
            yield "  " + tr("{rows} shared by {joints}.", rows=shared, joints=listed(group.members))
    if found.idle:
        yield tr("Idle freedoms move no output, no driven joint and no mass centre:")
        for motion in found.idle_motions:
            names = {"bodies": listed(motion.bodies), "joints": listed(motion.joints)}
            one = len(motion.bodies) == 1
            text = tr("{bodies} moves in {joints}", **names) if one else tr("{bodies} move in {joints}", **names)
            several = tr(" ({n} freedoms)", n=motion.count) if motion.count > 1 else ""
            yield f"  {text}{several}" + tr(".")
    if found.instantaneous:
        yield special_pose(found)
    if found.dof == 0 and found.bodies:
        yield tr("Nothing can move: it is a structure.")


def special_pose(found: Mobility) -> str:
    """What is special about a pose with more freedoms than finite ones."""
    head = tr(
        "At this pose the equations admit {more} to first order (rank {rank})",
        more=plural(found.instantaneous, "{n} more freedom", "{n} more freedoms"),
        rank=found.rank_at_pose,
    )
    if found.second_order == "blocked":
        return head + tr(
            "; to second order every such motion is blocked: the mechanism is shaky here but does not move."
        )
    if found.rank_at_pose == found.rank:
        return head + tr(", as at all poses near by; a finite step along it comes back: it is instantaneous only.")
    if found.second_order == "cone":
        return head + tr("; to second order only some directions pass: branches of motion meet here.")
    return head + tr("; poses near by have rank {rank}.", rank=found.rank)


def listed(names: Iterable[str]) -> str:
    """ "A, B and C"."""
    *first, last = names
    return tr("{first} and {last}", first=", ".join(first), last=last) if first else last


__all__ = ["Mobility", "Redundancy", "mobility", "split"]
