"""How hard and how deep each contact was, also where it is shorter than the samples lie apart.

A run knows the state at every event exactly. A stretch from one event to the next during which something touches is
short and smooth as a rule, so it is integrated again from its start in a few steps of fixed size, all stretches of all
members of a sweep side by side; half as many steps, and the known end, tell whether they were fine enough. Stretches
that begin with an impact and last too long for that are followed over their first few hundred steps by an integrator
with control of its error; later the samples tell.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from closedchain.algorithms.contact import MEMORY
from closedchain.analyses.integration import Kernels, hybrid_problem

# Fixed steps per stretch: the height of a pulse is then known to some 1e-5.
STEPS = 40
# Samples in a contact that need no others.
SAMPLED = 5 * STEPS
# Error on the way, and at the end, of the change over a stretch, beyond which the steps were too few.
ON_THE_WAY, AT_THE_END = 2e-2, 1e-3
# Stretches so many times longer than usual ones last.
LASTING = 3.0
# Stretches that are integrated with control of the error, of all runs and at least of each; how many steps each, and
# instants looked at per step.
CONTROLLED, FEWEST, FIRST_STEPS, INSTANTS = 200, 8, 300, 3
# A millionth of a millimetre is a thousandth of a usual penetration.
TOLERANCES = 1e-8, 1e-11

# (t (k,), y (k, n), memory (k, m), parameters (p,) or (p, k)) -> what is reported, k as last dimension.
Report = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], Mapping[str, np.ndarray]]


@dataclass(frozen=True)
class Member:
    """One run: its Solution, first state and memory, and the parameters of its kernels."""

    solution: Any
    y0: np.ndarray
    memory0: np.ndarray
    parameters: np.ndarray


@dataclass(frozen=True)
class Stretches:
    """From one event to the next, in contact somewhere: member (k,), start, duration (k,), y (k, n) and memory (k, m)
    at the start, the state at the end (k, n), the time since a contact last started, and how long contacts usually
    last."""

    member: np.ndarray
    start: np.ndarray
    duration: np.ndarray
    y: np.ndarray
    memory: np.ndarray
    end: np.ndarray
    age: np.ndarray
    usual: np.ndarray

    def only(self, chosen: list[int] | np.ndarray) -> "Stretches":
        """Some of them."""
        return Stretches(**{name: each[chosen] for name, each in vars(self).items()})


@dataclass(frozen=True)
class Peaks:
    """Largest force [N] and penetration [m] of every loose joint in stretches of one run; start, end (k,) [s],
    force, depth (k, loose joints)."""

    start: np.ndarray
    end: np.ndarray
    force: np.ndarray
    depth: np.ndarray


def peaks_between_samples(kernels: Kernels, runs: Sequence[Member], report: Report) -> list[Peaks]:
    """The peaks of every run in the stretches that its samples do not resolve."""
    gaps = len(kernels.setting.gaps)
    every = [stretches(k, each, gaps) for k, each in enumerate(runs)]
    found = Stretches(**{name: np.concatenate([vars(each)[name] for each in every]) for name in vars(every[0])})
    if not len(found.member):
        nothing = np.zeros(0), np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0))
        return [Peaks(*nothing) for _ in runs]
    # One run has its parameters once, several have a column per stretch.
    alone = len(runs) == 1
    parameters = runs[0].parameters if alone else np.array([each.parameters for each in runs]).T[:, found.member]
    states, fine = integrated_again(kernels, found, parameters)
    # Of what the steps do not resolve its two ends are known.
    states[1:-1, ~fine], states[-1, ~fine] = np.nan, found.end[~fine]
    force, depth = sizes(states, found, parameters, report)
    for k in hardest(found, ~fine, kernels, len(runs)):
        own = runs[int(found.member[k])].parameters
        one, states = controlled(kernels, found.only([k]), own)
        if len(states) > 2:
            for known, more in zip((force, depth), sizes(states, one, own, report), strict=True):
                known[k] = np.fmax(known[k], more[0])
    end = found.start + found.duration
    chosen = [found.member == k for k in range(len(runs))]
    return [Peaks(found.start[one], end[one], force[one], depth[one]) for one in chosen]


def hardest(found: Stretches, missed: np.ndarray, kernels: Kernels, members: int) -> list[int]:
    """The stretches among those missed (k,) that lie in an impact, fastest first, at most CONTROLLED per run."""
    speeds = found.memory[:, 1 : MEMORY * len(kernels.setting.gaps) : MEMORY].max(axis=1)
    most = max(CONTROLLED // members, FEWEST)
    chosen: list[int] = []
    for member in range(members):
        own = np.flatnonzero(missed & (found.age <= LASTING * found.usual) & (found.member == member))
        chosen += own[np.argsort(-speeds[own], kind="stable")][:most].tolist()
    return chosen


def stretches(index: int, run: Member, gaps: int) -> Stretches:
    """The stretches in contact of one run, less those that its samples resolve."""
    log, solution = run.solution.events, run.solution
    n, m = len(run.y0), len(run.memory0)
    t = np.concatenate([[0.0], log.t, [solution.t_end]])
    y = np.concatenate([run.y0[None], log.after.reshape(-1, n)])
    end = np.concatenate([log.before.reshape(-1, n), solution.y_end[None]])
    memory = np.concatenate([run.memory0[None], log.memory.reshape(-1, m)])
    duration = np.diff(t)
    touching = (memory[:, : MEMORY * gaps : MEMORY] > 0.5).any(axis=1) & (duration > 0.0)
    spacing = float(np.ptp(solution.t)) / (len(solution.t) - 1) if len(solution.t) > 1 else np.inf
    started = np.concatenate([[0.0], log.t[(log.index < 2 * gaps) & (log.index % 2 == 0)]])
    age = t[:-1] - started[np.searchsorted(started, t[:-1], "right") - 1]
    usual = usual_contact(log, gaps, duration[touching])
    chosen = touching & (SAMPLED * spacing > np.minimum(duration, usual))
    whole = np.full(len(duration), index), t[:-1], duration, y, memory, end, age, np.full(len(duration), usual)
    return Stretches(*whole).only(chosen)


def usual_contact(log: Any, gaps: int, stretches: np.ndarray) -> float:
    """Median duration of the contacts that ended; of the stretches (k,) where none did."""
    durations: list[float] = []
    for gap in range(gaps):
        starts, ends = (log.t[log.index == 2 * gap + k] for k in (0, 1))
        places = np.searchsorted(starts, ends)
        durations += (ends - starts[places - 1])[places > 0].tolist() if len(starts) else []
    return float(np.median(durations or stretches)) if len(durations) or len(stretches) else np.inf


def integrated_again(kernels: Kernels, found: Stretches, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """States (STEPS + 1, k, n) of all stretches at equal steps, and whether they are fine enough (k,)."""
    rhs = kernels.rhs.sized(6 * STEPS * len(found.member))
    c = rhs.constants(parameters)
    with np.errstate(all="ignore"):
        states, half = (fixed_steps(rhs, c, found, steps) for steps in (STEPS, STEPS // 2))
        change = np.linalg.norm(found.end - found.y, axis=1)
        strayed = np.linalg.norm(states[::2] - half, axis=2).max(axis=0)
        missed = np.linalg.norm(states[-1] - found.end, axis=1)
        # NaN compares as false
        right = (strayed <= ON_THE_WAY * change) & (missed <= AT_THE_END * change + 1e-12)
    # Steps that are right may still be too long to show the impact at the start of a contact that lasts.
    return states, right & (found.duration <= LASTING * found.usual)


def fixed_steps(rhs: Any, c: np.ndarray, found: Stretches, steps: int) -> np.ndarray:
    """States (steps + 1, k, n) by the classical method of Runge and Kutta."""
    count, n = found.y.shape
    memory, h = found.memory.T, found.duration / steps

    def rates(t: np.ndarray, y: np.ndarray) -> np.ndarray:
        return rhs.batch(np.concatenate([t[None], y, memory]), c)[:n]

    t, y = found.start.copy(), np.ascontiguousarray(found.y.T)
    states = np.empty((steps + 1, count, n))
    states[0] = found.y
    for step in range(steps):
        a = rates(t, y)
        b = rates(t + 0.5 * h, y + 0.5 * h * a)
        d = rates(t + 0.5 * h, y + 0.5 * h * b)
        e = rates(t + h, y + h * d)
        t, y = t + h, y + h / 6.0 * (a + 2.0 * b + 2.0 * d + e)
        states[step + 1] = y.T
    return states


def controlled(kernels: Kernels, one: Stretches, parameters: np.ndarray) -> tuple[Stretches, np.ndarray]:
    """The beginning of a stretch with control of the error, and states (instants, 1, n) in it.

    The first impacts of a stretch that lasts are over after a few usual durations; where none is usual, the steps of
    the integrator tell how fast everything goes.
    """
    from closedchain.numerics.driver import integrate

    problem = hybrid_problem(replace(kernels, parameters=parameters))
    start, end = float(one.start[0]), float(one.start[0] + one.duration[0])
    given = (problem, start, one.y[0], one.memory[0])
    usual = float(one.usual[0])
    if end - start > LASTING * usual:
        end, instants = start + 2.0 * LASTING * usual, 6 * STEPS
    else:
        first = integrate(*given, end, (), *TOLERANCES, max_steps=FIRST_STEPS)
        end, instants = first.t_end, INSTANTS * max(first.counts.accepted, 10)
        if not end > start:
            return one, np.zeros((0, 1, one.y.shape[1]))
    solution = integrate(*given, end, np.linspace(start, end, instants + 1), *TOLERANCES)
    # The contact may end there before it does with the tolerances of the run.
    count = int(np.searchsorted(solution.t, solution.events.t.min(initial=np.inf)))
    return replace(one, duration=solution.t[count - 1 : count] - start), solution.y[:count, None]


def sizes(
    states: np.ndarray, found: Stretches, parameters: np.ndarray, report: Report
) -> tuple[np.ndarray, np.ndarray]:
    """Largest force and penetration of every loose joint in every stretch, (k, joints)."""
    steps, count, n = states.shape
    t = found.start + np.linspace(0.0, 1.0, steps)[:, None] * found.duration
    memory = np.broadcast_to(found.memory, (steps, *found.memory.shape)).reshape(steps * count, -1)
    columns = parameters if parameters.ndim == 1 else np.tile(parameters, steps)
    with np.errstate(all="ignore"):
        values = report(t.ravel(), states.reshape(steps * count, n), memory, columns)
        force = np.linalg.norm(values["contact_force"], axis=1).reshape(-1, steps, count)
    depth = values["penetration"].reshape(-1, steps, count)
    return highest(force).T, highest(depth).T


def highest(values: np.ndarray) -> np.ndarray:
    """Largest value along the middle dimension of (joints, steps, k), by the parabola through its neighbours."""
    values = np.where(np.isfinite(values), values, -np.inf)
    place = values.argmax(axis=1)
    inner = np.clip(place, 1, values.shape[1] - 2)
    left, top, right = (np.take_along_axis(values, (inner + k)[:, None], axis=1)[:, 0] for k in (-1, 0, 1))
    largest = values.max(axis=1)
    with np.errstate(all="ignore"):
        bend = left - 2.0 * top + right
        raised = top - 0.125 * (right - left) ** 2 / bend
    good = (place == inner) & np.isfinite(raised) & (bend < 0.0)
    return np.where(good, np.maximum(raised, largest), largest)
