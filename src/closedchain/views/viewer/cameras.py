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

Bounds = tuple[np.ndarray, np.ndarray]


def views(planar: bool) -> dict[str, tuple[tuple[float, ...], tuple[float, ...]]]:
    """The presets by name, the usual one first."""
    return PLANAR if planar else SPATIAL


def placed(view: str, planar: bool, bounds: Bounds, aspect: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Position, point looked at and up direction of a camera that sees the box `bounds` in a window of an aspect ratio.

    >>> placed("front", True, (np.zeros(3), np.array([1.0, 1.0, 0.0])), 1.5)[1].tolist()
    [0.5, 0.5, 0.0]
    """
    direction, up = (np.array(entry, dtype=float) for entry in views(planar)[view])
    direction /= np.linalg.norm(direction)
    right = np.cross(up, direction)
    right /= np.linalg.norm(right)
    over = np.cross(direction, right)
    low, high = bounds
    centre = 0.5 * (low + high)
    corners = np.array(list(product(*zip(low, high, strict=True)))) - centre
    slope = np.tan(0.5 * FOV[planar])
    needed = np.maximum(np.abs(corners @ over) / slope, np.abs(corners @ right) / (slope * aspect))
    distance = MARGIN * float((needed + np.maximum(corners @ direction, 0.0)).max())
    return centre + max(distance, 0.05) * direction, centre, up


def set_start(server: Any, planar: bool, bounds: Bounds) -> None:
    """Where pages begin, and where their button for the view leads back to."""
    position, centre, up = placed(next(iter(views(planar))), planar, bounds, 1.4)
    server.scene.set_up_direction("+y" if planar else "+z")
    camera = server.initial_camera
    camera.position, camera.look_at, camera.up, camera.fov = position, centre, up, float(FOV[planar])
    camera.near, camera.far = 0.01, 200.0


def look(client: Any, view: str, planar: bool, bounds: Bounds) -> np.ndarray:
    """Turns the camera of one page to a preset; returns where it stands then."""
    camera = client.camera
    position, centre, up = placed(view, planar, bounds, max(0.3, float(camera.aspect)))
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
        state = {"aspect": float(client.camera.aspect), "position": look(client, usual, planar, bounds())}

        @client.camera.on_update
        def _(camera: Any) -> None:
            aspect = float(camera.aspect)
            if abs(aspect - state["aspect"]) < 0.02 * state["aspect"]:
                return
            away = np.linalg.norm(camera.position - state["position"])
            state["aspect"] = aspect
            if away < 0.01 * np.linalg.norm(state["position"] - camera.look_at):
                state["position"] = look(client, usual, planar, bounds())
