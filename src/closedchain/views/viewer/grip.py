"""The grip on an output: arrows to take hold of, and a line to where the output was wanted but cannot come."""

from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.language import tr
from closedchain.views.palette import FORCE
from closedchain.views.viewer.stage import colour

if TYPE_CHECKING:
    from closedchain.views.viewer.session import Viewer


class Grip:
    """One grip for all outputs; a list on the panel says which one it holds."""

    def __init__(self, viewer: "Viewer") -> None:
        self.viewer = viewer
        outputs = list(viewer.stage.plan.outputs)
        self.nothing = tr("(none)")
        self.held = outputs[0] if outputs else ""
        self.wanted: np.ndarray | None = None
        planar, server = viewer.mechanism.planar, viewer.server
        self.controls = server.scene.add_transform_controls(
            "/grip", scale=0.11, line_width=3.0, active_axes=(True, True, not planar), disable_rotations=True,
            depth_test=False, visible=bool(outputs),
        )  # fmt: skip
        self.line = server.scene.add_line_segments(
            "/grip line", np.zeros((1, 2, 3)), colour(FORCE), thickness=0.004, visible=False
        )
        self.choice = server.gui.add_dropdown(
            tr("Drag output"), (*outputs, self.nothing), visible=bool(outputs),
            hint=tr("Take hold of the arrows at the output"),
        )  # fmt: skip

        @self.choice.on_update
        async def _(event: Any) -> None:
            if event.client is not None:
                self.hold(event.target.value)

        @self.controls.on_update
        async def _(event: Any) -> None:
            if event.phase == "end":
                self.release()
            elif event.client is not None and self.held:
                self.drag(np.array(event.target.position, dtype=float))

    def hold(self, output: str) -> None:
        """Takes hold of another output, or of none."""
        self.held = "" if output == self.nothing else output
        self.viewer.worker.ask("hold", self.follow)

    def drag(self, place: np.ndarray) -> None:
        """Pulls the output to a place on the stage."""
        self.wanted = place - self._lift()
        self.viewer.pull(self.held, self.wanted / self.viewer.stage.unit)

    def release(self) -> None:
        """Lets go: the grip returns to where the output is."""
        self.viewer.worker.ask("release", self._released)

    def hide(self) -> None:
        """Puts the grip away while a film is shown."""
        self.controls.visible = self.line.visible = False

    def follow(self, but: str = "") -> None:
        """Goes where the held output is, unless somebody is pulling it: then a line shows what is missing."""
        self.controls.visible = bool(self.held) and not self.viewer.projector.showing
        if not self.controls.visible:
            self.line.visible = False
            return
        stage = self.viewer.stage
        place = stage.scaled(stage.place_of(self.held)) + self._lift()
        if self.wanted is not None and (but or self.viewer.worker.waits("pull")):
            far = float(np.linalg.norm(place - self.wanted - self._lift())) > 2e-3
            self.line.visible = far
            if far:
                self.line.points = np.array([[place, self.wanted + self._lift()]], dtype=np.float32)
        elif self.wanted is None:
            self.line.visible = False
            self.controls.position = place

    def _released(self) -> None:
        self.wanted = None
        self.follow()

    def _lift(self) -> np.ndarray:
        stage = self.viewer.stage
        return stage.scaled(stage.lift)
