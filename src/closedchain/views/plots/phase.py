"""Phase portraits: one channel of a result over another."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from closedchain.analyses.signals import signal
from closedchain.exceptions import ClosedChainError
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.quantities import channel_text, channel_unit
from closedchain.views.plots.scale import scale_for
from closedchain.views.plots.style import COLOURS, grid, new_figure, place_axes, put_title, styled

if TYPE_CHECKING:
    import xarray as xr


def phase(
    ds: "xr.Dataset",
    x: str,
    y: str,
    *,
    after: float | None = None,
    title: str | None = None,
    width: str | float = "one-column",
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
    'position P x [m]'
    """
    chosen = ds["time"].values >= (ds["time"].values[0] if after is None else after)
    values = {name: signal(ds, name)[chosen] for name in (x, y)}
    with styled():
        figure = new_figure(width)
        ax = figure.subplots()
        across, up = (scale_for(channel_unit(ds, name), values[name]) for name in (x, y))
        ax.plot(values[x] * across.factor, values[y] * up.factor, color=COLOURS[0], linewidth=0.7)
        ax.set_xlabel(across.label(channel_text(x)))
        ax.set_ylabel(up.label(channel_text(y)))
        ax.xaxis.set_major_locator(MaxNLocator(5))
        grid(ax)
        place_axes(figure, 0.7, 0.12, 0.45, 0.3 if title else 0.1)
        put_title(figure, title)
        return figure


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """The portrait of the two named channels, or of the first coordinate and its rate."""
    chosen = list(names) or [f"q.{ds['coordinate'].values[0]}", f"qd.{ds['rate'].values[0]}"]
    if len(chosen) != 2:
        raise ClosedChainError("A phase portrait needs two channels, such as q.A and qd.A.")
    return phase(ds, *chosen, **look)


FIGURE = FigureOfResult(
    "one channel over another, such as q.A and qd.A", phase, of_result, lambda ds: holds(ds, "q", "qd")
)
