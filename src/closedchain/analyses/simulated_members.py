"""Simulations of many members: each with its own start from its own assembly, its own steps, contacts and end.

Members that share kernels, samples and tolerances are integrated side by side in vector lanes and threads; those that
come near a loss of rank, and methods that have no lanes, run alone as `simulate` runs them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.analyses.carrying import carried_memory
from closedchain.analyses.contact_peaks import Member, Peaks
from closedchain.analyses.integration import NEAR_SINGULAR, Kernels, contact_list, first_memory, hybrid_problem, run
from closedchain.analyses.keep import Keep, Kept, kept_of
from closedchain.analyses.preparing import prepare
from closedchain.analyses.reaction_determinacy import any_self_stress
from closedchain.analyses.simulate import check_loose, contact_peaks_of, evaluated, finished, loop_kernels, sample_times
from closedchain.analyses.to_dataset import named_arrays
from closedchain.exceptions import ClosedChainError, IntegrationError
from closedchain.model import Model
from closedchain.model.dynamics_kernels import Setting
from closedchain.model.loose import loose_joints
from closedchain.results import plain_variables

# Samples of members that are reported together.
REPORTED = 2048
# Fewer members than this do not fill the lanes, whose kernels would have to be compiled for them.
FEW = 4


@dataclass(frozen=True)
class Run:
    """How a member is integrated: arguments of `simulate`."""

    until: float
    start: Any = None
    times: Any = None
    clearance: Any = True
    rtol: float = 1e-8
    atol: float = 1e-10
    method: str = "auto"
    step: float | None = None

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> "Run":
        """From the arguments of `simulate`."""
        return cls(**{name: value for name, value in arguments.items() if name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Prepared:
    """A member ready to be integrated: what is simulated, its first state, and the instants to report."""

    setting: Setting
    kernels: Kernels
    y0: np.ndarray
    memory: np.ndarray
    samples: np.ndarray
    how: Run

    @property
    def group(self) -> tuple:
        """Members of equal groups can be integrated side by side."""
        how = self.how
        return (
            id(self.kernels.rhs),
            float(how.until),
            self.samples.tobytes(),
            how.rtol,
            how.atol,
            how.method,
            how.step,
        )


@dataclass(frozen=True)
class Integrated:
    """What the report of a member needs, in the names of numerics' Solution."""

    t: np.ndarray
    y: np.ndarray
    memory: np.ndarray
    y_end: np.ndarray
    events: Any
    t_end: float
    success: bool
    message: str


def simulate_members(
    analysis: Any, models: Iterator[Model | ClosedChainError], given: Sequence[Mapping[str, Any]], keep: Keep
) -> Iterator[tuple[int, Kept | Exception]]:
    """Simulate members; models and arguments of `simulate` in order. Members of one structure share their kernels."""
    groups: dict[tuple, dict[int, Prepared]] = {}
    for k, (model, arguments) in enumerate(zip(models, given, strict=True)):
        try:
            if isinstance(model, Exception):
                raise model
            ready = prepared(model, Run.of(arguments), keep)
        except ClosedChainError as error:
            yield k, error
        else:
            groups.setdefault(ready.group, {})[k] = ready
    for members in groups.values():
        solutions = dict(integrated(members))
        for k in [k for k, solution in solutions.items() if not solution.success]:
            failed = solutions.pop(k)
            yield k, IntegrationError(f"the simulation ended at t = {failed.t_end:.9g} s: {failed.message}")
        yield from results(members, solutions, keep)


def prepared(model: Model, how: Run, keep: Keep) -> Prepared:
    """Assemble the start of a member; raises as `simulate` does."""
    loose = loose_joints(model.mechanism, how.clearance)
    check_loose(model.mechanism, how.clearance)
    samples = sample_times(how.until, how.times)
    if keep in ("final", "events"):
        samples = np.array([float(how.until)])
    setting, y0 = prepare(model, how.start, loose)
    kernels = loop_kernels(setting)
    return Prepared(setting, kernels, y0, first_memory(kernels, y0, carried_memory(setting, how.start)), samples, how)


def integrated(members: Mapping[int, Prepared]) -> Iterator[tuple[int, Any]]:
    """Integrate the members of one group; yields (member, solution) as they end."""
    first = next(iter(members.values()))
    alone = dict(members)
    if len(members) >= FEW and first.how.method == "auto" and first.how.step is None and has_lanes(first.kernels):
        for k, solution in side_by_side(members):
            del alone[k]
            yield k, solution
    for k, ready in alone.items():
        how = ready.how
        tolerances = how.rtol, how.atol, how.method, how.step
        yield k, run(ready.kernels, ready.y0, ready.memory, float(how.until), ready.samples, *tolerances, None)


def has_lanes(kernels: Kernels) -> bool:
    """Whether the kernels are machine code, which has a form for lanes."""
    return callable(getattr(kernels.rhs, "address", None))


