"""Progress of a run: a bar with the time left on a terminal, nothing in a pipe."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Quiet:
    """Progress that nobody looks at."""

    def begin(self, text: str) -> None:
        """A part begins."""

    def part(self, done: float) -> bool:
        """So much of the part is done (0 to 1); true to go on."""
        return True

    def end(self) -> None:
        """The part is done."""


class Bar(Quiet):
    """A bar over all parts, each as long as its weight."""

    def __init__(self, bar: Any, weights: list[float]):
        self.bar = bar
        self.weights = weights
        self.number = 0
        self.task = bar.add_task("", total=sum(weights) or 1.0)

    def begin(self, text: str) -> None:
        """Names the part that runs."""
        from rich.markup import escape

        self.bar.update(self.task, description=escape(text))

    def part(self, done: float) -> bool:
        """Moves the bar within the part."""
        weight = self.weights[self.number] if self.number < len(self.weights) else 0.0
        self.bar.update(self.task, completed=sum(self.weights[: self.number]) + weight * min(1.0, max(0.0, done)))
        return True

    def end(self) -> None:
        """Moves the bar to the end of the part."""
        self.part(1.0)
        self.number += 1


@contextmanager
def progress(weights: list[float]) -> Iterator[Quiet]:
    """Progress over parts of the given weights, shown on stderr where that is a terminal."""
    if not sys.stderr.isatty():
        yield Quiet()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True, elapsed_when_finished=True),
    )
    both = sys.stdout.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=both) as bar:
        yield Bar(bar, weights)
