"""Figures about the contacts of loose joints: how many, how long, how hard, and how much of the time."""

from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.exceptions import MechanismError
from closedchain.results import dataset

if TYPE_CHECKING:
    import xarray as xr

MEANINGS = {
    "contacts": ("1", "contacts that started"),
    "share": ("1", "share of the time in contact"),
    "longest": ("s", "longest contact"),
    "mean_duration": ("s", "mean duration of a contact"),
    "samples_per_contact": ("1", "samples in a contact of median duration"),
    "longest_flight": ("s", "longest flight"),
    "impact_speed_largest": ("m/s", "largest approach speed at the start of a contact"),
    "impact_speed_mean": ("m/s", "mean approach speed at the start of a contact"),
    "peak_force": ("N", "largest contact force"),
    "mean_force": ("N", "mean contact force over the whole time"),
    "rms_force": ("N", "root mean square of the contact force over the whole time"),
    "impulse": ("N*s", "integral of the contact force"),
    "deepest": ("m", "deepest penetration"),
}


def contact_statistics(ds: "xr.Dataset", after: float | None = None) -> "xr.Dataset":
    """Contacts of every loose joint of a run in numbers.

    ds: result of `simulate` with loose joints. after: what comes earlier is left out [s], such as the pins' first fall.

    Over `loose_joint`: `contacts` that started, `share` of the time in contact, `longest` and `mean_duration` of the
    contacts and `longest_flight` [s], `impact_speed_largest` and `_mean` [m/s], `peak_force`, `mean_force`, `rms_force`
    [N], `impulse` [N s], `deepest` penetration [m]. Counts, times and speeds come from the located events; a contact
    that lasts over an end of the time counts with the part inside, and as started where it starts inside. Peaks are
    those of whole contacts, whatever the samples. Integrals are taken over the samples by the trapezoidal rule, so
    short contacts need dense ones: `samples_per_contact` tells how many a contact of median duration has.

    Raises MechanismError where the result has no loose joint, or no time is left.

    >>> import closedchain as cc
    >>> m = cc.load("examples/shift_manipulator/mechanism.toml")
    >>> figures = cc.contact_statistics(cc.simulate(m, 0.02, clearance=["B1"]))
    >>> int(figures.contacts[0]) > 0 and 0.0 < float(figures.share[0]) < 1.0
    True
    """
    missing = [name for name in ("contact_force", "penetration", "contact_time", "contact_end") if name not in ds]
    if missing or not ds.sizes.get("loose_joint"):
        raise MechanismError("the result has no loose joint; give one of simulate where joints have clearance.")
    t = ds["time"].values
    first, last = (float(t[0]) if after is None else max(float(after), float(t[0]))), float(t[-1])
    if not last > first:
        raise MechanismError(f"no time is left from {first:g} s to the end of the result at {last:g} s.")
    names = [str(name) for name in ds["loose_joint"].values]
    rows = [of_joint(ds, name, first, last) for name in names]
    variables = {
        name: (("loose_joint",), np.array([row[name] for row in rows]), {"units": unit, "long_name": meaning})
        for name, (unit, meaning) in MEANINGS.items()
    }
    return dataset(
        variables,
        {"loose_joint": names},
        analysis="contact_statistics",
        mechanism=str(ds.attrs.get("mechanism", "")),
        settings={"from": first, "to": last, "samples": int(np.sum(t >= first))},
    )


def of_joint(ds: "xr.Dataset", joint: str, first: float, last: float) -> dict[str, Any]:
    """The figures of one joint between two times [s]."""
    mine = ds["contact_joint"].values.astype(str) == joint
    began, ended = ds["contact_time"].values[mine], ds["contact_end"].values[mine]
    speeds = ds["contact_speed"].values[mine]
    # A contact without an end lasts until the end of the run.
    start, end = np.maximum(began, first), np.minimum(np.where(np.isfinite(ended), ended, last), last)
    inside = end > start
    start, end = start[inside], end[inside]
    durations = end - start
    fresh = (began >= first) & (began <= last)
    edges = np.concatenate([[first], np.column_stack([start, end]).ravel(), [last]])
    flights = np.diff(edges)[::2]
    chosen = ds["time"].values >= first
    t = ds["time"].values[chosen]
    force = np.linalg.norm(ds["contact_force"].sel(loose_joint=joint).values[chosen], axis=-1)
    depth = ds["penetration"].sel(loose_joint=joint).values[chosen]
    # Of a contact that started before, only the samples tell what was later.
    peak, deepest = (largest(ds, name, mine, fresh) for name in ("contact_peak", "contact_depth"))
    span = float(t[-1] - t[0])
    impulse = float(np.trapezoid(force, t))
    return {
        "contacts": int(fresh.sum()),
        "share": float(durations.sum()) / (last - first),
        "longest": float(durations.max(initial=0.0)),
        "mean_duration": float(durations.mean()) if len(durations) else 0.0,
        "samples_per_contact": float(np.median(durations)) * (len(t) - 1) / span if len(durations) and span else 0.0,
        "longest_flight": float(flights.max(initial=0.0)),
        "impact_speed_largest": float(speeds[fresh].max(initial=0.0)),
        "impact_speed_mean": float(speeds[fresh].mean()) if fresh.any() else 0.0,
        "peak_force": max(peak, float(force.max(initial=0.0))),
        "mean_force": impulse / span if span else float(force.mean()),
        "rms_force": float(np.sqrt(np.trapezoid(force**2, t) / span)) if span else float(force.mean()),
        "impulse": impulse,
        "deepest": max(deepest, float(depth.max(initial=0.0))),
    }


def largest(ds: "xr.Dataset", name: str, mine: np.ndarray, fresh: np.ndarray) -> float:
    """Largest figure of chosen contacts; zero where a result has none."""
    if name not in ds:
        return 0.0
    return float(np.nan_to_num(ds[name].values[mine][fresh]).max(initial=0.0))
