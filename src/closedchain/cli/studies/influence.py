"""`influence`: first- and second-order influence coefficients of a point at a pose."""

from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies.arguments import Argument, Values, Words
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import a_point, joints
from closedchain.language import tr

SPATIAL = ("angular x", "angular y", "angular z", "linear x", "linear y", "linear z")
PLANAR = ("angular", "linear x", "linear y")


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
    meaning = {"long_name": "coefficients: (angular, linear) velocity = G rates, in ground axes, SI"}
    second = {"long_name": "coefficients: acceleration = G accelerations + rates H rates; H[i, m, n] = dG[i, n]/dq_m"}
    return dataset(
        {
            "G": (("component", "wrt"), G, meaning),
            "H": (("component", "wrt_m", "wrt_n"), H, second),
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
    names = [str(name) for name in ds["wrt"].values]
    components = [str(name) for name in ds["component"].values]
    rows = [[name, *map(float, row)] for name, row in zip(components, ds["G"].values, strict=True)]
    text = [
        tr("influence coefficients of {of}, first order", of=ds.attrs["of"]),
        table(["", *names], rows),
        tr("second order"),
    ]
    size = float(abs(ds["H"]).max())
    entries = [
        [component, m, n, float(ds["H"].values[i, a, b])]
        for i, component in enumerate(components)
        for a, m in enumerate(names)
        for b, n in enumerate(names)
        if abs(ds["H"].values[i, a, b]) > 1e-12 * size
    ]
    text.append(table(["", "m", "n", "H"], entries) if entries else "  " + tr("all zero"))
    return "\n".join(text)


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
