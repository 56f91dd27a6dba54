"""Efforts and powers of the actuators over time, with their peaks and root mean squares."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.results import units_of
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.panels import Curve, Panel, draw_panels, is_sampled, windowed
from closedchain.views.plots.scale import scale_for, short
from closedchain.views.plots.style import styled

if TYPE_CHECKING:
    import xarray as xr


def efforts(
    ds: "xr.Dataset",
    actuators: str | Sequence[str] | None = None,
    *,
    window: Sequence[float] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws effort and power of every actuator over time; the legend gives peak and root mean square over the time.

    ds: result of inverse dynamics or a simulation. actuators: which, all otherwise. window: (from, to) [s]. title:
    above the figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure.

    Raises ClosedChainError where the result has no efforts or no such actuator.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> figure = cc.plot.efforts(cc.inverse_dynamics(m, [0.0, 0.1, 0.2]))
    >>> [ax.get_ylabel() for ax in figure.axes]
    ['torque [N·m]', 'power [W]']
    """
    if not holds(ds, "effort", "power"):
        raise ClosedChainError(tr("This result has no efforts; inverse_dynamics and simulate give them."))
    names = chosen_labels(ds, "actuator", actuators)
    ds = windowed(ds, window)
    t = ds["time"].values
    panels: dict[str, list[str]] = {}
    for name in names:
        panels.setdefault(units_of(ds, "effort", {"actuator": name}), []).append(name)
    with styled():
        drawn = [
            panel(
                tr("torque") if unit == "N*m" else tr("force"),
                unit,
                t,
                {each: one(ds, "effort", each) for each in group},
            )
            for unit, group in panels.items()
        ]
        drawn.append(panel(tr("power"), "W", t, {each: one(ds, "power", each) for each in names}))
    return draw_panels(drawn, t, title, width, is_sampled(ds))


def panel(quantity: str, unit: str, t: np.ndarray, curves: dict[str, np.ndarray]) -> Panel:
    """A panel whose legend gives peak and root mean square of every curve."""
    scale = scale_for(unit, *curves.values())

    def number(value: float) -> str:
        return short(value * scale.factor)

    named = []
    for name, values in curves.items():
        peak, rms = number(float(np.abs(values).max())), number(root_mean_square(t, values))
        figures = tr("peak {peak}, RMS {rms} {unit}", peak=peak, rms=rms, unit=scale.unit)
        named.append(Curve(f"{name}: {figures}", values))
    return Panel(quantity, unit, named)


def root_mean_square(t: np.ndarray, values: np.ndarray) -> float:
    """Root of the mean square over time by the trapezoidal rule, samples may be unequal."""
    span = float(t[-1] - t[0])
    if not span > 0.0:
        return float(np.sqrt(np.mean(values**2)))
    return float(np.sqrt(np.trapezoid(values**2, t) / span))


def one(ds: "xr.Dataset", variable: str, actuator: str) -> np.ndarray:
    """Values over time (n,) of an actuator."""
    return ds[variable].sel(actuator=actuator).values


def chosen_labels(ds: "xr.Dataset", dim: str, wanted: str | Sequence[str] | None) -> list[str]:
    """Labels of a dimension that were asked for, all otherwise; raises ClosedChainError for others."""
    known = [str(label) for label in ds[dim].values]
    names = known if wanted is None else [wanted] if isinstance(wanted, str) else list(wanted)
    for name in names or ["-"]:
        if name not in known:
            raise ClosedChainError(
                tr("{name} is no {dim} of this result; it has {known}.", name=repr(name), dim=tr(dim.replace("_", " ")),
                   known=", ".join(known) or tr("none"))
            )  # fmt: skip
    return names


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """Efforts and powers of the named actuators."""
    return efforts(ds, list(names) or None, **look)


FIGURE = FigureOfResult(
    "efforts and powers of the actuators, with peaks and RMS",
    efforts,
    of_result,
    lambda ds: holds(ds, "effort", "power"),
)
