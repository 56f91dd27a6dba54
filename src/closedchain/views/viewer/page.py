"""The panel beside the stage: sliders, assembly modes, readings; the film's controls; what is shown, and from where."""

from typing import TYPE_CHECKING, Any

from closedchain.analyses.pose import Pose
from closedchain.language import tr
from closedchain.views.viewer import readings
from closedchain.views.viewer.cameras import FIT, look, views
from closedchain.views.viewer.film import Film
from closedchain.views.viewer.grip import Grip
from closedchain.views.viewer.projector import SPEEDS, speed_text
from closedchain.views.viewer.stage import MANY
from closedchain.views.viewer.turning import Knob, Sliders, units_of_coordinates

if TYPE_CHECKING:
    from closedchain.views.viewer.session import Viewer


class Page:
    """Everything on the panel; it only asks the viewer, and shows what it is told."""

    def __init__(self, viewer: "Viewer", all_knobs: list[Knob], plays: bool) -> None:
        self.viewer, self.gui = viewer, viewer.server.gui
        self.units = units_of_coordinates(viewer.steering)
        gui = self.gui
        self.message = gui.add_html("")
        tabs = gui.add_tab_group()
        # The first tab is open: that of the film where a result is shown.
        if plays:
            self._play(tabs)
            self._move(tabs, all_knobs)
        else:
            self._move(tabs, all_knobs)
            self._play(tabs)
        with tabs.add_tab(tr("View")):
            self._view()
        self.moved("")

    def _move(self, tabs: Any, all_knobs: list[Knob]) -> None:
        viewer, gui = self.viewer, self.gui
        with tabs.add_tab(tr("Move")):
            self.sliders = Sliders(gui, all_knobs, viewer.start, viewer.turn)
            self.grip = Grip(viewer)
            self._modes()
            self.state = gui.add_html("")
            with gui.add_folder(tr("Joints"), expand_by_default=False):
                self.joints = gui.add_html("")

    def _play(self, tabs: Any) -> None:
        with tabs.add_tab(tr("Play")):
            self.film = FilmControls(self.viewer)

    # Told by the viewer.

    def moved(self, pulled: str) -> None:
        """The mechanism has moved; pulled: the output that someone is pulling."""
        self.notice(self.viewer.said)
        self.grip.follow(but=pulled)

    def settled(self) -> None:
        """Nothing is asked for at the moment: sliders, places and joints follow."""
        viewer, pose = self.viewer, self.viewer.pose
        self.sliders.follow(pose)
        self.grip.follow()
        self.notice([*viewer.said, *readings.warnings(viewer.found)])
        rows = readings.state_rows(pose.residual, viewer.counted, viewer.found)
        places = {name: viewer.stage.place_of(name) for name in viewer.stage.plan.outputs}
        self.state.content = readings.as_table([*rows, *readings.output_rows(places, viewer.mechanism.planar)])
        self.joints.content = readings.as_table(readings.joint_rows(pose.coordinates, self.units))

    def notice(self, lines: list[tuple[str, bool]]) -> None:
        """Sentences above everything else."""
        self.message.content = readings.as_notice(lines)

    def searching(self, on: bool) -> None:
        """A search for assembly modes begins or ends."""
        self.find.disabled = on
        self.find.label = tr("Looking for assembly modes …") if on else tr("Find assembly modes")

    def show_modes(self, modes: list[Pose], now: Pose) -> None:
        """The assembly modes that were found, the one on the stage chosen."""
        count = len(modes)
        names = [tr("mode {number} of {count}", number=k + 1, count=count) for k in range(count)]
        self.mode.visible = count > 0
        if count:
            self.mode.options = tuple(names)
            self.mode.value = names[nearest_mode(modes, now)]

    def loaded(self, film: Film, speed: float) -> None:
        """A film is in."""
        self.notice([])
        self.film.loaded(film, speed)

    def running(self, on: bool) -> None:
        """The film runs, or stands."""
        self.film.running(on)

    def at_frame(self, film: Film, frame: int) -> None:
        """The film shows a frame."""
        self.film.at_frame(film, frame)
        self.grip.hide()

    # Parts of the panel.

    def _modes(self) -> None:
        gui, viewer = self.gui, self.viewer
        self.find = gui.add_button(tr("Find assembly modes"), hint=tr("All poses that close with these values"))
        self.mode = gui.add_dropdown(tr("Assembly mode"), ("1",), visible=False)
        back = gui.add_button(tr("Reset"), hint=tr("Back to where the viewer began"))

        @self.find.on_click
        async def _(_: Any) -> None:
            viewer.search_modes()

        @self.mode.on_update
        async def _(event: Any) -> None:
            if event.client is not None:
                viewer.choose(self.mode.options.index(self.mode.value))

        @back.on_click
        async def _(_: Any) -> None:
            viewer.reset()

    def _view(self) -> None:
        gui, viewer = self.gui, self.viewer
        planar = viewer.mechanism.planar
        words = {
            "iso": tr("oblique"), "front": tr("front"), "top": tr("top"), "side": tr("side"), FIT: tr("fit"),
        }  # fmt: skip
        presets = {words[view]: view for view in (*views(planar), FIT)}
        cameras = gui.add_button_group(tr("Camera"), tuple(presets))

        @cameras.on_click
        async def _(event: Any) -> None:
            if event.client is not None:
                look(event.client, presets[event.target.value], planar, viewer.bounds())

        groups = {
            "labels": tr("names"), "joint": tr("joints"), "drive": tr("drives"), "ground": tr("ground"),
            "output": tr("outputs"),
        }  # fmt: skip
        for group, text in groups.items():
            # Many names hide what they name.
            shown = group != "labels" or len(viewer.stage.groups.get(group, ())) <= MANY
            viewer.stage.switch(group, shown)
            self._switch(gui.add_checkbox(text, shown), group)
        viewer.stage.add_grid(viewer.bounds())
        self._switch(gui.add_checkbox(tr("grid"), not planar), "grid")
        viewer.stage.switch("grid", not planar)

    def _switch(self, box: Any, group: str) -> None:
        @box.on_update
        async def _(event: Any) -> None:
            self.viewer.stage.switch(group, event.target.value)


