"""`inverse_dynamics`: efforts of the actuators and reactions of the joints along given motions."""

from collections.abc import Iterator
from typing import Any

from closedchain.cli.output import summary
from closedchain.cli.studies.arguments import Argument, Values, Words
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import actuators, module, one_of
from closedchain.cli.studies.times import TIMES, check_times, instants
from closedchain.language import tr

LEGIBLE = 28  # curves that colours and dashes tell apart


def calc(
    m: Any, samples: int, start: float, until: float | None = None, times: list[float] | None = None, **arguments: Any
) -> Any:
    """Inverse dynamics at equal samples or at the given times [s]."""
    import closedchain as cc

    return cc.inverse_dynamics(m, instants(until, start, samples, times), **arguments)


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """Efforts, powers and working points of the actuators, and the reactions where they can be told apart."""
    import closedchain as cc

    draw = {name: entry.draw for name, entry in cc.plot.FIGURES.items()}
    if ds["effort"].size:
        yield "actuators", draw["efforts"](ds, title=tr("{name}: actuators", name=m.name))
        if cc.plot.FIGURES["drive_sizing"].fits(ds) and ds.sizes["actuator"] <= 6:
            yield "drives", draw["drive_sizing"](ds, title=tr("{name}: working points", name=m.name))
    if ds["reaction_force"].size > 0 and ds.sizes["joint"] <= LEGIBLE:
        yield "reactions", draw["reactions"](ds, title=tr("{name}: reactions", name=m.name))


STUDY = Study(
    name="inverse_dynamics",
    meaning="efforts of the actuators and reactions of the joints over time",
    command="inverse",
    arguments=(
        *TIMES,
        Argument(
            "redundancy",
            "choice of efforts with more actuators than freedoms: minimum-norm",
            Words(),
            refers=one_of(lambda: (module("actuator_efforts").MINIMUM_NORM,)),
        ),
        Argument("weights", "cost of each actuator's effort, such as motor1=2", Values(), refers=actuators),
        Argument("preload", "efforts to stay near to, such as motor1=5", Values(), refers=actuators),
    ),
    check=check_times,
    calc=calc,
    say=summary,
    figures=figures,
    group="Forces and dynamics",
    examples=(
        ("closedchain inverse mechanism.toml --until 2s -o loads.nc", "What the motors and bearings carry"),
        ("closedchain plot loads.nc channels effort power", "Then draw efforts and powers"),
    ),
)
