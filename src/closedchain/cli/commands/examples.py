"""Lists the mechanisms that come with closedchain, copies one into the current folder, or checks their answers."""

import runpy
import shutil
from pathlib import Path
from typing import Annotated

import typer

from closedchain.cli import completing
from closedchain.cli.output import fail, say, say_json
from closedchain.description.names import suggest
from closedchain.exceptions import ClosedChainError
from closedchain.language import as_is, tr

GROUP = "Start here"
EXAMPLES = (
    ("closedchain examples", "What there is"),
    ("closedchain examples four_bar", "Copies the four-bar into this folder"),
    ("closedchain examples --check", "Compares the answers of all with known ones"),
)


def examples(
    name: Annotated[
        str | None, typer.Argument(show_default=False, help="Example to copy here.", autocompletion=completing.examples)
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Compare their answers with known ones.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print machine-readable results.")] = False,
) -> None:
    """Lists, copies or checks."""
    found = {
        folder.name: folder for folder in sorted(examples_folder().iterdir()) if (folder / "mechanism.toml").is_file()
    }
    if name is not None and name not in found:
        problem = tr("there is no example {name!r}.", name=name)
        raise ClosedChainError(f"{problem} {suggest(name, found, 'example')}")
    if check:
        wrong = [each for each in ([name] if name else found) if not is_right(found[each])]
        if wrong:
            raise ClosedChainError(tr("wrong answers in {names}.", names=", ".join(wrong)))
        return
    if name is None:
        described = {each: describe(folder) for each, folder in found.items()}
        if json:
            say_json(described)
        else:
            say("\n".join(f"{each:<20} {as_is(text)}" for each, text in described.items()))
        return
    target = Path.cwd() / name
    if target.exists():
        raise ClosedChainError(tr("{path} exists already; move it away or copy the example elsewhere.", path=target))
    shutil.copytree(found[name], target, ignore=shutil.ignore_patterns("__pycache__"))
    if json:
        say_json({"name": name, "folder": str(target)})
    else:
        say(tr("copied to {path}; try: closedchain check {file}", path=target, file=Path(name) / "mechanism.toml"))


def is_right(folder: Path) -> bool:
    """Whether the example's own check, which prints what it found, ends well."""
    try:
        runpy.run_path(str(folder / "check.py"), run_name="__main__")
    except SystemExit as end:
        if end.code not in (None, 0):
            fail(str(end.code))
            return False
    except ClosedChainError as error:
        fail(f"{folder.name}: {error}")
        return False
    return True


def examples_folder() -> Path:
    """Where the examples are: beside `src` in a checkout, inside an installed package."""
    package = Path(__file__).resolve().parents[2]
    checkout = package.parents[1]
    return checkout / "examples" if (checkout / "pyproject.toml").is_file() else package / "examples"


def describe(folder: Path) -> str:
    """What an example says of itself."""
    import tomllib

    with (folder / "mechanism.toml").open("rb") as file:
        head = tomllib.load(file).get("mechanism", {})
    return str(head.get("description") or head.get("name", ""))
