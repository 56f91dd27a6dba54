"""Writes a film of a result: GIF, MP4, or a page with a player."""

from pathlib import Path
from typing import Annotated

import typer

from closedchain.cli.files import Result
from closedchain.cli.output import busy, say
from closedchain.language import tr

GROUP = "See results"
EXAMPLES = (
    ("closedchain animate motion.nc", "A GIF beside the result"),
    ("closedchain animate motion.nc -o motion.mp4 --speed 0.1", "A film ten times slower than the mechanism"),
    ("closedchain animate motion.nc -o motion.html", "A page with play, pause and slider that works offline"),
)


def animate(
    result: Result,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Film to write: .gif, .mp4 or .html [default: a GIF beside the result]."),
    ] = None,
    fps: Annotated[float, typer.Option("--fps", help="Pictures per second.")] = 25.0,
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed", show_default=False, help="1 real time, 0.1 ten times slower [default: easy to follow]."
        ),
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", show_default=False, help="Title instead of the mechanism's name.")
    ] = None,
    width: Annotated[int, typer.Option("--width", help="Width of the picture in pixels.")] = 720,
) -> None:
    """Loads the result and films it."""
    import closedchain as cc

    path = output if output is not None else result.with_suffix(".gif")
    with busy(tr("film {name}", name=path.name)):
        written = cc.animate(cc.load_result(result), path, fps=fps, speed=speed, title=title, width=width)
    say(tr("written to {path}", path=written))
