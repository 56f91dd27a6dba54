"""`poincare`: a simulated motion seen once per period, or where a channel passes a value."""

from collections.abc import Iterator
from typing import Any

from closedchain.cli.studies.arguments import Argument, Quantity, Words
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import later_than_zero
from closedchain.cli.studies.runs import CLEARANCE, TOLERANCES
from closedchain.exceptions import ClosedChainError
from closedchain.language import tr

DIRECTIONS = {"rising": 1, "falling": -1, "both": 0}


def calc(m: Any, event: str | None = None, value: float = 0.0, direction: str = "rising", **arguments: Any) -> Any:
    """The section of a simulation."""
    import closedchain as cc

    if direction not in DIRECTIONS:
        raise ClosedChainError(f"direction is {direction!r}; choose {', '.join(DIRECTIONS)}.")
    if event is not None and event != "contact":
        arguments["event"] = {"channel": event, "value": value, "direction": DIRECTIONS[direction]}
    elif event is not None:
        arguments["event"] = event
    return cc.poincare(m, **arguments)


def say(ds: Any) -> str:
    """How many points the section has."""
    return tr(
        "section: {count} points of {channels}",
        count=ds.sizes["crossing"],
        channels=", ".join(map(str, ds["channel"].values[:6])),
    )


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """The section in the plane of its first two channels."""
    import closedchain as cc

    if ds.sizes["channel"] > 1 and ds.sizes["crossing"]:
        yield "section", cc.plot.FIGURES["poincare"].draw(ds, title=tr("{name}: section", name=m.name))


STUDY = Study(
    name="poincare",
    meaning="a simulated motion seen once per period, or where a channel passes a value",
    arguments=(
        Argument("until", "end of the simulation [s]", Quantity("s"), required=True, refers=later_than_zero),
        Argument("period", "of the stroboscope: a time or an expression of the parameters", Words()),
        Argument("event", "channel whose passing is seen, such as q.A, or contact", Words()),
        Argument("value", "value that the channel passes", Quantity("")),
        Argument("direction", "rising, falling or both", Words()),
        Argument("channels", "what is kept, such as q.A,qd.A", Words(many=True)),
        Argument("transient", "time that is left out [s]", Quantity("s")),
        CLEARANCE,
        *TOLERANCES,
    ),
    calc=calc,
    say=say,
    figures=figures,
    group="Many runs and long-term motion",
    examples=(
        (
            "closedchain poincare mechanism.toml --until 20s --period 1s --channels q.A,qd.A",
            "A stroboscope once per second",
        ),
        (
            "closedchain poincare mechanism.toml --until 20s --event q.A --value 0 --channels qd.A,q.D",
            "Where A passes zero upwards",
        ),
    ),
)
