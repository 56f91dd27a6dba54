"""The text of a TOML file from the data of a mechanism, laid out as one would by hand: a section each, lists on one
line."""

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_WIDE = 110


def dumps(document: Mapping[str, Any]) -> str:
    """The text of a file that holds the document."""
    lines: list[str] = []
    for table, content in document.items():
        if not isinstance(content, Mapping):
            raise TypeError(f"{table} is no table.")
        if content and all(isinstance(entry, Mapping) for entry in content.values()):
            for name, entry in content.items():
                _section([table, name], entry, lines)
        else:
            _section([table], content, lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _section(path: list[str], content: Mapping[str, Any], lines: list[str]) -> None:
    """[path] and its keys; wide tables at the end become sections of their own (not before, so that the order
    stays)."""
    lines += ["", f"[{'.'.join(key_text(name) for name in path)}]"]
    names = list(content)
    inline = len(names)
    while (
        inline
        and isinstance(content[names[inline - 1]], Mapping)
        and len(value_text(content[names[inline - 1]])) > _WIDE
    ):
        inline -= 1
    for name in names[:inline]:
        lines.append(f"{key_text(name)} = {value_text(content[name], wide=True)}")
    for name in names[inline:]:
        _section([*path, name], content[name], lines)


def key_text(name: str) -> str:
    """A key, quoted where it must be."""
    return name if _BARE.match(name) else string_text(name)


def string_text(text: str) -> str:
    """A TOML basic string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def value_text(value: Any, wide: bool = False) -> str:
    """A value on one line; a long list of tables one a line where `wide` allows."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key_text(name)} = {value_text(entry)}" for name, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, tuple | list):
        entries = [value_text(entry) for entry in value]
        line = f"[{', '.join(entries)}]"
        if wide and len(line) > _WIDE:
            return "[\n" + "".join(f"    {entry},\n" for entry in entries) + "]"
        return line
    raise TypeError(f"{value!r} cannot stand in a mechanism file.")
