"""What is kept of each member of a sweep: its samples, its end, its contacts, figures over time, or a few names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.exceptions import MechanismError

if TYPE_CHECKING:
    import xarray as xr

# Name -> (dimensions, array, attributes), as xarray takes it.
Variables = dict[str, tuple[tuple[str, ...], np.ndarray, dict[str, Any]]]
Keep = str | Sequence[str]
STATISTICS = ("minimum", "maximum", "mean", "rms")


@dataclass(frozen=True)
class Kept:
    """What is left of one member: its variables, and the labels of their dimensions in the same form."""

    variables: Variables
    labels: Variables

    def dataset(self) -> "xr.Dataset":
        """As a dataset."""
        import xarray as xr

        return xr.Dataset(self.variables, self.labels)


def check_keep(keep: Keep) -> None:
    """Raise MechanismError where `keep` is neither a known word nor a list of names."""
    if isinstance(keep, str) and keep not in WAYS:
        raise MechanismError(
            f"keep is {keep!r}; choose {', '.join(map(repr, WAYS))}, or give a list of variables such as ['position']."
        )


def kept(ds: "xr.Dataset", keep: Keep) -> Kept:
    """The part of a result that is kept; raises MechanismError where the result has nothing of the kind."""
    # The variables behind the arrays: xarray's arrays cost more than what they hold.
    everything, named = from_variables(ds.variables), set(ds.coords)
    variables = {name: entry for name, entry in everything.items() if name not in named}
    return kept_of(variables, {name: entry for name, entry in everything.items() if name in named}, keep)


def kept_of(variables: Variables, labels: Variables, keep: Keep) -> Kept:
    """`kept` of plain variables and labels."""
    if isinstance(keep, str):
        variables, more = WAYS[keep](variables, labels)
        labels = {**labels, **more}
    else:
        unknown = [name for name in keep if name not in variables]
        if unknown:
            raise MechanismError(f"keep names {', '.join(unknown)}; the result has {', '.join(variables)}.")
        # copies, so that what is not kept does not stay in the memory behind them
        variables = {name: (dims, np.array(array), attrs) for name in keep for dims, array, attrs in [variables[name]]}
    used = {dim for dims, _, _ in variables.values() for dim in dims}
    return Kept(variables, {name: entry for name, entry in labels.items() if set(entry[0]) <= used})


def from_variables(arrays: Mapping[Any, Any]) -> Variables:
    """The variables of a dataset as plain arrays."""
    return {str(name): (tuple(map(str, each.dims)), each.values, dict(each.attrs)) for name, each in arrays.items()}


def samples(variables: Variables, labels: Variables) -> tuple[Variables, Variables]:
    """Everything."""
    return variables, {}


def final(variables: Variables, labels: Variables) -> tuple[Variables, Variables]:
    """The last instant of everything over time, and the instant."""
    require(labels, "time", "final")
    found: Variables = {"end": ((), labels["time"][1][-1], {"units": "s", "long_name": "time of the kept instant"})}
    for name, (dims, array, attrs) in variables.items():
        if "time" in dims:
            place = dims.index("time")
            found[name] = (dims[:place] + dims[place + 1 :], np.take(array, -1, axis=place), attrs)
    return found, {}


def events(variables: Variables, labels: Variables) -> tuple[Variables, Variables]:
    """The contacts in time order."""
    found = {name: entry for name, entry in variables.items() if entry[0] == ("contact",)}
    if not found:
        raise MechanismError("keep is 'events', but the result has no contacts: it is no simulation with loose joints.")
    return found, {}


def statistics(variables: Variables, labels: Variables) -> tuple[Variables, Variables]:
    """Smallest, largest, mean and root mean square over time (trapezoidal in time), number and peaks of contacts."""
    require(labels, "time", "statistics")
    time = labels["time"][1]
    weight = np.zeros(len(time))
    if len(time) > 1 and time[-1] > time[0]:
        weight[:-1] += 0.5 * np.diff(time)
        weight[1:] += 0.5 * np.diff(time)
        weight /= weight.sum()
    else:
        weight[:] = 1.0 / len(time)
    found: Variables = {}
    for name, (dims, array, attrs) in variables.items():
        if "time" not in dims or array.dtype.kind not in "fbi":
            continue
        moved = np.moveaxis(array.astype(float), dims.index("time"), -1)
        figures = np.array([moved.min(-1), moved.max(-1), moved @ weight, np.sqrt(moved**2 @ weight)])
        found[name] = (("statistic", *(dim for dim in dims if dim != "time")), figures, attrs)
    if "contact_joint" in variables and "loose_joint" in labels:
        joints = labels["loose_joint"][1]
        counts = np.array([np.sum(variables["contact_joint"][1] == joint) for joint in joints], float)
        found["contacts"] = (("loose_joint",), counts, {"units": "1", "long_name": "number of contacts"})
        for name in ("contact_peak", "contact_depth"):
            if name in variables:
                own = [variables[name][1][variables["contact_joint"][1] == joint] for joint in joints]
                sizes = np.array([np.nan_to_num(each).max(initial=0.0) for each in own])
                found[name] = (("loose_joint",), sizes, variables[name][2])
    return found, {"statistic": (("statistic",), np.array(STATISTICS), {"long_name": "figure over time"})}


def require(labels: Variables, dim: str, word: str) -> None:
    """Raise MechanismError where a result has no such dimension."""
    if dim not in labels:
        raise MechanismError(f"keep is {word!r}, but the result has no {dim}; keep 'samples' or a list of variables.")


WAYS: dict[str, Callable[[Variables, Variables], tuple[Variables, Variables]]] = {
    "samples": samples,
    "final": final,
    "events": events,
    "statistics": statistics,
}
