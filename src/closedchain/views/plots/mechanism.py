"""A mechanism at a pose: links, joints by their usual symbols, the fixed body hatched, outputs named."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from mpl_toolkits.mplot3d.proj3d import proj_transform

from closedchain.views.glyphs import Dot, Stroke, glyph, hatching
from closedchain.views.palette import GREY, INK, LINKS, OUTPUT
from closedchain.views.parts import link_directions
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.style import new_figure, place_axes, plain, styled, text_width
from closedchain.views.scene import Scene, in_space, make_scene, outline

if TYPE_CHECKING:
    import xarray as xr


def mechanism(
    m: Any,
    pose: Any = None,
    *,
    path: "xr.Dataset | None" = None,
    labels: bool | None = None,
    view: tuple[float, float] = (22.0, -60.0),
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws a mechanism, planar or spatial, to scale with equal axes in m.

    m: mechanism or model. pose: from `cc.assemble`, default the assembled start. path: result whose output positions
    are drawn as curves. labels: names of joints, default where they are few. view: elevation, azimuth [deg] in space.
    title: above the figure, default the mechanism's name. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> figure = cc.plot.mechanism(m, cc.assemble(m))
    >>> figure.axes[0].get_xlabel()
    'x [m]'
    """
    from closedchain.analyses.assembly import assemble

    m = getattr(m, "mechanism", m)
    scene = make_scene(m, assemble(m) if pose is None else pose)
    curves = {} if path is None else _paths(path)
    low, high = _bounds(scene, list(curves.values()))
    with styled():
        sides = high - low
        figure = new_figure(width)
        if scene.planar:
            share = float(np.clip(sides[1] / sides[0], 0.3, 1.4))
            figure.set_figheight((figure.get_figwidth() - 0.72) * share + 0.72)
            ax = figure.add_subplot()
            place_axes(figure, left=0.62, right=0.1, bottom=0.42, top=0.3)
        else:
            ax = _space(figure, sides, view)
        pen = _Pen(ax, scene.planar)
        inch = sides[0] / (figure.get_figwidth() - 0.72)
        edges = np.stack([low[:2], high[:2]])
        _draw(pen, scene, curves, labels if labels is not None else len(scene.joints) <= 12, inch, edges)
        for axis, start, end in zip("xyz", low, high, strict=True):
            if hasattr(ax, f"set_{axis}label"):
                getattr(ax, f"set_{axis}label")(f"{axis} [m]")
                getattr(ax, f"set_{axis}lim")(start, end)
        heading = plain(title if title is not None else scene.name)
        if scene.planar:
            ax.set_aspect("equal")
            ax.set_title(heading)
        else:
            _fit(figure, ax, sides)
            figure.suptitle(heading)
        return figure


def _space(figure: Figure, sides: np.ndarray, view: tuple[float, float]) -> Any:
    """Axes in space with the proportions of `sides`, lightly drawn."""
    ax: Any = figure.add_axes((0.0, 0.0, 1.0, 1.0), projection="3d", proj_type="ortho", computed_zorder=False)
    ax.view_init(*view)
    ax.set_box_aspect(sides, zoom=1.0)
    for axis, side in zip((ax.xaxis, ax.yaxis, ax.zaxis), sides, strict=True):
        axis.set_major_locator(MaxNLocator(max(2, round(6 * side / sides.max()))))
        axis.set_pane_color((1.0, 1.0, 1.0))
        axis._axinfo["grid"].update(color="#dddddd", linewidth=0.4)
    return ax


def _fit(figure: Figure, ax: Any, sides: np.ndarray, head: float = 0.28) -> None:
    """Makes axes in space fill the figure's width; the figure gets the height they need and `head` [inch] above."""
    width, margin, zoom = figure.get_figwidth(), 0.08, 1.0

    def extent() -> Any:
        figure.draw_without_rendering()  # axes in space find the place of their labels while drawing
        boxes = [part.get_tightbbox() for part in (ax.xaxis, ax.yaxis, ax.zaxis, *ax.texts)]
        xs, ys, zs = np.transpose(list(product(ax.get_xlim(), ax.get_ylim(), ax.get_zlim())))
        x, y, _ = proj_transform(xs, ys, zs, ax.get_proj())
        boxes.append(Bbox.null())
        boxes[-1].update_from_data_xy(ax.transData.transform(np.stack([x, y], axis=1)))
        return Bbox.union([box for box in boxes if box]).transformed(figure.dpi_scale_trans.inverted())

    for _ in range(2):
        box = extent()
        zoom *= min((width - 2.0 * margin) / box.width, 1.2 * width / box.height)
        ax.set_box_aspect(sides, zoom=zoom)
    box, place, height = extent(), ax.get_position(), figure.get_figheight()
    tall = box.height + 2.0 * margin + head
    figure.set_figheight(tall)
    left, bottom = place.x0 * width - box.x0 + (width - box.width) / 2.0, place.y0 * height - box.y0 + margin
    ax.set_position((left / width, bottom / tall, place.width, place.height * height / tall))


