"""Curves over time in panels one below the other: the layout that all figures over time share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.plots.scale import Scale, scale_for
from closedchain.views.plots.style import grid, line_style, new_figure, plain, put_title, styled, text_width

if TYPE_CHECKING:
    import xarray as xr

# A legend stands beside its panels where the figure is at least so wide [inch], above each panel otherwise.
WIDE = 5.0
ROW = 0.155  # height of a row of a legend [inch]


@dataclass(frozen=True)
class Curve:
    """One curve: its name, values (n,) in SI, look; instants [s] (n,) where they are not those of the figure."""

    name: str
    values: np.ndarray
    look: Mapping[str, Any] = field(default_factory=dict)
    at: np.ndarray | None = None


@dataclass(frozen=True)
class Panel:
    """What is drawn over one another: its quantity, its unit in SI, curves.

    bars: name -> (start, end) of times [s], drawn as a strip per name instead of curves. limits: of the values, in SI.
    height [inch].
    """

    quantity: str
    unit: str
    curves: Sequence[Curve]
    bars: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    limits: tuple[float, float] | None = None
    height: float = 1.45

    @property
    def scale(self) -> Scale:
        """The unit that makes the numbers short."""
        drawn = [np.asarray(self.limits)] if self.limits else [curve.values for curve in self.curves]
        return scale_for(self.unit, *drawn)

    @property
    def named(self) -> list[str]:
        """Names of the legend."""
        return [curve.name for curve in self.curves if curve.name]


def without_repeats(panels: Sequence[Panel]) -> list[bool]:
    """Whether each panel gets a legend: not where the one above has the same."""
    shown = []
    for k, panel in enumerate(panels):
        before = panels[k - 1] if k else None
        same = before is not None and before.named == panel.named and _looks(before) == _looks(panel)
        shown.append(bool(panel.named) and not same)
    return shown


def _looks(panel: Panel) -> list[dict[str, Any]]:
    return [{**line_style(number), **curve.look} for number, curve in enumerate(panel.curves) if curve.name]


def draw_panels(
    panels: Sequence[Panel], t: np.ndarray, title: str | None, width: str | float, sampled: bool = False
) -> Figure:
    """The figure of panels over the instants t [s]; `sampled`: t counts samples."""
    if not panels:
        raise ClosedChainError(tr("Nothing to draw: the result has no values of this kind."))
    with styled():
        figure = new_figure(width, 1.0)
        wide = figure.get_figwidth() >= WIDE
        shown = without_repeats(panels)
        left = 0.66
        right = max(legend_width(panel) for panel in panels) if wide else 0.18
        room = figure.get_figwidth() - left - right
        rows = [legend_rows(panel, room) if each and not wide else 0 for panel, each in zip(panels, shown, strict=True)]
        head, foot, gap = (0.30 if title else 0.1), 0.42, 0.14
        above = [ROW * count for count in rows]
        heights = [panel.height for panel in panels]
        total = head + foot + sum(heights) + sum(above) + gap * (len(panels) - 1)
        figure.set_figheight(total)
        axes, top = [], total - head
        time = Scale(1.0, "") if sampled else scale_for("s", t)
        for panel, height, space, each in zip(panels, heights, above, shown, strict=True):
            top -= space + height
            box = (
                left / figure.get_figwidth(),
                top / total,
                1.0 - (left + right) / figure.get_figwidth(),
                height / total,
            )
            axes.append(figure.add_axes(box, sharex=axes[0] if axes else None))
            fill(axes[-1], panel, t, time)
            if each:
                put_legend(axes[-1], panel, None if wide else room)
            top -= gap
        for ax in axes[:-1]:
            ax.tick_params(labelbottom=False)
        move_left_edges(figure, axes, max(map(numbers_width, axes)) + 0.34)
        axes[-1].set_xlabel(tr("sample") if sampled else time.label(tr("time")))
        figure.align_ylabels(axes)
        put_title(figure, title)
        return figure


def numbers_width(ax: Any) -> float:
    """About how wide the labels of an axis' ticks are printed [inch]."""
    ticks = ax.get_yticks()
    low, high = sorted(ax.get_ylim())
    labels = ax.yaxis.get_major_formatter().format_ticks(ticks)
    seen = [label for tick, label in zip(ticks, labels, strict=True) if low <= tick <= high]
    return max((text_width(label) for label in seen), default=0.0)


