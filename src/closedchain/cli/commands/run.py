"""Runs all studies of a mechanism: datasets, tables, figures and one report, in one folder."""

from pathlib import Path
from typing import Annotated, Any

import typer

from closedchain.cli import completing
from closedchain.cli.files import File, safe_name
from closedchain.cli.output import fail, say, say_json
from closedchain.cli.running.run import Run
from closedchain.cli.running.usual import usual_studies
from closedchain.cli.studies.planned import Planned, load_planned
from closedchain.exceptions import ClosedChainError
from closedchain.language import tr

GROUP = "Start here"
EXAMPLES = (
    ("closedchain run mechanism.toml", "All studies of the file, into results/NAME, with a report"),
    ("closedchain run mechanism.toml --study motion -o here", "One study, into a folder of your choice"),
    ("closedchain run mechanism.toml --open", "The same, and the report in the browser"),
)


def run(
    file: File,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder for the results [default: results/NAME].", file_okay=False),
    ] = None,
    study: Annotated[
        list[str] | None,
        typer.Option("--study", help="Only this study; may be repeated.", autocompletion=completing.studies_of_file),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--until", help="End of the usual studies, where the file names none.", metavar="TEXT"),
    ] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Leave the report out.")] = False,
    open: Annotated[bool, typer.Option("--open", help="Open the report in the browser.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print machine-readable results.")] = False,
) -> None:
    """Runs the studies in order; one that fails does not keep the others from running.

    A file without studies gets the usual ones: kinematics and inverse dynamics over its motions, a simulation, and
    where joints are loose the comparison with the ideal mechanism.
    """
    m, plan = load_planned(file)
    plan, left, why = chosen(m, plan, until)
    if study:
        unknown = sorted(set(study) - {each.name for each in plan})
        if unknown:
            raise ClosedChainError(
                tr(
                    "{file} has no study {unknown}; it has {names}.",
                    file=file,
                    unknown=", ".join(unknown),
                    names=", ".join(each.name for each in plan) or tr("none"),
                )
            )
        plan, left = [each for each in plan if each.name in study], []
    folder = output if output is not None else Path("results") / safe_name(m.name)
    quiet = bool(json)
    if why and not quiet:
        say(tr("no studies in the file; the usual ones for {why}", why=why))
    job = Run(m, plan, left, folder, command(file, output, study, until), quiet)
    status = job.go(report=not no_report)
    if json:
        say_json(job.as_json())
    if open and job.report is not None:
        show(job.report)
    if status:
        raise typer.Exit(status)


def chosen(m: Any, plan: list[Planned], until: str | None) -> tuple[list[Planned], list[Any], str]:
    """The studies of the file, or the usual ones with those left out and why they last so long."""
    from closedchain.cli.studies.arguments import ArgumentProblem, number

    if plan:
        if until is not None:
            raise typer.BadParameter(tr("the studies of the file have their own ends."), param_hint="--until")
        return plan, [], ""
    end = None
    if until is not None:
        try:
            end = number(until, "s", m.parameter_numbers())
        except ArgumentProblem as problem:
            raise typer.BadParameter(str(problem), param_hint="--until") from None
        if end <= 0.0:
            raise typer.BadParameter(tr("the end is a time after 0."), param_hint="--until")
    return usual_studies(m, end)


def command(file: Path, output: Path | None, study: list[str] | None, until: str | None) -> str:
    """The command as one would type it beside the file, without the folders of this machine."""
    import shlex

    parts = ["closedchain", "run", file.name]
    parts += ["-o", output.name or "results"] if output is not None else []
    for name in study or []:
        parts += ["--study", name]
    parts += ["--until", until] if until is not None else []
    return shlex.join(parts)


def show(page: Path) -> None:
    """Opens the report in the browser."""
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        fail(tr("no browser was found; open {page} yourself.", page=page))
