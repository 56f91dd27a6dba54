"""`equilibrium`: where the mechanism rests under gravity, springs and constant forces."""

from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies.arguments import Argument, Values
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.references import joint_values
from closedchain.language import as_is, tr


def calc(m: Any, guess: dict[str, Any] | None = None, values: dict[str, Any] | None = None) -> Any:
    """The equilibrium near a guess as a dataset."""
    import numpy as np

    import closedchain as cc
    from closedchain.results import dataset

    rest = cc.equilibrium(m, guess, values)
    return dataset(
        {
            "q": (("coordinate",), np.array(list(rest.coordinates.values())), {"long_name": "joint coordinates"}),
            "stiffness": (("motion",), rest.stiffness, {"long_name": "stiffness of the free motions", "units": "N*m"}),
            "effort": (
                ("held",),
                np.array(list(rest.efforts.values())),
                {"long_name": "effort that holds", "units": ""},
            ),
        },
        {
            "coordinate": list(rest.coordinates),
            "motion": np.arange(1, len(rest.stiffness) + 1),
            "held": list(rest.efforts),
        },
        analysis="equilibrium",
        mechanism=m.to_text(),
        settings={"guess": guess, "values": values},
        attrs={"stability": rest.stability, "unbalance": rest.unbalance, "closure": rest.residual},
    )


def say(ds: Any) -> str:
    """Stability, coordinates, and the efforts of what is held."""
    head = tr(
        "equilibrium: {stability}, forces balanced to {unbalance:.1g} N m",
        stability=as_is(ds.attrs["stability"]),
        unbalance=ds.attrs["unbalance"],
    )
    rows = [[f"  {name}", float(value)] for name, value in zip(ds["coordinate"].values, ds["q"].values, strict=True)]
    found = [head, table(["  " + tr("coordinate"), tr("value")], rows)]
    efforts = [[f"  {name}", float(value)] for name, value in zip(ds["held"].values, ds["effort"].values, strict=True)]
    return "\n".join([*found, *([table(["  " + tr("held"), tr("effort")], efforts)] if efforts else [])])


STUDY = Study(
    name="equilibrium",
    meaning="where the mechanism rests under gravity, springs and constant forces",
    arguments=(
        Argument("guess", "coordinates to start from, such as A=30deg", Values(), refers=joint_values),
        Argument("values", "coordinates that are held, such as A=30deg", Values(), refers=joint_values),
    ),
    calc=calc,
    say=say,
    group="Forces and dynamics",
    examples=(
        ("closedchain equilibrium mechanism.toml", "Where it comes to rest"),
        ("closedchain equilibrium mechanism.toml --values A=30deg", "What holds it at a pose"),
    ),
)
