"""The viewer of one mechanism: what the page asks for is done here, and what comes of it is shown there."""

import atexit
import contextlib
import threading
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.assembly import assemble
from closedchain.analyses.assembly_modes import assembly_modes
from closedchain.analyses.handles import handles, standing_still
from closedchain.analyses.mobility import Mobility, mobility
from closedchain.analyses.pose import Pose, read_pose
from closedchain.analyses.reaching import reach
from closedchain.analyses.singularities import Singularities, singularities
from closedchain.analyses.steering import Obstacle, Steering, closed_near, steer
from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.scene import make_plan
from closedchain.views.viewer.cameras import fit_pages, lights, set_start
from closedchain.views.viewer.film import has_motion, make_film, motion_of_file
from closedchain.views.viewer.page import Page
from closedchain.views.viewer.play import make_plays
from closedchain.views.viewer.projector import Projector
from closedchain.views.viewer.readings import quantity
from closedchain.views.viewer.server import start_server, stop_server
from closedchain.views.viewer.springs import springs_of
from closedchain.views.viewer.stage import Stage
from closedchain.views.viewer.turning import Knob, knobs, target_of, values_of
from closedchain.views.viewer.worker import Worker

if TYPE_CHECKING:
    import xarray as xr

FEW_STARTS, MANY_MODES = 256, 40
PICTURE = 0.1  # s: of a longer way, pictures are shown


