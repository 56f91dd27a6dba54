"""`assembly_modes`: all poses with given coordinates."""

from typing import Any

from closedchain.cli.studies.arguments import Argument, Values, Whole
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.poses import as_dataset, coordinates
from closedchain.cli.studies.references import joint_values
from closedchain.language import plural


def calc(m: Any, values: dict[str, Any] | None = None, starts: int | None = None) -> Any:
    """All poses found, along the dimension `mode`."""
    import closedchain as cc

    found = cc.assembly_modes(m, values, starts=starts)
    return as_dataset(m, found, "assembly_modes", {"values": values, "starts": starts})


def say(ds: Any) -> str:
    """How many there are and the coordinates of each."""
    head = plural(ds.sizes["mode"], "{n} way to assemble", "{n} ways to assemble")
    return "\n".join([head, coordinates(ds)] if ds.sizes["mode"] else [head])


STUDY = Study(
    name="assembly_modes",
    meaning="all poses that given coordinates allow (assembly modes)",
    arguments=(
        Argument("values", "coordinates that are held, such as A=30deg", Values(), refers=joint_values),
        Argument("starts", "random starts of the search; by default until it is saturated", Whole()),
    ),
    calc=calc,
    say=say,
    group="Position and motion",
    examples=(
        ("closedchain assembly-modes mechanism.toml --values A=30deg", "Every way to assemble at a crank angle"),
    ),
)
