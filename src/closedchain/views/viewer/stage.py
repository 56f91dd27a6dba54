"""The scene in the browser: every body a frame with its solids, moved as a whole; rails grow with what slides on them.

Lengths on the stage are fractions of the mechanism's size, so that a watch and a crane look alike to the camera.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from closedchain.views.frames import quaternions
from closedchain.views.palette import OUTPUT
from closedchain.views.scene import GROUND, Plan, PlannedJoint, moved
from closedchain.views.viewer.link_shapes import all_shapes, body_points
from closedchain.views.viewer.meshes import Mesh, box, cylinder, joined, sphere
from closedchain.views.viewer.shapes import Rail, Shape, make_look
from closedchain.views.viewer.springs import Spring

ROOT = "/mechanism"
MANY = 20

Springs = Mapping[str, tuple[tuple[str, np.ndarray], tuple[str, np.ndarray]]]


class Stage:
    """Draws a mechanism once and moves it to poses."""

    def __init__(
        self, server: Any, plan: Plan, at: Mapping[str, np.ndarray], driven: Iterable[str], springs: Springs
    ) -> None:
        self.server, self.plan = server, plan
        self.look = make_look(plan, at)
        self.unit = 1.0 / self.look.size
        self.at = dict(at)
        self.bodies = {body: server.scene.add_frame(f"{ROOT}/{body}", show_axes=False) for body in plan.points}
        self.groups: dict[str, list[Any]] = {}
        self.rails: list[_Bar] = []
        self._texts: list[tuple[Any, str, np.ndarray]] = []
        joints = {joint.name: joint for joint in plan.joints}
        solids: dict[tuple[str, str, str], list[Mesh]] = {}
        lines: dict[tuple[str, str, str], list[np.ndarray]] = {}
        for number, shape in enumerate(all_shapes(plan, self.look, at, frozenset(driven))):
            if isinstance(shape, Rail):
                self.rails.append(_Bar(self, number, shape, joints[shape.name]))
            elif isinstance(shape, Shape):
                solids.setdefault((shape.body, shape.role, shape.colour), []).append(shape.mesh)
            else:
                segments = np.stack([shape.points[:-1], shape.points[1:]], axis=1)
                lines.setdefault((shape.body, shape.role, shape.colour), []).append(segments)
        # One node per body, role and colour: a browser without a graphics card draws few large things faster.
        for number, ((body, role, shade), meshes) in enumerate(solids.items()):
            self._keep(role, self.mesh(f"{ROOT}/{body}/{role}{number}", joined(*meshes), shade))
        for number, ((body, role, shade), segments) in enumerate(lines.items()):
            points = self.scaled(np.concatenate(segments))
            name = f"{ROOT}/{body}/line{number}"
            self._keep(role, server.scene.add_line_segments(name, points, colour(shade), thickness=0.0025))
        self._outputs()
        self._labels(at)
        self.springs = [Spring(self, name, ends) for name, ends in springs.items()]
        self.show(at)

    @property
    def lift(self) -> np.ndarray:
        """What lies over all layers of a planar mechanism is this far above its plane [m], (3,)."""
        return np.array([0.0, 0.0, self.look.layer(*self.plan.points)[1] if self.look.planar else 0.0])

    def scaled(self, points: np.ndarray) -> np.ndarray:
        """Points in ground axes [m] on the stage."""
        return np.asarray(points, dtype=float) * self.unit

    def show(self, at: Mapping[str, np.ndarray]) -> None:
        """Moves the bodies to transforms from their axes to ground axes, (4, 4) each."""
        self.at = dict(at)
        with self.server.atomic():
            turned = quaternions(np.stack([at[body] for body in self.bodies]))
            for (body, frame), wxyz in zip(self.bodies.items(), turned, strict=True):
                frame.wxyz, frame.position = wxyz, self.scaled(at[body][:3, 3])
            for bar in self.rails:
                bar.reach(at)
            for spring in self.springs:
                spring.show(at)
            self._move_texts()

    def switch(self, group: str, visible: bool) -> None:
        """Shows or hides the nodes of a group: "labels", "joint", "drive", "ground", "link", "output"."""
        for node in self.groups.get(group, ()):
            node.visible = visible

    def place_of(self, output: str, at: Mapping[str, np.ndarray] | None = None) -> np.ndarray:
        """Place of an output in ground axes [m], (3,)."""
        body, point = self.plan.outputs[output]
        return moved((at or self.at)[body], point[None])[0]

    def bounds(self, paths: Iterable[np.ndarray] = ()) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper corner of the mechanism and of paths (n, 3) of points [m], on the stage, each (3,)."""
        spans = body_points(self.plan, self.look.size)
        cloud = [moved(self.at[body], points) for body, points in spans.items() if len(points)]
        cloud += [self.place_of(output)[None] for output in self.plan.outputs]
        cloud += [path for path in paths if len(path)]
        points = self.scaled(np.concatenate(cloud)) if cloud else np.zeros((1, 3))
        low, high = points.min(axis=0), points.max(axis=0)
        # What stands in one line now will not do so when it moves.
        least = (high - low).max() * (np.array([0.55, 0.55, 0.0]) if self.look.planar else np.full(3, 0.4))
        wider = 0.5 * np.maximum(0.0, least - (high - low))
        return low - wider, high + wider

    def add_grid(self, bounds: tuple[np.ndarray, np.ndarray]) -> None:
        """A ground grid below the mechanism, behind it where it is planar, in round steps of its size."""
        low, high = bounds
        step = 10.0 ** np.floor(np.log10(0.5 * self.look.size)) * self.unit
        middle, reach = 0.5 * (low + high), float(np.ceil(0.9 * (high - low).max() / step + 1.0) * step)
        at = np.round(middle / step) * step
        at[2] = (self.look.layers[GROUND][0] * self.unit - 0.002) if self.look.planar else min(0.0, low[2]) - 0.045
        node = self.server.scene.add_grid(
            "/grid", 2.0 * reach, 2.0 * reach, plane="xy", cell_size=step, section_size=5.0 * step, position=at,
            cell_color=(214, 218, 222), section_color=(180, 186, 192), fade_distance=1e4, shadow_opacity=0.0,
        )  # fmt: skip
        self._keep("grid", node)

    def _keep(self, group: str, node: Any) -> None:
        self.groups.setdefault(group, []).append(node)

    def mesh(self, name: str, mesh: Mesh, shade: str, **rest: Any) -> Any:
        """A solid as a node; its vertices are in metres."""
        return self.server.scene.add_mesh_simple(
            name, self.scaled(mesh.vertices), mesh.faces, color=colour(shade), side="double",
            cast_shadow=False, receive_shadow=False, **rest,
        )  # fmt: skip

    def _outputs(self) -> None:
        for output, (body, point) in self.plan.outputs.items():
            ball = sphere(point + self.lift, 0.62 * self.look.s)
            self._keep("output", self.mesh(f"{ROOT}/{body}/output.{output}", ball, OUTPUT))

    def _labels(self, at: Mapping[str, np.ndarray]) -> None:
        """One text per place, so that no words overprint: outputs first, then joints."""
        marks = [(self.place_of(name, at), name, body, point) for name, (body, point) in self.plan.outputs.items()]
        for joint in self.plan.joints:
            origin = joint.frames[1][:3, 3]
            marks.append((moved(at[joint.bodies[1]], origin[None])[0], joint.name, joint.bodies[1], origin))
        places: list[tuple[np.ndarray, list[str], str, np.ndarray]] = []
        for place, name, body, point in marks:
            near = next((each for each in places if np.linalg.norm(each[0] - place) < self.look.s), None)
            if near is None:
                places.append((place, [name], body, point))
            elif name not in near[1]:
                near[1].append(name)
        for number, (_, names, body, point) in enumerate(places):
            # Texts stand free of the bodies: the page moves what hangs on a frame, but not its texts.
            node = self.server.scene.add_label(
                f"/names/{number}", ", ".join(names), font_screen_scale=0.95, anchor="bottom-left"
            )
            self._keep("labels", node)
            self._texts.append((node, body, point))

    def _move_texts(self) -> None:
        aside = np.array([1.1, 1.1, 0.0]) * self.look.s
        aside[2] = self.look.layer(*self.plan.points)[1] if self.look.planar else self.look.s
        for node, body, point in self._texts:
            node.position = self.scaled(moved(self.at[body], point[None])[0] + aside)


