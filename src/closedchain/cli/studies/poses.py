"""Poses as datasets and as text, for the studies that give some."""

from collections.abc import Sequence
from typing import Any

from closedchain.cli.output import table
from closedchain.language import tr


def as_dataset(m: Any, poses: Sequence[Any], analysis: str, settings: dict[str, Any]) -> Any:
    """`q` (mode, coordinate), `position` of the outputs (mode, point, axis), `closure` (mode)."""
    import numpy as np

    import closedchain as cc
    from closedchain.analyses.pose import find_point
    from closedchain.analyses.to_dataset import coordinate_units
    from closedchain.results import dataset

    model = cc.compile(m)
    axes = ["x", "y"] if m.planar else ["x", "y", "z"]
    at = [find_point(m, name) for name in m.outputs]
    where = [[pose.point(f"{place.body}.{place.point.name}") for place in at] for pose in poses]
    q = [list(pose.coordinates.values()) for pose in poses]
    return dataset(
        {
            "q": (
                ("mode", "coordinate"),
                np.array(q, float).reshape(len(poses), len(model.coordinates)),
                {"long_name": "joint coordinates"},
            ),
            "position": (
                ("mode", "point", "axis"),
                np.array(where, float).reshape(len(poses), len(at), len(axes)),
                {"long_name": "position of the outputs", "units": "m"},
            ),
            "closure": (
                ("mode",),
                np.array([pose.residual for pose in poses], float),
                {"long_name": "largest gap of the loops over the size", "units": "1"},
            ),
        },
        {
            "mode": np.arange(1, len(poses) + 1),
            "coordinate": list(model.coordinates),
            "point": list(m.outputs),
            "axis": axes,
        },
        analysis=analysis,
        mechanism=m.to_text(),
        settings=settings,
        label_units={"coordinate": coordinate_units(model)},
    )


def coordinates(ds: Any) -> str:
    """Coordinates in SI and, where they are angles, in degrees; one column per pose."""
    import numpy as np

    rows = []
    for k, name in enumerate(map(str, ds["coordinate"].values)):
        unit, values = str(ds["coordinate_unit"].values[k]), ds["q"].values[:, k]
        rows.append([f"  {name} [{unit}]" if unit not in ("", "1") else f"  {name}", *map(float, values)])
        if unit == "rad":
            rows.append([f"  {name} [deg]", *map(float, np.rad2deg(values))])
    heads = [str(mode) for mode in ds["mode"].values] if ds.sizes["mode"] > 1 else [tr("value")]
    return table(["  " + tr("coordinate"), *heads], rows)


def points(ds: Any) -> list[str]:
    """Where the outputs are [m]; nothing where there are none."""
    if not ds["position"].size:
        return []
    axes = [str(axis) for axis in ds["axis"].values]
    rows = [[f"  {name}", *map(float, ds["position"].sel(point=name).values)] for name in ds["point"].values]
    return [table(["  " + tr("output"), *(f"{axis} [m]" for axis in axes)], rows)]
