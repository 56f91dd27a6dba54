"""`assemble`: the pose with given coordinates, its joints and outputs."""

from typing import Any

from closedchain.cli.studies.arguments import Argument, Values
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.poses import as_dataset, coordinates, points
from closedchain.cli.studies.references import joint_values
from closedchain.language import tr


def calc(m: Any, values: dict[str, Any] | None = None, guess: dict[str, Any] | None = None) -> Any:
    """The assembled pose as a dataset."""
    import closedchain as cc

    said = {"values": values, "guess": guess}
    return as_dataset(m, [cc.assemble(m, values, guess)], "assemble", said).isel(mode=0, drop=True)


def say(ds: Any) -> str:
    """How well the loops close, the coordinates, the outputs."""
    head = tr("assembled: loops closed to {size:.1g} of the size", size=float(ds["closure"]))
    return "\n".join([head, coordinates(ds.expand_dims(mode=[1])), *points(ds)])


STUDY = Study(
    name="assemble",
    meaning="the pose with given coordinates: all joints, and where the outputs are",
    arguments=(
        Argument("values", "coordinates that are met exactly, such as A=30deg", Values(), refers=joint_values),
        Argument("guess", "coordinates to stay near to, such as B=45deg", Values(), refers=joint_values),
    ),
    calc=calc,
    say=say,
    group="Position and motion",
    examples=(
        ("closedchain assemble mechanism.toml --values A=30deg", "The pose with a crank angle"),
        ("closedchain assemble mechanism.toml --values A=30deg --guess B=-45deg", "Its other branch, near a guess"),
    ),
)
