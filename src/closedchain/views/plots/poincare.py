"""Poincaré sections as points in the plane of two channels."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.views.plots.contract import FigureOfResult
from closedchain.views.plots.style import COLOURS, new_figure, place_axes, plain, styled

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
    'position.P.y'
    """
    if "section" not in ds or "crossing" not in ds["section"].dims:
        raise ClosedChainError("This result is no section; cc.poincare makes one.")
    known = [str(name) for name in ds["channel"].values]
    chosen = [x or known[0], y or (known[1] if len(known) > 1 else known[0])]
    for name in chosen:
        if name not in known:
            raise ClosedChainError(f"{name!r} is no channel of this section; it has {', '.join(known)}.")
    head = 0.3 if title else 0.1
    with styled():
        figure = new_figure(width)
        ax = figure.subplots()
        points = [ds["section"].isel(channel=known.index(name)).values for name in chosen]
        ax.plot(*points, ".", color=COLOURS[0], markersize=2.0)
        ax.set_xlabel(plain(chosen[0]))
        ax.set_ylabel(plain(chosen[1]))
        ax.grid(True, linewidth=0.3, color="#cccccc")
        place_axes(figure, 0.75, 0.1, 0.45, head)
        if title:
            figure.suptitle(plain(title), y=1.0 - 0.06 / figure.get_figheight(), va="top")
        return figure


def of_result(ds: "xr.Dataset", names: Sequence[str]) -> Figure:
    """The section in the plane of the named channels."""
    return poincare(ds, *list(names)[:2])


FIGURE = FigureOfResult("points of a Poincaré section", poincare, of_result)
