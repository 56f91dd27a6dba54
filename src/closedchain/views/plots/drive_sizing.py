"""What a motor must be able to do: its working points in the plane of speed and effort."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.results import units_of
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.efforts import chosen_labels, root_mean_square
from closedchain.views.plots.panels import windowed
from closedchain.views.plots.scale import scale_for, short
from closedchain.views.plots.style import COLOURS, grid, new_figure, plain, put_title, styled

if TYPE_CHECKING:
    import xarray as xr

SPEEDS = {"N*m": "rad/s", "N": "m/s"}
CELLS = 120  # of the grid along each side


def drive_sizing(
    ds: "xr.Dataset",
    actuators: str | Sequence[str] | None = None,
    *,
    window: Sequence[float] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws the working points of every actuator: effort over speed, with its RMS, its peaks and lines of equal power.

    ds: result of inverse dynamics or a simulation. actuators: which, all otherwise. window: (from, to) [s]. title:
    above the figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure. In the shaded quadrants the motor brakes. The horizontal lines are plus and minus the
    RMS effort, which a motor has to bear for good.

    Raises ClosedChainError where the result has no efforts or no such actuator.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> cc.plot.drive_sizing(cc.inverse_dynamics(m, [0.0, 0.1, 0.2])).axes[0].get_xlabel()
    'speed [rad/s]'
    """
    from closedchain.analyses.drive_summary import speeds

    if not holds(ds, "effort", "power", "qd"):
        raise ClosedChainError(tr("This result has no efforts; inverse_dynamics and simulate give them."))
    names = chosen_labels(ds, "actuator", actuators)
    ds = windowed(ds, window)
    rates, t = speeds(ds), ds["time"].values
    with styled():
        figure = new_figure(width, 1.0)
        across = min(3 if figure.get_figwidth() >= 5.0 else 1, len(names))
        rows, head, foot = -(-len(names) // across), (0.3 if title else 0.06), 0.26
        cell = min(figure.get_figwidth() / across, 3.35)
        high = 0.9 * cell
        figure.set_figheight(head + foot + rows * high)
        size = np.array([figure.get_figwidth(), figure.get_figheight()] * 2)
        for number, name in enumerate(names):
            left = (number % across) * cell + 0.5 * (size[0] - across * cell)
            bottom = size[1] - head - (number // across + 1) * high
            ax = figure.add_axes(tuple(np.array([left + 0.62, bottom + 0.42, cell - 0.72, high - 0.76]) / size))
            effort, speed = (each.sel(actuator=name).values for each in (ds["effort"], rates))
            cloud(ax, name, (speed, effort), units_of(ds, "effort", {"actuator": name}), root_mean_square(t, effort))
        lines = [line for line in ax.lines if not str(line.get_label()).startswith("_")]
        place = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.05 / size[1]), "ncols": 3, "borderaxespad": 0.0}
        figure.legend(lines, [str(line.get_label()) for line in lines], **place)
        put_title(figure, title)
        return figure


def cloud(ax: Any, name: str, points: tuple[np.ndarray, np.ndarray], unit: str, rms: float) -> None:
    """Working points (speeds, efforts) of one actuator."""
    speed, effort = points
    across, up = scale_for(SPEEDS.get(unit, ""), speed), scale_for(unit, effort)
    x, y = speed * across.factor, effort * up.factor
    wide, high = 1.15 * max(float(np.abs(x).max()), 1e-12), 1.3 * max(float(np.abs(y).max()), 1e-12)
    for signs in ((-1.0, 1.0), (1.0, -1.0)):
        ax.fill(
            [0.0, signs[0] * wide, signs[0] * wide, 0.0],
            [0.0, 0.0, signs[1] * high, signs[1] * high],
            "#f1f1f1",
            zorder=0,
        )
    ax.axhline(0.0, color="#808080", linewidth=0.6)
    ax.axvline(0.0, color="#808080", linewidth=0.6)
    ax.plot(*thinned(x, y), ".", color=COLOURS[0], markersize=1.8)
    power, figures = speed * effort, []
    peak = float(np.abs(power).max())
    if peak > 0.0:
        watts, at = scale_for("W", power), np.linspace(1e-3, 1.0, 200) * wide
        hyperbola = peak / (at / across.factor) * up.factor
        hyperbola[hyperbola > high] = np.nan
        for sx in (-1.0, 1.0):
            for sy in (-1.0, 1.0):
                ax.plot(sx * at, sy * hyperbola, color=COLOURS[1], linewidth=0.7, linestyle=(0, (4, 2)))
        figures.append(f"{short(peak * watts.factor)} {watts.unit}")
        ax.lines[-1].set_label(tr("peak power"))
    ax.axhline(rms * up.factor, color=COLOURS[2], linewidth=0.8, label=tr("RMS"))
    ax.axhline(-rms * up.factor, color=COLOURS[2], linewidth=0.8)
    k = int(np.abs(y).argmax())
    figures = [
        f"{short(abs(y[k]))} {up.unit}",
        tr("RMS {figure}", figure=f"{short(rms * up.factor)} {up.unit}"),
        *figures,
    ]
    ax.plot(x[k], y[k], "o", color=COLOURS[0], markersize=4, markerfacecolor="white", ls="none", label=tr("peak"))
    ax.set_xlim(-wide, wide)
    ax.set_ylim(-high, high)
    ax.set_xlabel(across.label(tr("speed")), labelpad=2)
    ax.set_ylabel(up.label(tr("torque") if unit == "N*m" else tr("force")), labelpad=2)
    ax.set_title(plain(name), fontsize=8, pad=11)
    note = {"transform": ax.transAxes, "fontsize": 6, "ha": "center", "va": "bottom", "color": "#404040"}
    ax.text(0.5, 1.015, tr("peak {figures}", figures=", ".join(figures)), **note)
    ax.xaxis.set_major_locator(MaxNLocator(5, symmetric=True))
    ax.yaxis.set_major_locator(MaxNLocator(6, symmetric=True))
    grid(ax)


def thinned(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One point of each cell of a grid that is finer than the eye; the outermost points are kept."""
    cells = [np.round(each / (np.ptp(each) or 1.0) * CELLS) for each in (x, y)]
    _, first = np.unique(np.stack(cells, axis=1), axis=0, return_index=True)
    outer = [int(values.argmax()) for values in (x, -x, y, -y, x * y, -x * y)]
    chosen = np.union1d(first, outer)
    return x[chosen], y[chosen]


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """Working points of the named actuators."""
    return drive_sizing(ds, list(names) or None, **look)


FIGURE = FigureOfResult(
    "working points of the actuators: effort over speed, RMS, peaks and lines of equal power", drive_sizing, of_result,
    lambda ds: holds(ds, "effort", "power", "qd") and not ds.attrs.get("time_axis"),
)  # fmt: skip
