"""A sweep: the largest and the RMS of forces, efforts and motions over the number that was varied."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.results import digest, swept_dims
from closedchain.views.plots.contract import FigureOfResult
from closedchain.views.plots.quantities import quantity
from closedchain.views.plots.scale import scale_for
from closedchain.views.plots.style import COLOURS, grid, new_figure, place_axes, plain, put_title, styled

if TYPE_CHECKING:
    import xarray as xr

PANELS, CURVES = 4, 6
KINDS = ("peak", "rms")


def sweep(
    ds: "xr.Dataset",
    names: str | Sequence[str] | None = None,
    *,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws figures of every member over the value that was swept, one panel per quantity.

    ds: result of `cc.sweep` or `cc.ensemble` over one number. names: quantities such as "contact_force" or "effort"; of
    a motion the largest size (full line) and the RMS (broken line) are drawn, vectors by their length. title: above the
    figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure. Members that failed are gaps.

    Raises ClosedChainError where the result is no sweep over one number, or lacks a quantity.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -10]},
    ...     "parameters": {"mass": 1.0},
    ...     "bodies": {"ground": {}, "arm": {"mass": "mass", "com": [0.5, 0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]}},
    ...     "actuators": {"motor": {"joint": "A", "motion": "t"}},
    ... })
    >>> ds = cc.sweep(m, {"parameters.mass": [1.0, 2.0]}, cc.inverse_dynamics, times=[0.0, 0.1])
    >>> cc.plot.sweep(ds, "effort").axes[0].get_xlabel()
    'parameters.mass'
    """
    found = shown(ds)
    if found is None:
        raise ClosedChainError(tr("This result is no sweep over one number with figures to draw."))
    known = quantities(found)
    chosen = [names] if isinstance(names, str) else list(names or known[:PANELS])
    for name in chosen:
        if name not in known:
            raise ClosedChainError(
                tr("{name} is no quantity of this sweep; it has {known}.", name=name, known=", ".join(known))
            )
    path = swept_dims(ds)[0]
    values = np.asarray(ds[path].values, float)
    order = np.argsort(values)
    with styled():
        figure = new_figure(width, 0.45 + (0.3 if title else 0.1) + 1.7 * len(chosen))
        axes = figure.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
        across = scale_for(str(ds[path].attrs.get("units") or "1"), values)
        for ax, name in zip(axes, chosen, strict=True):
            draw_quantity(ax, found, name, (values[order] * across.factor, order))
        axes[-1].set_xlabel(across.label(plain(path)))
        place_axes(figure, 0.7, 1.1, 0.45, 0.3 if title else 0.1, gap=0.13)
        put_title(figure, title)
        return figure


def draw_quantity(ax: Any, found: "xr.Dataset", name: str, at: tuple[np.ndarray, np.ndarray]) -> None:
    """Peak and RMS of a quantity, one colour per label."""
    kinds = [kind for kind in KINDS if f"{name}_{kind}" in found] or [""]
    arrays = [found[f"{name}_{kind}" if kind else name] for kind in kinds]
    scale = scale_for(str(arrays[0].attrs.get("units") or "1"), *(array.values for array in arrays))
    x, order = at
    for kind, array in zip(kinds, arrays, strict=True):
        table = array.values.reshape(len(order), -1)
        labels = [str(label) for label in array[array.dims[1]].values] if array.ndim > 1 else [""]
        for k, label in enumerate(labels[:CURVES]):
            look = {"color": COLOURS[k % len(COLOURS)], "linestyle": (0, (5, 2)) if kind == "rms" else "-"}
            text = plain(" ".join(part for part in (label, tr(kind) if len(kinds) > 1 else "") if part))
            ax.plot(x, table[order, k] * scale.factor, marker=".", markersize=4, label=text or None, **look)
    ax.set_ylabel(scale.label(quantity(name)))
    if any(line.get_label()[:1] != "_" for line in ax.lines):
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    grid(ax)


def quantities(found: "xr.Dataset") -> list[str]:
    """What a digest tells of, without peak and RMS, as far as it holds a number."""
    names = dict.fromkeys(str(name).removesuffix("_peak").removesuffix("_rms") for name in found.data_vars)
    with_numbers = {str(name) for name in found.data_vars if np.isfinite(found[name].values).any()}
    return [name for name in names if {name, f"{name}_peak"} & with_numbers]


def shown(ds: "xr.Dataset") -> "xr.Dataset | None":
    """The digest of a sweep over one number, where it holds something to draw."""
    dims = swept_dims(ds)
    if len(dims) != 1 or ds.sizes[dims[0]] < 2 or dims[0] not in ds.coords or ds[dims[0]].dtype.kind not in "if":
        return None
    found = digest(ds)
    return found if quantities(found) else None


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """The named quantities, or the first few."""
    return sweep(ds, list(names) or None, **look)


FIGURE = FigureOfResult(
    "peak and RMS of forces, efforts and motions over the swept value", sweep, of_result,
    lambda ds: shown(ds) is not None,
)  # fmt: skip
