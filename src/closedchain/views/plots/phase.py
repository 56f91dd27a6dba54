"""Phase portraits: one channel of a result over another."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from closedchain.analyses.signals import signal
from closedchain.exceptions import ClosedChainError
from closedchain.views.plots.contract import FigureOfResult
from closedchain.views.plots.style import COLOURS, new_figure, place_axes, plain, styled

if TYPE_CHECKING:
    import xarray as xr


def phase(
    ds: "xr.Dataset", x: str, y: str, *, after: float | None = None, title: str | None = None, width: str | float = 3.35
) -> Figure:
    """Draws the path of a motion in the plane of two channels, such as "q.A" and "qd.A".

    ds: result over time. x, y: channels. after: what comes earlier is left out [s]. title: above the figure. width:
    "one-column", "two-column" or inches.
    Returns a matplotlib Figure.

    Raises ClosedChainError when a channel is not in the result.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> figure = cc.plot.phase(cc.kinematics(m, [0.0, 0.5, 1.0]), "position.P.x", "velocity.P.x")
    >>> figure.axes[0].get_xlabel()
    'position.P.x'
    """
    chosen = ds["time"].values >= (ds["time"].values[0] if after is None else after)
    head = 0.3 if title else 0.1
    with styled():
        figure = new_figure(width)
        ax = figure.subplots()
        ax.plot(signal(ds, x)[chosen], signal(ds, y)[chosen], color=COLOURS[0], linewidth=0.7)
        ax.set_xlabel(plain(x))
        ax.set_ylabel(plain(y))
        ax.grid(True, linewidth=0.3, color="#cccccc")
        place_axes(figure, 0.75, 0.1, 0.45, head)
        if title:
            figure.suptitle(plain(title), y=1.0 - 0.06 / figure.get_figheight(), va="top")
        return figure


def of_result(ds: "xr.Dataset", names: Sequence[str]) -> Figure:
    """The portrait of the two named channels, or of the first coordinate and its rate."""
    chosen = list(names) or [f"q.{ds['coordinate'].values[0]}", f"qd.{ds['rate'].values[0]}"]
    if len(chosen) != 2:
        raise ClosedChainError("A phase portrait needs two channels, such as q.A and qd.A.")
    return phase(ds, *chosen)


FIGURE = FigureOfResult("one channel over another, such as q.A and qd.A", phase, of_result)
