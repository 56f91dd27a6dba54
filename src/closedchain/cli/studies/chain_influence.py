"""`chain_influence`: coefficients of a point with respect to the joints on its path from ground, loops ignored."""

from typing import Any

from closedchain.cli.studies.coefficients import arrays, components, lines
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.pose_arguments import POINT, VALUES
from closedchain.language import tr


def calc(m: Any, of: str, values: dict[str, Any] | None = None) -> Any:
    """G and H of the point at the pose with the given values."""
    import closedchain as cc
    from closedchain.results import dataset

    G, H, names = cc.chain_influence(m, cc.assemble(m, values), of)
    variables, labels = arrays(G, H, "rate", names)
    return dataset(
        variables,
        {"component": components(m.planar), **labels},
        analysis="chain_influence",
        mechanism=m.to_text(),
        settings={"of": of, "values": values},
        attrs={"of": of},
    )


def say(ds: Any) -> str:
    """G as a table, then the entries of H that are not zero."""
    head = tr("coefficients of {of} over the joints of its chain, first order", of=ds.attrs["of"])
    return "\n".join([head, *lines(ds, "rate")])


STUDY = Study(
    name="chain_influence",
    meaning="influence coefficients of a point over the joints of its chain, as if loops were open",
    arguments=(
        POINT,
        VALUES,
    ),
    calc=calc,
    say=say,
    group="Position and motion",
    examples=(
        ("closedchain chain-influence arm.toml --of tool.tip", "The Jacobian of a serial arm and its derivative"),
    ),
)
