"""Contacts of loose joints over time: force, penetration, and when each joint touches."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.efforts import chosen_labels
from closedchain.views.plots.panels import Curve, Panel, draw_panels, windowed
from closedchain.views.plots.style import line_style, styled

if TYPE_CHECKING:
    import xarray as xr


def contacts(
    ds: "xr.Dataset",
    joints: str | Sequence[str] | None = None,
    *,
    window: Sequence[float] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws size of the contact force and penetration of loose joints, and a strip of the times in contact.

    ds: result of a simulation with loose joints. joints: which, all otherwise. window: (from, to) [s]. title: above the
    figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure. Times of contact are those of the located events, not of the samples.

    Raises ClosedChainError where the result has no loose joint, or not the named one.

    >>> import closedchain as cc
    >>> m = cc.load("examples/shift_manipulator/mechanism.toml")
    >>> ds = cc.simulate(m, 0.01, clearance=["B1"], times=[0.0, 0.005, 0.01])
    >>> [ax.get_ylabel() for ax in cc.plot.contacts(ds).axes][0]
    'contact force [N]'
    """
    if not holds(ds, "contact_force", "penetration"):
        raise ClosedChainError(
            tr("This result has no loose joint; simulate gives contacts where joints have clearance.")
        )
    names = chosen_labels(ds, "loose_joint", joints)
    spans = {name: contact_spans(ds, name) for name in names}
    ds = windowed(ds, window)
    t = ds["time"].values
    spans = {
        name: [(max(a, t[0]), min(b, t[-1])) for a, b in each if b >= t[0] and a <= t[-1]]
        for name, each in spans.items()
    }
    looks = {name: {**line_style(k), "linewidth": 0.8} for k, name in enumerate(names)}
    force = {name: np.linalg.norm(ds["contact_force"].sel(loose_joint=name).values, axis=1) for name in names}
    depth = {name: ds["penetration"].sel(loose_joint=name).values for name in names}
    deepest = max(float(each.max()) for each in depth.values())
    with styled():
        panels = [Panel(tr("contact force"), "N", [Curve(name, force[name], looks[name]) for name in names])]
        if deepest > 0.0:
            limits = (-0.06 * deepest, 1.06 * deepest)
            curves = [Curve(name, depth[name], looks[name]) for name in names]
            panels.append(Panel(tr("penetration"), "m", curves, limits=limits))
        panels.append(Panel("", "1", [], spans, height=0.12 + 0.16 * len(names)))
    return draw_panels(panels, t, title, width)


def contact_spans(ds: "xr.Dataset", joint: str) -> list[tuple[float, float]]:
    """Times [s] from start to end of every contact of a joint; the last may last until the end of the result."""
    chosen = ds["contact_joint"].values.astype(str) == joint
    start, end = ds["contact_time"].values[chosen], ds["contact_end"].values[chosen]
    last = float(ds["time"].values[-1])
    return [(float(a), float(b) if np.isfinite(b) else last) for a, b in zip(start, end, strict=True)]


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """Contacts of the named joints."""
    return contacts(ds, list(names) or None, **look)


FIGURE = FigureOfResult(
    "contact force, penetration and times in contact of loose joints", contacts, of_result,
    lambda ds: holds(ds, "contact_force", "penetration"),
)  # fmt: skip