class FilmControls:
    """Time, run and stop, speed, arrows, paths, and the numbers of the instant."""

    def __init__(self, viewer: "Viewer") -> None:
        self.viewer, self.unit = viewer, "s"
        gui = viewer.server.gui
        self.hint = gui.add_html(readings.as_notice([(self._hint(), False)]))
        self.file = gui.add_button(tr("Play the motion of the file"), visible=viewer.can_play_file)
        self.play = gui.add_button(tr("Play"), visible=False)
        self.time = gui.add_slider(tr("time [s]"), 0.0, 1.0, 0.001, 0.0, visible=False)
        self.speed = gui.add_dropdown(
            tr("speed"), tuple(map(speed_text, SPEEDS)), initial_value=speed_text(1.0), visible=False
        )
        self.loop = gui.add_checkbox(tr("again and again"), True, visible=False)
        self.traces = gui.add_checkbox(tr("paths of the outputs"), True, visible=False)
        self.arrows = {
            "contact": gui.add_checkbox(tr("contact forces (red)"), True, visible=False),
            "reaction": gui.add_checkbox(tr("reactions (blue)"), False, visible=False),
        }
        self.length = gui.add_slider(tr("length of arrows"), 0.1, 10.0, 0.1, 1.0, visible=False)
        self.numbers = gui.add_html("")
        self._wire()

    def _hint(self) -> str:
        if self.viewer.can_play_file:
            return tr("No result is open. The motion that the file gives can be played.")
        return tr("No result is open. Open one with: closedchain view RESULT.nc")

    def _wire(self) -> None:
        projector = self.viewer.projector

        @self.file.on_click
        async def _(_: Any) -> None:
            self.viewer.play_file()

        @self.play.on_click
        async def _(_: Any) -> None:
            projector.pause() if projector.running else projector.play()

        @self.time.on_update
        async def _(event: Any) -> None:
            if event.client is not None:
                projector.seek(event.target.value)

        @self.speed.on_update
        async def _(event: Any) -> None:
            if event.client is not None:
                running = projector.running
                projector.pause()
                projector.speed = SPEEDS[self.speed.options.index(self.speed.value)]
                if running:
                    projector.play()

        @self.loop.on_update
        async def _(event: Any) -> None:
            projector.loop = event.target.value

        @self.traces.on_update
        async def _(event: Any) -> None:
            projector.show_traces(event.target.value)

        @self.length.on_update
        async def _(event: Any) -> None:
            projector.arrow_scale = event.target.value
            projector.redraw_arrows()

        for kind, box in self.arrows.items():

            @box.on_update
            async def _(event: Any, kind: str = kind) -> None:
                projector.shown_arrows[kind] = event.target.value
                projector.redraw_arrows()

    def loaded(self, film: Film, speed: float) -> None:
        """A film is in: its controls appear, with its times."""
        self.hint.visible = self.file.visible = False
        low, high = float(film.times[0]), float(film.times[-1])
        self.unit = film.unit
        self.time.label = tr("time [s]") if film.unit else tr("sample")
        self.time.min, self.time.max = low, max(high, low + 1e-9)
        self.time.step = max((high - low) / 2000.0, 1e-9)
        self.speed.value = speed_text(speed)
        for control in (self.play, self.time, self.speed, self.loop, self.traces):
            control.visible = len(film) > 1
        for kind, box in self.arrows.items():
            box.visible = kind in film.arrows
            box.value = self.viewer.projector.shown_arrows[kind]
        self.length.visible = bool(film.arrows)

    def running(self, on: bool) -> None:
        """The film runs, or stands."""
        self.play.label = tr("Pause") if on else tr("Play")

    def at_frame(self, film: Film, frame: int) -> None:
        """Time and numbers of a frame."""
        moment = float(film.times[frame])
        self.time.value = min(max(moment, self.time.min), self.time.max)
        rows = [(tr("time"), f"{moment:.6g} {film.unit}".strip())]
        rows += [(name, f"{value:.5g} {unit.replace('*', '·')}") for name, value, unit in film.numbers(frame)]
        if "closure" in film.ds:
            rows.append((tr("loops closed to"), tr("{gap:.1e} of the size", gap=float(film.ds["closure"][frame]))))
        for kind, text in (("contact", tr("usual contact force")), ("reaction", tr("usual reaction"))):
            if kind in film.arrows:
                rows.append((text, tr("{force:.4g} N (arrow of a sixth of the size)", force=film.usual_force[kind])))
        self.numbers.content = readings.as_table(rows)


def nearest_mode(modes: list[Pose], now: Pose) -> int:
    """The mode whose bodies stand nearest to a pose."""
    gaps = [sum(float(abs(mode.frames[body] - now.frames[body]).sum()) for body in now.frames) for mode in modes]
    return gaps.index(min(gaps))
