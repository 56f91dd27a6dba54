"""The formats of films: suffix -> function that writes one."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.animation.pace import Pace

if TYPE_CHECKING:
    import xarray as xr

COLOURS = 128


def write_gif(ds: "xr.Dataset", path: Path, pace: Pace, look: dict[str, Any]) -> None:
    """A GIF that runs for ever, with one palette for all pictures."""
    from PIL import Image

    from closedchain.views.animation.film import pictures

    made = [Image.fromarray(picture) for picture in pictures(ds, pace, **look)]
    # The palette is taken from several pictures at once, so nothing flickers.
    few = made[:: max(1, len(made) // 6)][:6]
    sheet = Image.new("RGB", (few[0].width, few[0].height * len(few)))
    for number, each in enumerate(few):
        sheet.paste(each, (0, number * each.height))
    palette = sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
    flat = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in made]
    flat[0].save(path, save_all=True, append_images=flat[1:], duration=delays(len(flat), pace.fps), loop=0, disposal=1)


def delays(count: int, fps: float) -> list[int]:
    """Durations of pictures [ms] in the hundredths of a second that a GIF knows, true to the clock on the whole.

    >>> delays(4, 30.0)
    [30, 40, 30, 30]
    """
    ends = np.round(np.arange(count + 1) * 100.0 / fps).astype(int)
    return [int(each) * 10 for each in np.diff(ends)]


def write_mp4(ds: "xr.Dataset", path: Path, pace: Pace, look: dict[str, Any]) -> None:
    """An MP4 (H.264), which any player and browser shows."""
    from closedchain.views.animation.film import pictures

    program = encoder()
    made = pictures(ds, pace, **look)
    first = next(made)
    size = f"{first.shape[1]}x{first.shape[0]}"
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", f"{pace.fps:g}", "-i", "-"]
    made_of = ["-an", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", "-movflags", "+faststart"]
    command = [program, "-y", "-loglevel", "error", *raw, *made_of, str(path.resolve())]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None, "asked for"
    try:
        for picture in chained(first, made):
            process.stdin.write(np.ascontiguousarray(picture).tobytes())
    except BrokenPipeError:
        pass  # the encoder says why
    _, said = process.communicate()
    if process.returncode:
        path.unlink(missing_ok=True)
        lines = said.decode(errors="replace").strip().splitlines() or ["?"]
        raise ClosedChainError(tr("{file}: ffmpeg could not write it: {reason}", file=path.name, reason=lines[-1]))


def encoder() -> str:
    """Path of an ffmpeg: that of imageio-ffmpeg, else the system's; raises ClosedChainError where there is none."""
    try:
        import imageio_ffmpeg

        return imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        found = shutil.which("ffmpeg")
        if found is None:
            raise ClosedChainError(
                tr("MP4 needs ffmpeg: pip install imageio-ffmpeg (or write .gif or .html).")
            ) from None
        return found


def chained(first: np.ndarray, rest: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
    """One picture and those that follow."""
    yield first
    yield from rest


def write_html(ds: "xr.Dataset", path: Path, pace: Pace, look: dict[str, Any]) -> None:
    """A page with a player."""
    from closedchain.views.animation.page import film_page

    path.write_text(film_page(ds, pace, **look), encoding="utf-8", newline="\n")


Writer = Callable[["xr.Dataset", Path, Pace, dict[str, Any]], None]
FORMATS: dict[str, Writer] = {".gif": write_gif, ".mp4": write_mp4, ".html": write_html}
