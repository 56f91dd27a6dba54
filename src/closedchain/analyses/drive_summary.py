"""Figures for choosing a motor: peaks, root mean squares, means and energies of every actuator over a run."""

import tomllib
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.exceptions import ClosedChainError
from closedchain.results import dataset
from closedchain.results.dataset import MIXED

if TYPE_CHECKING:
    import xarray as xr


def drive_summary(ds: "xr.Dataset", after: float | None = None) -> "xr.Dataset":
    """Peak, RMS and mean of effort, speed and power of every actuator, and the energies it gives and takes.

    ds: result of `inverse_dynamics` or `simulate`, with times (not with samples of arrays), swept dimensions kept.
    after: what comes earlier is left out [s], such as the first contacts of loose joints.

    Peaks are largest absolute values at the samples. Means are over time by the trapezoidal rule, so samples may be
    unequal; over a whole period of a smooth periodic motion the rule is exact to rounding. `work` = `work_given` -
    `work_taken`: the integrals of the positive and the negative part of the power [J]; a drive that cannot feed back
    has to turn `work_taken` into heat.

    Raises ClosedChainError where the result has no efforts over time.

    >>> import closedchain as cc
    >>> import numpy as np
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -10]},
    ...     "bodies": {"ground": {}, "arm": {"mass": 2.0, "com": [0.5, 0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]}},
    ...     "actuators": {"motor": {"joint": "A", "motion": "2*pi*t"}},
    ... })
    >>> figures = cc.drive_summary(cc.inverse_dynamics(m, np.linspace(0, 1, 201)))
    >>> float(figures.effort_peak[0]), round(float(figures.effort_rms[0]), 6), abs(float(figures.work[0])) < 1e-9
    (10.0, 7.071068, True)
    """
    if "effort" not in ds or "power" not in ds or ds.attrs.get("time_axis") == "sample":
        raise ClosedChainError(
            "drive_summary needs efforts over time; give it a result of inverse_dynamics or simulate with times."
        )
    if after is not None:
        ds = ds.isel(time=np.flatnonzero(ds["time"].values >= after))
    if ds.sizes["time"] < 2:
        left = "" if after is None else f" from {after:g} s on"
        raise ClosedChainError(f"drive_summary needs at least two instants{left}.")
    import xarray as xr

    weights = xr.DataArray(trapezoid_weights(ds["time"].values), dims="time", coords={"time": ds["time"]})
    span = float(weights.sum())
    power = ds["power"]
    found: dict[str, Any] = {}
    for name, values in (("effort", ds["effort"]), ("speed", speeds(ds)), ("power", power)):
        found[f"{name}_peak"] = abs(values).max("time")
        found[f"{name}_rms"] = np.sqrt((values**2 * weights).sum("time") / span)
        found[f"{name}_mean"] = (values * weights).sum("time") / span
    found["work_given"] = (power.clip(min=0.0) * weights).sum("time")
    found["work_taken"] = (-power.clip(max=0.0) * weights).sum("time")
    found["work"] = found["work_given"] - found["work_taken"]
    arrays = {name: (array.dims, array.values, described(ds, name)) for name, array in found.items()}
    labels = {str(dim): ds[dim].values for dim in ds["effort"].dims if dim != "time"}
    settings = {"from": str(ds["time"].values[0]), "to": str(ds["time"].values[-1]), "samples": ds.sizes["time"]}
    return dataset(
        arrays, labels, analysis="drive_summary", mechanism=str(ds.attrs.get("mechanism", "")), settings=settings,
        label_units={"actuator": [str(unit) for unit in ds["actuator_unit"].values]},
    )  # fmt: skip


def trapezoid_weights(times: np.ndarray) -> np.ndarray:
    """Weights of the trapezoidal rule at rising times (n,) [s]."""
    steps = np.diff(times)
    if not np.all(steps > 0.0):
        raise ClosedChainError("drive_summary needs rising times; sort the result by time.")
    return 0.5 * (np.append(steps, 0.0) + np.append(0.0, steps))


def speeds(ds: "xr.Dataset") -> "xr.DataArray":
    """Rate of every actuator's coordinate, dimensions (..., time, actuator)."""
    actuators = tomllib.loads(str(ds.attrs["mechanism"]))["actuators"]
    joints = [str(actuators[name]["joint"]) for name in ds["actuator"].values]
    rates = ds["qd"].sel(rate=joints).drop_vars(["rate", "rate_unit"], errors="ignore")
    return rates.rename(rate="actuator").assign_coords(actuator=ds["actuator"])


def described(ds: "xr.Dataset", name: str) -> dict[str, str]:
    """Unit and meaning of one figure."""
    quantity, _, figure = name.partition("_")
    efforts = {str(unit) for unit in ds["actuator_unit"].values}
    along = efforts.pop() if len(efforts) == 1 else ""
    units = {"effort": along or MIXED, "speed": SPEEDS.get(along, MIXED), "power": "W", "work": "J"}
    return {"units": units[quantity], "long_name": f"{FIGURES[figure]} {quantity} of the actuator"}


SPEEDS = {"N*m": "rad/s", "N": "m/s"}
FIGURES = {
    "peak": "largest absolute", "rms": "root mean square", "mean": "mean", "given": "given", "taken": "taken back",
    "": "net",
}  # fmt: skip
