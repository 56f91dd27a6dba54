"""The program `closedchain`: finds its commands and runs one; status 0: done, 1: a problem, 2: wrong usage."""

import contextlib
import importlib
import pkgutil
import sys
from typing import Annotated

import typer

import closedchain
from closedchain.cli import commands
from closedchain.cli.output import guarded
from closedchain.cli.studies import studies
from closedchain.cli.study_command import command_of

app = typer.Typer(
    name="closedchain",
    help="Mechanisms with closed loops: what they are, how they move, where they are singular.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"closedchain {closedchain.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the program itself."""


def names() -> list[str]:
    """Every command."""
    return [str(entry.name) for entry in app.registered_commands]


for _entry in pkgutil.iter_modules(commands.__path__):
    _module = importlib.import_module(f"{commands.__name__}.{_entry.name}")
    app.command(_entry.name, help=_module.__doc__)(guarded(getattr(_module, _entry.name)))
for _study in studies().values():
    app.command(_study.command, help=_study.meaning[0].upper() + _study.meaning[1:] + ".")(guarded(command_of(_study)))


def main() -> None:
    """Runs the program on the words of the command line."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            # A terminal that cannot show a sign shows another one instead of ending the program.
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    app(prog_name="closedchain")
