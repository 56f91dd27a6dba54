"""Instantaneous motions of bodies as screws: an axis, a point on it, a pitch."""

from dataclasses import dataclass, field

import numpy as np

from closedchain.language import tr

STILL = 1e-7


@dataclass(frozen=True)
class Screw:
    """An instantaneous motion of a body: rotation about an axis with an advance along it.

    body: what moves; axis: unit vector (3,) in ground axes; point: a point of the axis [m], shape (3,), for a
    translation the point asked about; pitch: advance per angle [m/rad], 0 for a pure rotation, inf for a translation.
    rates: joint coordinates that move with it -> rate, the fastest one 1 (angles in rad, lengths over the size).
    """

    body: str
    axis: tuple[float, float, float]
    point: tuple[float, float, float]
    pitch: float
    planar: bool = False
    rates: dict[str, float] = field(default_factory=dict, compare=False)

    @property
    def translation(self) -> bool:
        """Whether nothing turns."""
        return bool(np.isinf(self.pitch))

    def __str__(self) -> str:
        place = numbers(self.point[:2] if self.planar else self.point)
        if self.translation:
            direction = numbers(self.axis[:2] if self.planar else self.axis)
            return tr("{body} translates along {direction}", body=self.body, direction=direction)
        if self.planar:
            return tr("{body} turns about {place} m", body=self.body, place=place)
        way = tr(
            "{body} turns about the axis through {place} m along {axis}",
            body=self.body,
            place=place,
            axis=numbers(self.axis),
        )
        return way if self.pitch == 0.0 else tr("{way} and advances {pitch:.4g} m/rad", way=way, pitch=self.pitch)


def numbers(values) -> str:
    """Numbers in brackets, with what is small beside the largest as zero."""
    least = 1e-7 * max(abs(value) for value in values)
    return "(" + ", ".join(f"{value:.4g}" if abs(value) > least else "0" for value in values) + ")"


def as_screw(
    body: str, twist: np.ndarray, P: np.ndarray, size: float, planar: bool, rates: dict[str, float] | None = None
) -> Screw:
    """The screw of a twist (angular velocity, velocity of the point P); its largest part is made positive.

    The axis passes through P + w x v / w^2, its pitch is w . v / w^2 (Ball 1900).
    """
    w, v = twist[:3], twist[3:]
    turning = float(np.linalg.norm(w)) * size > STILL * float(np.linalg.norm(v))
    main = w if turning else v
    sense = float(np.sign(main[np.argmax(np.abs(main))])) or 1.0
    direction = sense * main / max(float(np.linalg.norm(main)), 1e-300)
    place, pitch = P, float("inf")
    if turning:
        place = P + np.cross(w, v) / (w @ w)
        pitch = float(w @ v / (w @ w))
        pitch = 0.0 if abs(pitch) < 1e-9 * size else pitch
    place = np.where(np.abs(place) < 1e-9 * size, 0.0, place)
    found = {name: sense * rate for name, rate in (rates or {}).items()}
    return Screw(body, vector(direction), vector(place), pitch, planar, found)


def vector(values: np.ndarray) -> tuple[float, float, float]:
    """Three floats."""
    x, y, z = (float(value) for value in values)
    return x, y, z
