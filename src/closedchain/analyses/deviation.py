"""The error of one motion against another at the same time, such as a loose mechanism against the ideal one."""

from typing import TYPE_CHECKING

import numpy as np

from closedchain.exceptions import MechanismError
from closedchain.results import dataset

if TYPE_CHECKING:
    import xarray as xr

PARTS = {"position": "displacement", "velocity": "velocity", "acceleration": "acceleration"}


def deviation(loose: "xr.Dataset", ideal: "xr.Dataset") -> "xr.Dataset":
    """Errors of the outputs of one result against another at the same instants.

    loose, ideal: results over time with the same outputs and instants, such as `simulate` with and without clearance,
    or `simulate` and `kinematics`.

    `position_error`, `velocity_error`, `acceleration_error` (time, point, axis) are loose minus ideal;
    `position_distance` (time, point) and likewise their lengths; `position_largest`, `position_rms` (point) and
    likewise their figures over the instants.

    Raises MechanismError where the instants or the outputs differ.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> ds = cc.deviation(cc.kinematics(m, [0.0, 0.1]), cc.kinematics(m, [0.0, 0.1]))
    >>> float(ds.position_distance.max())
    0.0
    """
    for name in ("time", "point", "axis"):
        there = [name in getattr(each, "coords", ()) for each in (loose, ideal)]
        if not all(there):
            raise MechanismError(f"one of the results has no {name}; give results over time with outputs.")
    t, other = loose["time"].values, ideal["time"].values
    span = float(np.ptp(t)) if len(t) else 0.0
    if t.shape != other.shape or np.abs(t - other).max(initial=0.0) > 1e-9 * max(span, 1e-30):
        raise MechanismError("the two results are at different instants; run both with the same times.")
    points = [str(name) for name in loose["point"].values if name in ideal["point"].values]
    if not points:
        raise MechanismError("the two results have no output in common.")
    variables = {}
    for name, word in PARTS.items():
        if name not in loose or name not in ideal:
            continue
        units = {"units": str(loose[name].attrs.get("units", ""))}
        error = loose[name].sel(point=points).values - ideal[name].sel(point=points).values
        size = np.linalg.norm(error, axis=-1)
        variables[f"{name}_error"] = (("time", "point", "axis"), error, {**units, "long_name": f"error of {word}"})
        variables[f"{name}_distance"] = (("time", "point"), size, {**units, "long_name": f"size of the {word} error"})
        variables[f"{name}_largest"] = (("point",), size.max(axis=0), {**units, "long_name": f"largest {word} error"})
        rms = np.sqrt(np.mean(size**2, axis=0))
        variables[f"{name}_rms"] = (("point",), rms, {**units, "long_name": f"rms of the {word} error"})
    return dataset(
        variables,
        {"time": t, "point": points, "axis": [str(axis) for axis in loose["axis"].values]},
        analysis="deviation",
        mechanism=loose.attrs.get("mechanism", ""),
        settings={"loose": loose.attrs.get("analysis", ""), "ideal": ideal.attrs.get("analysis", "")},
    )
