"""The pictures of a film, drawn by Matplotlib: what stands still once, what moves anew for each."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Polygon
from matplotlib.patheffects import withStroke

from closedchain.language import tr
from closedchain.views.animation.pace import Pace
from closedchain.views.frames import Frames, make_frames, nearest
from closedchain.views.palette import FORCE, GREY, INK, OUTPUT
from closedchain.views.parts import Part
from closedchain.views.plots.orbit import in_bore, radial_clearances
from closedchain.views.plots.scale import scale_for
from closedchain.views.plots.style import plain, styled
from closedchain.views.projection import Projection, projection

if TYPE_CHECKING:
    import xarray as xr

WIDE = 6.0  # width of a picture in which words have their size [inch]
PINS = 4  # loose joints whose pins are shown magnified
REACH = 0.25  # length of the largest force, as part of the mechanism's size


HALO = (withStroke(linewidth=2.5, foreground="white"),)


@dataclass(frozen=True)
class Pin:
    """A loose pin: joint, clearance, centre in the bore per picture (n, 2), orbit over the samples (m, 2) [m].

    last: number of the sample of each picture (n,).
    """

    joint: str
    radial: float
    centre: np.ndarray
    orbit: np.ndarray
    last: np.ndarray


def pictures(
    ds: "xr.Dataset", pace: Pace, *, title: str | None, width: int, view: tuple[float, float]
) -> Iterator[np.ndarray]:
    """The pictures of a film as RGB arrays (height, width, 3), both even."""
    frames = make_frames(ds, times=pace.times)
    pins = find_pins(ds, pace)
    with styled():
        film = Film(frames, pins, projection(frames.planar, view), title, width, pace)
        for number in range(len(frames)):
            yield film.picture(number)


def find_pins(ds: "xr.Dataset", pace: Pace) -> list[Pin]:
    """The loose pins whose orbits are known."""
    from closedchain.description import loads

    if "eccentricity" not in ds or not ds.sizes.get("loose_joint"):
        return []
    m = loads(ds.attrs["mechanism"])
    shown = nearest(ds["time"].values, 0, pace.times)
    found = []
    for joint, radial in list(radial_clearances(ds, m).items())[:PINS]:
        orbit = in_bore(ds, m, "eccentricity", joint)
        found.append(Pin(joint, radial, orbit[shown], orbit, shown))
    return found


class Film:
    """The canvas: axes for the mechanism, small ones for pins, and the artists that move."""

    def __init__(
        self, frames: Frames, pins: list[Pin], seen: Projection, title: str | None, width: int, pace: Pace
    ) -> None:
        self.frames, self.pins, self.seen, self.pace = frames, pins, seen, pace
        low, high = self.extent()
        sides = high - low
        column = 0.2 if pins else 0.0
        share = float(np.clip(sides[1] / sides[0] * (1.0 - column), 0.4, 1.2))
        # The same picture at every width: words grow and shrink with it.
        dpi = width / WIDE
        size = np.array([width - width % 2, 2 * round(0.5 * (width * share + 0.5 * dpi))])
        inches = size / dpi
        self.figure = Figure(figsize=(inches[0], inches[1]), dpi=dpi)
        self.canvas = FigureCanvasAgg(self.figure)
        self.ax: Any = self.figure.add_axes((0.0, 0.26 / inches[1], 1.0 - column, 1.0 - 0.54 / inches[1]))
        self.ax.set_xlim(low[0], high[0])
        self.ax.set_ylim(low[1], high[1])
        self.ax.set_aspect("equal")
        self.ax.set_axis_off()
        heading = plain(title if title is not None else frames.name)
        self.figure.text(0.5, 1.0 - 0.07 / inches[1], heading, ha="center", va="top", fontsize=9)
        self.clock = self.figure.text(0.12 / inches[0], 0.07 / inches[1], "", fontsize=7.5, color=INK, animated=True)
        self.scale_bar(low, high, inches)
        self.force_scale(inches)
        self.still_paths()
        self.artists = [self.artist(part) for part in frames.parts]
        self.traces = [self.moving(Line2D([], [], color=OUTPUT, linewidth=1.2)) for _ in frames.outputs]
        self.points = [self.moving(Line2D([], [], color=OUTPUT, marker="o", markersize=4)) for _ in frames.outputs]
        self.names = [
            self.ax.text(
                0.0, 0.0, plain(name), fontsize=7.5, color=OUTPUT, weight="bold", animated=True, path_effects=HALO
            )
            for name in frames.outputs
        ]
        self.arrows = [self.arrow() for _ in frames.forces]
        self.gaps = [self.gap(number, pin, column, inches) for number, pin in enumerate(pins)]
        self.canvas.draw()
        self.background = self.canvas.copy_from_bbox(self.figure.bbox)

    def extent(self) -> tuple[np.ndarray, np.ndarray]:
        """Corners of the picture with a margin [m], each (2,)."""
        clouds = [self.seen.flat(points) for k in self.few() for _, points in self.frames.drawn(k)]
        clouds += [self.seen.flat(path) for path in self.frames.outputs.values()]
        clouds += [self.seen.flat(self.tips(at, force)) for at, force in self.frames.forces.values()]
        cloud = np.concatenate(clouds) if clouds else np.zeros((1, 2))
        low, high = cloud.min(axis=0), cloud.max(axis=0)
        margin = 0.05 * self.frames.size
        thin = np.maximum(0.0, 0.2 * self.frames.size - (high - low))
        return low - margin - 0.5 * thin, high + margin + 0.5 * thin

    def tips(self, at: np.ndarray, force: np.ndarray) -> np.ndarray:
        """Where the arrows of forces end [m], (frames, 3)."""
        return at + REACH * self.frames.size / (self.frames.largest_force or 1.0) * force

    def few(self) -> range:
        """Some frames, enough to see how far things reach."""
        return range(0, len(self.frames), max(1, len(self.frames) // 40))

    def moving(self, artist: Any) -> Any:
        """An artist that is drawn anew for every picture."""
        artist.set_animated(True)
        self.ax.add_artist(artist)
        artist.set_clip_on(False)
        return artist

    def artist(self, part: Part) -> Any:
        """What draws a part."""
        link = part.role == "link"
        if part.kind == "dot":
            look = {"marker": "o", "markersize": 6.0, "markerfacecolor": "white", "linestyle": "none"}
            return self.moving(Line2D([], [], color=part.colour, markeredgewidth=0.9, **look))
        if part.kind == "area":
            face = "white" if part.fill == "paper" else part.fill
            fill = (face, 0.18) if link else face
            return self.moving(
                Polygon(
                    np.zeros((1, 2)), closed=True, facecolor=fill, edgecolor=part.colour, linewidth=1.4 if link else 0.9
                )
            )
        width = 3.2 if link else 0.7 if part.thin else 1.1
        return self.moving(Line2D([], [], color=part.colour, linewidth=width, solid_capstyle="round"))

    def arrow(self) -> Any:
        """An arrow for a contact force."""
        look = {"arrowstyle": "-|>", "mutation_scale": 9, "shrinkA": 0, "shrinkB": 0, "linewidth": 1.4}
        return self.moving(FancyArrowPatch((0, 0), (0, 1), color=FORCE, **look))

    def still_paths(self) -> None:
        """The whole paths of the outputs, faint."""
        for path in self.frames.outputs.values():
            self.ax.plot(*self.seen.flat(path).T, color=OUTPUT, linewidth=0.8, alpha=0.4, linestyle=(0, (3, 3)))

    def scale_bar(self, low: np.ndarray, high: np.ndarray, inches: np.ndarray) -> None:
        """A round length to compare with, at the right below the mechanism."""
        box = self.ax.get_position()
        per_inch = max((high - low) / (np.array([box.width, box.height]) * inches))
        length = round_down(1.1 * per_inch)
        scale = scale_for("m", np.array([length]))
        right, bottom = 1.0 - 0.12 / inches[0], 0.1 / inches[1]
        wide = length / per_inch / inches[0]
        bar = Line2D([right - wide, right], [bottom, bottom], color=GREY, linewidth=1.2)
        self.figure.add_artist(bar)
        text = f"{length * scale.factor:g} {scale.unit}"
        self.figure.text(
            right - 0.5 * wide, bottom + 0.03 / inches[1], text, ha="center", va="bottom", fontsize=7, color=GREY
        )

    def force_scale(self, inches: np.ndarray) -> None:
        """What the arrows of contact forces stand for."""
        if self.frames.largest_force > 0.0:
            scale = scale_for("N", np.array([self.frames.largest_force]))
            text = tr("longest arrow {force}", force=f"{self.frames.largest_force * scale.factor:.3g} {scale.unit}")
            self.figure.text(0.5, 0.07 / inches[1], text, ha="center", fontsize=7, color=FORCE)

    def gap(self, number: int, pin: Pin, column: float, inches: np.ndarray) -> tuple[Any, Any, Any]:
        """Small axes with the clearance circle of a pin; returns them, its trail and its centre."""
        side = min(column * inches[0] - 0.15, (inches[1] - 0.6) / len(self.pins) - 0.3)
        top = inches[1] - 0.42 - number * (side + 0.3)
        box = (
            1.0 - column * 0.5 - 0.5 * side / inches[0],
            (top - side) / inches[1],
            side / inches[0],
            side / inches[1],
        )
        ax: Any = self.figure.add_axes(box)
        scale = scale_for("m", np.array([pin.radial]))
        ax.add_patch(Circle((0, 0), pin.radial, facecolor="#f4f4f4", edgecolor=INK, linewidth=0.9))
        ax.set_xlim(-1.15 * pin.radial, 1.15 * pin.radial)
        ax.set_ylim(-1.15 * pin.radial, 1.15 * pin.radial)
        ax.set_aspect("equal")
        ax.set_axis_off()
        text = tr(
            "{joint}: clearance {size}", joint=plain(pin.joint), size=f"{pin.radial * scale.factor:.3g} {scale.unit}"
        )
        ax.set_title(text, fontsize=6.5, pad=2)
        trail, centre = (
            Line2D([], [], animated=True, color=GREY, linewidth=0.7),
            Line2D([], [], animated=True, color=FORCE, marker="o", markersize=4),
        )
        ax.add_artist(trail)
        ax.add_artist(centre)
        return ax, trail, centre

    def picture(self, number: int) -> np.ndarray:
        """One picture as an RGB array."""
        self.canvas.restore_region(self.background)
        drawn = list(zip(self.artists, self.frames.drawn(number), strict=True))
        order = sorted(drawn, key=lambda each: self.order(*each[1]))
        paths_left = True
        for artist, (part, points) in order:
            if paths_left and self.frames.planar and part.level >= 40:
                self.draw_paths(number)
                paths_left = False
            flat = self.seen.flat(points)
            if isinstance(artist, Polygon):
                artist.set_xy(flat)
            else:
                artist.set_data(*flat.T)
            self.ax.draw_artist(artist)
        if paths_left:
            self.draw_paths(number)
        self.draw_forces(number)
        for name in self.names:
            self.ax.draw_artist(name)
        self.draw_pins(number)
        self.clock.set_text(self.time_text(number))
        self.figure.draw_artist(self.clock)
        return np.asarray(self.canvas.buffer_rgba())[..., :3].copy()

    def order(self, part: Part, points: np.ndarray) -> float:
        """Where a part comes in the drawing: in space what is nearer later, what belongs on top a little ahead."""
        if self.frames.planar:
            return float(part.level)
        return -1e9 if part.role == "ground" else self.seen.depth(points) + 4e-4 * part.level * self.frames.size

    def draw_paths(self, number: int) -> None:
        """Paths so far, points and names of the outputs."""
        offset = 0.02 * self.frames.size
        for path, trace, point, name in zip(
            self.frames.outputs.values(), self.traces, self.points, self.names, strict=True
        ):
            flat = self.seen.flat(path[: number + 1])
            trace.set_data(*flat.T)
            point.set_data(*flat[-1:].T)
            name.set_position(flat[-1] + offset)
            for artist in (trace, point):
                self.ax.draw_artist(artist)

    def draw_forces(self, number: int) -> None:
        """Arrows of the contact forces on the journals."""
        longest = self.frames.largest_force
        for (at, force), arrow in zip(self.frames.forces.values(), self.arrows, strict=True):
            if longest <= 0.0 or np.linalg.norm(force[number]) < 0.01 * longest:
                continue
            tip = self.tips(at, force)[number]
            arrow.set_positions(tuple(self.seen.flat(at[number])), tuple(self.seen.flat(tip)))
            self.ax.draw_artist(arrow)

    def draw_pins(self, number: int) -> None:
        """Centres of the loose pins in their circles."""
        for pin, (ax, trail, centre) in zip(self.pins, self.gaps, strict=True):
            trail.set_data(*pin.orbit[: pin.last[number] + 1].T)
            centre.set_data(*pin.centre[number : number + 1].T)
            ax.draw_artist(trail)
            ax.draw_artist(centre)

    def time_text(self, number: int) -> str:
        """Time of the sample that is shown, and the speed of the film."""
        if self.pace.sampled:
            return tr("sample {number}", number=f"{self.frames.times[number]:.0f}")
        t = self.frames.times
        scale = scale_for("s", t)
        step = float(np.ptp(t)) * scale.factor / max(1, len(t) - 1)
        digits = 2 if step <= 0.0 else int(np.clip(-np.floor(np.log10(step)), 0, 6))
        return f"t = {t[number] * scale.factor:.{digits}f} {scale.unit},  {self.pace.words}"


def round_down(value: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is not above a value.

    >>> round_down(0.37), round_down(7.0), round_down(0.021)
    (0.2, 5.0, 0.02)
    """
    power = np.floor(np.log10(value))
    part = max(each for each in (1.0, 2.0, 5.0) if each * 10.0**power <= value * (1.0 + 1e-12))
    return float(f"{part * 10.0**power:.1g}")
