"""Every command of the program with its options and examples, from the commands themselves."""

from typing import Any

import typer

from closedchain.cli.help import GROUPS, split_tags
from closedchain.cli.main import app
from pages.text import code, escaped, table


def reference() -> str:
    """A section for every command, in the order of the program's own help."""
    program: Any = typer.main.get_command(app)
    rank = {name: place for place, name in enumerate(GROUPS)}
    listed = sorted(program.commands.items(), key=lambda entry: rank.get(entry[1].rich_help_panel, len(rank)))
    parts, group = [], ""
    for name, command in listed:
        if command.rich_help_panel != group:
            group = command.rich_help_panel
            parts.append(f"## {group}")
        parts.append(section(name, command))
    return "\n\n".join(parts)


def section(name: str, command: Any) -> str:
    """One command."""
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    words = [parameter.metavar or parameter.name.upper() for parameter in arguments]
    usage = " ".join(["closedchain", name, *words, "[OPTIONS]"])
    rows = []
    for parameter in command.params:
        text, tags = split_tags(getattr(parameter, "help", "") or "")
        called = (
            ", ".join(parameter.opts)
            if parameter.param_type_name == "option"
            else parameter.metavar or parameter.name.upper()
        )
        if called != "--lang":
            rows.append([code(called), escaped(" ".join([text, *(f"[{tag}]" for tag in tags)]))])
    lines = "\n".join(f"{line}\n    # {meaning}" for line, meaning in command.examples)
    return "\n\n".join(
        [
            f"### `{name}`",
            escaped(command.help or ""),
            f"```text\n{usage}\n```",
            table(["", ""], rows),
            f"```text\n{lines}\n```",
        ]
    )
