"""A motion against the ideal one: position, velocity and acceleration of a point, both over time."""

import tomllib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.efforts import chosen_labels
from closedchain.views.plots.panels import Curve, Panel, draw_panels, windowed
from closedchain.views.plots.quantities import quantity
from closedchain.views.plots.style import COLOURS, styled

if TYPE_CHECKING:
    import xarray as xr

PARTS = ("position", "velocity", "acceleration")
# An axis along which the point moves less than this part of its greatest motion is left out.
STILL = 1e-2


def against_ideal(
    ds: "xr.Dataset",
    ideal: "xr.Dataset | None" = None,
    point: str | None = None,
    *,
    window: Sequence[float] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws position, velocity and acceleration of an output over those of the ideal mechanism.

    ds: result of a simulation, usually with loose joints. ideal: result at the same instants, otherwise the kinematics
    of the mechanism inside the result. point: output, the first otherwise. window: (from, to) [s]. title: above the
    figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure. Axes along which the point hardly moves are left out.

    Raises ClosedChainError where there is no output, or no ideal motion to compare with.

    >>> import numpy as np
    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> ds = cc.simulate(m, 0.1, times=np.linspace(0, 0.1, 11))
    >>> [ax.get_ylabel() for ax in cc.plot.against_ideal(ds, point="P").axes][0]
    'position x [m]'
    """
    ideal = ideal_of(ds) if ideal is None else ideal
    point = chosen_labels(ds, "point", point)[0]
    same_instants(ds, ideal)
    ds, ideal = windowed(ds, window), windowed(ideal, window)
    panels = []
    with styled():
        for name in PARTS:
            both = [each[name].sel(point=point) for each in (ideal, ds)]
            moves = np.ptp(both[0].values, axis=0)
            for axis, move in zip(both[0]["axis"].values, moves, strict=True):
                if move < STILL * moves.max():
                    continue
                curves = [
                    Curve(
                        tr("ideal"),
                        both[0].sel(axis=axis).values,
                        {"color": "black", "linestyle": (0, (5, 2)), "zorder": 3},
                    ),
                    Curve(tr("simulated"), both[1].sel(axis=axis).values, {"color": COLOURS[0]}),
                ]
                unit = str(ds[name].attrs.get("units", ""))
                panels.append(Panel(f"{quantity(name)} {axis}", unit, curves, height=1.3))
    return draw_panels(panels, ds["time"].values, title, width)


def ideal_of(ds: "xr.Dataset") -> "xr.Dataset":
    """The motion that the mechanism inside a result has without play, at the same instants.

    Raises ClosedChainError where the file does not prescribe it.
    """
    from closedchain.analyses.kinematics import kinematics
    from closedchain.description import loads

    if not holds(ds, "position"):
        raise ClosedChainError(tr("This result has no outputs; name some in the file's [outputs]."))
    if not prescribes_motion(ds):
        raise ClosedChainError(
            tr("The file prescribes no motion to compare with; give the ideal result as second argument.")
        )
    return kinematics(loads(ds.attrs["mechanism"]), ds["time"].values)


def prescribes_motion(ds: "xr.Dataset") -> bool:
    """Whether the file of a result says how the ideal mechanism moves."""
    said = tomllib.loads(str(ds.attrs.get("mechanism", "")))
    return bool(said.get("motions")) or any("motion" in each for each in said.get("actuators", {}).values())


def same_instants(ds: "xr.Dataset", ideal: "xr.Dataset") -> None:
    """Raise ClosedChainError where two results are at different instants or have no output in common."""
    from closedchain.analyses.deviation import deviation

    deviation(ds, ideal)


def comparable(ds: "xr.Dataset") -> bool:
    """Whether a result is a simulation whose file says how the ideal mechanism moves."""
    return ds.attrs.get("analysis") == "simulate" and holds(ds, "position") and prescribes_motion(ds)


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """The named output against the ideal motion of the file."""
    return against_ideal(ds, point=names[0] if names else None, **look)


FIGURE = FigureOfResult("motion of an output over the ideal one", against_ideal, of_result, comparable)
