"""Results of the motion kernels under their public names."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.model import Model
from closedchain.results import VARIABLES, dataset

if TYPE_CHECKING:
    import xarray as xr

POINTS = ("position", "velocity", "acceleration")


def to_dataset(
    model: Model, labels: np.ndarray, values: Mapping[str, np.ndarray], analysis: str, settings: Mapping[str, Any],
    attrs: Mapping[str, Any] | None = None, further: Mapping[str, Any] | None = None,
) -> "xr.Dataset":  # fmt: skip
    """Kernel outputs, samples as last dimension, as a dataset with samples first.

    labels: times or sample numbers (n,); values: what `report` of model.motion_kernels gives, and more; names that no
    result has are left out. further: labels of further dimensions.
    """
    arrays, names, units = named_arrays(model, labels, values, further or {})
    return dataset(
        arrays, names, analysis=analysis, mechanism=model.mechanism.to_text(), settings=settings, label_units=units,
        attrs=attrs,
    )  # fmt: skip


def named_arrays(
    model: Model, labels: np.ndarray, values: Mapping[str, np.ndarray], further: Mapping[str, Any]
) -> tuple[dict[str, np.ndarray], dict[str, Any], dict[str, list[str]]]:
    """Arrays by the names of results with samples first, labels and their units by dimension; see `to_dataset`."""
    mechanism = model.mechanism
    names: dict[str, Any] = {
        "time": labels,
        "coordinate": list(model.coordinates),
        "rate": list(model.rates),
        "body": [name for name in mechanism.bodies if name != "ground"],
        "point": list(mechanism.outputs),
        "axis": ["x", "y"] if mechanism.planar else ["x", "y", "z"],
    }
    units = {
        "coordinate": coordinate_units(model),
        "rate": [unit for form in model.forms.values() for unit in form.units],
    }
    if not mechanism.planar:
        names["body_axis"] = ["x", "y", "z"]
    if any(name in values for name in ("effort", "power")):
        names["actuator"] = list(mechanism.actuators)
        units["actuator"] = ["N*m" if a.joint.unit == "rad" else "N" for a in mechanism.actuators.values()]
    if "reaction_force" in values:
        names["joint"] = list(mechanism.joints)
    arrays = {
        name: array if VARIABLES[name].dims == ("contact",) else np.moveaxis(array, -1, 0)
        for name, array in values.items()
        if name in VARIABLES
    }
    for name in POINTS:
        if name in arrays:
            arrays[name] = arrays[name].reshape(len(labels), len(names["point"]), len(names["axis"]))
    if "gap_length" in values:
        arrays["closure"] = np.maximum(values["gap_length"] / model.size, values["gap_angle"])
    return arrays, names | dict(further), units


def coordinate_units(model: Model) -> list[str]:
    """Unit of every coordinate label; quaternion parts are pure numbers."""
    units = []
    for form in model.forms.values():
        known = dict(zip(form.rates, form.units, strict=True))
        units += [known.get(part, "1") for part in form.coordinates]
    return units
