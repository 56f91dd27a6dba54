"""`kinematics`: positions, velocities and accelerations of everything over time."""

from collections.abc import Iterator
from typing import Any

from closedchain.cli.output import summary
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.times import TIMES, check_times, instants
from closedchain.language import tr


def calc(m: Any, samples: int, start: float, until: float | None = None, times: list[float] | None = None) -> Any:
    """Kinematics at equal samples or at the given times [s]."""
    import closedchain as cc

    return cc.kinematics(m, instants(until, start, samples, times))


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """The mechanism with the paths of its outputs, and the motion of joints and outputs."""
    import closedchain as cc

    yield "mechanism", cc.plot.FIGURES["mechanism"].of_result(ds, [])
    yield "joints", cc.plot.channels(ds, ["q", "qd", "qdd"], title=tr("{name}: joints", name=m.name))
    if ds["position"].size:
        yield (
            "outputs",
            cc.plot.channels(ds, ["position", "velocity", "acceleration"], title=tr("{name}: outputs", name=m.name)),
        )


STUDY = Study(
    name="kinematics",
    meaning="positions, velocities and accelerations over time",
    arguments=TIMES,
    check=check_times,
    calc=calc,
    say=summary,
    figures=figures,
    group="Position and motion",
    examples=(
        ("closedchain kinematics mechanism.toml --until 2s", "Two seconds of motion, with the range of every channel"),
        ("closedchain kinematics mechanism.toml --until 2s --samples 401 -o motion.csv", "The same as a table"),
    ),
)
