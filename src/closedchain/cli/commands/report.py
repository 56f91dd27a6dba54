"""Writes one report of saved results: an HTML page that works offline."""

from pathlib import Path
from typing import Annotated

import typer

from closedchain.cli import completing
from closedchain.cli.files import file_argument
from closedchain.cli.output import say
from closedchain.exceptions import ClosedChainError
from closedchain.language import tr

GROUP = "See results"
EXAMPLES = (
    ("closedchain report motion.nc", "The report of one result, beside it"),
    ("closedchain report results/arm/*.nc -o arm.html", "One report of several results of a mechanism"),
)


def report(
    results: Annotated[
        list[Path],
        file_argument("RESULT...", "Result files (.nc), all of one mechanism.", completing.result_files),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Page to write, .html [default: beside the first result].")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="Heading instead of the mechanism's name.")] = None,
    open: Annotated[bool, typer.Option("--open", help="Open the report in the browser.")] = False,
) -> None:
    """Loads the results and writes their report."""
    import closedchain as cc
    from closedchain.cli.commands.run import show

    path = output if output is not None else results[0].with_suffix(".html")
    if path.suffix.lower() not in (".html", ".htm"):
        raise ClosedChainError(tr("{name}: a report is written as .html.", name=path.name))
    named = {}
    for each in results:
        name, number = each.stem, 2
        while name in named:
            name, number = f"{each.stem} {number}", number + 1
        named[name] = cc.load_result(each)
    cc.report(named, path, title=title)
    say(tr("report: {path}", path=path))
    if open:
        show(path)
