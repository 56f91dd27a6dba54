"""Figures of studies as SVG and PNG, drawn in a second process while the next study is computed.

Other processes get one study's figures at a time: what is left when all studies are computed is drawn in this one too.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from closedchain.language import using

# From so many studies on a second process pays for its start; more than a few would only wait for the studies.
MANY, MOST = 3, 4

Drawn = tuple[list[str], list[str]]


def draw(kind: str, m: Any, ds: Any, folder: Path, stem: str, language: str = "en") -> Drawn:
    """Draws the figures of a study into a folder: names of the files, and sentences about figures that failed."""
    from closedchain.description import tables_at_hand

    with tables_at_hand(m), using(language):
        return drawn(kind, m, ds, folder, stem)


def drawn(kind: str, m: Any, ds: Any, folder: Path, stem: str) -> Drawn:
    """The same, with the tables of the mechanism at hand."""
    import closedchain as cc
    from closedchain.cli.studies import studies

    names, problems = [], []
    figures = studies()[kind].figures(m, ds)
    while True:
        try:
            name, figure = next(figures)
            for suffix, options in ((".svg", {}), (".png", {"pil_kwargs": {"compress_level": 2}})):
                path = folder / f"{stem}_{name}{suffix}"
                figure.savefig(path, **options)
                names.append(path.name)
        except StopIteration:
            return names, problems
        except (cc.ClosedChainError, ValueError, KeyError, OSError) as error:
            # A generator that failed has ended: what it has drawn before stays.
            return names, [*problems, f"{type(error).__name__}: {error}" if isinstance(error, KeyError) else str(error)]


class Sheet:
    """The figures of one study: to be drawn, given to another process, or done."""

    def __init__(self, what: tuple[Any, ...]):
        self.what = what
        self.promise: Future[Drawn] | None = None
        self.drawn: Drawn | None = None

    def draw(self) -> Drawn:
        """Draws them in this process, once."""
        if self.drawn is None:
            self.drawn = draw(*self.what)
        return self.drawn

    def wait(self) -> Drawn:
        """Their files, as soon as the other process has them."""
        if self.promise is not None and self.drawn is None:
            # A system may let no process stand beside this one, or a result may not go there: the figures are drawn
            # here, where an error of the drawing itself comes up again.
            with contextlib.suppress(Exception):
                self.drawn = self.promise.result()
        return self.draw()


class Drawing:
    """Gives out figures to be drawn: without a pool in this process, with one also in so many `workers`."""

    def __init__(self, pool: ProcessPoolExecutor | None, workers: int = 1):
        self.pool = pool
        self.free = workers
        self.waiting: deque[Sheet] = deque()
        self.lock = threading.RLock()

    def submit(self, *what: Any) -> Callable[[], Drawn]:
        """Starts the drawing; the answer helps with what nobody has begun, then waits for its own files."""
        sheet = Sheet(what)
        if self.pool is None:
            sheet.draw()
            return sheet.wait
        self.waiting.append(sheet)
        self.give_out()

        def wait() -> Drawn:
            while (other := self.take()) is not None:
                other.draw()
            return sheet.wait()

        return wait

    def give_out(self) -> None:
        """One study's figures to every process that has nothing to do."""
        with self.lock:
            while self.pool is not None and self.free and self.waiting:
                sheet = self.waiting.popleft()
                try:
                    sheet.promise = self.pool.submit(draw, *sheet.what)
                except (BrokenProcessPool, RuntimeError, OSError):
                    self.waiting.appendleft(sheet)
                    return
                self.free -= 1
                sheet.promise.add_done_callback(self.freed)

    def freed(self, promise: "Future[Drawn]") -> None:
        """A process has finished: it gets the next figures."""
        with self.lock:
            self.free += 1
            self.give_out()

    def take(self) -> Sheet | None:
        """Figures that nobody has begun."""
        with self.lock:
            return self.waiting.popleft() if self.waiting else None


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
        yield Drawing(pool, workers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def ready() -> None:
    """The other process leaves Ctrl-C to this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def warm() -> None:
    """Loads what drawing needs while the first study is computed."""
    import closedchain as cc

    _ = cc.plot.FIGURES
