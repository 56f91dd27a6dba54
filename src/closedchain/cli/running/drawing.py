"""Figures of studies as SVG and PNG, drawn in a second process while the next study is computed."""

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from closedchain.language import using

# From so many studies on a second process pays for its start; more than a few would only wait for the studies.
MANY, MOST = 3, 4

Drawn = tuple[list[str], list[str]]


def draw(kind: str, m: Any, result: Path, stem: str, language: str = "en") -> Drawn:
    """Draws the figures of a saved study beside it: names of the files, and sentences about figures that failed."""
    from closedchain.description import tables_at_hand

    with tables_at_hand(m), using(language):
        return drawn(kind, m, result, stem)


def drawn(kind: str, m: Any, result: Path, stem: str) -> Drawn:
    """The same, with the tables of the mechanism at hand."""
    import closedchain as cc
    from closedchain.cli.studies import studies

    ds, names, problems = cc.load_result(result), [], []
    figures = studies()[kind].figures(m, ds)
    while True:
        try:
            name, figure = next(figures)
            for suffix, options in ((".svg", {}), (".png", {"pil_kwargs": {"compress_level": 2}})):
                path = result.with_name(f"{stem}_{name}{suffix}")
                figure.savefig(path, **options)
                names.append(path.name)
        except StopIteration:
            return names, problems
        except (cc.ClosedChainError, ValueError, KeyError, OSError) as error:
            # A generator that failed has ended: what it has drawn before stays.
            return names, [*problems, f"{type(error).__name__}: {error}" if isinstance(error, KeyError) else str(error)]


class Drawing:
    """Gives out figures to be drawn; `here` draws in this process, `beside` in another one."""

    def __init__(self, pool: ProcessPoolExecutor | None):
        self.pool = pool

    def submit(self, *what: Any) -> Callable[[], Drawn]:
        """Starts the drawing; the answer waits for its files."""
        if self.pool is None:
            drawn = draw(*what)
            return lambda: drawn
        try:
            promise: Future[Drawn] = self.pool.submit(draw, *what)
        except (BrokenProcessPool, RuntimeError, OSError):
            return Drawing(None).submit(*what)

        def wait() -> Drawn:
            try:
                return promise.result()
            except (BrokenProcessPool, RuntimeError, OSError):
                # A system that lets no process stand beside this one: the figures are drawn here.
                return draw(*what)

        return wait


@contextlib.contextmanager
def drawing(studies: int) -> Iterator[Drawing]:
    """A place to draw figures, in another process where there are many studies and more than one processor."""
    if studies < MANY or (os.cpu_count() or 1) < 2:
        yield Drawing(None)
        return
    context = multiprocessing.get_context("spawn")
    try:
        workers = min(MOST, max(1, (os.cpu_count() or 2) - 1))
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=ready)
        for _ in range(workers):
            pool.submit(warm)
    except (OSError, ImportError, BrokenProcessPool, RuntimeError):
        yield Drawing(None)
        return
    try:
        yield Drawing(pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def ready() -> None:
    """The other process leaves Ctrl-C to this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def warm() -> None:
    """Loads what drawing needs while the first study is computed."""
    import closedchain as cc

    _ = cc.plot.FIGURES
