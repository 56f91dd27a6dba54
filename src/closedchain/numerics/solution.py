"""The result of an integration: the samples, the events, how it ended and what it took."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from closedchain.numerics import status as codes
from closedchain.numerics.problem import Floats


@dataclass(frozen=True)
class EventLog:
    """Events in order: time t (k,), index of the event function (k,), direction (k,), -1 falling or +1 rising.

    before, after (k, n): the state on both sides of the transition; memory (k, m): after it. Functions that fire
    together have one entry each, with the same time and states.
    """

    t: Floats
    index: NDArray[np.int64]
    direction: NDArray[np.int64]
    before: Floats
    after: Floats
    memory: Floats

    def __len__(self) -> int:
        return len(self.t)

    def of(self, index: int) -> "EventLog":
        """Only the events of one function."""
        chosen = self.index == index
        return EventLog(
            *(getattr(self, name)[chosen] for name in ("t", "index", "direction", "before", "after", "memory"))
        )


def event_log(tables: list[dict[str, Floats]], n: int, m: int) -> EventLog:
    """One log from the tables (state.LOG_ARRAYS) fetched during an integration."""
    empty = {
        "event_t": np.zeros((0, 1)),
        "event_kind": np.zeros((0, 3)),
        "event_before": np.zeros((0, n)),
        "event_after": np.zeros((0, n)),
        "event_memory": np.zeros((0, m)),
    }
    t, kind, before, after, memory = (np.concatenate([table[name] for table in (empty, *tables)]) for name in empty)
    index, direction = kind[:, 0].astype(np.int64), kind[:, 1].astype(np.int64)
    return EventLog(t[:, 0], index, direction, before, after, memory)


@dataclass(frozen=True)
class Counts:
    """What an integration took; `rhs` counts every evaluation of the right-hand side, `guards` those of the guard."""

    rhs: int = 0
    guards: int = 0
    accepted: int = 0
    rejected: int = 0
    events: int = 0
    projections: int = 0
    jacobians: int = 0
    factorisations: int = 0


@dataclass(frozen=True)
class Segment:
    """A stretch of time that one method integrated."""

    method: str
    start: float
    end: float
    accepted: int


@dataclass(frozen=True)
class Solution:
    """Samples t (s,), y (s, n), memory (s, m) as far as the integration came, its events and its end.

    status: one of the names in status.py; message: the same as a sentence; t_end, y_end (n,), memory_end (m,): where
    it ended; residual: largest residual a projection left; conditioning: smallest the projection met (1 without
    projection).
    """

    status: str
    message: str
    t: Floats
    y: Floats
    memory: Floats
    events: EventLog
    t_end: float
    y_end: Floats
    memory_end: Floats
    counts: Counts
    segments: tuple[Segment, ...]
    residual: float
    conditioning: float

    @property
    def success(self) -> bool:
        """Whether the end time or a terminal event was reached."""
        return self.status in (codes.NAMES[codes.DONE], codes.NAMES[codes.TERMINAL])

    @property
    def stiff(self) -> bool:
        """Whether an implicit method had to take over somewhere."""
        return len({segment.method for segment in self.segments}) > 1
