"""Single channels of a result by name: "q.A", "position.P.x"."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from closedchain.exceptions import MechanismError

if TYPE_CHECKING:
    import xarray as xr


def usual_channels(ds: "xr.Dataset") -> list[str]:
    """Coordinates and rates of every joint."""
    return [f"q.{name}" for name in ds["coordinate"].values] + [f"qd.{name}" for name in ds["rate"].values]


def signal(ds: "xr.Dataset", name: str) -> np.ndarray:
    """Values over time (n,) of one channel: a variable, then its labels with dots between, as in "position.P.x".

    Dimensions with one label may be left out. Raises MechanismError where there is no such channel, or several.
    """
    variable = max((str(each) for each in ds.data_vars if f"{name}.".startswith(f"{each}.")), key=len, default="")
    known = [str(each) for each in ds.data_vars if "time" in ds[each].dims and ds[each].dtype.kind in "fbi"]
    if variable not in known:
        raise MechanismError(f"{name!r} is no channel over time of this result; it has {', '.join(known)}.")
    wanted = name[len(variable) + 1 :]
    array = ds[variable].transpose("time", ...)
    dims = [str(dim) for dim in array.dims[1:]]
    texts = [[str(label) for label in array[dim].values] for dim in dims]
    found = []
    for place in np.ndindex(*(len(each) for each in texts)):
        labels = [each[k] for each, k in zip(texts, place, strict=True)]
        varying = [label for label, each in zip(labels, texts, strict=True) if len(each) > 1]
        if wanted in (".".join(labels), ".".join(varying)):
            found.append(place)
    if len(found) != 1:
        raise MechanismError(
            f"{name!r} names {len(found)} channels of {variable}; add one label of each of "
            + "; ".join(f"{dim}: {', '.join(each)}" for dim, each in zip(dims, texts, strict=True))
            + "."
        )
    return array.values[(slice(None), *found[0])].astype(float)


def signals(ds: "xr.Dataset", names: Sequence[str]) -> np.ndarray:
    """Values (n, channel) of several channels."""
    return np.array([signal(ds, name) for name in names]).reshape(len(names), ds.sizes["time"]).T
