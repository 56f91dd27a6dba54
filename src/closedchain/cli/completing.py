"""What the shell offers while a command is typed: files of the right kind, names that a file or the program knows."""

from collections.abc import Iterable
from pathlib import Path

import typer


def files(suffix: str, incomplete: str) -> list[str]:
    """Files with the suffix that begin like the word typed so far, one folder down as well.

    >>> files(".no-such-suffix", "")
    []
    """
    typed = Path(incomplete)
    whole = incomplete == "" or incomplete.endswith(("/", "\\"))
    folder, start = (typed, "") if whole else (typed.parent, typed.name)
    try:
        entries = sorted(entry for entry in folder.iterdir() if _begins(entry.name, start))
        here = [entry for entry in entries if entry.suffix == suffix and entry.is_file()]
        below = [each for entry in entries if entry.is_dir() for each in sorted(entry.glob(f"*{suffix}"))]
    except OSError:
        return []
    return [path.as_posix() for path in [*here, *below]]


def _begins(name: str, start: str) -> bool:
    """Hidden files are offered only where their dot is typed."""
    return name.startswith(start) and (not name.startswith(".") or start.startswith("."))


def mechanism_files(incomplete: str) -> list[str]:
    """Mechanism files."""
    return files(".toml", incomplete)


def result_files(incomplete: str) -> list[str]:
    """Results."""
    return files(".nc", incomplete)


def examples(incomplete: str) -> list[str]:
    """Examples that come with the program."""
    from closedchain.cli.commands.examples import examples_folder

    return _begin(incomplete, sorted(entry.parent.name for entry in examples_folder().glob("*/mechanism.toml")))


def figures(incomplete: str) -> list[str]:
    """Figures; found by their files, so that the shell does not wait for Matplotlib."""
    import pkgutil

    from closedchain import views

    folder = Path(views.__path__[0]) / "plots"
    names = [
        entry.name
        for entry in pkgutil.iter_modules([str(folder)])
        if "\nFIGURE = " in (folder / f"{entry.name}.py").read_text("utf-8")
    ]
    return _begin(incomplete, names)


def templates(incomplete: str) -> list[str]:
    """Templates of `new`, and files to write."""
    from closedchain.cli.commands.new import templates as known

    return [*_begin(incomplete, known()), *mechanism_files(incomplete)]


def studies_of_file(ctx: typer.Context, incomplete: str) -> list[str]:
    """The studies of the mechanism file that stands on the command line already."""
    import tomllib

    # An option that still lacks its value keeps the arguments before it from being read: they are left in ctx.args.
    file = ctx.params.get("file") or next(iter(ctx.args), "")
    try:
        with open(file, "rb") as opened:
            return _begin(incomplete, tomllib.load(opened).get("studies", {}))
    except (OSError, tomllib.TOMLDecodeError):
        return []


def _begin(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
