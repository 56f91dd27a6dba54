"""Starts a mechanism file from a template with comments that explain it; `new` alone lists the templates."""

from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from closedchain.cli import completing
from closedchain.cli.output import say, say_json
from closedchain.description.names import suggest
from closedchain.exceptions import ClosedChainError
from closedchain.language import current, tr

GROUP = "Start here"
EXAMPLES = (
    ("closedchain new my_linkage.toml", "A four-bar linkage to change"),
    ("closedchain new slider-crank engine.toml", "From another template"),
)
USUAL = "four-bar"
FOLDER = resources.files("closedchain.cli") / "templates"


def new(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TEMPLATE] FILE",
            show_default=False,
            help=f"Template, {USUAL} where none is said, and the file to write.",
            autocompletion=completing.templates,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print machine-readable results.")] = False,
) -> None:
    """Lists the templates, or writes one."""
    if not words:
        if json:
            say_json(templates())
        else:
            say("\n".join(f"{name:<16} {meaning}" for name, meaning in templates().items()))
            say(tr("`closedchain new TEMPLATE FILE` writes one."))
        return
    name, target = the_choice(words)
    path = Path(target)
    if not path.suffix:
        path = path.with_suffix(".toml")
    if path.is_dir() or (path.exists() and not force):
        raise ClosedChainError(tr("{path} exists already; choose another name, or --force writes over it.", path=path))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(name), encoding="utf-8", newline="\n")
    if json:
        say_json({"template": name, "file": str(path)})
    else:
        say(tr("written to {path}; try: closedchain run {path}", path=path))


def the_choice(words: list[str]) -> tuple[str, str]:
    """The template and the file that the words mean."""
    if len(words) > 2:
        raise typer.BadParameter(tr("say a template and a file, or a file alone."))
    name, target = words if len(words) == 2 else (USUAL, words[0])
    if len(words) == 1 and target in templates():
        name, target = target, f"{target.replace('-', '_')}.toml"
    if name not in templates():
        problem = tr("there is no template {name!r}.", name=name)
        raise ClosedChainError(f"{problem} {suggest(name, templates(), 'template')}")
    return name, target


def templates() -> dict[str, str]:
    """Template -> what its first comment says it is, in the reader's language."""
    found = sorted(file.name.removesuffix(".toml") for file in FOLDER.iterdir() if file.name.endswith(".toml"))
    return {name: text_of(name).partition("\n")[0].lstrip("# ").rstrip(".。") for name in found}


def text_of(name: str) -> str:
    """The file of a template, its comments in the reader's language."""
    own = FOLDER / current() / f"{name}.toml"
    return (own if own.is_file() else FOLDER / f"{name}.toml").read_text(encoding="utf-8")
