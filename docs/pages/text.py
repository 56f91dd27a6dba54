"""Small things that the generated pages share: tables, ranges of numbers, docstrings as Markdown."""

import inspect
import re
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; nothing where there are no rows."""
    rows = [list(row) for row in rows]
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *rows]
    return (
        "\n".join(
            "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines
        )
        + "\n"
    )


def code(text: object) -> str:
    """Text as it stands in a file."""
    return f"`{text}`" if str(text) else ""


def allowed(low: float, high: float, open_low: bool, open_high: bool) -> str:
    """A range in words of mathematics: "> 0", "0 … 1", "" for any number."""
    infinite = float("inf")
    if low == -infinite and high == infinite:
        return ""
    if high == infinite:
        return f"> {low:g}" if open_low else f"≥ {low:g}"
    if low == -infinite:
        return f"< {high:g}" if open_high else f"≤ {high:g}"
    return f"{'above ' if open_low else ''}{low:g} … {'below ' if open_high else ''}{high:g}"


def first_line(thing: object) -> str:
    """The first sentence of a docstring."""
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def docstring(thing: object) -> str:
    """A docstring as Markdown: paragraphs, lists that explain arguments, examples as code."""
    out: list[str] = []
    for block in re.split(r"\n\s*\n", inspect.getdoc(thing) or ""):
        if block.lstrip().startswith(">>>"):
            out.append(f"```pycon\n{block}\n```")
        elif re.match(r" {4}", block) or re.match(r"\d+\. ", block):
            out.append(block)
        else:
            out.append(escaped(block))
    return "\n\n".join(out)


def escaped(text: str) -> str:
    """Text whose signs Markdown would take for its own, outside of `code`."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if k % 2 else re.sub(r"([*_<\[\]$])", r"\\\1", part) for k, part in enumerate(parts))