class Viewer:
    """A page in the browser that shows a mechanism, moves it, and plays results of it.

    pose: where the mechanism stands; url: the page's address.
    """

    def __init__(self, m: Any, pose: Pose | None, ds: "xr.Dataset | None", host: str, port: int) -> None:
        self.mechanism, self.steering = m, Steering(m)
        self.start = self.pose = start_pose(m, ds) if pose is None else pose
        self.handles = handles(self.steering, self.start)
        self.still = {name: standing_still(self.steering, self.start, name, self.handles) for name in self.handles}
        self.watched = with_drives(m, self.handles)
        self.modes: list[Pose] = []
        self.said: list[tuple[str, bool]] = []
        self.counted: Mobility | None = None
        self.found: Singularities | None = None
        plan = make_plan(m)
        film = None if ds is None else make_film(ds, m, plan)
        self._ended = threading.Event()
        self.server = start_server(host, port, m.name)
        try:
            driven = {actuator.joint.joint for actuator in m.actuators.values()}
            self.stage = Stage(self.server, plan, self._places(), driven, springs_of(m))
            self.plays = make_plays(self.stage, m)
            self.worker = Worker("closedchain viewer", self._settled, self._failed)
            # What takes long has threads of its own, so that the mechanism goes on moving.
            self.searcher = Worker("closedchain viewer modes", lambda: None, self._failed)
            self.judge = Worker("closedchain viewer readings", lambda: None, self._failed)
            self.projector = Projector(self)
            lights(self.server)
            set_start(self.server, m.planar, self.bounds())
            self.page = Page(self, knobs(self.steering, self.handles, self.start), plays=film is not None)
            if film is not None:
                self.projector.load(film)
            fit_pages(self.server, m.planar, self.bounds)
            self._settled()
            atexit.register(self.stop)
        except BaseException:
            stop_server(self.server)
            raise

    @property
    def url(self) -> str:
        """Address of the page."""
        host = self.server.get_host()
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self.port}"

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.server.get_port())

    # What the page asks for; each returns at once, `settle` waits.

    def turn(self, knob: Knob, value: float) -> None:
        """Turns one slider to a value [rad, m], as far as the mechanism goes."""
        key = f"turn {knob.name}"
        self.worker.ask(key, lambda: self._turn(knob, value, lambda: self.worker.waits(key)))

    def pull(self, output: str, place: np.ndarray) -> None:
        """Pulls an output towards a place in ground axes [m]."""
        self.worker.ask("pull", lambda: self._pull(output, place))

    def choose(self, number: int) -> None:
        """Goes to one of the assembly modes found, with the sliders as they stand now."""
        self.worker.ask("mode", lambda: self._choose(number))

    def search_modes(self) -> None:
        """Looks for all assembly modes with the sliders as they stand."""
        self.page.searching(True)
        self.searcher.ask("search", self._search)

    def reset(self) -> None:
        """Goes back to where the viewer began."""
        self.worker.ask("reset", self._reset)

    def play_file(self) -> None:
        """Works out the motion that the file gives and plays it."""
        self.worker.ask("file", self._play_file)

    def settle(self) -> None:
        """Waits until everything asked for is done."""
        for worker in (self.worker, self.searcher, self.judge, self.worker):
            worker.settle()

    def stop(self) -> None:
        """Ends the viewer and frees its port."""
        atexit.unregister(self.stop)
        self.projector.stop()
        for worker in (self.worker, self.searcher, self.judge):
            worker.stop()
        stop_server(self.server)
        self._ended.set()

    def wait(self) -> None:
        """Waits until the viewer is stopped, by `stop` or Ctrl-C."""
        try:
            # Windows hears Ctrl-C only between waits.
            while not self._ended.wait(0.2):
                pass
        except KeyboardInterrupt:
            pass
        if not self._ended.is_set():
            self.stop()

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The box that a camera has to see, on the stage."""
        film = self.projector.film
        return self.stage.bounds(() if film is None else film.corners.values())

    # What is done, in the worker's thread.

    def _turn(self, knob: Knob, value: float, stop: Callable[[], bool]) -> None:
        self._take_over()
        target, shown = target_of(knob, self.pose, value), time.monotonic()

        def on_way(q: np.ndarray) -> None:
            nonlocal shown
            if time.monotonic() - shown > PICTURE:
                self.stage.show(read_pose(self.steering.model, q.tolist()).frames)
                shown = time.monotonic()

        moved = steer(self.steering, self.pose, target, self.still[knob.handle], stop, on_way)
        self._set(moved.pose, [(obstacle_text(moved.obstacle), True)] if moved.obstacle else [])

    def _pull(self, output: str, place: np.ndarray) -> None:
        self._take_over()
        pulled = reach(self.steering, self.pose, output, place, lambda: self.worker.waits("pull"))
        far = pulled.gap > 1e-6 * self.steering.model.size
        text = tr(
            "{name} comes to within {gap} of the place: as near as the mechanism gets on this way.",
            name=output,
            gap=quantity(pulled.gap, "m"),
        )
        self._set(pulled.pose, [(text, False)] if far else [], pulled=output)

    def _choose(self, number: int) -> None:
        if number >= len(self.modes):
            return
        self._take_over()
        first = self.handles[:1]
        names = (*first, *(name for one in first for name in self.still[one]))
        there = steer(self.steering, self.modes[number], values_of(names, self.pose))
        self._set(there.pose, [(obstacle_text(there.obstacle), True)] if there.obstacle else [])

    def _reset(self) -> None:
        self.projector.leave()
        self._set(self.start, [])

    def _search(self) -> None:
        """A quick look first; a thorough one unless there are so many modes that it would not end."""
        values = values_of(self.handles, self.pose)
        try:
            for starts in (FEW_STARTS, None):
                self.modes = assembly_modes(self.mechanism, values, starts=starts)
                self.page.show_modes(self.modes, self.pose)
                if len(self.modes) > MANY_MODES:
                    text = tr("{count} assembly modes were found, and there are more.", count=len(self.modes))
                    self.page.notice([(text, False)])
                    return
        finally:
            self.page.searching(False)

    def _play_file(self) -> None:
        self.projector.load(make_film(motion_of_file(self.mechanism), self.mechanism, self.stage.plan))
        self.projector.play()

    def _take_over(self) -> None:
        """From the film to the mechanism itself, which goes on from where the film stood, its joints without play."""
        left = self.projector.leave()
        if left is not None:
            film, frame = left
            try:
                self.pose = closed_near(self.steering, coordinates_at(film.ds, frame))
            except ClosedChainError as error:
                self._failed(error)

    def _set(self, pose: Pose, said: list[tuple[str, bool]], pulled: str = "") -> None:
        self.pose, self.said = pose, said
        self.stage.show(self._places())
        for play in self.plays.values():
            play.show(None)
        self.page.moved(pulled)

    def _settled(self) -> None:
        """Nobody waits: the panel follows at once, and what takes longer than a picture is worked out beside it."""
        if not self.projector.showing:
            self.page.settled()
            self.judge.ask("readings", self._judge)

    def _judge(self) -> None:
        pose = self.pose
        counted = found = None
        try:
            counted = mobility(self.mechanism, pose)
            found = singularities(self.watched, pose)
        except ClosedChainError as error:
            self.said = [*self.said, (str(error), False)]
        if pose is self.pose and not self.projector.showing:
            self.counted, self.found = counted, found
            self.page.settled()

    def _failed(self, error: Exception) -> None:
        self.said = [(str(error), True)]
        self.page.notice(self.said)
        if not isinstance(error, ClosedChainError):
            traceback.print_exception(error)

    def _places(self) -> dict[str, np.ndarray]:
        return {body: self.pose.frames[body] for body in self.mechanism.bodies}

    @property
    def can_play_file(self) -> bool:
        """Whether the file gives a motion that could be played."""
        return has_motion(self.mechanism)


def start_pose(m: Any, ds: "xr.Dataset | None") -> Pose:
    """Where the viewer begins: as the file says, or near the first instant of a result."""
    if ds is not None and "time" in ds.dims and "q" in ds and ds["q"].ndim == 2:
        with contextlib.suppress(ClosedChainError):
            return closed_near(Steering(m), coordinates_at(ds, 0))
    return assemble(m)


def coordinates_at(ds: "xr.Dataset", instant: int) -> dict[str, float]:
    """All coordinates at an instant of a result, by label."""
    values = ds["q"].transpose("time", "coordinate").values[instant]
    return dict(zip(map(str, ds["coordinate"].values), map(float, values), strict=True))


def with_drives(m: Any, names: tuple[str, ...]) -> Any:
    """The mechanism with a drive on every handle that has none, so that distances to singular poses mean them all."""
    driven = {actuator.joint.text for actuator in m.actuators.values()}
    for number, name in enumerate(name for name in names if name not in driven):
        joint = name if name in m.joints else name.rpartition(".")[0]
        if not any(part.startswith("q") for part in m.joints[joint].form.coordinates):
            m = m.actuator(f"handle{number}", name)
    return m


def obstacle_text(obstacle: Obstacle) -> str:
    """What is in the way, in the units of the page."""
    if obstacle.value is not None:
        return tr(
            "Joint {name} is at its limit: it may stand from {low} to {high}.",
            name=obstacle.joint,
            low=quantity(obstacle.low, obstacle.unit),
            high=quantity(obstacle.high, obstacle.unit),
        )
    return tr(
        "The mechanism goes no further: joint {name} is in the way (a limit position of this assembly mode). Turn "
        "back, or choose another assembly mode.",
        name=obstacle.joint,
    )
