"""Members of a sweep in a few numbers each: the largest and the RMS of what people size machines by."""

import re
from typing import TYPE_CHECKING

from closedchain.results.dataset import units_of

# Sizes of whole contacts that stand for those at the samples.
CONTACTS = {"contact_force": "contact_peak", "penetration": "contact_depth"}

if TYPE_CHECKING:
    import xarray as xr

# What is told of a motion, vectors by their length; in the order of interest.
TOLD = ("contact_force", "effort", "power", "penetration", "acceleration", "velocity", "reaction_force")


def swept_dims(ds: "xr.Dataset") -> tuple[str, ...]:
    """The dimensions over which members differ; empty where a result is one run."""
    return tuple(map(str, ds["status"].dims)) if "status" in ds and "reason" in ds else ()


def digest(ds: "xr.Dataset") -> "xr.Dataset":
    """Largest size at the samples and RMS over time of every member, under `NAME_peak` and `NAME_rms`.

    ds: result of a sweep or an ensemble, kept as samples or statistics. Variables that have no time in them are taken
    as they are where they have at most one dimension beside those that are swept, largest ones first. Members that
    failed are NaN. Forces and penetrations of contacts are those of whole contacts where the result has them.
    """
    members = swept_dims(ds)
    over = "time" if "time" in ds.dims else "statistic" if "statistic" in ds.dims else ""
    found = {}
    own = sorted(map(str, ds.data_vars), key=lambda name: not re.search("peak|largest", name))
    for name in TOLD if over else own:
        if name not in ds or ds[name].dtype.kind != "f" or not set(members) <= set(ds[name].dims):
            continue
        # A pin in flight is no negative penetration.
        array = ds[name].clip(min=0.0) if name == "penetration" else ds[name]
        if over and over in array.dims:
            if over == "statistic":
                ends = abs(array.sel(statistic=["minimum", "maximum"])).max("statistic")
                parts = {"peak": ends, "rms": array.sel(statistic="rms", drop=True)}
                size = {key: length(part) for key, part in parts.items()}
            else:
                values = length(array)
                t = ds[over].values
                span = float(t[-1] - t[0]) if len(t) > 1 else 0.0
                mean = (values**2).integrate(over) / span if span > 0.0 else (values**2).mean(over)
                size = {"peak": abs(values).max(over), "rms": mean**0.5}
            whole = of_contacts(ds, CONTACTS[name]) if name in CONTACTS else None
            if whole is not None:
                size["peak"] = size["peak"].where(size["peak"] > whole, whole)
            for key, each in size.items():
                found[f"{name}_{key}"] = each.transpose(*members, ...).assign_attrs(units=units_of(ds, name))
        elif not over and len(array.dims) <= len(members) + 1:
            found[name] = array.transpose(*members, ...)
    return ds[[]].assign(found)


def of_contacts(ds: "xr.Dataset", name: str) -> "xr.DataArray | None":
    """Largest figure of the contacts of every loose joint; None where the result has none."""
    if name not in ds or "loose_joint" in ds[name].dims:
        return ds.get(name)
    import xarray as xr

    joints = ds["loose_joint"]
    own = [ds[name].where(ds["contact_joint"] == joint).max("contact").fillna(0.0) for joint in joints.values]
    return xr.concat(own, dim=joints)


def length(array: "xr.DataArray") -> "xr.DataArray":
    """Vectors by their length, numbers as they are."""
    return (array**2).sum("axis", skipna=False) ** 0.5 if "axis" in array.dims else array
