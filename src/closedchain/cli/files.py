"""Mechanism files and result folders as the command line handles them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from closedchain.cli.completing import mechanism_files, result_files


def file_argument(metavar: str, help: str, complete: Callable[[str], list[str]]) -> Any:
    """An argument that names a file to be read."""
    return typer.Argument(
        metavar=metavar,
        exists=True,
        dir_okay=False,
        readable=True,
        show_default=False,
        help=help,
        autocompletion=complete,
    )


File = Annotated[Path, file_argument("FILE", "Mechanism file (TOML).", mechanism_files)]
Result = Annotated[Path, file_argument("RESULT", "Result file (.nc).", result_files)]

# Names that Windows keeps for devices.
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)\Z")


def load(file: Path) -> Any:
    """The mechanism of a file."""
    import closedchain as cc

    return cc.load(file)


def safe_name(text: str) -> str:
    """A user's name as a file name that every system takes.

    >>> safe_name("shift manipulator"), safe_name("../a b"), safe_name("con")
    ('shift_manipulator', 'a_b', 'con_')
    """
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_") or "mechanism"
    return f"{name}_" if _RESERVED.match(name) else name[:100]
