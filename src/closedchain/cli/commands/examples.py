"""Lists the mechanisms that come with closedchain, or copies one into the current folder."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from closedchain.cli.output import say, say_json
from closedchain.exceptions import ClosedChainError


def examples(
    name: Annotated[str | None, typer.Argument(show_default=False, help="Example to copy here.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print machine-readable results.")] = False,
) -> None:
    """Lists or copies."""
    found = {
        folder.name: folder for folder in sorted(examples_folder().iterdir()) if (folder / "mechanism.toml").is_file()
    }
    if name is None:
        described = {each: describe(folder) for each, folder in found.items()}
        if json:
            say_json(described)
        else:
            say("\n".join(f"{each:<20} {text}" for each, text in described.items()))
        return
    if name not in found:
        raise ClosedChainError(f"there is no example {name!r}; there are {', '.join(found)}.")
    target = Path.cwd() / name
    if target.exists():
        raise ClosedChainError(f"{target} exists already; move it away or copy the example elsewhere.")
    shutil.copytree(found[name], target, ignore=shutil.ignore_patterns("__pycache__"))
    if json:
        say_json({"name": name, "folder": str(target)})
    else:
        say(f"copied to {target}; try: closedchain check {Path(name) / 'mechanism.toml'}")


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
