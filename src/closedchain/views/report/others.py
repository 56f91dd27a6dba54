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
from closedchain.views.report.table import Column, Table, render, words

if TYPE_CHECKING:
    import xarray as xr

ROWS, COLUMNS = 24, 12


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
        [el("p", line) for line in chapter.sentence.splitlines() if line.strip()],
        el("div", pictures, class_="figures") if pictures else None,
        tables,
        class_="other",
    )


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
                        Column(str(label), [cell(v) for v in ds[name].values[:, k]], plain_unit(units_of(ds, name)))
                        for k, label in enumerate(axis(ds, dims[1]))
                    ]
                    yield Table(name.replace("_", " "), [head, *rest])


def labels(ds: "xr.Dataset", dim: str) -> Column:
    """The labels of a dimension as the first column."""
    return words(dim.replace("_", " "), [cell(label) for label in axis(ds, dim)])


def axis(ds: "xr.Dataset", dim: str) -> Sequence[Any]:
    """The labels of a dimension, numbers where it has none."""
    return list(ds[dim].values if dim in ds.coords else np.arange(ds.sizes[dim]))


def columns(ds: "xr.Dataset", names: Sequence[str]) -> list[Column]:
    """A column per variable."""
    return [
        Column(
            name.replace("_", " "),
            [cell(value) for value in ds[name].values],
            plain_unit(units_of(ds, name)),
            words=ds[name].dtype.kind in "OUS",
        )
        for name in names[:COLUMNS]
    ]


def cell(value: Any, units: str = "") -> str:
    """A number or a text."""
    if isinstance(value, bool | np.bool_):
        return tr("yes") if value else tr("no")
    if isinstance(value, float | np.floating):
        return f"{number(float(value), 4)} {plain_unit(units)}".strip()
    return str(value)
