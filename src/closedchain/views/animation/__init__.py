"""Films of mechanisms: GIF, MP4, and a page with a player that works offline."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.animation.formats import FORMATS
from closedchain.views.animation.pace import find_pace
from closedchain.views.projection import VIEW

if TYPE_CHECKING:
    import xarray as xr


def animate(
    ds: "xr.Dataset",
    path: str | Path = "out.gif",
    *,
    fps: float = 25.0,
    speed: float | None = None,
    title: str | None = None,
    width: int = 720,
    view: tuple[float, float] = VIEW,
) -> Path:
    """Writes a film of a result: links, joints, paths of the outputs, and where joints are loose their pins and forces.

    ds: result over time. path: file to write, its suffix names the format: .gif, .mp4 or .html; an existing one is
    replaced. fps: pictures per second. speed: of the film, 1 in real time, 0.1 ten times slower; otherwise real time
    where that takes 2 to 20 seconds, else the round factor that takes about six. The factor is written into the
    picture. title: above it, default the mechanism's name. width: of the picture [pixels]. view: elevation and azimuth
    [deg] in space.
    Returns the path. Every picture shows the sample nearest to its time; nothing is interpolated.

    Raises ClosedChainError where the result has no motion, the format is unknown, or MP4 lacks its encoder.

    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     film = cc.animate(cc.kinematics(m, np.linspace(0, 0.2, 3)), pathlib.Path(folder) / "four_bar.gif")
    ...     film.read_bytes()[:3]
    b'GIF'
    """
    path = Path(path)
    writer = FORMATS.get(path.suffix.lower())
    if writer is None:
        raise ClosedChainError(
            tr("{file}: films are written as {formats}; give one of these suffixes.", file=path.name,
               formats=", ".join(FORMATS))
        )  # fmt: skip
    if not 1.0 <= fps <= 120.0:
        raise ClosedChainError(tr("fps is {fps}; give 1 to 120 pictures per second.", fps=f"{fps:g}"))
    if not 160 <= width <= 3840:
        raise ClosedChainError(tr("width is {width}; give 160 to 3840 pixels.", width=width))
    pace = find_pace(ds, fps, speed)
    path.parent.mkdir(parents=True, exist_ok=True)
    look: dict[str, Any] = {"title": title, "width": width, "view": view}
    writer(ds, path, pace, look)
    return path


__all__ = ["animate"]
