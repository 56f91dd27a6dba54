"""How fast a film runs, and which instants its pictures show."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr

if TYPE_CHECKING:
    import xarray as xr

MOST = 3000  # pictures of a film
REAL = (2.0, 20.0)  # duration in real time [s] that is neither too short nor too long to follow
USUAL = 6.0  # duration otherwise [s]


@dataclass(frozen=True)
class Pace:
    """times: of the pictures [s] (n,); fps; speed: time of the result per time of the film.

    sampled: the result counts samples instead of seconds.
    """

    times: np.ndarray
    fps: float
    speed: float
    sampled: bool

    @property
    def words(self) -> str:
        """The speed as it is written into the picture."""
        if self.sampled:
            return ""
        if self.speed == 1.0:
            return tr("real time")
        if self.speed < 1.0:
            return tr("{n} times slower", n=f"{1.0 / self.speed:.3g}")
        return tr("{n} times faster", n=f"{self.speed:.3g}")


def find_pace(ds: "xr.Dataset", fps: float, speed: float | None) -> Pace:
    """The pace of a result; raises ClosedChainError where it has no time, or the film would be endless."""
    if "time" not in ds.dims or not ds.sizes["time"]:
        raise ClosedChainError(tr("A film needs a motion over time, and this result has none."))
    t = np.sort(ds["time"].values.astype(float))
    sampled = ds.attrs.get("time_axis") == "sample"
    span = float(t[-1] - t[0])
    if speed is None:
        speed = fps / 2.0 if sampled else usual_speed(span)
    if not (np.isfinite(speed) and speed > 0.0):
        raise ClosedChainError(tr("speed is {speed}; give a factor above zero, such as 0.1.", speed=f"{speed:g}"))
    count = int(np.floor(span / speed * fps * (1.0 + 1e-9))) + 1
    if count > MOST:
        raise ClosedChainError(
            tr("This film would have {count} pictures; raise speed or lower fps until there are at most {most}.",
               count=count, most=MOST)
        )  # fmt: skip
    times = t[0] + np.arange(count) * speed / fps
    if count == 1 or t[-1] - times[-1] > 0.3 * speed / fps:
        times = np.append(times, t[-1])
    return Pace(times if span else t[:1], fps, speed, sampled)


def usual_speed(span: float) -> float:
    """1 where real time can be followed, else 1, 2 or 5 times a power of ten so that it takes about USUAL seconds.

    >>> usual_speed(4.0), usual_speed(0.85), usual_speed(0.05), usual_speed(600.0)
    (1.0, 0.2, 0.01, 100.0)
    """
    if span <= 0.0 or REAL[0] <= span <= REAL[1]:
        return 1.0
    options = [part * 10.0**power for power in range(-9, 9) for part in (1.0, 2.0, 5.0)]
    best = min(options, key=lambda each: abs(np.log(span / each / USUAL)))
    return float(f"{best:.3g}")
