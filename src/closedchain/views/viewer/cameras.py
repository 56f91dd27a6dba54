"""Where the camera stands: from a corner, the front, above, the side, always so that the whole mechanism is in view."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

# From where one looks, and what is up. A planar mechanism is seen straight on, from far away: nothing looks tilted.
SPATIAL = {
    "iso": ((1.0, -1.6, 0.9), (0.0, 0.0, 1.0)),
    "front": ((0.0, -1.0, 0.0), (0.0, 0.0, 1.0)),
    "top": ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
    "side": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
}
PLANAR = {
    "front": ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
    "iso": ((0.6, -0.5, 1.0), (0.0, 1.0, 0.0)),
    "top": ((0.0, 1.0, 0.25), (0.0, 0.0, -1.0)),
    "side": ((1.0, 0.0, 0.25), (0.0, 1.0, 0.0)),
}
FOV = {True: np.radians(9.0), False: np.radians(24.0)}
MARGIN = 1.22
FIT = "fit"

Bounds = tuple[np.ndarray, np.ndarray]


def views(planar: bool) -> dict[str, tuple[tuple[float, ...], tuple[float, ...]]]:
    """The presets by name, the usual one first."""
    return PLANAR if planar else SPATIAL


def placed(
    view: str, planar: bool, bounds: Bounds, aspect: float, seen: tuple[np.ndarray, np.ndarray] | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Position, point looked at and up direction of a camera that sees the box `bounds` in a window of an aspect ratio.

    seen: direction to the camera and up direction, in place of those of a preset.

    >>> placed("front", True, (np.zeros(3), np.array([1.0, 1.0, 0.0])), 1.5)[1].tolist()
    [0.5, 0.5, 0.0]
    """
    direction, up = (np.array(entry, dtype=float) for entry in seen or views(planar)[view])
    direction /= np.linalg.norm(direction)
    right = np.cross(up, direction)
    if np.linalg.norm(right) < 1e-6:  # seen along its own upward direction
        right = np.cross(np.roll(direction, 1), direction)
    right /= np.linalg.norm(right)
    over = np.cross(direction, right)
    low, high = bounds
    centre = 0.5 * (low + high)
    corners = np.array(list(product(*zip(low, high, strict=True)))) - centre
    slope = np.tan(0.5 * FOV[planar])
    needed = np.maximum(np.abs(corners @ over) / slope, np.abs(corners @ right) / (slope * aspect))
    distance = MARGIN * float((needed + np.maximum(corners @ direction, 0.0)).max())
    return centre + max(distance, 0.05) * direction, centre, up


def lights(server: Any) -> None:
    """Plain lights: the usual picture of a room that shines on everything takes software minutes to prepare."""
    scene = server.scene
    scene.configure_environment_map(None)
    scene.configure_default_lights(False)
    scene.add_light_ambient("/light/all", intensity=1.35)
    scene.add_light_directional("/light/key", intensity=1.4, position=(0.5, -0.6, 1.6))
    scene.add_light_directional("/light/fill", intensity=0.8, position=(-0.9, 0.9, 0.7))
    scene.add_light_directional("/light/below", intensity=0.35, position=(0.2, -1.0, -1.0))


def set_start(server: Any, planar: bool, bounds: Bounds) -> None:
    """Where pages begin, and where their button for the view leads back to."""
    position, centre, up = placed(next(iter(views(planar))), planar, bounds, 1.4)
    server.scene.set_up_direction("+y" if planar else "+z")
    camera = server.initial_camera
    camera.position, camera.look_at, camera.up, camera.fov = position, centre, up, float(FOV[planar])
    camera.near, camera.far = 0.01, 200.0


def look(client: Any, view: str, planar: bool, bounds: Bounds) -> np.ndarray:
    """Turns the camera of one page to a preset, or moves it to "fit" without a turn; returns where it stands then."""
    camera = client.camera
    seen = (camera.position - camera.look_at, camera.up_direction) if view == FIT else None
    position, centre, up = placed(view, planar, bounds, max(0.3, float(camera.aspect)), seen)
    with client.atomic():
        camera.fov = float(FOV[planar])
        camera.up_direction = up
        camera.position = position
        camera.look_at = centre
    return position


def fit_pages(server: Any, planar: bool, bounds: Callable[[], Bounds]) -> None:
    """Fits every page that connects to its window, also when that changes, until somebody moves the camera."""
    usual = next(iter(views(planar)))

    @server.on_client_connect
    def _(client: Any) -> None:
        aspect, goal, arrived = float(client.camera.aspect), look(client, usual, planar, bounds()), False

        @client.camera.on_update
        def _(camera: Any) -> None:
            nonlocal aspect, goal, arrived
            there = bool(np.linalg.norm(camera.position - goal) < 0.01 * np.linalg.norm(goal - camera.look_at))
            changed = abs(float(camera.aspect) - aspect) > 0.02 * aspect
            aspect = float(camera.aspect)
            # A page that has not yet come to where it was sent has not been moved by anybody.
            if changed and (there or not arrived):
                goal, there = look(client, usual, planar, bounds()), False
            arrived = arrived or there
