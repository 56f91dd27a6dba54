"""Distance from singular poses along the motion: least share of the motors, of the outputs, of the loops."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from closedchain.exceptions import ClosedChainError
from closedchain.language import as_is, tr
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.readable import number, show
from closedchain.views.report.sections.contract import Section
from closedchain.views.report.table import Column, Table, words

POSES = 9
NEAR = 0.02


def tables(chapters: Sequence[Chapter]) -> list[Table]:
    """The worst of every measure and when it is reached."""
    found = of(chapters)
    if not found:
        return []
    names = {
        "forward": tr("Motors hold the mechanism (forward)"),
        "inverse": tr("Motors move the outputs (inverse)"),
        "constraint": tr("Loops are independent (constraint)"),
    }
    rows = [(names[name], *found[name]) for name in names if name in found]
    columns = [
        words(tr("What could be lost"), [row[0] for row in rows]),
        Column(tr("Smallest singular value"), [number(row[1]) for row in rows]),
        Column(tr("Worst condition"), [number(row[3]) for row in rows]),
        Column(tr("At"), [show(row[2], "s") for row in rows]),
    ]
    note = tr(
        "At {count} poses along the motion, lengths over the size of the mechanism; zero means singular.", count=POSES
    )
    return [Table(tr("Distance from singular poses"), columns, note)]


def findings(chapters: Sequence[Chapter]) -> list[str]:
    """A warning where the motion passes near a singular pose."""
    words_of = {
        "forward": as_is("Near {time} the motors hardly hold the mechanism (smallest singular value {value})."),
        "inverse": as_is("Near {time} the motors hardly move the outputs (smallest singular value {value})."),
        "constraint": as_is("Near {time} the loops hardly fix the mechanism (smallest singular value {value})."),
    }
    return [
        words_of[name].format(time=show(at, "s"), value=number(least))
        for name, (least, at, _) in of(chapters).items()
        if least < NEAR
    ]


def of(chapters: Sequence[Chapter]) -> dict[str, tuple[float, float, float]]:
    """Measure -> smallest singular value, when [s], largest condition number; of the first ideal motion."""
    ideal = [chapter for chapter in chapters if not chapter.data.sizes.get("loose_joint")]
    if not ideal:
        return {}
    chapter = ideal[0]
    data = chapter.data
    places = np.unique(np.linspace(0, data.sizes["time"] - 1, POSES).round().astype(int))
    labels = tuple(str(label) for label in data["coordinate"].values)
    rows = tuple(tuple(map(float, row)) for row in data["q"].values[places])
    return measured(chapter.mechanism, labels, rows, tuple(map(float, data["time"].values[places])))


@lru_cache(maxsize=4)
def measured(
    m: Any, labels: tuple[str, ...], rows: tuple[tuple[float, ...], ...], times: tuple[float, ...]
) -> dict[str, tuple[float, float, float]]:
    """The measures at poses; none where the mechanism cannot be read or assembled."""
    from closedchain.analyses.assembly import assemble
    from closedchain.analyses.singularities import singularities

    found: dict[str, tuple[float, float, float]] = {}
    if m is None:
        return found
    try:
        for row, time in zip(rows, times, strict=True):
            measures = singularities(m, assemble(m, guess=dict(zip(labels, row, strict=True)))).measures
            for name in ("forward", "inverse", "constraint"):
                value, condition = measures.get(name), measures.get(f"{name}_condition")
                if value is None or condition is None or not np.isfinite(value):
                    continue
                least, at, worst = found.get(name, (np.inf, time, 0.0))
                found[name] = (min(least, value), time if value < least else at, max(worst, condition))
    except ClosedChainError:
        return {}
    return found


SECTION = Section("Poses", tables, findings)
