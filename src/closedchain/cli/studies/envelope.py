"""`envelope`: where play lets a point stand while the motors hold theirs, and which joint costs how much."""

from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies.arguments import Argument, Values, Words
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.times import TIMES, instants


def calc(
    m: Any,
    of: str,
    samples: int,
    start: float,
    values: dict[str, Any] | None = None,
    until: float | None = None,
    times: list[float] | None = None,
    **arguments: Any,
) -> Any:
    """The envelope at a pose with the given values, or along the motion."""
    import closedchain as cc

    still = until is None and times is None
    at = cc.assemble(m, values) if still else instants(until, start, samples, times)
    return cc.envelope(m, at, of, **arguments)


def say(ds: Any) -> str:
    """The largest displacement, then that of every joint alone."""
    each = ds["joint_largest"].max(dim="time").values
    rows = [[f"  {joint}", float(size)] for joint, size in zip(ds["loose_joint"].values, each, strict=True)]
    head = f"envelope: play displaces the point by up to {float(ds['largest'].max()):.4g} m"
    return "\n".join([head, table(["  loose joint", "alone [m]"], rows)])


STUDY = Study(
    name="envelope",
    meaning="where play lets a point stand, and which loose joint costs how much",
    arguments=(
        Argument("of", "point or output", Words(), required=True),
        Argument("clearances", "radial clearance by joint, such as B=0.1mm, instead of those of the file", Values()),
        Argument("values", "coordinates of the pose, such as A=30deg", Values()),
        *TIMES,
        Argument("driven", "coordinates that keep their place", Words(many=True)),
    ),
    calc=calc,
    say=say,
)
