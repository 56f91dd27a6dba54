"""Draws a figure of a result: `plot RESULT` lists the figures, `plot RESULT FIGURE` draws one."""

from pathlib import Path
from typing import Annotated

import typer

from closedchain.cli import completing
from closedchain.cli.output import say
from closedchain.exceptions import ClosedChainError
from closedchain.language import tr

GROUP = "See results"
EXAMPLES = (
    ("closedchain plot motion.nc", "Which figures there are"),
    ("closedchain plot motion.nc channels q.A position.P -o motion.pdf", "Curves of your choice"),
)


def plot(
    result: Annotated[
        Path,
        typer.Argument(
            exists=True,
            dir_okay=False,
            readable=True,
            show_default=False,
            help="Result file (.nc).",
            autocompletion=completing.result_files,
        ),
    ],
    figure: Annotated[
        str | None,
        typer.Argument(show_default=False, help="Name of the figure.", autocompletion=completing.figures),
    ] = None,
    names: Annotated[
        list[str] | None, typer.Argument(show_default=False, help="What to draw: variables such as q, position.tip.x.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Picture: .svg, .pdf, .png [default: beside the result].")
    ] = None,
) -> None:
    """Loads the result and lets the figure draw it."""
    import closedchain as cc

    figures = cc.plot.FIGURES
    if figure is None:
        say("\n".join(f"{name:<12} {entry.meaning}" for name, entry in figures.items()))
        return
    if figure not in figures:
        raise ClosedChainError(f"there is no figure {figure!r}; there are {', '.join(figures)}.")
    path = output if output is not None else result.with_name(f"{result.stem}_{figure}.svg")
    drawn = figures[figure].of_result(cc.load_result(result), names or [])
    if path.suffix.lstrip(".").lower() not in drawn.canvas.get_supported_filetypes():
        raise ClosedChainError(f"{path.name}: pictures are written as .svg, .pdf or .png.")
    drawn.savefig(path)
    say(tr("written to {path}", path=path))
