"""`influence`: first- and second-order influence coefficients of a point at a pose."""

from typing import Any

from closedchain.cli.studies.arguments import Argument, Values, Words
from closedchain.cli.studies.coefficients import MEANING, PLANAR, SECOND, SPATIAL, first_order, second_order
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import a_point, joints
from closedchain.language import tr


def calc(m: Any, of: str, wrt: list[str] | None = None, values: dict[str, Any] | None = None) -> Any:
    """G and H of a point with respect to the named coordinates, at the pose with the given values."""
    import numpy as np

    import closedchain as cc
    from closedchain.analyses.loop_rates import loop_rates
    from closedchain.analyses.variables import expand
    from closedchain.results import dataset

    pose = cc.assemble(m, values)
    names = expand(loop_rates(m, pose), wrt)
    G, H = cc.influence(m, pose, of, names)
    return dataset(
        {
            "G": (("component", "wrt"), G, MEANING),
            "H": (("component", "wrt_m", "wrt_n"), H, SECOND),
            "pose": (("coordinate",), np.array(list(pose.coordinates.values())), {"long_name": "joint coordinates"}),
        },
        {
            "component": PLANAR if m.planar else SPATIAL,
            "wrt": names,
            "wrt_m": names,
            "wrt_n": names,
            "coordinate": list(pose.coordinates),
        },
        analysis="influence",
        mechanism=m.to_text(),
        settings={"of": of, "wrt": wrt, "values": values},
        attrs={"of": of},
    )


def say(ds: Any) -> str:
    """G as a table, then the entries of H that are not zero."""
    names, components = (list(map(str, ds[name].values)) for name in ("wrt", "component"))
    return "\n".join([
        tr("influence coefficients of {of}, first order", of=ds.attrs["of"]),
        first_order(components, names, ds["G"].values),
        tr("second order"),
        second_order(components, names, ds["H"].values),
    ])  # fmt: skip


STUDY = Study(
    name="influence",
    meaning="first- and second-order influence coefficients of a point at a pose",
    arguments=(
        Argument("of", 'point, "body.point" or the name of an output', Words(), required=True, refers=a_point),
        Argument("wrt", "coordinates; by default the driven ones", Words(many=True)),
        Argument("values", "coordinates of the pose, such as A=30deg", Values(), refers=joints),
    ),
    calc=calc,
    say=say,
    group="Position and motion",
    examples=(
        (
            "closedchain influence mechanism.toml --of coupler.P --values A=30deg",
            "G and H of a point with respect to the motors, at a pose",
        ),
        ("closedchain influence mechanism.toml --of P --wrt A --json", "For an output, as JSON"),
    ),
)
