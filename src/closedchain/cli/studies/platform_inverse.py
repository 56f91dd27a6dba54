"""`platform_inverse`: rates and accelerations of all joints for a motion of the platform."""

from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies.arguments import Argument, Quantity
from closedchain.cli.studies.contract import Study
from closedchain.cli.studies.pose_arguments import PLATFORM, VALUES
from closedchain.language import tr


def calc(
    m: Any, of: str, twist: list[float], slope: list[float] | None = None, values: dict[str, Any] | None = None
) -> Any:
    """The joints' rates and accelerations at the pose with the given values."""
    import closedchain as cc

    return cc.platform_inverse(m, cc.assemble(m, values), of, V=twist, A=slope)


def say(ds: Any) -> str:
    """One line per rate."""
    rows = [
        [f"  {name}", float(ds["qd"].sel(rate=name)), float(ds["qdd"].sel(rate=name))]
        for name in map(str, ds["rate"].values)
    ]
    head = tr("joints for the motion of the platform")
    return "\n".join([head, table(["  " + tr("coordinate"), tr("rate"), tr("acceleration")], rows)])


STUDY = Study(
    name="platform_inverse",
    meaning="rates and accelerations of all joints for a twist of the platform and its derivative",
    arguments=(
        PLATFORM,
        Argument(
            "twist",
            "angular velocity [rad/s] and velocity of the point [m/s], such as 0,0,1,0.1,0,0; planar w,x,y",
            Quantity("", many=True),
            required=True,
        ),
        Argument("slope", "angular acceleration [rad/s^2] and acceleration [m/s^2] likewise", Quantity("", many=True)),
        VALUES,
    ),
    calc=calc,
    say=say,
    group="Position and motion",
    examples=(
        (
            "closedchain platform-inverse robot.toml --of platform.origin --twist 0,0,0,0,0,0.1",
            "What the joints do while the platform rises",
        ),
    ),
)
