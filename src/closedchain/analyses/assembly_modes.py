"""Assembly modes: all poses in which a mechanism closes with given coordinates, found by many random starts."""

from dataclasses import dataclass, field

import numpy as np

from closedchain.algorithms.chain import place
from closedchain.analyses.assembly import Values, aim_of, flat_values, hold, known_joint
from closedchain.analyses.closing import Aim, allowed, far, polish, wrapped
from closedchain.analyses.determinacy import idle_motions
from closedchain.analyses.mode_signature import Signature
from closedchain.analyses.mode_valleys import valley_modes
from closedchain.analyses.pose import Pose, read_pose
from closedchain.analyses.position import SOLVED, PositionProblem
from closedchain.analyses.tangent import RANK, difference
from closedchain.analyses.twists import body_twists
from closedchain.description import Mechanism
from closedchain.elements.joints import Ball, Translation
from closedchain.exceptions import MechanismError
from closedchain.model import Drive, Model, compile

BATCH = 256
MOST = 40_000
FEWEST = 4 * BATCH
SAME = 1e-6
OFTEN = 3
MOST_STEPS = 80
LEAD = 0.02


def assembly_modes(
    mechanism: Mechanism | Model, values: Values | None = None, *, starts: int | None = None
) -> list[Pose]:
    """All assembled poses found with the given coordinates held, nearest to the file's guesses first.

    mechanism: what to assemble. values: joint or "joint.coordinate" -> value [rad, m]; they must leave no freedom open
    (idle ones excepted). starts: number of random starts; by default the search goes on until it is saturated.

    Poses are told apart by where bodies stand; turns of angles and half turns of struts about themselves make no
    difference. Limits are respected. The search is seeded: the same question has the same answer. Starts are drawn all
    over; where a mode is nearly singular, the valley through it is traced for others that starts seldom reach. The
    search ends when every mode was found OFTEN times and the second half of all finds brought nothing new: the chance
    that one more find were new is about the share of modes found once (Good 1953), then zero. A mode that attracts very
    few starts may still be missed; give `starts` to search longer.

    The result is empty where no pose closes. Raises MechanismError when the values leave freedoms open, and says how
    many more are needed.

    >>> import closedchain as cc
    >>> crank = {"points": {"A": [0, 0], "B": [0.1, 0]}}
    >>> rod = {"points": {"B": [0, 0], "C": [0.3, 0]}}
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {}, "crank": crank, "rod": rod, "slider": {}},
    ...     "joints": {
    ...         "A": {"type": "revolute", "between": ["ground.origin", "crank.A"]},
    ...         "B": {"type": "revolute", "between": ["crank.B", "rod.B"]},
    ...         "C": {"type": "revolute", "between": ["rod.C", "slider.origin"]},
    ...         "S": {"type": "prismatic", "between": ["ground.origin", "slider.origin"], "guess": 0.4},
    ...     },
    ... })
    >>> [round(pose["S"], 12) for pose in cc.assembly_modes(m, {"A": 0.0})]
    [0.4, -0.2]
    """
    base = compile(mechanism)
    given = flat_values(base, values or {})
    joints = {known_joint(base.mechanism, name) for name in given}
    model = compile(base, keep=[*base.topology.slots, *joints]) if joints - set(base.topology.slots) else base
    aim = aim_of(model, None)
    held = hold(model, aim.start, given)
    problem = PositionProblem(model, Drive(), np.array([]), held)
    found = search(problem, aim, starts)
    if not len(found):
        return []
    order = np.lexsort((*np.round(found.T[::-1], 9), np.round(far(problem, found, aim), 9)))
    near = {name: 0.5 * (low + high) for name, (low, high) in aim.limits.items()} | dict(aim.opened)
    return [read_pose(model, found[k].tolist(), near) for k in order]


