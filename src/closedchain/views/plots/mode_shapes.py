"""Mode shapes of small motions: the mechanism at rest and where each mode takes it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.palette import GREY, LINKS
from closedchain.views.plots.contract import FigureOfResult
from closedchain.views.plots.style import new_figure, put_title, styled
from closedchain.views.projection import VIEW, Projection, projection

if TYPE_CHECKING:
    import xarray as xr

MOST = 6  # modes that are drawn where none are named
SHOWN = 0.08  # largest motion of a body in a picture, as part of the size
TURN = 0.35  # and its largest turn [rad]


def mode_shapes(
    ds: "xr.Dataset",
    modes: int | Sequence[int] | None = None,
    *,
    view: tuple[float, float] = VIEW,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws modes of a linearisation: the rest position dashed, both ends of the motion in colour.

    ds: result of `cc.linearise`. modes: numbers from 1, the first six otherwise. view: elevation and azimuth [deg] in
    space. title: above the figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure. The motion is enlarged to be seen, each body goes on along the screw that it begins
    with: bodies keep their form, joints that move may gape a little.

    Raises ClosedChainError where the result is no linearisation or has no such mode.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -9.81]},
    ...     "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0], "points": {"end": [1.0, 0.0]}}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"]}},
    ... })
    >>> cc.plot.mode_shapes(cc.linearise(m)).axes[0].get_title()
    'mode 1\\n0.498 Hz, undamped'
    """
    from closedchain.description import loads
    from closedchain.views.frames import places_of_coordinates
    from closedchain.views.scene import GROUND, make_plan, scene_at

    if not fits(ds):
        raise ClosedChainError(tr("This result has no modes; linearise gives them."))
    known = ds["mode"].values.tolist()
    chosen = known[:MOST] if modes is None else [modes] if isinstance(modes, int) else list(modes)
    for mode in chosen:
        if mode not in known:
            raise ClosedChainError(tr("There is no mode {mode}; there are {count}.", mode=mode, count=len(known)))
    m = loads(ds.attrs["mechanism"])
    plan = make_plan(m)
    pose = {
        str(label): np.array([value]) for label, value in zip(ds["coordinate"].values, ds["pose"].values, strict=True)
    }
    rest = {GROUND: np.eye(4)} | {body: at[0] for body, at in places_of_coordinates(m, pose).items()}
    scenes = {mode: [scene_at(plan, moved_by(ds, m, mode, rest, sign)) for sign in (-1.0, 1.0)] for mode in chosen}
    still, seen = scene_at(plan, rest), projection(plan.planar, view)
    with styled():
        figure = new_figure(width, 1.0)
        across = min(3 if figure.get_figwidth() >= 5.0 else 2, len(chosen))
        cell = figure.get_figwidth() / max(across, 2)
        every = [still] + [scene for pair in scenes.values() for scene in pair]
        cloud = np.concatenate([seen.flat(scene.points) for scene in every])
        low, high = cloud.min(axis=0), cloud.max(axis=0)
        low, high = low - 0.06 * still.size, high + 0.06 * still.size
        share = float(np.clip((high - low)[1] / (high - low)[0], 0.35, 1.3))
        rows, head, tall = -(-len(chosen) // across), (0.3 if title else 0.04), (cell - 0.1) * share + 0.36
        figure.set_figheight(head + rows * tall + 0.04)
        total = np.array([figure.get_figwidth(), figure.get_figheight()] * 2)
        for number, mode in enumerate(chosen):
            left = (number % across) * cell + 0.5 * (total[0] - across * cell)
            bottom = total[1] - head - (number // across + 1) * tall
            ax = figure.add_axes(tuple(np.array([left + 0.05, bottom, cell - 0.1, tall - 0.36]) / total))
            lines(ax, still, seen, color="#9a9a9a", linewidth=0.9, linestyle=(0, (3, 1.5)))
            lines(ax, scenes[mode][0], seen, linewidth=1.2, alpha=0.35)
            lines(ax, scenes[mode][1], seen, linewidth=1.8)
            for joint in still.joints:
                if joint.grounded:
                    ax.plot(*seen.flat(joint.base), "^", color=GREY, markersize=4.5, markerfacecolor="white", zorder=4)
            ax.set_xlim(low[0], high[0])
            ax.set_ylim(low[1], high[1])
            ax.set_aspect("equal")
            ax.set_axis_off()
            ax.set_title(heading(ds, mode), fontsize=7.5, pad=3)
        put_title(figure, title)
        return figure


def moved_by(ds: "xr.Dataset", m: Any, mode: int, rest: dict[str, np.ndarray], sign: float) -> dict[str, np.ndarray]:
    """Places of the bodies at one end of a mode's motion, enlarged so that it is seen."""
    from scipy.linalg import expm

    one = ds.sel(mode=mode, part="real")
    shift = {
        str(body): np.pad(one["body_shape"].sel(body=body).values, (0, 3 - ds.sizes["axis"]))
        for body in ds["body"].values
    }
    turns = {str(body): np.atleast_1d(one["body_turn"].sel(body=body).values) for body in ds["body"].values}
    turn = {body: np.array([0.0, 0.0, *each]) if len(each) == 1 else each for body, each in turns.items()}
    reach = max((np.linalg.norm(each) for each in shift.values()), default=0.0)
    spin = max((np.linalg.norm(each) for each in turn.values()), default=0.0)
    size = max((np.linalg.norm(at[:3, 3]) for at in rest.values()), default=1.0) or 1.0
    factor = sign * min(SHOWN * size / reach if reach else np.inf, TURN / spin if spin else np.inf)
    factor = factor if np.isfinite(factor) else 0.0
    evaluate, found = m.evaluator(), dict(rest)
    for body, at in rest.items():
        if body not in shift:
            continue
        com = at[:3, :3] @ np.array([float(each) for each in m.bodies[body].mass_properties(evaluate)[1]]) + at[:3, 3]
        w = factor * turn[body]
        # The motion goes on as the screw that it begins as: what turns about a fixed axis stays on it.
        twist = np.zeros((4, 4))
        twist[:3, :3] = np.cross(np.eye(3), w)
        twist[:3, 3] = factor * shift[body] - np.cross(w, com)
        found[body] = expm(twist) @ at
    return found


def lines(ax: Any, scene: Any, seen: Projection, **look: Any) -> None:
    """The links of a scene as lines through their points' outline."""
    from closedchain.views.scene import outline

    for number, link in enumerate(scene.links):
        hull = outline(link.points)
        path = seen.flat(np.concatenate([hull, hull[:1]]) if len(hull) > 2 else hull)
        ax.plot(*path.T, **{"color": LINKS[number % len(LINKS)], "solid_capstyle": "round", **look})


def heading(ds: "xr.Dataset", mode: int) -> str:
    """What a mode is: its number, and its frequency and damping, or how it decays or grows."""
    one = ds.sel(mode=mode)
    frequency, ratio, growth = (float(one[name]) for name in ("frequency", "damping_ratio", "eigenvalue_real"))
    if frequency == 0.0:
        words = tr("free")
    elif abs(ratio) >= 1.0 - 1e-9:
        words = tr("decays with {rate} 1/s" if growth < 0.0 else "grows with {rate} 1/s", rate=f"{abs(growth):.3g}")
    elif abs(ratio) < 1e-9:
        words = tr("{frequency} Hz, undamped", frequency=f"{frequency:.3g}")
    else:
        words = tr("{frequency} Hz, damping {ratio} %", frequency=f"{frequency:.3g}", ratio=f"{100 * ratio:.2g}")
    return tr("mode {mode}", mode=mode) + f"\n{words}"


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """The modes of the given numbers."""
    if not all(name.isdigit() for name in names):
        raise ClosedChainError(tr("Modes are named by their numbers, such as 1 2."))
    return mode_shapes(ds, [int(name) for name in names] or None, **look)


def fits(ds: "xr.Dataset") -> bool:
    """Whether a result is a linearisation with modes and its pose."""
    return all(name in ds for name in ("body_shape", "body_turn", "pose", "frequency")) and ds.sizes["mode"] > 0


FIGURE = FigureOfResult("mode shapes: at rest and displaced", mode_shapes, of_result, fits)
