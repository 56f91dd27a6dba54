"""What the command line prints: text for people, JSON for programs, one sentence for errors."""

import contextlib
import functools
import json
import math
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from closedchain.cli.layout import left, right, width
from closedchain.exceptions import ClosedChainError
from closedchain.language import as_is, plural, rephrased, tr


def guarded(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, ending with status 1 and a message on stderr where closedchain or the system says no."""
    import typer

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_, **__: fail(tr("warning: {message}", message=message))
                return command(*args, **kwargs)
        except (ClosedChainError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise
            fail(str(error))
            if kwargs.get("json"):
                say_json(mistake(error))
            raise typer.Exit(1) from None

    return run


def mistake(error: Exception) -> dict[str, Any]:
    """An error for programs: its kind, the message, and of a description every finding with place and remedy."""
    found = [
        {"place": each.place, "message": rephrased(each.message), "remedy": rephrased(each.remedy)}
        for each in getattr(error, "findings", ())
    ]
    return {"error": {"kind": type(error).__name__, "message": str(error), "findings": found}}


def fail(message: str) -> None:
    """A message on stderr."""
    print(f"closedchain: {message}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def busy(text: str) -> Iterator[None]:
    """A sign of life while something long runs, on a terminal only."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(escape(text)):
        yield


def say(text: str) -> None:
    """A line, or lines, on stdout."""
    print(text, flush=True)


def say_json(value: Any) -> None:
    """A value as JSON on stdout; NaN and infinity, which JSON lacks, become null."""
    print(json.dumps(plain(value), ensure_ascii=False), flush=True)


def plain(value: Any) -> Any:
    """Datasets, arrays, sets and dataclasses as dictionaries, lists, texts and numbers."""
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    data: Any = value
    if hasattr(data, "data_vars"):
        return {
            "dims": plain(dict(data.sizes)),
            "coords": {str(name): _array(data[name]) for name in data.coords},
            "variables": {str(name): _array(data[name]) for name in data.data_vars},
            "attrs": plain(data.attrs),
        }
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if hasattr(data, "tolist"):
        return plain(data.tolist())
    if isinstance(value, set | frozenset):
        return sorted(plain(each) for each in value)
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if hasattr(data, "__dataclass_fields__"):
        return {name: plain(getattr(data, name)) for name in data.__dataclass_fields__}
    return str(value)


def _array(array: Any) -> dict[str, Any]:
    return {"dims": list(array.dims), "units": array.attrs.get("units", ""), "data": plain(array.values)}


def summary(ds: Any) -> str:
    """A result over time in a few lines: what it is, how well it closed, and the range of its variables."""
    from closedchain.results import units_of

    lines = [brief(ds)]
    for name in ("q", "position", "velocity", "acceleration", "effort", "power", "penetration"):
        if name not in ds or not ds[name].size:
            continue
        dims = [str(dim) for dim in ds[name].dims if dim != "time"]
        array = ds[name].stack(label=dims)
        nothing = 1e-12 * float(abs(ds[name]).max())
        for place, label in enumerate(array["label"].values):
            labels = dict(zip(dims, map(str, label if isinstance(label, tuple) else (label,)), strict=True))
            values = array.isel(label=place).values
            low, high = (float(end) if abs(end) > nothing else 0.0 for end in (values.min(), values.max()))
            title = ".".join([name, *labels.values()])
            lines.append(f"  {title:<28} {low:>12.6g} … {high:<12.6g} {units_of(ds, name, labels)}")
    return "\n".join(lines)


def brief(ds: Any) -> str:
    """A result over time in one line: its instants, its contacts, its energy balance, the largest gap of its loops."""
    time = ds["time"].values
    parts = [
        tr(
            "{analysis}: {count} instants from {start:g} to {end:g} s",
            analysis=as_is(ds.attrs["analysis"]),
            count=len(time),
            start=time[0],
            end=time[-1],
        )
    ]
    if ds.sizes.get("loose_joint"):
        parts.append(plural(ds.sizes["contact"], "{n} contact", "{n} contacts"))
    if "input_work" in ds:
        held = sum(ds[name] for name in ("kinetic_energy", "potential_energy", "dissipated_energy")) - ds["input_work"]
        parts.append(tr("energy balance kept to {size:.1g} J", size=float(abs(held - held[0]).max())))
    if "closure" in ds:
        parts.append(tr("loops closed to {size:.1g} of the size", size=float(ds["closure"].max())))
    return tr(", ").join(parts)


def table(head: list[str], rows: list[list[Any]]) -> str:
    """Columns of equal width; numbers to six digits, names as they are."""
    cells = [head] + [[f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(width(row[column]) for row in cells) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            left(cell, columns) if place == 0 else right(cell, columns)
            for place, (cell, columns) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
