"""Reports: results as one page that works offline: the mechanism in motion, tables, curves, how to reproduce."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from closedchain.exceptions import ClosedChainError
from closedchain.views.report.chapter import Chapter

if TYPE_CHECKING:
    import xarray as xr


def report(
    results: "xr.Dataset | Sequence[xr.Dataset] | Mapping[str, xr.Dataset]",
    path: str | Path = "report.html",
    *,
    title: str | None = None,
) -> Path:
    """Writes a report of one or more results as one HTML page that needs no network and can be mailed.

    results: a result, several, or name -> result; all of one mechanism. path: file to write; an existing one is
    replaced. title: heading, default the mechanism's name. Returns the path.

    Raises ClosedChainError where there is no result, or something is no result of an analysis.

    >>> import pathlib, tempfile
    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = cc.report(cc.kinematics(m, [0.0, 0.5, 1.0]), pathlib.Path(folder) / "four_bar.html")
    ...     "four-bar" in page.read_text(encoding="utf-8")
    True
    """
    chapters = [Chapter(name, str(ds.attrs.get("analysis", "")), ds) for name, ds in named(results).items()]
    return write_report(path, chapters, title=title, commands=python_lines(chapters))


def write_report(
    path: str | Path,
    chapters: Sequence[Chapter],
    *,
    mechanism: Any = None,
    title: str | None = None,
    commands: Sequence[str] = (),
) -> Path:
    """Writes the report of studies, finished or not; `mechanism` where it is at hand, else that of the results."""
    from closedchain.description import tables_at_hand
    from closedchain.views.report.page import make_page

    m = mechanism if mechanism is not None else next((c.mechanism for c in chapters if c.mechanism is not None), None)
    heading = title or (m.name if m is not None else "") or "closedchain"
    path = Path(path)
    with tables_at_hand(m) if m is not None else nullcontext():
        text = make_page(m, chapters, title=heading, commands=commands)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def named(results: Any) -> "dict[str, xr.Dataset]":
    """Results by name; those of a list are called like their analyses, numbered where one occurs again."""
    import xarray as xr

    if isinstance(results, xr.Dataset):
        results = [results]
    if not isinstance(results, Mapping):
        found: dict[str, Any] = {}
        for ds in results:
            kind = str(getattr(ds, "attrs", {}).get("analysis", "result"))
            same = sum(name == kind or name.startswith(f"{kind} ") for name in found)
            found[kind if not same else f"{kind} {same + 1}"] = ds
        results = found
    if not results:
        raise ClosedChainError("report needs at least one result; give a dataset of an analysis, or several.")
    for name, ds in results.items():
        if not isinstance(ds, xr.Dataset):
            raise ClosedChainError(f"report got {type(ds).__name__} as {name}; give datasets of analyses.")
    return {str(name): ds for name, ds in results.items()}


def python_lines(chapters: Sequence[Chapter]) -> list[str]:
    """How the results can be computed again in Python, as far as their settings tell."""
    from closedchain.views.report.page import file_name

    m = next((chapter.mechanism for chapter in chapters if chapter.mechanism is not None), None)
    lines = ["import closedchain as cc", "", f'm = cc.load("{file_name(m.name if m is not None else "")}")']
    for chapter in chapters:
        if not chapter.moves:
            continue
        time = chapter.data["time"].values
        name = "".join(sign if sign.isalnum() and sign.isascii() else "_" for sign in chapter.name)
        name = name if name[:1].isalpha() else f"result_{name}"
        if chapter.kind == "simulate":
            loose = (
                [str(joint) for joint in chapter.data["loose_joint"].values]
                if "loose_joint" in chapter.data.coords
                else []
            )
            lines.append(f"{name} = cc.simulate(m, {time[-1]:.12g}, clearance={loose or False})")
        elif chapter.kind in ("kinematics", "inverse_dynamics"):
            lines.append(f"{name} = cc.{chapter.kind}(m, np.linspace({time[0]:.12g}, {time[-1]:.12g}, {len(time)}))")
    if any("np." in line for line in lines):
        lines.insert(1, "import numpy as np")
    return lines


__all__ = ["report"]
