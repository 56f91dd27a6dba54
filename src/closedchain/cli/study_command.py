"""A study as a command: its arguments become options, its result a file, a text or JSON."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from closedchain.cli.files import File, load
from closedchain.cli.output import fail, mistake, say, say_json
from closedchain.cli.studies.arguments import Argument
from closedchain.cli.studies.contract import Study
from closedchain.exceptions import MechanismError
from closedchain.language import tr

Output = Annotated[Path | None, typer.Option("-o", "--output", help="Write the result: .nc, .csv or .parquet.")]
Json = Annotated[bool, typer.Option("--json", help="Print machine-readable results.")]


def command_of(study: Study) -> Callable[..., None]:
    """The command of a study, with a signature that lists its options."""

    def run(file: Path, output: Path | None, json: bool, **options: Any) -> None:
        m = load(file)
        given = {name: value for name, value in options.items() if value is not None and value != []}
        try:
            arguments = study.read(given, "", m.parameter_numbers())
            study.require_units(m, arguments)
        except MechanismError as error:
            for finding in error.findings:
                fail(str(finding))
            if json:
                say_json(mistake(error))
            raise typer.Exit(2) from None
        ds = study.calc(m, **arguments)
        if output is not None:
            import closedchain as cc

            cc.save(ds, output)
        if json:
            say_json(study.as_json(ds))
        else:
            say(study.say(ds))
            if output is not None:
                say(tr("written to {path}", path=output))

    parameters = [
        inspect.Parameter("file", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=File),
        *(_option(argument) for argument in study.arguments),
        inspect.Parameter("output", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Output),
        inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Json),
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _option(argument: Argument) -> inspect.Parameter:
    """An option that takes text, read by the argument's own kind."""
    meaning = argument.meaning[0].upper() + argument.meaning[1:] + "."
    if argument.default is not None:
        several = isinstance(argument.default, list | tuple)
        meaning += f" [default: {', '.join(argument.default) if several else argument.default}]"
    if argument.required:
        meaning += " [required]"
    kind = list[str] if argument.kind.many else str
    info = typer.Option(f"--{argument.name.replace('_', '-')}", help=meaning, show_default=False, metavar="TEXT")
    return inspect.Parameter(
        argument.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, info]
    )
