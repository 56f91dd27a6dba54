"""Bifurcation diagrams: the points of the settled motion over the number that was varied."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.views.plots.contract import FigureOfResult
from closedchain.views.plots.quantities import channel_text, channel_unit
from closedchain.views.plots.scale import scale_for
from closedchain.views.plots.style import COLOURS, grid, new_figure, place_axes, plain, put_title, styled

if TYPE_CHECKING:
    import xarray as xr


def bifurcation(
    ds: "xr.Dataset",
    channel: str | Sequence[str] | None = None,
    *,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws a result of `cc.bifurcation`, one panel per channel.

    channel: which to draw, all otherwise. title: above the figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure.

    Raises ClosedChainError where the result is no diagram or lacks a channel.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -9.81]},
    ...     "parameters": {"l": 1.0},
    ...     "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": ["l", 0.0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "guess": "-90 deg"}},
    ... })
    >>> ds = cc.bifurcation(m, "parameters.l", [1.0, 1.1], period=0.1, transient=1, keep=2, channel="q.A")
    >>> cc.plot.bifurcation(ds).axes[0].get_xlabel()
    'parameters.l'
    """
    if "section" not in ds or "strobe" not in ds["section"].dims:
        raise ClosedChainError("This result is no bifurcation diagram; cc.bifurcation makes one.")
    known = [str(name) for name in ds["channel"].values]
    chosen = known if channel is None else [channel] if isinstance(channel, str) else list(channel)
    for name in chosen:
        if name not in known:
            raise ClosedChainError(f"{name!r} is no channel of this diagram; it has {', '.join(known)}.")
    path = str(ds["section"].dims[0])
    over = np.repeat(ds[path].values[:, None], ds.sizes["strobe"], axis=1)
    with styled():
        figure = new_figure(width, 0.45 + (0.3 if title else 0.1) + 2.4 * len(chosen))
        axes = figure.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
        across = scale_for(str(ds[path].attrs.get("units") or "1"), over)
        for ax, name in zip(axes, chosen, strict=True):
            points = ds["section"].isel(channel=known.index(name)).values
            up = scale_for(channel_unit(ds, name), points)
            ax.plot(over.ravel() * across.factor, points.ravel() * up.factor, ".", color=COLOURS[0], markersize=1.2)
            ax.set_ylabel(up.label(channel_text(name)))
            grid(ax)
        axes[-1].set_xlabel(across.label(plain(path)))
        place_axes(figure, 0.7, 0.12, 0.45, 0.3 if title else 0.1, gap=0.13)
        put_title(figure, title)
        return figure


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """The diagram of the named channels."""
    return bifurcation(ds, list(names) or None, **look)


FIGURE = FigureOfResult(
    "points of the settled motion over the varied number",
    bifurcation,
    of_result,
    lambda ds: "section" in ds and "strobe" in ds["section"].dims,
)
