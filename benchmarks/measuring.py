"""How the benchmarks measure: the best of many runs in processor time, one row of the table per figure.

Floors are what this machine could do at best in the same run: the number of operations of the kernel times the time of
one operation in a kernel of nothing but independent multiply-adds.
"""

import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import closedchain as cc
from closedchain.compile import Kernel, compile_kernel, trace

EXAMPLES = Path(__file__).parent.parent / "examples"


@dataclass(frozen=True)
class Row:
    """One figure: measured and target in `unit`; instructions per evaluation; floor: the least possible, in `unit`."""

    figure: str
    measured: float
    unit: str
    target: float | None = None
    instructions: int | None = None
    floor: float | None = None


def best(run: Callable[[], Any], repeats: int = 30, seconds: float = 2.0) -> float:
    """Least processor time of one run [s], over `repeats` runs or as many as fit in `seconds`."""
    run()
    least, end = np.inf, time.perf_counter() + seconds
    for _ in range(repeats):
        start = time.process_time()
        run()
        least = min(least, time.process_time() - start)
        if time.perf_counter() > end:
            break
    return least


def document(example: str) -> dict[str, Any]:
    """The file of an example as nested dictionaries, to be changed and given to Mechanism.from_dict."""
    return tomllib.loads((EXAMPLES / example / "mechanism.toml").read_text("utf-8"))


def load(example: str) -> Any:
    """The mechanism of an example."""
    return cc.load(EXAMPLES / example / "mechanism.toml")


def per_state(kernel: Kernel, c: np.ndarray, x: np.ndarray) -> float:
    """Time of one evaluation in a loop whose every input waits for the evaluation before [ns]."""
    out, start, moving = np.empty(kernel.n_outputs), x.copy(), x.copy()
    loop, function, count = chained(), kernel.function(), max(20, 2_000_000 // (kernel.instructions + 1))
    return best(lambda: loop(function, start, moving, c, out, count)) / count * 1e9


def per_lane(kernel: Kernel, c: np.ndarray, x: np.ndarray) -> float:
    """Time of one evaluation in a batch that stays in the cache [ns]."""
    samples = min(max(8 * (4096 // (kernel.n_inputs + kernel.n_outputs)), 128), 2048)
    X = np.repeat(x[:, None], samples, axis=1)
    Y = np.empty((kernel.n_outputs, samples))
    count = max(1, 2_000_000 // (kernel.instructions * samples + 1))

    def run() -> None:
        for _ in range(count):
            kernel.batch(X, c, Y)

    return best(run) / (samples * count) * 1e9


@cache
def chained() -> Any:
    """The loop of `per_state`."""
    from numba import njit

    @njit
    def loop(f, start, x, c, y, count):
        n = len(y)
        for _ in range(count):
            f(x.ctypes.data, c.ctypes.data, y.ctypes.data)
            for j in range(len(x)):
                x[j] = start[j] + 0.0 * y[j % n]  # tiny numbers would cost extra

    return loop


@cache
def per_operation() -> float:
    """Time of one operation per lane at the machine's peak, from chains of independent multiply-adds [ns]."""

    def function(x):
        values = list(x)
        for _ in range(40):
            values = [value * 0.999 + 0.5 for value in values]
        return {"y": values}

    kernel = compile_kernel(trace(function, {"x": 12}), cache=False)
    return per_lane(kernel, kernel.constants(), np.full(12, 0.5)) / kernel.instructions


def table(rows: list[Row]) -> str:
    """The rows as text."""
    lines = [("figure", "target", "measured", "unit", "instructions", "floor", "times floor")]
    for row in rows:
        ratio = "" if not row.floor else f"{distance(row):.1f}"
        shown = "" if row.instructions is None else str(row.instructions)
        lines.append((row.figure, number(row.target), number(row.measured), row.unit, shown, number(row.floor), ratio))
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def distance(row: Row) -> float:
    """How many times the floor's time a figure takes."""
    assert row.floor is not None
    return row.floor / row.measured if row.unit.endswith("states/s") else row.measured / row.floor


def number(value: float | None) -> str:
    """Three digits, empty where there is none."""
    return "" if value is None else f"{value:.3g}"
