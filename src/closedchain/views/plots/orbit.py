"""Orbits of pin centres in their clearance circles, with the contact force."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.efforts import chosen_labels
from closedchain.views.plots.panels import windowed
from closedchain.views.plots.scale import scale_for
from closedchain.views.plots.style import GREY_LINE, grid, new_figure, plain, put_title, styled

if TYPE_CHECKING:
    import xarray as xr

WHISKERS = 240  # at most so many forces are drawn per joint
FINE = 0.01  # steps of a path that are seen, in radii
REACH = 0.42  # length of the largest, as part of the radius
SHADES = "cividis_r"  # even for readers who see few colours; dark is large


def orbit(
    ds: "xr.Dataset",
    joints: str | Sequence[str] | None = None,
    *,
    window: Sequence[float] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws the path of each pin's centre in the circle of its radial clearance, seen along the joint's axis.

    ds: result of a simulation with loose revolute joints. joints: which, all otherwise. window: (from, to) [s]. title:
    above the figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure. In flight the path is grey, in contact coloured by the size of the contact force;
    whiskers outside the circle show the force that presses on the bore. Axes: ground x and y in a planar mechanism,
    x and y of the bore's frame in space.

    Raises ClosedChainError where the result has no loose joint with a radial clearance, or not the named one.

    >>> import closedchain as cc
    >>> m = cc.load("examples/shift_manipulator/mechanism.toml")
    >>> ds = cc.simulate(m, 0.01, clearance=["B1"], times=[0.0, 0.005, 0.01])
    >>> cc.plot.orbit(ds).axes[0].get_title()
    'B1'
    """
    from closedchain.description import loads

    if not holds(ds, "eccentricity", "contact_force"):
        raise ClosedChainError(
            tr("This result has no loose joint; simulate gives contacts where joints have clearance.")
        )
    m = loads(ds.attrs["mechanism"])
    radii = radial_clearances(ds, m)
    names = chosen_labels(ds, "loose_joint", list(radii) if joints is None else joints)
    if not names or not set(names) <= set(radii):
        raise ClosedChainError(tr("Orbits are drawn of joints with a radial clearance, and there is none here."))
    ds = windowed(ds, window)
    paths = {name: in_bore(ds, m, "eccentricity", name) for name in names}
    forces = {name: in_bore(ds, m, "contact_force", name) for name in names}
    largest = max(float(np.hypot(*force.T).max()) for force in forces.values())
    with styled():
        figure = new_figure(width, 1.0)
        wide = figure.get_figwidth() >= 5.0
        across = min(3 if wide else 1, len(names))
        rows, shades, head = -(-len(names) // across), 0.75, (0.3 if title else 0.06)
        cell = min((figure.get_figwidth() - shades) / across, 3.3)
        figure.set_figheight(head + rows * cell)
        size = np.array([figure.get_figwidth(), figure.get_figheight()] * 2)
        margin = 0.5 * (size[0] - shades - across * cell)
        colours = Normalize(0.0, scale_for("N", np.array([largest])).factor * largest or 1.0)
        for number, name in enumerate(names):
            left = margin + (number % across) * cell
            bottom = size[1] - head - (number // across + 1) * cell
            ax = figure.add_axes(tuple(np.array([left + 0.62, bottom + 0.5, cell - 0.72, cell - 0.72]) / size))
            one_orbit(ax, name, radii[name], paths[name], forces[name], (largest, colours))
        if largest > 0.0:
            low = size[1] - head - cell
            bar = figure.add_axes(
                tuple(np.array([size[0] - margin - shades + 0.12, low + 0.5, 0.1, cell - 0.72]) / size)
            )
            force = scale_for("N", np.array([largest]))
            shown = figure.colorbar(_shades(colours), cax=bar, label=force.label(tr("contact force")))
            shown.outline.set_linewidth(0.4)
        put_title(figure, title)
        return figure


def one_orbit(ax: Any, name: str, c: float, path: np.ndarray, force: np.ndarray, shading: tuple[float, Any]) -> None:
    """One orbit: path and force (n, 2) in SI, circle of radius c [m]."""
    largest, colours = shading
    scale = scale_for("m", np.array([c]))
    kept = seen(path / c, np.hypot(*force.T) / (largest or 1.0))
    path, force = path[kept], force[kept]
    size = np.hypot(*force.T)
    e, r = path * scale.factor, c * scale.factor
    ax.add_patch(Circle((0.0, 0.0), r, facecolor="#f4f4f4", edgecolor="black", linewidth=0.8, zorder=1))
    pieces = np.stack([e[:-1], e[1:]], axis=1)
    touching = np.minimum(size[:-1], size[1:]) > 0.0
    if len(pieces):
        ax.add_collection(LineCollection(list(pieces[~touching]), colors=GREY_LINE, linewidths=0.7, zorder=2))
        shade = np.maximum(size[:-1], size[1:])[touching] * scale_for("N", np.array([largest])).factor
        ax.add_collection(
            LineCollection(list(pieces[touching]), array=shade, cmap=SHADES, norm=colours, linewidths=1.6, zorder=3)
        )
    pressed = np.flatnonzero(size > 0.0)
    if len(pressed):
        # The greatest forces must be among those that are shown.
        chosen = np.union1d(pressed[:: -(-len(pressed) // WHISKERS)], pressed[np.argsort(size[pressed])[-12:]])
        # The bore feels the opposite of the journal's force, outwards.
        ends = e[chosen] - force[chosen] / largest * REACH * r
        whiskers = np.stack([e[chosen], ends], axis=1)
        shade = size[chosen] * scale_for("N", np.array([largest])).factor
        ax.add_collection(
            LineCollection(list(whiskers), array=shade, cmap=SHADES, norm=colours, linewidths=0.6, zorder=2)
        )
    ax.plot(*e[:1].T, "o", color=GREY_LINE, markersize=3, markerfacecolor="white", zorder=4)
    ax.set_title(plain(name), fontsize=8, pad=3)
    reach = r * (1.08 + (REACH if largest else 0.0))
    ax.set_xlim(-reach, reach)
    ax.set_ylim(-reach, reach)
    ax.set_aspect("equal")
    ticks = [-r, 0.0, r]
    ax.set_xticks(ticks, [f"{tick:.4g}".replace("-", "−") for tick in ticks])
    ax.set_yticks(ticks, [f"{tick:.4g}".replace("-", "−") for tick in ticks])
    ax.set_xlabel(scale.label("$e_x$"), labelpad=1)
    ax.set_ylabel(scale.label("$e_y$"), labelpad=0)
    grid(ax)


def seen(path: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Numbers of the points of a path (n, 2) that differ to the eye from the one kept before, or whose force does.

    path in radii, force as part of the largest; the first and the last are kept, and the greatest force.
    """
    kept, last = [0], 0
    for k in range(1, len(path)):
        step = path[k] - path[last]
        change = abs(force[k] - force[last])
        if step[0] * step[0] + step[1] * step[1] > FINE**2 or change > 0.05 or (force[k] > 0.0) != (force[last] > 0.0):
            kept.append(k)
            last = k
    return np.union1d(kept, [len(path) - 1, int(force.argmax())])


def _shades(colours: Any) -> Any:
    from matplotlib.cm import ScalarMappable

    return ScalarMappable(colours, SHADES)


def radial_clearances(ds: "xr.Dataset", m: Any) -> dict[str, float]:
    """Loose joint of a result -> its radial clearance [m], for those whose pins move within a circle."""
    found = {}
    for name in map(str, ds["loose_joint"].values):
        clearance = m.joints[name].clearance
        radial = clearance.parameters.get("radial") if clearance is not None else None
        if radial is not None:
            found[name] = float(m.evaluator()(radial))
    return found


def in_bore(ds: "xr.Dataset", m: Any, variable: str, joint: str) -> np.ndarray:
    """A vector of a loose joint over time along the two axes across its own, (n, 2)."""
    values = ds[variable].sel(loose_joint=joint).values
    if m.planar:
        return values
    from closedchain.views.frames import body_places
    from closedchain.views.scene import make_plan

    plan = next(each for each in make_plan(m).joints if each.name == joint)
    frame = body_places(ds, m)[plan.bodies[0]][:, :3, :3] @ plan.frames[0][:3, :3]
    return np.einsum("nij,ni->nj", frame, values)[:, :2]


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """Orbits of the named joints."""
    return orbit(ds, list(names) or None, **look)


def fits(ds: "xr.Dataset") -> bool:
    """Whether a pin of the result moves within a circle."""
    from closedchain.description import loads

    return holds(ds, "eccentricity", "contact_force") and bool(radial_clearances(ds, loads(ds.attrs["mechanism"])))


FIGURE = FigureOfResult(
    "orbits of pin centres in their clearance circles, with the contact force", orbit, of_result, fits
)
