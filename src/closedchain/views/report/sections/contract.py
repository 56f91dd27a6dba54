"""What a subject of the report answers; each function gets the studies that have a motion over time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from closedchain.views.report.chapter import Chapter
from closedchain.views.report.table import Table


@dataclass(frozen=True)
class Figure:
    """A number at the head of the page: what it is, the number with its unit, where it is reached."""

    label: str
    value: str
    where: str = ""


def nothing(chapters: Sequence[Chapter]) -> list:
    """For subjects that leave one question open."""
    return []


@dataclass(frozen=True)
class Section:
    """A subject of the report; `subject`: its name in English, translated where it is shown."""

    subject: str
    tables: Callable[[Sequence[Chapter]], list[Table]] = nothing
    findings: Callable[[Sequence[Chapter]], list[str]] = nothing
    figures: Callable[[Sequence[Chapter]], list[Figure]] = nothing