def side_by_side(members: Mapping[int, Prepared]) -> Iterator[tuple[int, Integrated]]:
    """Integrate in lanes and threads; members that come near a loss of rank are left out, to be run alone."""
    from dataclasses import replace

    from closedchain.numerics.ensemble import ensemble

    places, ready = list(members), list(members.values())
    how = ready[0].how
    problem = hybrid_problem(ready[0].kernels, how.rtol)
    parameters = np.ascontiguousarray(np.array([each.kernels.parameters for each in ready]).T)

    def own(bound: Any) -> Any:
        """The kernel with the constants of every member."""
        if bound is None:
            return None
        return replace(bound, constants=np.ascontiguousarray(bound.kernel.constants(parameters).T))

    problem = replace(
        problem,
        rhs=own(problem.rhs),
        projection=own(problem.projection),
        transition=own(problem.transition),
        guard=own(problem.guard),
        jacobian=None,
    )
    y0 = np.array([each.y0 for each in ready])
    memory = np.array([each.memory for each in ready]).reshape(len(ready), -1)
    found = ensemble(problem, 0.0, y0, memory, float(how.until), ready[0].samples, how.rtol, how.atol)
    for row, k in enumerate(places):
        if found.conditioning[row] < NEAR_SINGULAR or found.stiff[row]:
            continue
        chosen = found.event_member == row
        names = ("t", "index", "direction", "before", "after", "memory")
        log = type(found.events)(*(getattr(found.events, name)[chosen] for name in names))
        yield (
            k,
            Integrated(
                found.t,
                found.y[row],
                found.memory[row],
                found.y_end[row],
                log,
                float(found.t_end[row]),
                bool(found.success[row]),
                found.message[row],
            ),
        )


def results(
    members: Mapping[int, Prepared], solutions: Mapping[int, Any], keep: Keep
) -> Iterator[tuple[int, Kept | Exception]]:
    """What is kept of members of one group, as `simulate` would give it; reported several at once."""
    settled = isinstance(keep, str) or any(name.startswith("reaction_") for name in keep)
    places = list(solutions)
    samples = max((len(solution.t) for solution in solutions.values()), default=1)
    together = max(1, REPORTED // max(1, samples))
    # Of all members at once, whatever the samples: short stretches fill lanes only together.
    peaks = dict(zip(places, peaks_of([members[k] for k in places], [solutions[k] for k in places], keep), strict=True))
    for first in range(0, len(places), together):
        block = places[first : first + together]
        setting, found = members[block[0]].setting, [solutions[k] for k in block]
        counts = [len(solution.t) for solution in found]
        parameters = np.repeat(np.array([members[k].setting.model.parameters.values for k in block]).T, counts, axis=1)
        t, y, memory = (np.concatenate([getattr(each, name) for each in found]) for name in ("t", "y", "memory"))
        X, everything = evaluated(setting, t, y, memory, parameters)
        probes = np.unique([n for end, count in zip(np.cumsum(counts), counts, strict=True)
                            for n in np.linspace(end - count, end - 1, 5).astype(int)])  # fmt: skip
        q = X[1 : 1 + setting.sizes[0], probes]
        determined = settled and not any_self_stress(setting.model, q, parameters[:, probes])
        for k, end, count in zip(block, np.cumsum(counts), counts, strict=True):
            chosen = slice(end - count, end)
            own = {name: array[..., chosen] for name, array in everything.items()}
            try:
                yield k, result(members[k], solutions[k], X[:, chosen], own, (settled, determined), keep, peaks[k])
            except ClosedChainError as error:
                yield k, error


def peaks_of(ready: Sequence[Prepared], solutions: Sequence[Any], keep: Keep) -> Sequence[Peaks | None]:
    """The peaks of the members' contacts, where contacts are kept."""
    wanted = keep != "final" and (isinstance(keep, str) or {"contact_peak", "contact_depth"} & set(keep))
    if not wanted:
        return [None] * len(ready)
    runs = [
        Member(solution, each.y0, each.memory, each.setting.model.parameters.values)
        for each, solution in zip(ready, solutions, strict=True)
    ]
    return contact_peaks_of(ready[0].setting, ready[0].kernels, runs)


def result(
    ready: Prepared, solution: Any, X: np.ndarray, values: dict[str, np.ndarray], reactions: tuple[bool, bool],
    keep: Keep, peaks: Peaks | None,
) -> Kept:  # fmt: skip
    """What is kept of one member from its part of the report.

    reactions: whether they are wanted, and whether statics is known to determine them. peaks: of its contacts.
    """
    values = finished(ready.setting, X, values, *reactions)
    further = contact_list(ready.kernels, solution, values, ready.memory, peaks)
    arrays, names, units = named_arrays(ready.setting.model, solution.t, values, further)
    return kept_of(*plain_variables(arrays, names, units), keep)