class _Pen:
    """Draws strokes, dots and words on plane or space axes, later ones on top."""

    def __init__(self, ax: Any, planar: bool):
        self.ax, self.planar, self.level = ax, planar, 1.0

    def coordinates(self, points: np.ndarray) -> list[np.ndarray]:
        return list(points.T[: 2 if self.planar else 3])

    def line(self, points: np.ndarray, **look: Any) -> None:
        self.ax.plot(*self.coordinates(points), zorder=self.level, clip_on=self.planar, **look)

    def areas(self, outlines: list[np.ndarray], **look: Any) -> None:
        """Filled outlines; in space the nearer of them hide the farther."""
        if self.planar:
            for points in outlines:
                self.ax.fill(*self.coordinates(points), zorder=self.level, **look)
        else:
            # Outlines of one length: Matplotlib pads others with whatever memory holds.
            longest = max(len(points) for points in outlines)
            outlines = [np.concatenate([points, points[-1:].repeat(longest - len(points), 0)]) for points in outlines]
            self.ax.add_collection3d(Poly3DCollection(outlines, zorder=self.level, clip_on=False, **look))

    def word(self, point: np.ndarray, text: str, away: np.ndarray, **look: Any) -> None:
        """A word beside a point, in the plane in the direction `away`."""
        if self.planar:
            x, y = away
            sides = {
                "ha": ("center", "left", "right")[round(np.sign(x))],
                "va": ("center", "bottom", "top")[round(np.sign(y))],
            }
            reach = 6.5 if x and y else 9.0
            place = {"xytext": (reach * np.sign(x), reach * np.sign(y)), "textcoords": "offset points"}
            self.ax.annotate(plain(text), point[:2], zorder=self.level, **sides, **place, **look)
        else:
            self.ax.text(*point, f"   {plain(text)}", zorder=self.level, **look)

    def draw(self, marks: Iterable[Stroke | Dot], colour: str = INK) -> None:
        """A symbol: what lies behind, what is filled, what lies over it, dots."""
        parts = list(marks)
        strokes = [part for part in parts if isinstance(part, Stroke)]
        self._lines((stroke for stroke in strokes if not stroke.fill and not stroke.over), colour)
        for fill, face in (("paper", "white"), ("ink", colour)):
            outlines = [stroke.points for stroke in strokes if stroke.fill == fill]
            if outlines:
                self.areas(outlines, facecolor=face, edgecolor=colour, linewidth=0.8)
        self._lines((stroke for stroke in strokes if not stroke.fill and stroke.over), colour)
        for part in parts:
            if isinstance(part, Dot):
                for size, face in ((8.0, "white"), (2.6, colour)):
                    self.line(part.point[None], marker="o", markersize=size, color=colour, mfc=face, mew=0.9, ls="none")

    def _lines(self, strokes: Iterable[Stroke], colour: str) -> None:
        for stroke in strokes:
            self.line(stroke.points, color=colour, linewidth=0.7 if stroke.thin else 1.1)


def _draw(pen: _Pen, scene: Scene, curves: dict[str, np.ndarray], labels: bool, inch: float, edges: np.ndarray) -> None:
    """Everything of a scene; inch: what an inch of the picture stands for [m]; edges: its corners [m] (2, 2)."""
    s = (0.016 if scene.planar else 0.02) * scene.size
    marked: list[np.ndarray] = []
    for joint in scene.joints:
        if joint.grounded and all(np.linalg.norm(joint.base - other) > s for other in marked):
            marked.append(joint.base)
            pen.draw(hatching(joint, s, scene.planar, link_directions(scene, joint.base, s)), GREY)
    pen.level = 2.0
    for number, link in enumerate(scene.links):
        colour = LINKS[number % len(LINKS)]
        hull = outline(link.points)
        if len(hull) > 2:
            pen.areas([hull], facecolor=(colour, 0.15), edgecolor=colour, linewidth=1.4, joinstyle="round")
        else:
            pen.line(hull, color=colour, linewidth=2.6, solid_capstyle="round")
    pen.level = 3.0
    for points in curves.values():
        pen.line(points, color=OUTPUT, linewidth=0.9, linestyle=(0, (4, 2)))
    pen.level = 4.0
    for joint in scene.joints:
        pen.draw(glyph(joint, s, scene.planar))
    pen.level = 5.0
    for point in scene.outputs.values():
        pen.line(point[None], marker="o", markersize=3.2, color=OUTPUT, ls="none")
    for place, text, output in _words(scene, labels, s):
        look = {"color": OUTPUT if output else INK, "fontweight": "bold" if output else "normal", "fontsize": 7}
        reach = inch * np.array([text_width(text), 0.12])
        pen.word(place, text, _free_direction(scene, place, s, reach, edges), **look)


