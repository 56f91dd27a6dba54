"""Instants of a study over time: equal samples or a list, as arguments and as an array."""

from typing import Any

from closedchain.cli.studies.arguments import Argument, Quantity, Whole
from closedchain.exceptions import ClosedChainError

TIMES = (
    Argument("until", "end of the motion [s]", Quantity("s")),
    Argument("start", "beginning of the motion [s]", Quantity("s"), default=0.0),
    Argument("samples", "number of equal samples", Whole(2), default=1001),
    Argument("times", "instants [s] instead of equal samples", Quantity("s", many=True)),
)


def check_times(m: Any, arguments: dict[str, Any]) -> None:
    """Raise ClosedChainError where the instants are said twice, not at all, or end before they begin."""
    instants(arguments.get("until"), arguments["start"], arguments["samples"], arguments.get("times"))


def check_some_times(m: Any, arguments: dict[str, Any]) -> None:
    """The same for studies that may do without instants."""
    if arguments.get("until") is not None or arguments.get("times") is not None:
        check_times(m, arguments)


def instants(until: float | None, start: float, samples: int, times: list[float] | None) -> Any:
    """Equal samples from `start` to `until`, or the given times [s], shape (n,)."""
    import numpy as np

    if (until is None) == (times is None):
        raise ClosedChainError("say until when (until, as option --until) or at which instants (times), and not both.")
    if until is None:
        return np.asarray(times, dtype=float)
    if until <= start:
        raise ClosedChainError(f"until = {until:g} s is not after start = {start:g} s.")
    return np.linspace(start, until, samples)
