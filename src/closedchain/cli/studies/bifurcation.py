"""`bifurcation`: the settled motion once per period, over one number of the mechanism."""

from collections.abc import Iterator
from typing import Any

from closedchain.cli.studies.arguments import Argument, Quantity, Whole, Words
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import paths
from closedchain.cli.studies.runs import CLEARANCE, TOLERANCES
from closedchain.language import tr


def calc(
    m: Any,
    path: str,
    period: str,
    channel: list[str],
    values: list[float] | None = None,
    start: float | None = None,
    stop: float | None = None,
    count: int = 101,
    **arguments: Any,
) -> Any:
    """The diagram for the given values, or equal ones from `start` to `stop`."""
    import numpy as np

    import closedchain as cc
    from closedchain.exceptions import ClosedChainError

    if values is None:
        if start is None or stop is None:
            raise ClosedChainError("say values = [...], or start = ... and stop = ...")
        values = np.linspace(start, stop, count).tolist()
    return cc.bifurcation(m, path, values, period=period, channel=channel, **arguments)


def say(ds: Any) -> str:
    """How many members there are and how they ended."""
    done = int((ds["status"] == "done").sum())
    failed = sorted({str(reason).splitlines()[-1].strip() for reason in ds["reason"].values if str(reason)})
    head = tr(
        "bifurcation over {path}: {done} of {count} values done",
        path=ds["status"].dims[0],
        done=done,
        count=ds["status"].size,
    )
    return "\n".join([head, *("  " + tr("failed: {reason}", reason=reason) for reason in failed)])


def figures(m: Any, ds: Any) -> Iterator[tuple[str, Any]]:
    """The diagram."""
    import closedchain as cc

    yield "diagram", cc.plot.FIGURES["bifurcation"].draw(ds, title=tr("{name}: bifurcation diagram", name=m.name))


STUDY = Study(
    name="bifurcation",
    meaning="the settled motion once per period, over one number of the mechanism",
    arguments=(
        Argument("path", "the number, such as joints.B.clearance.radial", Words(), required=True, refers=paths),
        Argument("period", "of the drive: a time or an expression of the parameters", Words(), required=True),
        Argument("channel", "what is seen, such as qd.A", Words(many=True), required=True),
        Argument("values", "values of the number", Quantity("", many=True)),
        Argument("start", "first value, instead of values", Quantity("")),
        Argument("stop", "last value", Quantity("")),
        Argument("count", "number of equal steps of values", Whole(2), default=101),
        Argument("transient", "periods that are left out", Whole(0), default=100),
        Argument("keep", "periods that are kept", Whole(1), default=50),
        CLEARANCE,
        *TOLERANCES,
    ),
    calc=calc,
    say=say,
    figures=figures,
    group="Many runs and long-term motion",
    examples=(
        (
            "closedchain bifurcation mechanism.toml --path parameters.speed --period 2*pi/speed --channel qd.A"
            " --start 10 --stop 20",
            "The settled motion over the speed of the drive",
        ),
    ),
)
