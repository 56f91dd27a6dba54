"""Tables of motion: two columns of a CSV file as a C² cubic spline (not-a-knot), read once and kept with the mechanism.

The file stays inside the mechanism's folder after links are resolved, is a regular file and at most 50 MB.
"""

import csv
import hashlib
import math
import os
import stat
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from closedchain import numbers
from closedchain.numbers import Table as SplineTable

LARGEST = 50_000_000


class TableError(Exception):
    """A table that cannot be read; the message is a sentence without its place."""

    def __init__(self, message: str, remedy: str = ""):
        super().__init__(message)
        self.remedy = remedy


@dataclass(frozen=True)
class Table:
    """A table by the name it has in the file, its content as text (UTF-8), and its digest (SHA-256 of that text).

    Equal when name and content are.
    """

    name: str
    digest: str
    text: str

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and (self.name, self.digest) == (other.name, other.digest)

    @cached_property
    def columns(self) -> tuple[Any, Any]:
        """The two columns in SI, each of shape (n,)."""
        return _columns(self.text, self.name)

    @cached_property
    def spline(self) -> SplineTable:
        """The cubic spline through the rows (two or three rows: the line or parabola through them)."""
        x, y = self.columns
        if len(x) > 3:
            return SplineTable.from_samples(x, y)
        powers = np.linalg.solve(np.vander(x - x[0], increasing=True), y)
        return SplineTable(x[[0, -1]], powers[None, :])

    @property
    def range(self) -> tuple[float, float]:
        """First and last value of the first column."""
        x = self.columns[0]
        return float(x[0]), float(x[-1])

    def __getstate__(self) -> dict[str, str]:
        return {"name": self.name, "digest": self.digest, "text": self.text}


def make_table(name: str, content: bytes) -> Table:
    """A table of the content of a file; raises TableError where the content is no table."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TableError(f"{name} is not text", "A table is a CSV file of two columns of numbers in SI.") from None
    table = Table(name, hashlib.sha256(text.encode()).hexdigest(), text)
    _ = table.columns
    return table


def read_table(name: str, folder: Path) -> Table:
    """The table of that name in a folder; raises TableError."""
    if not name or "\0" in name or Path(name).is_absolute() or "\\" in name or ":" in name:
        raise TableError(f"{name!r} is no name of a file in the mechanism's folder", "Write a relative path with /.")
    try:
        root = folder.resolve()
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            raise TableError(f"{name} lies outside the mechanism's folder", "Put the table beside the mechanism file.")
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise TableError(f"{name} is not a regular file", "A table is a CSV file of two columns of numbers in SI.")
        # not following a link that appeared since
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise TableError(f"{name} is not a regular file")
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise TableError(
            f"the table {name} does not exist", "It is looked for in the folder of the mechanism file."
        ) from None
    except (OSError, RuntimeError, ValueError) as error:
        raise TableError(f"the table {name} cannot be read ({getattr(error, 'strerror', None) or error})") from error
    if len(content) > LARGEST:
        raise TableError(f"the table {name} has more than {LARGEST // 1_000_000} MB", "Thin it out.")
    return make_table(name, content)


def _columns(text: str, name: str) -> tuple[Any, Any]:
    rows: list[tuple[float, float]] = []
    delimiter = ";" if ";" in text[:1000] else ","
    try:
        for number, row in enumerate(csv.reader(text.splitlines(), delimiter=delimiter), start=1):
            if not row or row[0].lstrip().startswith("#") or not "".join(row).strip():
                continue
            values = _numbers(row)
            if values is None:
                if not rows and number == 1:
                    continue
                raise TableError(
                    f"line {number} of {name} is not two finite numbers", "A table has two columns of numbers in SI."
                )
            rows.append(values)
    except csv.Error as error:
        raise TableError(f"{name} is no CSV file ({error})") from error
    if len(rows) < 2:
        raise TableError(f"{name} has {len(rows)} rows of numbers", "A table needs at least two.")
    x, y = np.array(rows).T
    bad = np.flatnonzero(np.diff(x) <= 0.0)
    if len(bad):
        raise TableError(
            f"the first column of {name} does not grow at x = {x[bad[0]]:g}", "Sort the rows; each x once."
        )
    x.setflags(write=False)
    y.setflags(write=False)
    return x, y


def _numbers(row: list[str]) -> tuple[float, float] | None:
    if len(row) != 2:
        return None
    try:
        values = float(row[0]), float(row[1])
    except ValueError:
        return None
    return values if all(math.isfinite(value) for value in values) else None


def lookup(table: Table, x: Any) -> Any:
    """The spline at x over numbers: a traced symbol records the operation (with exact derivatives), floats are looked
    up.

    Raises ValueError where a float x is outside the table.
    """
    if getattr(x, "table", None) is None:
        real = np.real(x)
        low, high = table.range
        outside = np.ravel(real)[np.ravel((real < low) | (real > high) | np.isnan(real))]
        if len(outside):
            raise ValueError(f"{table.name} covers {low:g} to {high:g} and is asked for {float(outside[0]):g}")
    return numbers.table(x, table.spline)
