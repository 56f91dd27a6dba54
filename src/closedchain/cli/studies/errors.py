"""`errors`: how far a point strays by errors of lengths, joints, axes, motors and by play."""

from collections.abc import Iterator
from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies.arguments import Argument, Values, Whole, Words
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import a_point, deviations, module, one_of
from closedchain.cli.studies.times import TIMES, check_some_times, instants
from closedchain.language import as_is, tr


def calc(
    m: Any,
    of: str,
    tolerances: dict[str, Any],
    samples: int,
    start: float,
    until: float | None = None,
    times: list[float] | None = None,
    draws: int = 2000,
    **arguments: Any,
) -> Any:
    """Errors of the point at the instants, or at t = 0 where none are said."""
    import closedchain as cc

    at = None if until is None and times is None else instants(until, start, samples, times)
    return cc.errors(m, of, tolerances, at, samples=draws, **arguments)


def say(ds: Any) -> str:
    """The largest bounds, then what every path contributes at most to the position."""
    import json

    said = json.loads(ds.attrs["settings"])
    parts = [
        f"{as_is(name)} {float(ds[f'bound_{name}'].max()):.4g} {ds[f'bound_{name}'].attrs['units']}"
        for name in ("position", "velocity", "acceleration")
    ]
    rows = [[f"  {path}", float(ds["contribution_position"].sel(path=path))] for path in map(str, ds["path"].values)]
    head = tr(
        "errors of {of} ({statistics}): at most {bounds}",
        of=said["of"],
        statistics=as_is(said["statistics"]),
        bounds=", ".join(parts),
    )
    return "\n".join([head, table(["  " + tr("path"), tr("position error [m]")], rows)])


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """The bounds over time."""
    import closedchain as cc

    if ds.sizes["time"] > 1:
        names = ["bound_position", "bound_velocity", "bound_acceleration"]
        yield "bounds", cc.plot.channels(ds, names, title=tr("{name}: errors", name=m.name))


STUDY = Study(
    name="errors",
    meaning="errors of a point from errors of dimensions, joints, motors and from play",
    arguments=(
        Argument("of", "point or output", Words(), required=True, refers=a_point),
        Argument(
            "tolerances", "half widths by path, such as parameters.l=0.1mm", Values(), required=True, refers=deviations
        ),
        *TIMES,
        Argument(
            "statistics",
            "worst, rss or monte-carlo",
            Words(),
            default="worst",
            refers=one_of(lambda: module("errors").STATISTICS),
        ),
        Argument("draws", "mechanisms drawn by monte-carlo", Whole(2), default=2000),
        Argument("driven", "coordinates that keep their motion", Words(many=True)),
        Argument("distribution", "normal or uniform", Words(), refers=one_of(lambda: module("errors").DISTRIBUTIONS)),
        Argument("seed", "of the draws", Whole(0)),
    ),
    check=check_some_times,
    calc=calc,
    say=say,
    figures=figures,
    group="Accuracy and play",
    examples=(
        (
            "closedchain errors mechanism.toml --of P --tolerances parameters.crank=0.1mm",
            "Worst case at the start",
        ),
        (
            "closedchain errors mechanism.toml --of P --tolerances parameters.crank=0.1mm --until 2s --statistics rss",
            "Along the motion, root of the sum of squares",
        ),
    ),
)
