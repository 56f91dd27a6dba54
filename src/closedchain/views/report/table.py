"""Tables of a report: aligned numbers, the unit said once in the head of a column."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from closedchain.views.report.markup import Html, el
from closedchain.views.report.readable import Unit, number, unit_for


@dataclass(frozen=True)
class Column:
    """A column: head, unit of all its cells ("" where cells say theirs), cells; `words` for texts."""

    head: str
    cells: Sequence[Any]
    unit: str = ""
    words: bool = False


@dataclass(frozen=True)
class Table:
    """A table: title, columns of equal length, a note below."""

    title: str
    columns: Sequence[Column]
    note: str = ""

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0].cells) if self.columns else 0


def words(head: str, cells: Sequence[Any]) -> Column:
    """A column of texts."""
    return Column(head, cells, words=True)


def numbers(head: str, values: Sequence[float], units: str | Sequence[str], digits: int = 4) -> Column:
    """A column of SI values with one unit and equal decimals where all share the SI unit, else each with its own.

    >>> numbers("force", [12.345, 0.5], "N").cells
    ['12.35', '0.50']
    """
    each = [units] * len(values) if isinstance(units, str) else list(units)
    sizes = [abs(value) for value in values if math.isfinite(value)]
    size = max(sizes, default=0.0)
    if len(set(each)) > 1:
        shown = [unit_for(unit, abs(v) if math.isfinite(v) else 1.0) for v, unit in zip(values, each, strict=True)]
        return Column(head, [unit.show(value) for unit, value in zip(shown, values, strict=True)])
    unit = unit_for(each[0], size) if each else Unit(1.0, "")
    if size == 0.0 or not -3 <= math.log10(size * unit.factor) < 6:
        return Column(head, [unit.number(value) for value in values], unit.name)
    decimals = max(0, digits - 1 - math.floor(math.log10(size * unit.factor)))
    cells = [fixed(value * unit.factor, decimals) for value in values]
    return Column(head, cells, unit.name)


def merged(table: Table) -> Table:
    """The table with groups of rows that say the same told once, under both names.

    >>> column = Column("study", ["a", "b", "c"])
    >>> merged(Table("t", [column, Column("x", ["1", "1", "2"])])).columns[0].cells
    ['a, b', 'c']
    """
    rows = list(zip(*(column.cells for column in table.columns), strict=True))
    groups: dict[Any, list[tuple[Any, ...]]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row[1:])
    names: dict[tuple[tuple[Any, ...], ...], list[Any]] = {}
    for name, group in groups.items():
        names.setdefault(tuple(group), []).append(name)
    told = [(", ".join(map(str, each)), *row) for group, each in names.items() for row in group]
    columns = [
        Column(column.head, [row[place] for row in told], column.unit, column.words)
        for place, column in enumerate(table.columns)
    ]
    return Table(table.title, columns, table.note)


def fixed(value: float, decimals: int) -> str:
    """A number with so many decimals and a true minus sign; what rounds to nothing is 0."""
    if not math.isfinite(value):
        return number(value)
    shown = f"{value:.{decimals}f}"
    return "0" if float(shown) == 0.0 else shown.replace("-", "\u2212")


def render(table: Table, level: str = "h3") -> Html:
    """The table as markup: heading, head, rows, note."""
    head = [
        el(
            "th",
            column.head,
            el("span", column.unit, class_="unit") if column.unit else None,
            scope="col",
            class_="words" if column.words else None,
        )
        for column in table.columns
    ]
    rows = []
    before: Any = None
    for row in range(table.rows):
        first = table.columns[0].cells[row]
        cells = []
        for place, column in enumerate(table.columns):
            cell = column.cells[row]
            again = place == 0 and first == before
            if place == 0:
                cells.append(el("th", "" if again else cell, scope="row", class_="words"))
            else:
                cells.append(el("td", cell, class_="words" if column.words else None))
        rows.append(el("tr", cells, class_="group" if row and first != before and repeats(table) else None))
        before = first
    body = el("table", el("thead", el("tr", head)), el("tbody", rows))
    return el(
        "section",
        el(level, table.title),
        el("div", body, class_="scroll", tabindex="0", role="region", aria_label=table.title),
        el("p", table.note, class_="note") if table.note else None,
        class_="table",
    )


def repeats(table: Table) -> bool:
    """Whether the first column names groups of rows."""
    first = [str(cell) for cell in table.columns[0].cells]
    return len(set(first)) < len(first)
