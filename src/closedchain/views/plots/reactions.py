"""Reactions of the joints along a motion: what the bearings carry."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.efforts import chosen_labels
from closedchain.views.plots.panels import Curve, Panel, draw_panels, is_sampled, windowed
from closedchain.views.plots.style import line_style, styled

if TYPE_CHECKING:
    import xarray as xr

# A moment below this part of the greatest force times the arm of one metre is none.
NOTHING = 1e-9


def reactions(
    ds: "xr.Dataset",
    joints: str | Sequence[str] | None = None,
    *,
    components: bool = False,
    window: Sequence[float] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws the sizes of the reaction forces of the joints, and of the moments where there are any.

    ds: result of inverse dynamics or a simulation. joints: which, all otherwise. components: along the ground axes
    instead of sizes, one panel per joint. window: (from, to) [s]. title: above the figure. width: "one-column",
    "two-column" or inches.
    Returns a matplotlib Figure; joints whose reactions statics leaves open are marked as least norm.

    Raises ClosedChainError where the result has no reactions or no such joint.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> figure = cc.plot.reactions(cc.inverse_dynamics(m, [0.0, 0.1, 0.2]), ["A", "B"])
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['A', 'B']
    """
    if not holds(ds, "reaction_force"):
        raise ClosedChainError(tr("This result has no reactions; inverse_dynamics and simulate give them."))
    names = chosen_labels(ds, "joint", joints)
    ds = windowed(ds, window)
    with styled():
        panels = by_component(ds, names) if components else by_size(ds, names)
    return draw_panels(panels, ds["time"].values, title, width, is_sampled(ds))


def by_size(ds: "xr.Dataset", names: Sequence[str]) -> list[Panel]:
    """A panel of forces, and one of moments where any is not zero."""
    looks = {name: line_style(number) for number, name in enumerate(names)}
    forces = {name: size(ds, "reaction_force", name) for name in names}
    panels = [
        Panel(
            tr("reaction force"), "N", [Curve(marked(ds, name), values, looks[name]) for name, values in forces.items()]
        )
    ]
    moments = {name: size(ds, "reaction_moment", name) for name in names if "reaction_moment" in ds}
    least = NOTHING * max(float(values.max()) for values in forces.values())
    curves = [Curve(marked(ds, name), each, looks[name]) for name, each in moments.items() if each.max() > least]
    return panels + ([Panel(tr("reaction moment"), "N*m", curves)] if curves else [])


def by_component(ds: "xr.Dataset", names: Sequence[str]) -> list[Panel]:
    """A panel per joint with the force along each ground axis."""
    return [
        Panel(marked(ds, name), "N", [
            Curve(str(axis), ds["reaction_force"].sel(joint=name, axis=axis).values) for axis in ds["axis"].values
        ], height=1.1)
        for name in names
    ]  # fmt: skip


def size(ds: "xr.Dataset", variable: str, joint: str) -> np.ndarray:
    """Size over time (n,) of a joint's reaction."""
    values = ds[variable].sel(joint=joint).values
    return np.linalg.norm(values, axis=1) if values.ndim > 1 else np.abs(values)


def marked(ds: "xr.Dataset", joint: str) -> str:
    """A joint's name, with a word where statics alone does not give its reaction."""
    if "reaction_determined" in ds and not ds["reaction_determined"].sel(joint=joint).values.all():
        return tr("{joint} (least norm)", joint=joint)
    return joint


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """Reactions of the named joints."""
    return reactions(ds, list(names) or None, **look)


FIGURE = FigureOfResult(
    "reaction forces and moments of the joints", reactions, of_result, lambda ds: holds(ds, "reaction_force")
)
