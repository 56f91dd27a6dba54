"""The numbers of a running integration as compiled loops see them: records of scalars and of addresses of arrays.

All arrays hold doubles; an address field is named after its array, and compiled code writes y0 = doubles(run.y0) to use
it. Loops over such records compile in a fraction of the time that loops over NumPy arrays take. n states, m memory
entries, e event functions, s samples.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from closedchain.numerics.problem import Floats

Arrays = dict[str, Floats]
# name and length of each array, the length as a formula of Sizes
Table = tuple[tuple[str, str], ...]

_REAL, _WHOLE, _ADDRESS = "f8", "i8", "u8"

# what stays the same during an integration and is shared by all members; kernels are 0 where there is none
PLAN = np.dtype(
    [
        ("states", _WHOLE),
        ("memory", _WHOLE),
        ("events", _WHOLE),
        ("lanes", _WHOLE),
        ("rhs", _ADDRESS),
        ("projection", _ADDRESS),
        ("transition", _ADDRESS),
        ("jacobian", _ADDRESS),
        ("guard", _ADDRESS),
        ("settle", _ADDRESS),  # of the compiled function, see settle.py
        ("project_stages", _WHOLE),
        ("rest", _WHOLE),
        ("residual_limit", _REAL),
        ("conditioning_limit", _REAL),
        ("sign", _REAL),  # +1 forwards, -1 backwards in time
        ("span", _REAL),  # duration of the whole integration
        ("max_step", _REAL),
        ("first_step", _REAL),  # 0: chosen
        ("order", _REAL),  # error of a step ∝ step ** order
        ("max_steps", _WHOLE),
        ("stop_when_stiff", _WHOLE),
        ("stop_when_not_stiff", _WHOLE),
        ("chatter_count", _REAL),
        ("chatter_span", _REAL),
        ("rest_speed", _REAL),
        ("newton_tolerance", _REAL),
        ("node_count", _WHOLE),
        ("dense_rows", _WHOLE),
        ("sample_count", _WHOLE),
        ("break_count", _WHOLE),
        ("log_room", _WHOLE),  # events that fit before the driver has to fetch them
        # (node_count,) parts of the step with known event values, ascending, the last is 1
        ("nodes", _ADDRESS),
        ("atol", _ADDRESS),  # (n,)
        ("rtol", _ADDRESS),  # (n,)
        ("direction", _ADDRESS),  # (e,) as in problem.Event
        ("terminal", _ADDRESS),  # (e,)
        ("sample_t", _ADDRESS),  # (s,)
        ("breaks", _ADDRESS),  # (b,)
    ]
)

# arrays of one member, for the step from t to t + dt
MEMBER_ARRAYS: Table = (
    ("y0", "n"),  # state at the start
    ("y1", "n"),  # and at the end
    ("f0", "n + e"),  # [dy/dt, g] at the start
    ("f1", "n + e"),  # and at the end
    ("memory", "m"),
    ("dense", "rows * n"),  # interpolant, see interpolant.py
    ("values", "nodes * e"),  # event functions at the nodes
    ("looks", "9 * e"),  # scratch: event functions on the interpolant
    ("x", "1 + n + m + e"),  # scratch: input of kernels
    ("out", "n + e + m + 2"),  # scratch: output of kernels
    ("point", "n"),  # scratch: a state
    ("side", "e"),  # side of zero of each event function: -1, +1, 0 while unknown
    ("shift", "e"),  # rounding left at its last root, taken off until it has left the root
    ("suspect", "e"),  # 1 where it may cross in this step
    ("crossing", "e"),  # direction of the crossing just located, 0 without
    ("speed", "e"),  # its rate of change there
    ("fastest", "e"),  # largest such rate so far
    ("rough", "e"),  # what rounding makes of it, found at the last event
    ("slope", "e"),  # scratch: rate of change along the motion
    ("restart", "2 * e"),  # the step that proved right after this event the last time
    ("span_start", "e"),  # when its present series of events began
    ("span_count", "e"),  # and how many they are
    ("event_values", "e"),  # values before a jump
    ("sample_y", "s * n"),
    ("sample_memory", "s * m"),
)

# room for events, shared by the members of one thread: time, [index, direction, member], states around, memory after
LOG_ARRAYS: Table = (
    ("event_t", "log"),
    ("event_kind", "log * 3"),
    ("event_before", "log * n"),
    ("event_after", "log * n"),
    ("event_memory", "log * m"),
)

# one member's place in time, its step, its counts, and the addresses of its arrays and constants
RUN = np.dtype(
    [
        ("t", _REAL),
        ("end", _REAL),
        ("bound", _REAL),  # next time to be met exactly: a break or the end
        ("step", _REAL),  # size of the next attempt, positive
        ("attempted", _REAL),  # the last attempt, with sign
        ("error_before", _REAL),
        ("step_before", _REAL),
        ("residual", _REAL),  # largest residual left by the projection
        ("conditioning", _REAL),  # smallest conditioning in this attempt
        ("conditioning_before", _REAL),  # that at the start of the step
        ("worst_conditioning", _REAL),
        ("status", _WHOLE),
        ("event", _WHOLE),  # the event function the status is about
        ("member", _WHOLE),
        ("fresh", _WHOLE),  # 1: the next accepted step is the first after an event
        ("learning", _WHOLE),  # which entry of `restart` that step teaches
        ("rejected_last", _WHOLE),
        ("retries", _WHOLE),
        ("next_break", _WHOLE),
        ("next_sample", _WHOLE),
        ("logged", _WHOLE),
        ("events", _WHOLE),
        ("accepted", _WHOLE),
        ("rejected", _WHOLE),
        ("rhs", _WHOLE),
        ("guards", _WHOLE),
        ("projections", _WHOLE),
        ("jacobians", _WHOLE),
        ("factorisations", _WHOLE),
        ("stiff_hits", _WHOLE),
        ("stiff_misses", _WHOLE),
        ("rhs_c", _ADDRESS),
        ("projection_c", _ADDRESS),
        ("transition_c", _ADDRESS),
        ("jacobian_c", _ADDRESS),
        ("guard_c", _ADDRESS),
        *((name, _ADDRESS) for name, _ in (*MEMBER_ARRAYS, *LOG_ARRAYS)),
    ]
)


@dataclass(frozen=True)
class Sizes:
    """The numbers that the tables of arrays use.

    n states, e event functions, m memory entries, s samples, `log` rows for events; of the method: `nodes`, interpolant
    `rows`, `stages` kept; `lanes` side by side.
    """

    n: int
    e: int
    m: int
    s: int
    log: int
    nodes: int
    rows: int
    stages: int = 0
    lanes: int = 1

    def length(self, formula: str) -> int:
        """The length of an array from its formula, sums of products."""
        return sum(math.prod(self._factor(name.strip()) for name in term.split("*")) for term in formula.split("+"))

    def _factor(self, name: str) -> int:
        return int(name) if name.isdigit() else getattr(self, name)


@lru_cache(maxsize=256)
def _layout(sizes: Sizes, table: Table) -> tuple[int, list[tuple[str, int, int]]]:
    """Total length, and name, start and stop of each array; each starts at a multiple of 64 bytes."""
    places, start = [], 0
    for name, formula in table:
        length = sizes.length(formula)
        places.append((name, start, start + length))
        start += -(-length // 8) * 8
    return start, places


def allocate(sizes: Sizes, table: Table, record: Any) -> Arrays:
    """Zeros for all arrays of a table, their addresses entered into the record; the caller keeps them alive."""
    total, places = _layout(sizes, table)
    buffer = np.zeros(total + 8)
    first = (-address(buffer) % 64) // 8
    base = address(buffer) + 8 * first
    arrays = {}
    for name, start, stop in places:
        arrays[name] = buffer[first + start : first + stop]
        record[name] = base + 8 * start
    return arrays


def point(record: Any, arrays: Arrays) -> None:
    """Enter the addresses of arrays into a record; the caller keeps the arrays alive."""
    for name, array in arrays.items():
        record[name] = address(array)


def address(array: Floats) -> int:
    """Where the numbers of an array are."""
    return array.__array_interface__["data"][0]
