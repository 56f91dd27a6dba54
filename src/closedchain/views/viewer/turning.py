"""The sliders: one for every driven coordinate, and for others that the mechanism needs to be told to stand still."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from closedchain.analyses.pose import Pose
from closedchain.analyses.steering import Steering
from closedchain.views.viewer.readings import units_shown

TURN = ("x", "y", "z")


@dataclass(frozen=True)
class Knob:
    """What one slider sets: a coordinate, or one number of a ball joint's rotation vector.

    name: shown; handle: coordinate, or joint; part: None, or which number of the rotation vector; unit: "rad" or "m";
    low, high: where it may stand [unit]; firm: whether these are limits of the file.
    """

    name: str
    handle: str
    part: int | None
    unit: str
    low: float
    high: float
    firm: bool


def knobs(steering: Steering, handles: tuple[str, ...], pose: Pose) -> list[Knob]:
    """The sliders of the handles, their ranges around the pose."""
    found = []
    for handle in handles:
        if handle not in pose.coordinates:
            found += [Knob(f"{handle} {axis}", handle, k, "rad", -np.pi, np.pi, False) for k, axis in enumerate(TURN)]
            continue
        unit = steering.model.tree_units[steering.model.tree_rates[handle]]
        value = pose.coordinates[handle]
        wide = np.pi if unit == "rad" else 0.5 * steering.model.size
        low, high = (-wide, wide) if abs(value) <= wide and unit == "rad" else (value - wide, value + wide)
        low, high = steering.limits.get(handle, (low, high))
        found.append(Knob(handle, handle, None, unit, float(low), float(high), handle in steering.limits))
    return found


def value_of(knob: Knob, pose: Pose) -> float:
    """Where a knob stands at a pose [rad, m]."""
    if knob.part is None:
        return float(pose.coordinates[knob.handle])
    return float(rotation_vector(quaternion_of(pose, knob.handle))[knob.part])


def target_of(knob: Knob, pose: Pose, value: float) -> dict[str, Any]:
    """The values to steer to when a knob is turned to a value [rad, m]."""
    if knob.part is None:
        return {knob.handle: value}
    turn = rotation_vector(quaternion_of(pose, knob.handle))
    turn[knob.part] = value
    others = [pose.coordinates[label] for label in scalars_of(pose, knob.handle)]
    return {knob.handle: [*others, *turn]}


def values_of(handles: tuple[str, ...], pose: Pose) -> dict[str, Any]:
    """All handles as they stand at a pose, for `assembly_modes`."""
    return {
        handle: pose.coordinates[handle]
        if handle in pose.coordinates
        else [*(pose.coordinates[label] for label in scalars_of(pose, handle)), *quaternion_of(pose, handle)]
        for handle in handles
    }


def scalars_of(pose: Pose, joint: str) -> list[str]:
    """Coordinates of a joint that are no part of its quaternion."""
    own = [label for label in pose.coordinates if label.rpartition(".")[0] == joint]
    return [label for label in own if not label.rpartition(".")[2].startswith("q")]


def quaternion_of(pose: Pose, joint: str) -> np.ndarray:
    """The quaternion of a joint, (4,)."""
    return np.array([pose.coordinates[f"{joint}.{part}"] for part in ("qw", "qx", "qy", "qz")])


def rotation_vector(quaternion: np.ndarray) -> np.ndarray:
    """The rotation vector of a quaternion, at most half a turn, (3,)."""
    w, v = quaternion[0], quaternion[1:]
    if w < 0.0:
        w, v = -w, -v
    sine = float(np.linalg.norm(v))
    return 2.0 * v if sine < 1e-12 else 2.0 * np.arctan2(sine, w) / sine * v


class Sliders:
    """The sliders on the page. turned: called with a knob and a value [rad, m] when someone moves one."""

    def __init__(self, gui: Any, all_knobs: list[Knob], pose: Pose, turned: Callable[[Knob, float], None]) -> None:
        self.knobs = {knob.name: knob for knob in all_knobs}
        self.handles = {knob.name: self._add(gui, knob, value_of(knob, pose), turned) for knob in all_knobs}

    def _add(self, gui: Any, knob: Knob, value: float, turned: Callable[[Knob, float], None]) -> Any:
        shown, factor = units_shown(knob.unit)
        low, high, step = scale(knob.low / factor, knob.high / factor)
        if not knob.firm:
            low, high = (
                float(np.floor(low / step / 10.0) * step * 10.0),
                float(np.ceil(high / step / 10.0) * step * 10.0),
            )
        start = _on_step(value / factor, low, high, step)
        handle = gui.add_slider(f"{knob.name} [{shown}]", low, high, step, start)

        @handle.on_update
        async def _(event: Any) -> None:
            # Values that this program sets itself have no client and are no wish of anybody.
            if event.client is not None:
                turned(knob, event.target.value * factor)

        return handle

    def follow(self, pose: Pose) -> None:
        """Sets the sliders to a pose; a range that is no limit grows where the pose is outside."""
        for name, knob in self.knobs.items():
            handle, (_, factor) = self.handles[name], units_shown(knob.unit)
            value = value_of(knob, pose) / factor
            if not knob.firm:
                handle.min, handle.max = min(handle.min, np.floor(value)), max(handle.max, np.ceil(value))
            value = float(np.clip(value, handle.min, handle.max))
            if abs(value - handle.value) > 0.6 * handle.step:
                handle.value = _on_step(value, handle.min, handle.max, handle.step)


def scale(low: float, high: float) -> tuple[float, float, float]:
    """Ends and step of a slider: round numbers, some thousand steps.

    >>> scale(-180.0, 180.0)
    (-180.0, 180.0, 0.1)
    """
    if high - low < 1e-12:
        return float(low), float(high), 1.0
    step = 10.0 ** np.floor(np.log10((high - low) / 1000.0))
    return float(low), float(high), float(step)


def _on_step(value: float, low: float, high: float, step: float) -> float:
    """The step of a slider nearest to a value, so that it shows few digits."""
    return float(np.clip(round(round(value / step) * step, 9), low, high))


def units_of_coordinates(steering: Steering) -> Mapping[str, str]:
    """Coordinate -> "rad" or "m"; parts of quaternions are left out."""
    return {
        label: steering.model.tree_units[rate]
        for label, rate in steering.model.tree_rates.items()
        if label in steering.model.tree_coordinates
    }
