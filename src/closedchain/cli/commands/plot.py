"""Draws a figure of a result: `plot RESULT` lists the figures that fit it, `plot RESULT FIGURE` draws one."""

from pathlib import Path
from typing import Annotated, Any

import typer

from closedchain.cli import completing
from closedchain.cli.files import Result
from closedchain.cli.output import say
from closedchain.exceptions import ClosedChainError
from closedchain.language import tr

GROUP = "See results"
EXAMPLES = (
    ("closedchain plot motion.nc", "Which figures fit the result"),
    ("closedchain plot motion.nc channels q.A position.P -o motion.pdf", "Curves of your choice"),
    ("closedchain plot motion.nc efforts --width one-column", "As wide as a printed column"),
)


def plot(
    result: Result,
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
    width: Annotated[
        str | None,
        typer.Option("--width", show_default=False, help="one-column, two-column, or a number of inches."),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", show_default=False, help="Title above the figure.")] = None,
) -> None:
    """Loads the result and lets the figure draw it."""
    import closedchain as cc

    ds = cc.load_result(result)
    figures = cc.plot.FIGURES
    fitting = {name: entry for name, entry in figures.items() if entry.fits(ds)}
    if figure is None:
        longest = max(map(len, fitting), default=0)
        say("\n".join(f"{name:<{longest}}  {tr(entry.meaning)}" for name, entry in fitting.items()))
        return
    # as commands are written
    figure = figure.replace("-", "_")
    have = ", ".join(fitting) or tr("none")
    if figure not in figures:
        raise ClosedChainError(
            tr("there is no figure {figure}; those that fit this result are {have}.", figure=repr(figure), have=have)
        )
    if figure not in fitting:
        raise ClosedChainError(
            tr("{figure} does not fit {result}, a result of {analysis}; those that fit are {have}.", figure=figure,
               result=result.name, analysis=ds.attrs.get("analysis", "?"), have=have)
        )  # fmt: skip
    path = output if output is not None else result.with_name(f"{result.stem}_{figure}.svg")
    look: dict[str, Any] = {"title": title} if title else {}
    if width is not None:
        look["width"] = as_width(width)
    drawn = figures[figure].of_result(ds, names or [], **look)
    if path.suffix.lstrip(".").lower() not in drawn.canvas.get_supported_filetypes():
        raise ClosedChainError(tr("{file}: pictures are written as .svg, .pdf or .png.", file=path.name))
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn.savefig(path)
    say(tr("written to {path}", path=path))


def as_width(text: str) -> str | float:
    """A width as figures take it; raises ClosedChainError for anything else."""
    from closedchain.views.plots.style import WIDTHS

    if text in WIDTHS:
        return text
    try:
        inches = float(text)
    except ValueError:
        inches = 0.0
    if not 1.5 <= inches <= 40.0:
        raise ClosedChainError(
            tr("width is {width}; give {names}, or 1.5 to 40 inches.", width=repr(text), names=", ".join(WIDTHS))
        )
    return inches
