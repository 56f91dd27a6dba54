"""Polar diagrams of bearing loads: the load vector in the plane of the bearing, over the motion."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from closedchain.elements.joints import Rotation, Screw
from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.efforts import chosen_labels
from closedchain.views.plots.panels import windowed
from closedchain.views.plots.scale import scale_for
from closedchain.views.plots.style import COLOURS, new_figure, plain, put_title, styled

if TYPE_CHECKING:
    import xarray as xr

SIDES = ("base", "moving")
ABREAST = {True: 3, False: 2}  # diagrams beside one another in a wide and in a narrow figure


def bearing_load(
    ds: "xr.Dataset",
    joints: str | Sequence[str] | None = None,
    *,
    axes: str = "base",
    window: Sequence[float] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws the load on the moving side of each bearing as a vector's path in the plane across its axis.

    ds: result of inverse dynamics or a simulation. joints: which, otherwise all that turn about one axis. axes: those
    of the joint's frame on the "base" side (where a housing is loaded) or on the "moving" side (where a pin is).
    window: (from, to) [s]. title: above the figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure; a ring marks the start.

    Raises ClosedChainError where the result has no reactions, no such joint, or the joint has no axis.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> figure = cc.plot.bearing_load(cc.inverse_dynamics(m, [0.0, 0.1, 0.2]), "B")
    >>> figure.axes[0].get_title()
    'B'
    """
    if not holds(ds, "reaction_force"):
        raise ClosedChainError(tr("This result has no reactions; inverse_dynamics and simulate give them."))
    if axes not in SIDES:
        raise ClosedChainError(tr("axes is {axes}; choose base or moving.", axes=repr(axes)))
    from closedchain.description import loads

    m = loads(ds.attrs["mechanism"])
    turning = bearings(m)
    names = chosen_labels(ds, "joint", turning if joints is None else joints)
    for name in names:
        if name not in turning:
            raise ClosedChainError(
                tr("{name} has no axis to turn about; choose of {known}.", name=repr(name), known=", ".join(turning))
            )
    ds = windowed(ds, window)
    paths = {name: path for name, path in loads_across(ds, m, axes).items() if name in names}
    scale = scale_for("N", *paths.values())
    with styled():
        figure = new_figure(width, 1.0)
        across = min(ABREAST[figure.get_figwidth() >= 5.0], len(names))
        rows = -(-len(names) // across)
        cell, head, foot = figure.get_figwidth() / max(across, 2), (0.3 if title else 0.06), 0.26
        figure.set_figheight(head + foot + rows * cell)
        total = figure.get_figheight()
        for number, name in enumerate(names):
            left = (number % across) * cell + 0.5 * (figure.get_figwidth() - across * cell)
            bottom = total - head - (number // across + 1) * cell
            box = (left + 0.16 * cell, bottom + 0.12 * cell, 0.68 * cell, 0.68 * cell)
            ax: Any = figure.add_axes(
                tuple(np.array(box) / np.array([figure.get_figwidth(), total] * 2)), projection="polar"
            )
            diagram(ax, name, paths[name] * scale.factor)
        where = tr("axes of the base side") if axes == "base" else tr("axes of the moving side")
        note = scale.label(tr("load on the moving side")) + f", {where}"
        figure.text(0.5, 0.06 / total, note, ha="center", va="bottom", fontsize=7)
        put_title(figure, title)
        return figure


def diagram(ax: Any, name: str, path: np.ndarray) -> None:
    """One polar diagram of a path (n, 2) with its start."""
    angle, size = np.arctan2(path[:, 1], path[:, 0]), np.hypot(path[:, 0], path[:, 1])
    ax.plot(angle, size, color=COLOURS[0], linewidth=0.8)
    ax.plot(angle[:1], size[:1], "o", color=COLOURS[1], markersize=3.5, markerfacecolor="white")
    ax.set_title(plain(name), fontsize=8, pad=3)
    ax.set_rlim(0.0, 1.05 * float(size.max()) or 1.0)
    ax.set_thetagrids(np.arange(0, 360, 45), [f"{angle}°" if angle % 90 == 0 else "" for angle in range(0, 360, 45)])
    ax.yaxis.set_major_locator(MaxNLocator(4))
    ax.set_rlabel_position(quiet_direction(angle, size))
    ax.tick_params(labelsize=6, pad=-1)
    ax.tick_params(axis="y", labelcolor="#404040")
    ax.grid(True, linewidth=0.4, color="#d8d8d8")
    ax.spines["polar"].set_linewidth(0.6)


def quiet_direction(angle: np.ndarray, size: np.ndarray) -> float:
    """Direction [deg] between the marked ones in which the path is shortest: there numbers are read."""
    options = np.arange(22.5, 360.0, 45.0)
    reach = [np.max(size * np.clip(np.cos(angle - np.radians(each)), 0.0, None) ** 4) for each in options]
    return float(options[int(np.argmin(reach))])


def bearings(m: Any) -> list[str]:
    """Joints that turn about exactly one axis."""
    found = []
    for name, joint in m.joints.items():
        evaluate = m.evaluator()
        steps = joint.form.steps({key: float(evaluate(value)) for key, value in joint.parameters.items()})
        if sum(isinstance(step, Rotation | Screw) for step in steps) == 1 and len(steps) == 1:
            found.append(name)
    return found


def loads_across(ds: "xr.Dataset", m: Any, axes: str) -> dict[str, np.ndarray]:
    """Joint -> load on its moving side along x and y of its frame (n, 2) [N]."""
    from closedchain.views.frames import body_places
    from closedchain.views.scene import make_plan

    at, found = body_places(ds, m), {}
    for joint in make_plan(m).joints:
        side = SIDES.index(axes)
        frame = at[joint.bodies[side]][:, :3, :3] @ joint.frames[side][:3, :3]
        force = ds["reaction_force"].sel(joint=joint.name).values
        force = np.pad(force, ((0, 0), (0, 3 - force.shape[1])))
        found[joint.name] = np.einsum("nij,ni->nj", frame, force)[:, :2]
    return found


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """Diagrams of the named joints."""
    return bearing_load(ds, list(names) or None, **look)


def fits(ds: "xr.Dataset") -> bool:
    """Whether the result has the reaction of a bearing."""
    from closedchain.description import loads

    return holds(ds, "reaction_force", "q") and bool(bearings(loads(ds.attrs["mechanism"])))


FIGURE = FigureOfResult("polar diagrams of the loads of bearings", bearing_load, of_result, fits)