def move_left_edges(figure: Figure, axes: Sequence[Any], left: float) -> None:
    """Puts the left edges of axes at a distance from the figure's edge [inch], their right edges stay."""
    edge = left / figure.get_figwidth()
    for ax in axes:
        box = ax.get_position()
        ax.set_position((edge, box.y0, box.x1 - edge, box.height))


def fill(ax: Any, panel: Panel, t: np.ndarray, time: Scale) -> None:
    """Draws a panel."""
    scale = panel.scale
    for number, curve in enumerate(panel.curves):
        at = t if curve.at is None else curve.at
        look = {**line_style(number), **({"marker": "o", "markersize": 3} if len(at) == 1 else {}), **curve.look}
        name = plain(curve.name) if curve.name else None
        ax.plot(at * time.factor, curve.values * scale.factor, label=name, **look)
    grid(ax)
    for number, spans in enumerate(panel.bars.values()):
        widths = [(start * time.factor, (end - start) * time.factor) for start, end in spans]
        colour = line_style(number)["color"]
        ax.broken_barh(widths, (number - 0.3, 0.6), facecolor=colour, edgecolor=colour, linewidth=0.3)
    if panel.bars:
        ax.set_yticks(range(len(panel.bars)), [plain(name) for name in panel.bars])
        ax.set_ylim(len(panel.bars) - 0.4, -0.6)
        ax.grid(False, axis="y")
    else:
        ax.set_ylabel(scale.label(panel.quantity))
        ax.margins(y=0.06)
        if panel.limits is not None:
            ax.set_ylim(panel.limits[0] * scale.factor, panel.limits[1] * scale.factor)
    if len(t) > 1:
        ax.set_xlim(t[0] * time.factor, t[-1] * time.factor)


def put_legend(ax: Any, panel: Panel, room: float | None) -> None:
    """The legend beside a panel, or above one that is `room` wide [inch]."""
    pairs = [(line, plain(curve.name)) for line, curve in zip(ax.lines, panel.curves, strict=True) if curve.name]
    lines, names = zip(*pairs, strict=True)
    if room is None:
        place: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5), "borderaxespad": 0.8}
        ax.legend(lines, names, ncols=columns(panel), **place)
    else:
        count = -(-len(names) // legend_rows(panel, room))
        ax.legend(lines, names, ncols=count, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2)


def columns(panel: Panel) -> int:
    """Columns of a legend that stays as high as its panel."""
    return 1 + (len(panel.named) - 1) // max(1, int(panel.height / ROW))


def legend_width(panel: Panel) -> float:
    """About how wide the legend beside a panel is printed [inch]."""
    longest = max(map(text_width, panel.named), default=0.0)
    return 0.12 + columns(panel) * (0.36 + longest) if longest else 0.18


def legend_rows(panel: Panel, room: float) -> int:
    """Rows of a legend above a panel that is `room` wide [inch]."""
    if not panel.named:
        return 0
    entry = 0.36 + max(map(text_width, panel.named))
    return -(-len(panel.named) // max(1, int(room / entry)))


def windowed(ds: "xr.Dataset", window: Sequence[float] | None) -> "xr.Dataset":
    """The instants of a result within `window` = (from, to) [s], all where it is None.

    Raises ClosedChainError where nothing is left.
    """
    if "time" not in ds.dims:
        raise ClosedChainError(tr("This figure shows a result over time, and this result has none."))
    if window is None:
        return ds
    first, last = window
    t = ds["time"].values
    kept = ds.isel(time=np.flatnonzero((t >= first) & (t <= last)))
    if not kept.sizes["time"]:
        raise ClosedChainError(
            tr("The window from {first} s to {last} s holds no instant; the result is from {start} s to {end} s.",
               first=f"{first:g}", last=f"{last:g}", start=f"{t.min():g}", end=f"{t.max():g}")
        )  # fmt: skip
    return kept


def is_sampled(ds: "xr.Dataset") -> bool:
    """Whether the result counts samples instead of seconds."""
    return ds.attrs.get("time_axis") == "sample"
