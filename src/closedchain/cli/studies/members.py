"""What studies of many members share: what is kept of each, how they ended, and the largest figures of each."""

from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies.arguments import Argument, Words
from closedchain.exceptions import ClosedChainError
from closedchain.language import as_is, tr

COLUMNS = 6
KEEP = Argument("keep", "samples, final, events, statistics, or variables", Words(many=True), default=["samples"])


def kept(keep: list[str]) -> str | list[str]:
    """What `cc.sweep` is told to keep: one of its ways, or names of variables."""
    from closedchain.analyses.keep import WAYS

    return keep[0] if len(keep) == 1 and keep[0] in WAYS else keep


def listed(given: dict[str, Any]) -> dict[str, list[Any]]:
    """Every entry as a list."""
    return {name: each if isinstance(each, list) else [each] for name, each in given.items()}


def figures_of_members(ds: Any) -> list[str]:
    """A table with the largest sizes of every member of a sweep over one number, as far as it fits on a line."""
    from closedchain.results import digest, swept_dims

    dims = swept_dims(ds)
    if len(dims) != 1:
        return []
    found, path = digest(ds), dims[0]
    columns: dict[str, Any] = {}
    for name in map(str, found.data_vars):
        array, word = found[name], name.removesuffix("_peak").replace("_", " ")
        if name.endswith("_rms") or array.ndim > 2 or not array.size or not abs(array.fillna(0.0)).max() > 0.0:
            continue
        if array.ndim == 1:
            columns[f"{word} [{array.attrs.get('units', '')}]"] = array.values
            continue
        labels = str(array.dims[1])
        for label in map(str, array[labels].values):
            unit = unit_at(ds, name, labels, label)
            columns[f"{word} {label} [{unit}]"] = array.sel({labels: label}).values
    heads = list(columns)[:COLUMNS]
    if not heads:
        return []
    rows = [
        [f"  {value:.6g}" if isinstance(value, float) else f"  {value}", *(float(columns[head][k]) for head in heads)]
        for k, value in enumerate(ds[path].values.tolist())
    ]
    return [tr("largest at the samples"), table([f"  {path}", *heads], rows)]


def unit_at(ds: Any, name: str, dim: str, label: str) -> str:
    """Unit of a figure at a label: its own, or where labels differ that of the variable it tells of."""
    from closedchain.results import units_of

    of = name if name in ds else name.removesuffix("_peak")
    unit = units_of(ds, of, {dim: label})
    return str(ds[f"{dim}_unit"].sel({dim: label}).item()) if unit == "mixed" and f"{dim}_unit" in ds else unit


def ends(ds: Any) -> str:
    """How many members ended how."""
    import numpy as np

    names, counts = np.unique(ds["status"].values, return_counts=True)
    return ", ".join(f"{n} {as_is(str(name))}" for name, n in zip(names, counts, strict=True))


def reasons(ds: Any) -> list[str]:
    """Why members failed, one line per reason; raises ClosedChainError where all did."""
    found = sorted({str(reason).splitlines()[-1].strip() for reason in ds["reason"].values.ravel() if str(reason)})
    if "done" not in ds["status"].values:
        raise ClosedChainError(tr("no member of the sweep could be run: {reasons}", reasons="; ".join(found)))
    return ["  " + tr("failed: {reason}", reason=reason) for reason in found]
