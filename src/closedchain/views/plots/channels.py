"""Curves over time: any variables of a result, with their names and units."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.results import units_of
from closedchain.views.plots.contract import FigureOfResult
from closedchain.views.plots.style import line_style, new_figure, place_axes, plain, styled, text_width, unit_text

if TYPE_CHECKING:
    import xarray as xr

USUAL = ("q", "position", "velocity", "acceleration", "effort", "contact_force")


@dataclass(frozen=True)
class Curve:
    """One curve: variable, labels that pick it, unit, values over time."""

    variable: str
    labels: tuple[str, ...]
    unit: str
    values: np.ndarray


def channels(
    ds: "xr.Dataset",
    names: str | Sequence[str] = "q",
    *,
    select: Mapping[str, str | Sequence[str]] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws variables of a result over time, one panel per variable and unit.

    ds: result with a time dimension. names: variables ("q"), or parts of them by their labels ("q.A", "position.tip",
    "position.tip.x"). select: dimension -> label or labels to keep. title: above the figure, default none.
    width: "one-column" (85 mm), "two-column" (178 mm) or a number of inches.
    Returns a matplotlib Figure.

    Raises ClosedChainError when a name or label is not in the result, naming what is.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> figure = cc.plot.channels(cc.kinematics(m, [0.0, 0.5, 1.0]), ["q", "position.P"])
    >>> len(figure.axes)
    2
    """
    chosen = [names] if isinstance(names, str) else list(names)
    panels = _panels([curve for name in chosen for curve in _curves(ds, name, select or {})])
    if not panels:
        raise ClosedChainError(f"Nothing to draw: {', '.join(chosen)} has no values in this result.")
    head = 0.36 if title else 0.18
    with styled():
        figure = new_figure(width, 0.45 + head + 1.45 * len(panels))
        axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for ax, ((name, unit), curves) in zip(axes, panels.items(), strict=True):
            for number, curve in enumerate(curves):
                ax.plot(ds["time"].values, curve.values, label=plain(" ".join(curve.labels)), **line_style(number))
            ax.set_ylabel(plain(name) + (f" [{unit_text(unit)}]" if unit_text(unit) else ""))
            ax.ticklabel_format(axis="y", scilimits=(-3, 5), useMathText=True)
            ax.margins(x=0)
            ax.grid(True, linewidth=0.3, color="#cccccc")
            if len(curves) > 1 or curves[0].labels:
                ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), ncols=_columns(curves), columnspacing=1.0)
        axes[-1].set_xlabel("time [s]")
        figure.align_ylabels(axes)
        place_axes(figure, 0.7, max(map(_legend_width, panels.values())), 0.42, head, gap=0.2)
        if title:
            figure.suptitle(plain(title), y=1.0 - 0.06 / figure.get_figheight(), va="top")
        return figure


def _columns(curves: Sequence[Curve]) -> int:
    """Columns of a legend that stays as high as its panel."""
    return 1 + (len(curves) - 1) // 9


def _legend_width(curves: Sequence[Curve]) -> float:
    """About how wide the legend of a panel is printed [inch]."""
    longest = max(text_width(" ".join(curve.labels)) for curve in curves)
    return 0.12 + _columns(curves) * (0.42 + longest) if longest else 0.1


def _panels(curves: Sequence[Curve]) -> dict[tuple[str, str], list[Curve]]:
    """The curves by variable and unit, each once, in the order they were asked for."""
    panels: dict[tuple[str, str], list[Curve]] = {}
    for curve in curves:
        panel = panels.setdefault((curve.variable, curve.unit), [])
        if all(curve.labels != other.labels for other in panel):
            panel.append(curve)
    return panels


def _curves(ds: "xr.Dataset", name: str, select: Mapping[str, str | Sequence[str]]) -> Iterator[Curve]:
    """The curves a name such as "position.tip.x" stands for."""
    variable = max((str(each) for each in ds.data_vars if f"{name}.".startswith(f"{each}.")), key=len, default="")
    drawable = [str(each) for each in ds.data_vars if "time" in ds[each].dims]
    if variable not in drawable:
        raise ClosedChainError(f"{name!r} is no variable over time of this result; it has {', '.join(drawable)}.")
    wanted, found = name[len(variable) + 1 :], False
    array = ds[variable]
    dims = [str(dim) for dim in array.dims if dim != "time"]
    texts = {dim: [str(label) for label in array[dim].values] for dim in dims}
    for place in np.ndindex(*(array.sizes[dim] for dim in dims)):
        label = {dim: texts[dim][number] for dim, number in zip(dims, place, strict=True)}
        if f"{'.'.join(label.values())}.".startswith(f"{wanted}." if wanted else "") and _kept(label, select):
            found = True
            values = array.isel(dict(zip(dims, place, strict=True))).values.astype(float)
            yield Curve(variable, tuple(label.values()), units_of(ds, variable, label), values)
    if wanted and not found:
        labels = "; ".join(f"{dim}: {', '.join(each)}" for dim, each in texts.items())
        raise ClosedChainError(f"{name!r} picks nothing of {variable}; its labels are {labels}.")


def _kept(label: Mapping[str, str], select: Mapping[str, str | Sequence[str]]) -> bool:
    return all(
        label[dim] == wanted if isinstance(wanted, str) else label[dim] in wanted
        for dim, wanted in select.items()
        if dim in label
    )


def of_result(ds: "xr.Dataset", names: Sequence[str]) -> Figure:
    """The named channels of a result, or its usual ones."""
    return channels(ds, list(names) or [name for name in USUAL if name in ds.data_vars and ds[name].size])


FIGURE = FigureOfResult("curves over time of the named variables", channels, of_result)
