"""Results of many members side by side: one array per name, members in front, NaN where there is nothing."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.keep import Kept, Variables
from closedchain.results import dataset

if TYPE_CHECKING:
    import xarray as xr

DONE, FAILED, NOT_RUN = "done", "failed", "not run"


def stack(
    results: Sequence[Kept | None],
    states: Sequence[tuple[str, str]],
    shape: tuple[int, ...],
    labels: Variables,
    provenance: Mapping[str, Any],
) -> "xr.Dataset":
    """One dataset of all members.

    results: per member in row order of `shape`, None where there is none. states: (status, reason) per member. labels:
    the swept dimensions in order and what else is known of them. provenance: arguments of `results.dataset`.
    """
    import xarray as xr

    dims = tuple(name for name, entry in labels.items() if entry[0] == (name,))[: len(shape)]
    data = {
        name: ((*dims, *inner), array.reshape(*shape, *array.shape[1:]), attrs)
        for name, (inner, array, attrs) in grown(results).items()
    }
    status = np.array([status for status, _ in states], dtype=str).reshape(shape)
    reason = np.array([reason for _, reason in states], dtype=str).reshape(shape)
    data["status"] = (dims, status, {"long_name": f"{DONE}, {FAILED} or {NOT_RUN}"})
    data["reason"] = (dims, reason, {"long_name": "why the member failed"})
    coords = {**longest_labels(results), **labels}
    return xr.Dataset(data, coords, dataset({}, {}, **provenance).attrs)


def grown(results: Sequence[Kept | None]) -> Variables:
    """Every variable of every member in one array, as large as the largest member needs."""
    found: Variables = {}
    there = [kept for kept in results if kept is not None]
    for name in dict.fromkeys(name for kept in there for name in kept.variables):
        owners = {k: kept.variables[name] for k, kept in enumerate(results) if kept and name in kept.variables}
        inner, first, attrs = next(iter(owners.values()))
        owners = {k: entry for k, entry in owners.items() if entry[1].ndim == first.ndim}
        room = np.array([np.shape(array) for _, array, _ in owners.values()], int).reshape(len(owners), -1).max(axis=0)
        same = len(owners) == len(results) and all(np.shape(array) == tuple(room) for _, array, _ in owners.values())
        whole = nothing(first.dtype if same else padded_type(first.dtype), (len(results), *room), owners)
        for k, (_, array, _) in owners.items():
            whole[(k, *(slice(0, size) for size in np.shape(array)))] = array
        found[name] = (inner, whole, attrs)
    return found


def padded_type(dtype: np.dtype) -> np.dtype:
    """The type that can say that there is no number: yes, no and whole numbers become floats."""
    return np.dtype(float) if dtype.kind in "bui" else dtype


def nothing(dtype: np.dtype, shape: tuple[int, ...], owners: Mapping[int, tuple]) -> np.ndarray:
    """An array that holds nothing: NaN, or empty texts."""
    if dtype.kind in "US":
        return np.full(shape, "", dtype=max((array.dtype for _, array, _ in owners.values()), key=lambda t: t.itemsize))
    return np.full(shape, np.nan, dtype) if dtype.kind in "fc" else np.zeros(shape, dtype)


def longest_labels(results: Sequence[Kept | None]) -> Variables:
    """Labels of the inner dimensions, of the member that has most."""
    found: Variables = {}
    for kept in results:
        for name, entry in (kept.labels if kept else {}).items():
            if name not in found or np.size(entry[1]) > np.size(found[name][1]):
                found[name] = entry
    return found
