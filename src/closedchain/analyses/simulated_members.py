"""Simulations of many members: each with its own start from its own assembly, its own steps, contacts and end.

Members that share kernels, samples and tolerances are integrated side by side in vector lanes and threads; those that
come near a loss of rank, and methods that have no lanes, run alone as `simulate` runs them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.analyses.integration import NEAR_SINGULAR, Kernels, contact_list, first_memory, hybrid_problem, run
from closedchain.analyses.keep import Keep, Kept, kept
from closedchain.analyses.simulate import check_loose, loop_kernels, prepare, report, sample_times
from closedchain.analyses.to_dataset import to_dataset
from closedchain.exceptions import ClosedChainError, IntegrationError
from closedchain.model import Model
from closedchain.model.dynamics_kernels import Setting
from closedchain.model.loose import loose_joints

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
        for k, solution in integrated(members):
            try:
                if not solution.success:
                    raise IntegrationError(f"the simulation ended at t = {solution.t_end:.9g} s: {solution.message}")
                yield k, kept(result(members[k], solution, keep), keep)
            except ClosedChainError as error:
                yield k, error


def prepared(model: Model, how: Run, keep: Keep) -> Prepared:
    """Assemble the start of a member; raises as `simulate` does."""
    loose = loose_joints(model.mechanism, how.clearance)
    check_loose(model.mechanism, how.clearance)
    samples = sample_times(how.until, how.times)
    if keep in ("final", "events"):
        samples = np.array([0.0, float(how.until)])
    setting, y0 = prepare(model, how.start, loose)
    return Prepared(setting, loop_kernels(setting), y0, samples, how)


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
        yield (
            k,
            run(
                ready.kernels, ready.y0, float(how.until), ready.samples, how.rtol, how.atol, how.method, how.step, None
            ),
        )


def has_lanes(kernels: Kernels) -> bool:
    """Whether the kernels are machine code, which has a form for lanes."""
    return callable(getattr(kernels.rhs, "address", None))


def side_by_side(members: Mapping[int, Prepared]) -> Iterator[tuple[int, Integrated]]:
    """Integrate in lanes and threads; members that come near a loss of rank are left out, to be run alone."""
    from dataclasses import replace

    from closedchain.numerics.ensemble import ensemble

    places, ready = list(members), list(members.values())
    how = ready[0].how
    problem = hybrid_problem(ready[0].kernels)
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
    memory = np.array([first_memory(each.kernels, each.y0) for each in ready]).reshape(len(ready), -1)
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
                log,
                float(found.t_end[row]),
                bool(found.success[row]),
                found.message[row],
            ),
        )


def result(ready: Prepared, solution: Any, keep: Keep) -> Any:
    """The dataset of one member, as `simulate` would give it, with what is asked for alone."""
    settled = isinstance(keep, str) or any(name.startswith("reaction_") for name in keep)
    values = report(ready.setting, solution.t, solution.y, solution.memory, settled=settled)
    further = contact_list(ready.kernels, solution, values)
    if not isinstance(keep, str):
        values = {name: array for name, array in values.items() if name in keep or name.startswith("gap_")} or values
    return to_dataset(ready.setting.model, solution.t, values, "simulate", {}, further=further)