@dataclass
class Tally:
    """Modes found so far: configurations, signatures, hits of each; finds in all, and since the last new mode."""

    q: list[np.ndarray] = field(default_factory=list)
    signatures: list[np.ndarray] = field(default_factory=list)
    hits: list[int] = field(default_factory=list)
    finds: int = 0
    quiet: int = 0

    def saturated(self) -> bool:
        """Whether the search may stop."""
        return bool(self.hits) and min(self.hits) >= OFTEN and self.quiet >= max(FEWEST // 4, self.finds // 2)

    def known(self, signatures: np.ndarray) -> np.ndarray:
        """Index of the mode with the same signature, -1 where there is none, shape (N,)."""
        if not self.signatures or not len(signatures):
            return np.full(len(signatures), -1)
        gaps = np.array([np.abs(signatures - mode).max(axis=1, initial=0.0) for mode in self.signatures])
        best = gaps.argmin(axis=0)
        return np.where(gaps[best, range(len(signatures))] < SAME, best, -1)

    def note(self, mode: int) -> None:
        """Count a hit of a known mode."""
        self.hits[mode] += 1
        self.finds += 1
        self.quiet += 1

    def add(self, q: np.ndarray, signature: np.ndarray) -> None:
        """Count the first hit of a new mode."""
        self.q.append(q)
        self.signatures.append(signature)
        self.hits.append(1)
        self.finds += 1
        self.quiet = 0


def search(problem: PositionProblem, aim: Aim, starts: int | None) -> np.ndarray:
    """One configuration per mode, shape (modes, nq)."""
    if not len(problem.free):
        alone = aim.start[None]
        return alone[(problem.solve(alone).residual < SOLVED) & allowed(problem, alone, aim)]
    tally = Tally()
    signature: Signature | None = None
    draw = np.random.default_rng(20)
    tried = idle = 0
    while tried < (MOST if starts is None else starts):
        count = BATCH if starts is None else min(BATCH, starts - tried)
        q = random_starts(problem, aim, draw, count)
        if tried == 0:
            q[0] = aim.start
        tried += count
        solutions = problem.solve(q, most=MOST_STEPS)
        q = wrapped(problem, solutions.q[solutions.residual < SOLVED], aim)
        q = q[allowed(problem, q, aim)]
        if len(q):
            if signature is None:
                idle, moving = idle_freedoms(problem, q[:8])
                signature = Signature(problem.model, moving)
            known = len(tally.q)
            sort_in(problem, q, signature, tally)
            while len(tally.q) > known:
                fresh, known = np.array(tally.q[known:]), len(tally.q)
                q = wrapped(problem, valley_modes(problem, fresh, idle), aim)
                sort_in(problem, q[allowed(problem, q, aim)], signature, tally)
        if starts is None and tried >= FEWEST and (tally.saturated() or (not tally.hits and tried >= 2 * FEWEST)):
            break
    return np.array(tally.q)


def sort_in(problem: PositionProblem, q: np.ndarray, signature: Signature, tally: Tally) -> None:
    """Count configurations (N, nq) as hits of known modes or as new ones."""
    signatures = signature.of(q)
    modes = tally.known(signatures)
    for k in range(len(q)):
        mode = modes[k] if modes[k] >= 0 else tally.known(signatures[k : k + 1])[0]
        if mode < 0:
            # Near a double solution what is closed well enough may still stand apart: only polished ones are compared.
            sharp = polish(problem, q[k])
            sharp_signature = signature.of(sharp[None])[0]
            mode = tally.known(sharp_signature[None])[0]
            if mode < 0:
                tally.add(sharp, sharp_signature)
                continue
        tally.note(mode)


def random_starts(problem: PositionProblem, aim: Aim, draw: np.random.Generator, count: int) -> np.ndarray:
    """Configurations all over: angles, orientations uniform, lengths about the start or within limits, (count, nq)."""
    model = problem.model
    q = np.repeat(aim.start[None], count, axis=0)
    bounds = {model.tree_coordinates[name]: pair for name, pair in aim.limits.items() if name in model.tree_coordinates}
    for link in model.tree().links:
        coordinate, rate = link.coordinates, link.rates
        for step in link.steps:
            ball = isinstance(step, Ball)
            if ball and rate not in problem.held:
                quaternion = draw.standard_normal((count, 4))
                q[:, coordinate : coordinate + 4] = quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True)
            elif not ball and rate not in problem.held:
                if isinstance(step, Translation):
                    shift = model.size * draw.standard_normal(count)
                else:
                    shift = np.pi * draw.uniform(-1.0, 1.0, count)
                if coordinate in bounds:
                    low, high = bounds[coordinate]
                    within = draw.uniform(low, high, count)
                    narrow = isinstance(step, Translation) or high - low < 2.0 * np.pi
                    q[:, coordinate] = within if narrow else aim.start[coordinate] + shift
                else:
                    q[:, coordinate] = aim.start[coordinate] + shift
            coordinate, rate = coordinate + (4 if ball else 1), rate + (3 if ball else 1)
    return q


def movable(problem: PositionProblem, q: np.ndarray, N: np.ndarray) -> np.ndarray:
    """The part of first-order freedoms (n, k) that leads away: at a double solution a step along them comes back."""
    if N.shape[1] == 0:
        return N
    scale = 1.0 / np.sqrt(problem.metric)
    found = problem.solve(problem.retract(np.repeat(q[None], N.shape[1], axis=0), LEAD * N.T * scale))
    moved = difference(problem.model, q, found.q)[:, problem.free] / scale
    moved[found.residual >= SOLVED] = 0.0
    U, s, _ = np.linalg.svd(N.T @ moved.T / LEAD)
    return N @ U[:, : int(np.sum(s > 0.5))]


def idle_freedoms(problem: PositionProblem, q: np.ndarray) -> tuple[int, frozenset[str]]:
    """The number of idle freedoms, and the bodies that move in them, at configurations q (N, nq) of one mechanism.

    Raises MechanismError where a freedom that is not idle is left open in all of them: then they are no modes.
    """
    model = problem.model
    driven = frozenset(model.tree_rates[actuator.joint.text] for actuator in model.mechanism.actuators.values())
    unit = np.sqrt(1.0 / problem.metric)
    fewest: tuple[int, np.ndarray, np.ndarray, np.ndarray] | None = None
    for configuration in q:
        N = movable(problem, configuration, problem.null_space(configuration, RANK))
        idle = idle_motions(model, configuration, problem.free, unit[:, None] * N, driven)
        free = N.shape[1] - idle.shape[1]
        if fewest is None or free < fewest[0]:
            fewest = (free, N, idle, configuration)
    assert fewest is not None
    free, N, idle, configuration = fewest
    if free:
        labels = {rate: name for name, rate in model.tree_rates.items()}
        share = np.abs(N @ (np.eye(N.shape[1]) - idle @ idle.T)).max(axis=1)
        moving = [labels[rate] for rate, size in zip(problem.free, share, strict=True) if size > 1e-6]
        raise MechanismError(
            f"the values leave {free} freedom{'s' if free > 1 else ''} open, so the poses are no separate modes: "
            f"joints {', '.join(moving)} can still move. Give {free} more value{'s' if free > 1 else ''}."
        )
    rates = np.zeros((model.topology.rates, idle.shape[1]))
    rates[problem.free] = N @ idle
    every = np.array([1.0 if kind == "rad" else model.size for kind in model.tree_units])
    twists = body_twists(model, place(model.tree(), configuration.tolist()), every)
    return idle.shape[1], frozenset(body for body, T in twists.items() if np.abs(T @ rates).max(initial=0.0) > 1e-6)


__all__ = ["assembly_modes"]
