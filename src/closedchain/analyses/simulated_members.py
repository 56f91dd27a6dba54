"""Simulations of many members: each with its own start from its own assembly, its own steps, contacts and end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.analyses.integration import Kernels, contact_list, run
from closedchain.analyses.keep import Keep, Kept, kept
from closedchain.analyses.simulate import check_loose, loop_kernels, prepare, report, sample_times
from closedchain.analyses.to_dataset import to_dataset
from closedchain.exceptions import ClosedChainError, IntegrationError
from closedchain.model import Model
from closedchain.model.dynamics_kernels import Setting
from closedchain.model.loose import loose_joints


@dataclass(frozen=True)
class Prepared:
    """A member ready to be integrated: what is simulated, its first state, and the instants to report."""

    setting: Setting
    kernels: Kernels
    y0: np.ndarray
    samples: np.ndarray


@dataclass(frozen=True)
class Run:
    """How the members are integrated."""

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


def simulate_members(
    analysis: Any, models: Iterator[Model | ClosedChainError], given: Sequence[Mapping[str, Any]], keep: Keep
) -> Iterator[tuple[int, Kept | Exception]]:
    """Simulate members; models and arguments of `simulate` in order. Members of one structure share their kernels."""
    for k, (model, arguments) in enumerate(zip(models, given, strict=True)):
        if isinstance(model, Exception):
            yield k, model
            continue
        how = Run.of(arguments)
        try:
            ready = prepared(model, how, keep)
            solution = run(
                ready.kernels, ready.y0, float(how.until), ready.samples, how.rtol, how.atol, how.method, how.step, None
            )
            if not solution.success:
                raise IntegrationError(f"the simulation ended at t = {solution.t_end:.9g} s: {solution.message}")
        except ClosedChainError as error:
            yield k, error
        else:
            yield k, kept(result(ready, solution, keep), keep)


def prepared(model: Model, how: Run, keep: Keep) -> Prepared:
    """Assemble the start of a member; raises as `simulate` does."""
    loose = loose_joints(model.mechanism, how.clearance)
    check_loose(model.mechanism, how.clearance)
    samples = sample_times(how.until, how.times)
    if keep in ("final", "events"):
        samples = np.array([0.0, float(how.until)])
    setting, y0 = prepare(model, how.start, loose)
    return Prepared(setting, loop_kernels(setting), y0, samples)


def result(ready: Prepared, solution: Any, keep: Keep) -> Any:
    """The dataset of one member, as `simulate` would give it, with what is asked for alone."""
    values = report(ready.setting, solution.t, solution.y, solution.memory)
    further = contact_list(ready.kernels, solution, values)
    if not isinstance(keep, str):
        values = {name: array for name, array in values.items() if name in keep or name.startswith("gap_")} or values
    return to_dataset(ready.setting.model, solution.t, values, "simulate", {}, further=further)