class _Bar:
    """A rail as a node that is stretched."""

    def __init__(self, stage: Stage, number: int, rail: Rail, joint: PlannedJoint) -> None:
        self.stage, self.rail, self.joint = stage, rail, joint
        wide, high = rail.half
        end = np.array([0.0, 0.0, 1.0])
        unit = (
            cylinder(np.zeros(3), end, wide) if rail.round else box(0.5 * end, np.eye(3), np.array([high, wide, 0.5]))
        )
        # The unit length along z is stretched to metres on the stage.
        vertices = unit.vertices * [stage.unit, stage.unit, 1.0]
        self.node = stage.server.scene.add_mesh_simple(
            f"{ROOT}/{rail.body}/rail{number}", vertices, unit.faces, color=colour(rail.colour), side="double",
            wxyz=quaternions(_transform(rail.axes))[None][0], cast_shadow=False, receive_shadow=False,
        )  # fmt: skip
        self.low, self.high = np.inf, -np.inf
        stage.groups.setdefault("joint", []).append(self.node)  # rails hide with the joints

    def reach(self, at: Mapping[str, np.ndarray]) -> None:
        """Stretches the bar so that the moving side is on it."""
        base, moving = (at[body] @ frame for body, frame in zip(self.joint.bodies, self.joint.frames, strict=True))
        along = at[self.rail.body][:3, :3] @ self.rail.axes[:, 2]
        now = float((moving[:3, 3] - base[:3, 3]) @ along)
        start = 0.0 if self.rail.to_base else now
        low, high = min(start, now) - self.rail.beyond, max(start, now) + self.rail.beyond
        if self.rail.beyond:
            low, high = min(low, self.low), max(high, self.high)
        if (low, high) != (self.low, self.high):
            self.low, self.high = low, high
            self.node.scale = (1.0, 1.0, max(high - low, 1e-9) * self.stage.unit)
            self.node.position = self.stage.scaled(self.rail.origin + low * self.rail.axes[:, 2])


def colour(text: str) -> tuple[int, int, int]:
    """Red, green, blue of "#rrggbb"."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _transform(axes: np.ndarray) -> np.ndarray:
    transform = np.eye(4)
    transform[:3, :3] = axes
    return transform
