"""Poincaré sections as points in the plane of two channels."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from closedchain.exceptions import ClosedChainError
from closedchain.views.plots.contract import FigureOfResult
from closedchain.views.plots.quantities import channel_text, channel_unit
from closedchain.views.plots.scale import scale_for
from closedchain.views.plots.style import COLOURS, grid, new_figure, place_axes, put_title, styled

if TYPE_CHECKING:
    import xarray as xr


def poincare(
    ds: "xr.Dataset",
    x: str | None = None,
    y: str | None = None,
    *,
    title: str | None = None,
    width: str | float = "one-column",
) -> Figure:
    """Draws the points of a section, a result of `cc.poincare`.

    x, y: channels of the section, the first two otherwise. title: above it. width: "one-column", "two-column" or
    inches.
    Returns a matplotlib Figure.

    Raises ClosedChainError where the result is no section or lacks a channel.

    >>> import numpy as np
    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> ds = cc.kinematics(m, np.linspace(0.0, 1.0, 101))
    >>> ds = cc.poincare(ds, period=0.25, channels=["position.P.x", "position.P.y"])
    >>> cc.plot.poincare(ds).axes[0].get_ylabel()
    'position P y [m]'
    """
    if "section" not in ds or "crossing" not in ds["section"].dims:
        raise ClosedChainError("This result is no section; cc.poincare makes one.")
    known = [str(name) for name in ds["channel"].values]
    chosen = [x or known[0], y or (known[1] if len(known) > 1 else known[0])]
    for name in chosen:
        if name not in known:
            raise ClosedChainError(f"{name!r} is no channel of this section; it has {', '.join(known)}.")
    with styled():
        figure = new_figure(width)
        ax = figure.subplots()
        points = [ds["section"].isel(channel=known.index(name)).values for name in chosen]
        across, up = (scale_for(channel_unit(ds, name), each) for name, each in zip(chosen, points, strict=True))
        ax.plot(points[0] * across.factor, points[1] * up.factor, ".", color=COLOURS[0], markersize=2.5)
        ax.set_xlabel(across.label(channel_text(chosen[0])))
        ax.set_ylabel(up.label(channel_text(chosen[1])))
        ax.xaxis.set_major_locator(MaxNLocator(5))
        grid(ax)
        place_axes(figure, 0.7, 0.12, 0.45, 0.3 if title else 0.1)
        put_title(figure, title)
        return figure


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """The section in the plane of the named channels."""
    return poincare(ds, *list(names)[:2], **look)


FIGURE = FigureOfResult(
    "points of a Poincaré section",
    poincare,
    of_result,
    lambda ds: "section" in ds and "crossing" in ds["section"].dims and ds["section"].size > 0,
)
