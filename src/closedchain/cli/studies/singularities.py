"""`singularities`: whether a pose is singular, in which way, and how far from it."""

from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.pose_arguments import VALUES
from closedchain.language import tr

AXES = ["x", "y", "z"]


def calc(m: Any, values: dict[str, Any] | None = None) -> Any:
    """Singularities at the pose with the given values."""
    import numpy as np

    import closedchain as cc
    from closedchain.results import dataset

    pose = cc.assemble(m, values)
    found = cc.singularities(m, pose)
    screws = [(kind, screw) for kind, several in found.directions.items() for screw in several]

    def column(entries: list[Any], dtype: type, meaning: str, units: str = "") -> Any:
        return ("screw",), np.array(entries, dtype=dtype), {"long_name": meaning, "units": units}

    def vectors(name: str, meaning: str, units: str) -> Any:
        array = np.array([getattr(screw, name) for _, screw in screws], dtype=float).reshape(len(screws), 3)
        return ("screw", "axis"), array, {"long_name": meaning, "units": units}

    return dataset(
        {
            "measure": (
                ("name",),
                np.array(list(found.measures.values())),
                {"long_name": "distance from a singularity"},
            ),
            "kind": column([kind for kind, _ in screws], str, "kind of the lost or free motion"),
            "body": column([screw.body for _, screw in screws], str, "body that moves"),
            "direction": vectors("axis", "unit vector of the motion's axis", "1"),
            "through": vectors("point", "point on the motion's axis", "m"),
            "pitch": column([screw.pitch for _, screw in screws], float, "advance per angle", "m/rad"),
            "q": (("coordinate",), np.array(list(pose.coordinates.values())), {"long_name": "joint coordinates"}),
        },
        {"name": list(found.measures), "axis": AXES, "coordinate": list(pose.coordinates)},
        analysis="singularities",
        mechanism=m.to_text(),
        settings={"values": values},
        attrs={"kinds": ", ".join(sorted(found.kinds)), "first_kind": found.kind, "text": str(found)},
    )


def measures(ds: Any) -> dict[str, float]:
    """Measure -> value."""
    return {str(name): float(value) for name, value in zip(ds["name"].values, ds["measure"].values, strict=True)}


def say(ds: Any) -> str:
    """The explanation, then every measure."""
    rows = [[f"  {name}", value] for name, value in measures(ds).items()]
    return "\n".join([ds.attrs["text"], *([table(["  " + tr("measure"), tr("value")], rows)] if rows else [])])


def as_json(ds: Any) -> dict[str, Any]:
    """Kinds, measures and directions, as `cc.singularities` names them."""
    kinds = [kind for kind in ds.attrs["kinds"].split(", ") if kind]
    directions: dict[str, list[Any]] = {kind: [] for kind in kinds}
    for k in range(ds.sizes.get("screw", 0)):
        directions[str(ds["kind"].values[k])].append(
            {
                "body": str(ds["body"].values[k]),
                "axis": ds["direction"].values[k],
                "point": ds["through"].values[k],
                "pitch": float(ds["pitch"].values[k]),
            }
        )
    return {"kinds": kinds, "kind": ds.attrs["first_kind"], "measures": measures(ds), "directions": directions}


STUDY = Study(
    name="singularities",
    meaning="whether a pose is singular, in which way, and how far from it",
    arguments=(VALUES,),
    calc=calc,
    say=say,
    as_json=as_json,
    group="Position and motion",
    examples=(
        ("closedchain singularities mechanism.toml", "At the pose of the file"),
        ("closedchain singularities mechanism.toml --values A=90deg", "At a pose of your own"),
    ),
)
