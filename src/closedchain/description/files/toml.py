"""Mechanism files in TOML: load and save."""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from closedchain.description.document import freeze
from closedchain.description.files.toml_mistakes import mistake
from closedchain.description.mechanism import Mechanism
from closedchain.exceptions import Finding, MechanismError

__all__ = ["load", "loads", "save", "tables_at_hand"]

LARGEST = 20_000_000
_at_hand: ContextVar[Mapping[str, Any] | None] = ContextVar("tables", default=None)


def load(path: str | Path) -> Mechanism:
    """The mechanism of a TOML file; raises MechanismError that lists every mistake with its place and a remedy.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")  # doctest: +SKIP
    """
    file = Path(path)
    try:
        size = file.stat().st_size
        if file.is_dir():
            raise _refused(file, "is a folder, not a mechanism file.", "Name the TOML file in it.")
        if not file.is_file():
            raise _refused(file, "is not a regular file.", "Name a TOML file.")
        if size > LARGEST:
            raise _refused(
                file, f"has more than {LARGEST // 1_000_000} MB.", "A mechanism file is text of a few kilobytes."
            )
        content = file.read_bytes()
    except FileNotFoundError:
        raise _refused(file, "does not exist.", "Check the path.") from None
    except (OSError, ValueError) as error:
        raise _refused(file, f"cannot be read ({getattr(error, 'strerror', None) or error}).") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if content.startswith((b"\x89HDF", b"CDF")):
            raise _refused(file, "is a result, not a mechanism.", "Name the mechanism file it was made of.") from None
        raise _refused(file, "is not text.", "A mechanism file is TOML in UTF-8.") from None
    return loads(text, folder=file.parent, source=str(file))


def loads(text: str, *, folder: str | Path | None = None, source: str = "") -> Mechanism:
    """The mechanism of the text of a TOML file.

    folder: where tables of motion are looked for (default: the current folder). source: the file's name for messages.

    >>> loads('[mechanism]\\nplanar = true\\n[bodies.ground]\\n').planar
    True
    """
    try:
        data: Mapping[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MechanismError(Finding("mechanism", *mistake(text, error)), source) from error
    except (RecursionError, ValueError, OverflowError) as error:
        message = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise MechanismError(Finding("mechanism", f"this TOML cannot be read: {message}."), source) from error
    tables = _at_hand.get() if folder is None else None
    return Mechanism(freeze(data), Path(folder) if folder is not None else None, tables, source).checked()


@contextmanager
def tables_at_hand(mechanism: Mechanism) -> Iterator[None]:
    """Inside the block, texts of this mechanism are read with its tables, wherever their files are.

    A result holds the mechanism as text, not the tables: who still has the mechanism can read it all the same.
    """
    token = _at_hand.set(mechanism.tables)
    try:
        yield
    finally:
        _at_hand.reset(token)


def save(mechanism: Mechanism, path: Path) -> None:
    """Write a mechanism as TOML and its tables of motion beside it; see Mechanism.to_toml."""
    mechanism.checked()
    folder = path.parent
    root = folder.resolve()
    for name, table in mechanism.tables.items():
        target = folder / name
        content = table.text.encode()
        if not target.resolve().is_relative_to(root):
            raise _refused(target, "lies outside the folder of the file to write.", "Choose another folder.")
        if target.exists():
            if target.read_bytes() != content:
                raise _refused(target, "exists already with other content.", "Choose another folder, or remove it.")
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    path.write_text(mechanism.to_text(), encoding="utf-8", newline="\n")


def _refused(file: Path, message: str, remedy: str = "") -> MechanismError:
    return MechanismError(Finding(str(file), message, remedy), str(file))
