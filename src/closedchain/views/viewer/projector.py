"""Plays a film on the stage: moves the bodies, the pins in their bores, the arrows of forces; keeps the time."""

import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.views.palette import FORCE, OUTPUT
from closedchain.views.viewer.film import Film
from closedchain.views.viewer.stage import colour

if TYPE_CHECKING:
    from closedchain.views.viewer.session import Viewer

PICTURES = 30.0
LONGEST = 0.45
ARROW = 0.16
ARROWS = {"contact": FORCE, "reaction": "#1f4e9c"}
TRACE_POINTS = 600
FILM_LASTS = 8.0


class Projector:
    """The film that is in, the frame that is shown, and whether it runs.

    speed: seconds of the film per second; arrow_scale: factor on the length of arrows; shown_arrows: kinds on view.
    """

    def __init__(self, viewer: "Viewer") -> None:
        self.viewer = viewer
        self.film: Film | None = None
        self.frame = 0
        self.showing = False
        self.speed, self.arrow_scale, self.loop = 1.0, 1.0, True
        self.shown_arrows = {"contact": True, "reaction": False}
        self._arrows: dict[str, Any] = {}
        self._traces: list[Any] = []
        self._running = threading.Event()
        self._ended = threading.Event()
        self._clock = threading.Thread(target=self._run, name="closedchain viewer clock", daemon=True)
        self._clock.start()

    @property
    def running(self) -> bool:
        """Whether the film runs."""
        return self._running.is_set()

    def load(self, film: Film) -> None:
        """Puts a film in and shows its first frame."""
        self.film, self.frame = film, 0
        self.speed = usual_speed(film)
        self.shown_arrows = {"contact": True, "reaction": "contact" not in film.arrows}
        self._draw_traces(film)
        self.viewer.page.loaded(film, self.speed)
        self.show(0)

    def show(self, frame: int) -> None:
        """Shows a frame."""
        film = self.film
        if film is None:
            return
        self.frame, self.showing = frame % len(film), True
        self.viewer.stage.show(film.at(self.frame))
        for name, play in self.viewer.plays.items():
            eccentricity, touching = film.play.get(name, (None, None))
            if eccentricity is None or touching is None:
                play.show(None)
            else:
                play.show(eccentricity[self.frame], bool(touching[self.frame]))
        self._draw_arrows(film)
        self.viewer.page.at_frame(film, self.frame)

    def seek(self, moment: float) -> None:
        """Stops at the frame nearest to a time of the film."""
        film = self.film
        if film is not None:
            self.pause()
            self.viewer.worker.ask("frame", lambda: self.show(film.frame(moment)))

    def play(self) -> None:
        """Lets the film run, from its beginning where it stands at its end."""
        if self.film is not None:
            if self.frame >= len(self.film) - 1:
                self.frame = 0
            self._running.set()
            self.viewer.page.running(True)

    def pause(self) -> None:
        """Stops the film where it is."""
        self._running.clear()
        self.viewer.page.running(False)

    def leave(self) -> tuple[Film, int] | None:
        """Makes room for the mechanism itself: no arrows, no running film; returns what was shown, if anything was."""
        if not self.showing or self.film is None:
            return None
        self.pause()
        self.showing = False
        for node in self._arrows.values():
            node.visible = False
        return self.film, self.frame

    def redraw_arrows(self) -> None:
        """Draws the arrows again after their length or choice has changed."""
        film = self.film
        if film is not None and self.showing:
            self.viewer.worker.ask("arrows", lambda: self._draw_arrows(film))

    def show_traces(self, visible: bool) -> None:
        """Shows or hides the paths of the outputs."""
        for node in self._traces:
            node.visible = visible

    def stop(self) -> None:
        """Ends the clock."""
        self._ended.set()
        self._running.set()
        self._clock.join(timeout=2.0)

    def _run(self) -> None:
        """Asks for the frame that is due, some thirty times a second; frames that come too late are left out."""
        while not self._ended.is_set():
            self._running.wait()
            started, film = time.monotonic(), self.film
            begin = 0.0 if film is None else float(film.times[self.frame])
            while film is not None and self.running and not self._ended.is_set() and film is self.film:
                moment = begin + (time.monotonic() - started) * self.speed
                if moment > film.times[-1]:
                    if not self.loop:
                        self._ask(len(film) - 1)
                        self.pause()
                        break
                    started, begin, moment = time.monotonic(), float(film.times[0]), float(film.times[0])
                frame = film.frame(moment)
                if frame != self.frame or not self.showing:
                    self._ask(frame)
                time.sleep(1.0 / PICTURES)

    def _ask(self, frame: int) -> None:
        """Asks for a frame of the running film; too late once it stands."""
        self.viewer.worker.ask("frame", lambda: self.show(frame) if self.running else None)

    def _draw_traces(self, film: Film) -> None:
        for node in self._traces:
            node.remove()
        stage = self.viewer.stage
        self._traces = []
        for name, path in film.outputs.items():
            every = max(1, len(path) // TRACE_POINTS)
            points = stage.scaled(np.concatenate([path[::every], path[-1:]]) + stage.lift)
            if len(path) > 1:
                self._traces.append(
                    stage.server.scene.add_line_segments(
                        f"/trace/{name}", np.stack([points[:-1], points[1:]], axis=1), colour(OUTPUT), thickness=0.003
                    )
                )

    def _draw_arrows(self, film: Film) -> None:
        stage = self.viewer.stage
        for kind, joints in film.arrows.items():
            points = arrow_points(joints, self.frame, film.usual_force[kind], self.arrow_scale * stage.look.size)
            wanted = self.shown_arrows[kind] and len(points) > 0
            if kind not in self._arrows:
                self._arrows[kind] = stage.server.scene.add_arrows(
                    f"/forces/{kind}", np.zeros((1, 2, 3)), colour(ARROWS[kind]), shaft_radius=0.0045,
                    head_radius=0.012, head_length=0.03, visible=False,
                )  # fmt: skip
            node = self._arrows[kind]
            if wanted:
                node.points = stage.scaled(points + stage.lift).astype(np.float32)
            node.visible = wanted


def arrow_points(joints: Any, frame: int, usual: float, size: float) -> np.ndarray:
    """Feet and tips [m] of the arrows at an instant, (n, 2, 3): the usual force is a sixth of the size long.

    Longer ones end at LONGEST of the size; what is too short to be seen is left out.
    """
    found = []
    for places, forces in joints.values():
        force = forces[frame]
        strength = float(np.linalg.norm(force))
        length = min(ARROW * strength / usual if usual > 0.0 else 0.0, LONGEST) * size
        if length > 0.01 * size:
            found.append([places[frame], places[frame] + length / strength * force])
    return np.array(found).reshape(-1, 2, 3)


def usual_speed(film: Film) -> float:
    """The round speed at which a film lasts about FILM_LASTS seconds; real time where that is near."""
    whole = float(film.times[-1] - film.times[0])
    wanted = whole / FILM_LASTS
    if wanted <= 0.0 or 0.4 <= wanted <= 2.5:
        return 1.0
    return min(SPEEDS, key=lambda speed: abs(np.log(speed / wanted)))


SPEEDS = tuple(step * 10.0**power for power in range(-6, 3) for step in (1.0, 2.0, 5.0))


def speed_text(speed: float) -> str:
    """A speed as one reads it.

    >>> speed_text(1.0), speed_text(0.005), speed_text(20.0)
    ('1:1', '1:200', '20:1')
    """
    return f"{speed:g}:1" if speed > 1.0 else f"1:{1.0 / speed:g}"
