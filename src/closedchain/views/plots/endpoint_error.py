"""Error of a point against the ideal mechanism: displacement, velocity and acceleration over time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from closedchain.language import tr
from closedchain.views.plots.against_ideal import comparable, ideal_of
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.efforts import chosen_labels
from closedchain.views.plots.panels import Curve, Panel, draw_panels, windowed
from closedchain.views.plots.style import COLOURS, styled

if TYPE_CHECKING:
    import xarray as xr

PARTS = {"position": "displacement error", "velocity": "velocity error", "acceleration": "acceleration error"}
LOOKS = (
    {"color": COLOURS[0], "linewidth": 0.9},
    {"color": COLOURS[1], "linewidth": 0.9},
    {"color": COLOURS[2], "linewidth": 0.9},
)


def endpoint_error(
    ds: "xr.Dataset",
    ideal: "xr.Dataset | None" = None,
    point: str | None = None,
    *,
    window: Sequence[float] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws the errors of an output along the ground axes and their size: displacement, velocity, acceleration.

    ds: result of `cc.deviation`; or of a simulation, compared with `ideal` at the same instants, or without it with the
    kinematics of the mechanism inside the result. point: output, the first otherwise. window: (from, to) [s]. title:
    above the figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure.

    Raises ClosedChainError where there is no output, or no ideal motion to compare with.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> ds = cc.deviation(cc.simulate(m, 0.1, times=[0.0, 0.05, 0.1]), cc.kinematics(m, [0.0, 0.05, 0.1]))
    >>> len(cc.plot.endpoint_error(ds, point="P").axes)
    3
    """
    if not holds(ds, "position_error"):
        from closedchain.analyses.deviation import deviation

        ds = deviation(ds, ideal_of(ds) if ideal is None else ideal)
    point = chosen_labels(ds, "point", point)[0]
    ds = windowed(ds, window)
    panels = []
    with styled():
        for name, words in PARTS.items():
            if f"{name}_error" not in ds:
                continue
            error = ds[f"{name}_error"].sel(point=point)
            curves = [
                Curve(str(axis), error.sel(axis=axis).values, look) for axis, look in zip(error["axis"].values, LOOKS)
            ]
            size = ds[f"{name}_distance"].sel(point=point).values
            curves.append(Curve(tr("size"), size, {"color": "black", "linewidth": 0.7}))
            panels.append(Panel(tr(words), str(error.attrs.get("units", "")), curves))
    return draw_panels(panels, ds["time"].values, title, width)


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """Errors of the named output."""
    return endpoint_error(ds, point=names[0] if names else None, **look)


FIGURE = FigureOfResult(
    "errors of an output against the ideal motion", endpoint_error, of_result,
    lambda ds: holds(ds, "position_error") or comparable(ds),
)  # fmt: skip
