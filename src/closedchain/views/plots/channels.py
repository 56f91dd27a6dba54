"""Curves over time: any variables of a result, with their names and units."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.results import units_of
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.panels import Curve, Panel, draw_panels, is_sampled, windowed
from closedchain.views.plots.quantities import quantity
from closedchain.views.plots.style import styled

if TYPE_CHECKING:
    import xarray as xr

USUAL = ("q", "position", "velocity", "acceleration", "effort", "contact_force")


@dataclass(frozen=True)
class Picked:
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
    window: Sequence[float] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws variables of a result over time, one panel per variable and unit.

    ds: result with a time dimension. names: variables ("q"), or parts of them by their labels ("q.A", "position.tip",
    "position.tip.x"). select: dimension -> label or labels to keep. window: (from, to) [s]. title: above the figure.
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
    ds = windowed(ds, window)
    found = _panels([curve for name in chosen for curve in _curves(ds, name, select or {})])
    if not found:
        raise ClosedChainError(tr("Nothing to draw: {names} has no values in this result.", names=", ".join(chosen)))
    with styled():
        panels = [
            Panel(quantity(name), unit, [Curve(" ".join(each.labels), each.values) for each in curves])
            for (name, unit), curves in found.items()
        ]
    return draw_panels(panels, ds["time"].values, title, width, is_sampled(ds))


def _panels(curves: Sequence[Picked]) -> dict[tuple[str, str], list[Picked]]:
    """The curves by variable and unit, each once, in the order they were asked for."""
    panels: dict[tuple[str, str], list[Picked]] = {}
    for curve in curves:
        panel = panels.setdefault((curve.variable, curve.unit), [])
        if all(curve.labels != other.labels for other in panel):
            panel.append(curve)
    return panels


def _curves(ds: "xr.Dataset", name: str, select: Mapping[str, str | Sequence[str]]) -> Iterator[Picked]:
    """The curves a name such as "position.tip.x" stands for."""
    variable = max((str(each) for each in ds.data_vars if f"{name}.".startswith(f"{each}.")), key=len, default="")
    drawable = [str(each) for each in ds.data_vars if "time" in ds[each].dims]
    if variable not in drawable:
        near = get_close_matches(name, drawable, 1)
        hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(drawable)}."
        raise ClosedChainError(f"{name!r} is no variable over time of this result; {hint}")
    wanted, found = name[len(variable) + 1 :], False
    array = ds[variable]
    dims = [str(dim) for dim in array.dims if dim != "time"]
    texts = {dim: [str(label) for label in array[dim].values] for dim in dims}
    for place in np.ndindex(*(array.sizes[dim] for dim in dims)):
        label = {dim: texts[dim][number] for dim, number in zip(dims, place, strict=True)}
        if f"{'.'.join(label.values())}.".startswith(f"{wanted}." if wanted else "") and _kept(label, select):
            found = True
            values = array.isel(dict(zip(dims, place, strict=True))).values.astype(float)
            yield Picked(variable, tuple(label.values()), units_of(ds, variable, label), values)
    if wanted and not found:
        labels = "; ".join(f"{dim}: {', '.join(each)}" for dim, each in texts.items())
        raise ClosedChainError(f"{name!r} picks nothing of {variable}; its labels are {labels}.")


def _kept(label: Mapping[str, str], select: Mapping[str, str | Sequence[str]]) -> bool:
    return all(
        label[dim] == wanted if isinstance(wanted, str) else label[dim] in wanted
        for dim, wanted in select.items()
        if dim in label
    )


def usual(ds: "xr.Dataset") -> list[str]:
    """What is drawn where nothing is asked for: the usual variables over time, or any where there are none of them."""
    numbers = [str(name) for name in ds.data_vars if ds[name].dtype.kind in "fbi" and holds(ds, str(name))]
    return [name for name in USUAL if name in numbers] or numbers[:6]


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """The named channels of a result, or its usual ones."""
    return channels(ds, list(names) or usual(ds), **look)


FIGURE = FigureOfResult("curves over time of the named variables", channels, of_result, lambda ds: bool(usual(ds)))
