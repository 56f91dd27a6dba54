"""The program `closedchain`: finds its commands and runs one; status 0: done, 1: a problem, 2: wrong usage."""

import contextlib
import functools
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

import closedchain
from closedchain.cli import commands
from closedchain.cli.help import Command, Example, Group, check_language
from closedchain.cli.output import guarded
from closedchain.cli.studies import studies
from closedchain.cli.study_command import command_of

SPOKEN = "Language of messages and reports: en or zh [default: that of the system]."

app = typer.Typer(
    name="closedchain",
    cls=Group,
    help="Mechanisms with closed loops: what they are, how they move, what they carry, how accurate they are.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


Language = Annotated[
    str | None,
    typer.Option("--lang", callback=check_language, metavar="CODE", show_default=False, help=SPOKEN),
]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"closedchain {closedchain.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    lang: Language = None,
) -> None:
    """Options of the program itself."""


def names() -> list[str]:
    """Every command."""
    return [str(entry.name) for entry in app.registered_commands]


def register(name: str, run: Callable[..., None], help: str, group: str, examples: Sequence[Example]) -> None:
    """Makes a function a command that ends with a sentence where something is wrong, in the language of `--lang`."""

    class WithExamples(Command):
        """This command."""

    WithExamples.examples = tuple(examples)
    app.command(name, cls=WithExamples, help=help, rich_help_panel=group)(with_language(guarded(run)))


def with_language(run: Callable[..., None]) -> Callable[..., None]:
    """The command with the option `--lang`, which the program has heeded before the command runs."""

    @functools.wraps(run)
    def command(*args: object, lang: str | None = None, **kwargs: object) -> None:
        return run(*args, **kwargs)

    signature = inspect.signature(run)
    option = inspect.Parameter("lang", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Language)
    command.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), option]
    )
    command.__annotations__ = {**run.__annotations__, "lang": Language}
    return command


for _entry in pkgutil.iter_modules(commands.__path__):
    _module = importlib.import_module(f"{commands.__name__}.{_entry.name}")
    register(
        _entry.name,
        getattr(_module, _entry.name),
        _module.__doc__ or "",
        getattr(_module, "GROUP", "Other"),
        getattr(_module, "EXAMPLES", ()),
    )
for _study in studies().values():
    register(
        _study.command,
        command_of(_study),
        _study.meaning[0].upper() + _study.meaning[1:] + ".",
        _study.group,
        _study.examples,
    )


def main() -> None:
    """Runs the program on the words of the command line."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            # A terminal that cannot show a sign shows another one instead of ending the program.
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    app(prog_name="closedchain")
