"""`chain_influence`: coefficients of a point with respect to the joints on its path from ground, loops ignored."""

from typing import Any

from closedchain.cli.studies.arguments import Argument, Values, Words
from closedchain.cli.studies.coefficients import MEANING, PLANAR, SECOND, SPATIAL, first_order, second_order
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import a_point, joints
from closedchain.language import tr


def calc(m: Any, of: str, values: dict[str, Any] | None = None) -> Any:
    """G and H of the point at the pose with the given values."""
    import closedchain as cc
    from closedchain.results import dataset

    G, H, names = cc.chain_influence(m, cc.assemble(m, values), of)
    components = PLANAR if m.planar else SPATIAL
    return dataset(
        {"G": (("component", "rate"), G, MEANING), "H": (("component", "rate_m", "rate_n"), H, SECOND)},
        {"component": components, "rate": names, "rate_m": names, "rate_n": names},
        analysis="chain_influence",
        mechanism=m.to_text(),
        settings={"of": of, "values": values},
        attrs={"of": of},
    )


def say(ds: Any) -> str:
    """G as a table, then the entries of H that are not zero."""
    names, components = (list(map(str, ds[name].values)) for name in ("rate", "component"))
    return "\n".join([
        tr("coefficients of {of} over the joints of its chain, first order", of=ds.attrs["of"]),
        first_order(components, names, ds["G"].values),
        tr("second order"),
        second_order(components, names, ds["H"].values),
    ])  # fmt: skip


STUDY = Study(
    name="chain_influence",
    meaning="influence coefficients of a point over the joints of its chain, as if loops were open",
    arguments=(
        Argument("of", 'point, "body.point" or the name of an output', Words(), required=True, refers=a_point),
        Argument("values", "coordinates of the pose, such as A=30deg", Values(), refers=joints),
    ),
    calc=calc,
    say=say,
    group="Position and motion",
    examples=(
        ("closedchain chain-influence arm.toml --of tool.tip", "The Jacobian of a serial arm and its derivative"),
    ),
)
