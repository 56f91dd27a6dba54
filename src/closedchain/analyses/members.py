"""The members of a sweep, each of which ends with what is kept of it, or with its reason."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from closedchain.analyses.as_result import as_result
from closedchain.analyses.keep import Keep, Kept, kept
from closedchain.analyses.simulate import require_run, sample_times, simulate
from closedchain.analyses.simulated_members import simulate_members
from closedchain.analyses.stacking import DONE, FAILED, NOT_RUN
from closedchain.description import Mechanism
from closedchain.description.names import suggest
from closedchain.exceptions import ClosedChainError, MechanismError
from closedchain.model import Model, compile

Progress = Callable[[float], bool | None]
# Members that are prepared together: they bound the memory, and lie between two looks at the progress.
TOGETHER = 64
# What studies say of equal instants, for which Python has an array.
EQUAL = ("samples", "after", "until")


@dataclass(frozen=True)
class Member:
    """One member: values by path that differ from the mechanism, and arguments of the analysis of its own."""

    values: Mapping[str, Any] = field(default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Outcomes:
    """What came of the members, filled as they end: what is kept, and status with reason."""

    results: list[Kept | None]
    states: list[tuple[str, str]]
    interrupted: bool = False


def check_paths(mechanism: Mechanism, paths: Sequence[str]) -> None:
    """Raise MechanismError for paths that no number has, before any member runs."""
    known = mechanism.values()
    for path in paths:
        if path not in known:
            mechanism.with_values({path: 0.0})


def run_members(
    mechanism: Mechanism | Model,
    members: Sequence[Member],
    analysis: Callable[..., Any],
    arguments: Mapping[str, Any],
    keep: Keep,
    progress: Progress | None,
) -> Outcomes:
    """Run an analysis for every member; those that fail keep their reason and disturb no other.

    Simulations run side by side; other analyses one after the other. Ctrl-C, or a progress that returns False, leaves
    the finished members; the status of the others is "not run".
    """
    outcomes = Outcomes([None] * len(members), [(NOT_RUN, "")] * len(members))
    base = compile(mechanism)
    together = analysis is simulate and arguments.get("formulation", "loop") == "loop"
    each = simulate_members if together else one_by_one
    try:
        for first in range(0, len(members), TOGETHER):
            chunk = members[first : first + TOGETHER]
            models = (made(base, member.values) for member in chunk)
            given = [{**arguments, **member.arguments} for member in chunk]
            for k, result in each(analysis, models, given, keep):
                place = first + k
                if isinstance(result, Exception):
                    outcomes.states[place] = (FAILED, str(result))
                else:
                    outcomes.results[place], outcomes.states[place] = result, (DONE, "")
                done = sum(status != NOT_RUN for status, _ in outcomes.states)
                if progress is not None and progress(done / len(members)) is False:
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        outcomes.interrupted = True
    return outcomes


def made(base: Model, values: Mapping[str, Any]) -> Model | ClosedChainError:
    """The model of a member, or why it has none."""
    try:
        return compile(base.mechanism.with_values(values), code=base.code) if values else base
    except ClosedChainError as error:
        return error


def one_by_one(
    analysis: Callable[..., Any],
    models: Iterator[Model | ClosedChainError],
    given: Sequence[Mapping[str, Any]],
    keep: Keep,
) -> Iterator[tuple[int, Kept | Exception]]:
    """Run any analysis for one member after the other."""
    for k, (model, arguments) in enumerate(zip(models, given, strict=True)):
        if isinstance(model, Exception):
            yield k, model
            continue
        try:
            result = as_result(analysis(model, **arguments))
        except (ClosedChainError, np.linalg.LinAlgError, ArithmeticError) as error:
            yield k, error
        else:
            yield k, kept(result, keep)


def named_analysis(analysis: Callable[..., Any] | str) -> Callable[..., Any]:
    """The analysis itself, or the one of a name as studies write it; raises MechanismError where there is none."""
    if not isinstance(analysis, str):
        return analysis
    try:
        return getattr(import_module(f"closedchain.analyses.{analysis}"), analysis)
    except (ImportError, AttributeError):
        raise MechanismError(
            f"{analysis!r} is not an analysis; give a function such as cc.simulate, or its name, such as 'kinematics'."
        ) from None


def checked_arguments(analysis: Callable[..., Any], arguments: Mapping[str, Any]) -> None:
    """Raise MechanismError for arguments that the analysis does not take or misses, before any member runs.

    Of simulations their values too: what no member can have is said once, not as the reason of every member.
    """
    import inspect

    name, signature = getattr(analysis, "__name__", str(analysis)), inspect.signature(analysis)
    known = list(signature.parameters)[1:]
    takes_all = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())
    for unknown in [] if takes_all else [each for each in arguments if each not in known]:
        times = unknown in EQUAL and "times" in known
        instead = "Give times=np.linspace(after, until, samples)." if times else suggest(unknown, known, "argument")
        raise MechanismError(f"{name} has no argument {unknown!r}. {instead}")
    try:
        signature.bind(None, **arguments)
    except TypeError as error:
        raise MechanismError(f"{name} cannot be called so: {error}.") from None
    if analysis is simulate:
        own = inspect.signature(require_run).parameters
        require_run(**{name: value for name, value in arguments.items() if name in own})
        sample_times(arguments["until"], arguments.get("times"))