def _free_direction(scene: Scene, place: np.ndarray, s: float, reach: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Where in the plane a word at a place meets no link, hatching or edge: one of eight directions (2,).

    reach: width and height of the word [m]; edges: lower and upper corner of the picture [m], (2, 2).
    """
    taken = link_directions(scene, place, s)[:, :2]
    for joint in scene.joints:
        if joint.grounded and np.linalg.norm(joint.base - place) < s:
            marks = list(hatching(joint, s, scene.planar, link_directions(scene, joint.base, s)))
            way = np.mean([mark.points.mean(axis=0) for mark in marks], axis=0)[:2] - joint.base[:2]
            taken = np.concatenate([taken, way[None] / (np.linalg.norm(way) or 1.0)])
    angles = np.radians([45.0, 135.0, -45.0, -135.0, 0.0, 180.0, 90.0, -90.0])
    options = np.stack([np.cos(angles), np.sin(angles)], axis=1).round(9)
    nearest = (options @ taken.T).max(axis=1) if len(taken) else np.zeros(8)
    centres = place[:2] + np.sign(options) * (0.5 * reach + 2.0 * s)
    outside = (centres - 0.5 * reach < edges[0]).any(axis=1) | (centres + 0.5 * reach > edges[1]).any(axis=1)
    # Upper right is where a reader looks first: others must be clearly freer.
    return options[int((nearest + 0.05 * np.arange(8) + 10.0 * outside).argmin())]


def _words(scene: Scene, labels: bool, s: float) -> list[tuple[np.ndarray, str, bool]]:
    """Place, text and whether an output stands there: what coincides shares one text, so no words overprint."""
    places: list[np.ndarray] = []
    names: list[tuple[list[str], list[str]]] = []
    marks = [(joint.seat, joint.name, 1) for joint in scene.joints if labels]
    marks += [(point, name, 0) for name, point in scene.outputs.items()]
    for point, name, kind in marks:
        near = next((k for k, place in enumerate(places) if np.linalg.norm(place - point) < s), len(places))
        if near == len(places):
            places.append(point)
            names.append(([], []))
        names[near][kind].append(name)
    return [
        (place, ", ".join(dict.fromkeys(outputs + joints)), bool(outputs))
        for place, (outputs, joints) in zip(places, names, strict=True)
    ]


def _bounds(scene: Scene, curves: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper corner of everything drawn with a margin [m], each (3,)."""
    points = np.concatenate([scene.points, *curves])
    low, high = points.min(axis=0), points.max(axis=0)
    # Flat things get a box with some depth, so that axes and symbols have room.
    thin = np.maximum(0.0, 0.25 * (high - low).max() - (high - low)) * (0.3 if scene.planar else 1.0)
    margin = 0.08 * scene.size + thin / 2.0
    return low - margin, high + margin


def _paths(ds: "xr.Dataset") -> dict[str, np.ndarray]:
    """Positions over time of each output of a result [m], shape (n, 3)."""
    return {
        str(name): np.stack([in_space(point) for point in ds["position"].sel(point=name).values])
        for name in ds["position"]["point"].values
    }


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """The mechanism inside a result at its first instant, with the paths of its outputs."""
    from closedchain.description import loads
    from closedchain.views.frames import body_places

    m = loads(ds.attrs["mechanism"])
    if "time" not in ds.dims or not holds(ds, "q"):
        return mechanism(m, **look)
    places = {body: at[0] for body, at in body_places(ds.isel(time=[0]), m).items()}
    return mechanism(m, Placed(places), path=ds if "position" in ds else None, **look)


@dataclass(frozen=True)
class Placed:
    """Where the bodies of a result stand at one instant; for drawing, as good as a Pose."""

    places: Mapping[str, np.ndarray]

    def frame(self, body: str) -> np.ndarray:
        """Transform from body axes to ground axes, shape (4, 4)."""
        return self.places[body]


FIGURE = FigureOfResult(
    "the mechanism at the start, with the paths of its outputs",
    mechanism,
    of_result,
    lambda ds: bool(ds.attrs.get("mechanism")),
)
