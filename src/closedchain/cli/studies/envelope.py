"""`envelope`: where play lets a point stand while the motors hold theirs, and which joint costs how much."""

from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies.arguments import Argument, Values, Words
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.pose_arguments import VALUES
from closedchain.cli.studies.references import a_point, joints
from closedchain.cli.studies.times import TIMES, check_some_times, instants
from closedchain.language import tr


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
    head = tr("envelope: play displaces the point by up to {size:.4g} m", size=float(ds["largest"].max()))
    return "\n".join([head, table(["  " + tr("loose joint"), tr("alone [m]")], rows)])


STUDY = Study(
    name="envelope",
    meaning="where play lets a point stand, and which loose joint costs how much",
    arguments=(
        Argument("of", "point or output", Words(), required=True, refers=a_point),
        Argument(
            "clearances",
            "radial clearance by joint, such as B=0.1mm, instead of those of the file",
            Values(),
            refers=joints,
        ),
        VALUES,
        *TIMES,
        Argument("driven", "coordinates that keep their place", Words(many=True)),
    ),
    check=check_some_times,
    calc=calc,
    say=say,
    group="Accuracy and play",
    examples=(
        ("closedchain envelope mechanism.toml --of P", "How far the play of the file lets the point stray"),
        (
            "closedchain envelope mechanism.toml --of P --clearances B=0.1mm --until 2s",
            "With another play, along the motion",
        ),
    ),
)
