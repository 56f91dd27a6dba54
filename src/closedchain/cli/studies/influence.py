"""`influence`: first- and second-order influence coefficients of a point at a pose."""

from typing import Any

from closedchain.cli.studies.arguments import Argument, Words
from closedchain.cli.studies.coefficients import arrays, components, lines
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.pose_arguments import POINT, VALUES
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
    variables, labels = arrays(G, H, "wrt", names)
    q = np.array(list(pose.coordinates.values()))
    return dataset(
        variables | {"pose": (("coordinate",), q, {"long_name": "joint coordinates"})},
        {"component": components(m.planar), **labels, "coordinate": list(pose.coordinates)},
        analysis="influence",
        mechanism=m.to_text(),
        settings={"of": of, "wrt": wrt, "values": values},
        attrs={"of": of},
    )


def say(ds: Any) -> str:
    """G as a table, then the entries of H that are not zero."""
    return "\n".join([tr("influence coefficients of {of}, first order", of=ds.attrs["of"]), *lines(ds, "wrt")])


STUDY = Study(
    name="influence",
    meaning="first- and second-order influence coefficients of a point at a pose",
    arguments=(
        POINT,
        Argument("wrt", "coordinates; by default the driven ones", Words(many=True)),
        VALUES,
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
