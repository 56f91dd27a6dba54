"""How hard and how deep each contact was, also where it is shorter than the samples lie apart.

A run knows the state at every event exactly. A stretch from one event to the next during which something touches is
short and smooth, so it is integrated again from its start in a few steps of fixed size, all stretches of all members
of a sweep side by side; where it ends is known too, and tells whether the steps were fine enough. Contacts that last
are looked at closely where they begin, with an impact; later the samples tell.
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
# Error of the end of a stretch, of its change, beyond which it is integrated with control of the error.
EXACT_ENOUGH = 1e-3
# Usual contacts that so many steps resolve.
FEW = 3.0
# Stretches per run that are integrated so, and at how many instants each is looked at: STEPS per usual contact.
CONTROLLED, FEWEST, MOST = 200, 8 * STEPS, 40 * STEPS
# Stretches longer than this many usual ones that begin within a contact are at rest: the samples tell enough.
LONG = 8.0

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
    at the start, the state at the end (k, n), and the usual duration (k,) of those of the member."""

    member: np.ndarray
    start: np.ndarray
    duration: np.ndarray
    y: np.ndarray
    memory: np.ndarray
    end: np.ndarray
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
    states = integrated_again(kernels, found, parameters)
    force, depth = sizes(states, found, parameters, report)
    missed = np.flatnonzero(~close_enough(found, states))
    force[missed], depth[missed] = np.nan, np.nan
    for k in missed[:CONTROLLED].tolist():
        own = runs[int(found.member[k])].parameters
        one, instants = first_part(found.only([k]))
        force[k], depth[k] = sizes(controlled(kernels, one, instants, own), one, own, report)
    end = found.start + found.duration
    chosen = [found.member == k for k in range(len(runs))]
    return [Peaks(found.start[one], end[one], force[one], depth[one]) for one in chosen]


def stretches(index: int, run: Member, gaps: int) -> Stretches:
    """The stretches of one run where its samples lie farther apart than SAMPLED per usual contact."""
    log, solution = run.solution.events, run.solution
    n, m = len(run.y0), len(run.memory0)
    t = np.concatenate([[0.0], log.t, [solution.t_end]])
    y = np.concatenate([run.y0[None], log.after.reshape(-1, n)])
    end = np.concatenate([log.before.reshape(-1, n), solution.y_end[None]])
    memory = np.concatenate([run.memory0[None], log.memory.reshape(-1, m)])
    duration = np.diff(t)
    touching = (memory[:, : MEMORY * gaps : MEMORY] > 0.5).any(axis=1) & (duration > 0.0)
    spacing = float(np.ptp(solution.t)) / (len(solution.t) - 1) if len(solution.t) > 1 else np.inf
    usual = float(np.median(duration[touching])) if touching.any() else np.inf
    begins = np.isin(t[:-1], [0.0, *log.t[(log.index < 2 * gaps) & (log.index % 2 == 0)]])
    brief = SAMPLED * spacing > np.minimum(duration, usual)
    chosen = np.flatnonzero(touching & brief & (begins | (duration < LONG * usual)))
    member, usually = np.full(len(duration), index), np.full(len(duration), usual)
    return Stretches(member, t[:-1], duration, y, memory, end, usually).only(chosen)


def integrated_again(kernels: Kernels, found: Stretches, parameters: np.ndarray) -> np.ndarray:
    """States (STEPS + 1, k, n) of all stretches at equal steps of the classical method of Runge and Kutta."""
    count, n = found.y.shape
    rhs = kernels.rhs.sized(4 * STEPS * count)
    c, memory, h = rhs.constants(parameters), found.memory.T, found.duration / STEPS

    def rates(t: np.ndarray, y: np.ndarray) -> np.ndarray:
        return rhs.batch(np.concatenate([t[None], y, memory]), c)[:n]

    t, y = found.start.copy(), np.ascontiguousarray(found.y.T)
    states = np.empty((STEPS + 1, count, n))
    states[0] = found.y
    with np.errstate(all="ignore"):
        for step in range(STEPS):
            a = rates(t, y)
            b = rates(t + 0.5 * h, y + 0.5 * h * a)
            d = rates(t + 0.5 * h, y + 0.5 * h * b)
            e = rates(t + h, y + h * d)
            t, y = t + h, y + h / 6.0 * (a + 2.0 * b + 2.0 * d + e)
            states[step + 1] = y.T
    return states


def close_enough(found: Stretches, states: np.ndarray) -> np.ndarray:
    """Whether every stretch ended where the run ended it, and is no longer than a few usual contacts (k,)."""
    with np.errstate(all="ignore"):
        change = np.linalg.norm(states - found.y, axis=2).max(axis=0)
        # NaN compares as false
        ended = np.linalg.norm(states[-1] - found.end, axis=1) <= EXACT_ENOUGH * change + 1e-12
    return ended & (found.duration <= FEW * found.usual)


def first_part(one: Stretches) -> tuple[Stretches, int]:
    """A stretch with the number of instants to look at, cut after MOST of them: the impacts at its start have died away
    by then."""
    usual = float(one.usual[0])
    instants = int(np.clip(np.ceil(STEPS * one.duration[0] / usual), FEWEST, MOST))
    return replace(one, duration=np.minimum(one.duration, instants * usual / STEPS)), instants


def controlled(kernels: Kernels, one: Stretches, instants: int, parameters: np.ndarray) -> np.ndarray:
    """States (instants + 1, 1, n) of a stretch that needs control of the error, being long or having steep friction."""
    from closedchain.numerics.driver import integrate

    problem = hybrid_problem(replace(kernels, parameters=parameters))
    times = one.start[0] + one.duration[0] * np.linspace(0.0, 1.0, instants + 1)
    solution = integrate(problem, times[0], one.y[0], one.memory[0], times[-1], times, 1e-6, 1e-9)
    states = np.full((len(times), 1, one.y.shape[1]), np.nan)
    states[: len(solution.y), 0] = solution.y
    return states


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
