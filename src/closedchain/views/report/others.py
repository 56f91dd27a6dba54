"""Results that are no motion over time (sweeps, sections, errors, modes): their figures and small tables."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.results import units_of
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.markup import Html, el
from closedchain.views.report.readable import number, plain_unit
from closedchain.views.report.table import Column, Table, numbers, render, words

if TYPE_CHECKING:
    import xarray as xr

ROWS, COLUMNS, FEW = 60, 12, 3


def others(chapters: Sequence[Chapter]) -> list[Html]:
    """A part of the page per result that is no motion."""
    return [one(chapter) for chapter in chapters if chapter.ds is not None and not chapter.moves]


def one(chapter: Chapter) -> Html:
    """Heading, sentence, figures, tables of a result."""
    figures = dict(chapter.figures) or drawn(chapter)
    pictures = [
        el(
            "figure",
            el("img", src=f"data:image/svg+xml;base64,{encoded(svg)}", alt=f"{chapter.name}: {name}"),
            el("figcaption", name.replace("_", " ")),
        )
        for name, svg in figures.items()
    ]
    tables = [render(table, "h4") for table in small_tables(chapter.data)]
    return el(
        "article",
        el("h3", chapter.name, el("span", chapter.kind.replace("_", " "), class_="kind")),
        [el("p", line) for line in sentences(chapter.sentence)],
        el("div", pictures, class_="figures") if pictures else None,
        el("div", tables, class_="tables") if tables else None,
        class_="other",
    )


def sentences(text: str) -> list[str]:
    """The first line of what a terminal shows, and further sentences; the tables of this page hold the numbers.

    >>> sentences("regular\\nall is well.\\n  measure  value\\n  length  0.5")
    ['regular', 'all is well.']
    """
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[:1] + [line for line in lines[1:] if not line[0].isspace() and line.endswith((".", "。"))]


def encoded(svg: str) -> str:
    """A picture as base64."""
    import base64

    return base64.b64encode(svg.encode("utf-8")).decode("ascii")


def drawn(chapter: Chapter) -> dict[str, str]:
    """The figure of the analysis' own name, where there is one and it can draw this result."""
    import io

    from closedchain.views.plots import FIGURES

    if chapter.kind not in FIGURES:
        return {}
    try:
        figure = FIGURES[chapter.kind].of_result(chapter.data, [])
    except (ClosedChainError, ValueError, KeyError):
        return {}
    page = io.StringIO()
    figure.savefig(page, format="svg")
    return {chapter.kind: page.getvalue()}


def small_tables(ds: "xr.Dataset") -> Iterator[Table]:
    """Variables of the same dimensions side by side, as far as they fit on a page."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in map(str, ds.data_vars):
        dims = tuple(str(dim) for dim in ds[name].dims)
        if ds[name].size and all(ds.sizes[dim] <= ROWS for dim in dims[:1]) and len(dims) <= 2:
            groups.setdefault(dims, []).append(name)
    for dims, names in groups.items():
        if dims[:1] == ("time",) and ds.sizes["time"] > FEW:
            # What goes on over time is seen in figures.
            continue
        if not dims:
            yield Table(
                tr("Numbers"),
                [
                    words(tr("Name"), [name.replace("_", " ") for name in names]),
                    Column(tr("Value"), [cell(ds[name].values.item(), units_of(ds, name)) for name in names]),
                ],
            )
        elif len(dims) == 1:
            yield Table(
                tr("By {dimension}", dimension=dims[0].replace("_", " ")), [labels(ds, dims[0]), *columns(ds, names)]
            )
        else:
            for name in names:
                if ds.sizes[dims[1]] <= COLUMNS:
                    head = labels(ds, dims[0])
                    rest = [
                        column(ds, name, str(label), ds[name].values[:, k]) for k, label in enumerate(axis(ds, dims[1]))
                    ]
                    yield Table(name.replace("_", " "), [head, *rest])


def labels(ds: "xr.Dataset", dim: str) -> Column:
    """The labels of a dimension as the first column."""
    return words(dim.replace("_", " "), [f"{x:.6g}" if isinstance(x, float) else str(x) for x in axis(ds, dim)])


def axis(ds: "xr.Dataset", dim: str) -> Sequence[Any]:
    """The labels of a dimension, numbers where it has none."""
    return list(ds[dim].values if dim in ds.coords else np.arange(ds.sizes[dim]))


def columns(ds: "xr.Dataset", names: Sequence[str]) -> list[Column]:
    """A column per variable."""
    return [column(ds, name, name.replace("_", " "), ds[name].values) for name in names[:COLUMNS]]


def column(ds: "xr.Dataset", name: str, head: str, values: Any) -> Column:
    """Numbers in the unit in which they are best read, or texts."""
    if values.dtype.kind == "f":
        return numbers(head, [float(value) for value in values], units_of(ds, name))
    return Column(
        head, [cell(value) for value in values], plain_unit(units_of(ds, name)), words=values.dtype.kind in "OUS"
    )


def cell(value: Any, units: str = "") -> str:
    """A number or a text."""
    if isinstance(value, bool | np.bool_):
        return tr("yes") if value else tr("no")
    if isinstance(value, float | np.floating):
        return f"{number(float(value), 4)} {plain_unit(units)}".strip()
    return str(value)
