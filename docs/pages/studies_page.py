"""Analyses as studies of a file: names and arguments, from the registry that the command line uses."""

from closedchain.cli.studies import studies
from pages.text import code, escaped, table


def reference() -> str:
    """A section for every kind of study."""
    parts = []
    for study in sorted(studies().values(), key=lambda each: each.name):
        rows = [
            [
                code(argument.name),
                escaped(argument.meaning),
                "required" if argument.required else "" if argument.default is None else code(shown(argument.default)),
            ]
            for argument in study.arguments
        ]
        command = f"As a command: `closedchain {study.command}`."
        parts.append(
            "\n\n".join(
                [
                    f"## `{study.name}`",
                    escaped(study.meaning[0].upper() + study.meaning[1:]) + ". " + command,
                    table(["argument", "meaning", "default"], rows),
                ]
            )
        )
    return "\n\n".join(parts)


def shown(value: object) -> str:
    """A default as a file writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value).replace("'", '"')
