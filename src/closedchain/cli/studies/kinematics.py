"""`kinematics`: positions, velocities and accelerations of everything over time."""

from collections.abc import Iterator
from typing import Any

from closedchain.cli.output import summary
from closedchain.cli.studies.arguments import Argument, Quantity, Whole
from closedchain.cli.studies.contract import Study
from closedchain.exceptions import ClosedChainError


def calc(m: Any, samples: int, until: float | None = None, start: float = 0.0, times: list[float] | None = None) -> Any:
    """Kinematics at equal samples from `start` to `until`, or at the given times [s]."""
    import numpy as np

    import closedchain as cc

    if (until is None) == (times is None):
        raise ClosedChainError("kinematics needs the end of the motion, until = ..., or times = [...], and not both.")
    if until is None:
        return cc.kinematics(m, np.asarray(times, dtype=float))
    if until <= start:
        raise ClosedChainError(f"kinematics: until = {until:g} s is not after start = {start:g} s.")
    return cc.kinematics(m, np.linspace(start, until, samples))


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """The mechanism with the paths of its outputs, and the motion of outputs or joints."""
    import closedchain as cc

    yield "mechanism", cc.plot.FIGURES["mechanism"].of_result(ds, [])
    yield "joints", cc.plot.channels(ds, ["q", "qd", "qdd"], title=f"{m.name}: joints")
    if ds["position"].size:
        yield "outputs", cc.plot.channels(ds, ["position", "velocity", "acceleration"], title=f"{m.name}: outputs")


STUDY = Study(
    name="kinematics",
    meaning="positions, velocities and accelerations over time",
    arguments=(
        Argument("until", "end of the motion [s]", Quantity("s")),
        Argument("start", "beginning of the motion [s]", Quantity("s"), default=0.0),
        Argument("samples", "number of equal samples", Whole(2), default=1001),
        Argument("times", "instants [s] instead of equal samples", Quantity("s", many=True)),
    ),
    calc=calc,
    say=summary,
    figures=figures,
)
