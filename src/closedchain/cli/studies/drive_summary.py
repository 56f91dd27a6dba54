"""`drive_summary`: what a motor must give: peak, RMS and mean of effort, speed and power over a motion."""

from typing import Any

from closedchain.cli.output import table
from closedchain.cli.studies import inverse_dynamics
from closedchain.cli.studies.contract import Study
from closedchain.language import tr

FIGURES = ("effort_peak", "effort_rms", "speed_peak", "power_peak", "power_mean", "work_given", "work_taken")


def calc(m: Any, **arguments: Any) -> Any:
    """The figures of the inverse dynamics over the instants."""
    import closedchain as cc

    return cc.drive_summary(inverse_dynamics.STUDY.calc(m, **arguments))


def say(ds: Any) -> str:
    """One line per actuator."""
    heads = [
        tr("effort peak"), tr("effort RMS"), tr("speed peak"), tr("power peak [W]"), tr("power mean [W]"),
        tr("work given [J]"), tr("work taken [J]"),
    ]  # fmt: skip
    rows = [
        [f"  {name}", *(float(ds[figure].sel(actuator=name)) for figure in FIGURES)]
        for name in map(str, ds["actuator"].values)
    ]
    head = tr("what the motors give over the motion (N m or N, rad/s or m/s)")
    return "\n".join([head, table(["  " + tr("actuator"), *heads], rows)])


STUDY = Study(
    name="drive_summary",
    meaning="peak, RMS and mean of effort, speed and power of every motor over a motion, for sizing",
    arguments=inverse_dynamics.STUDY.arguments,
    check=inverse_dynamics.STUDY.check,
    calc=calc,
    say=say,
    group="Forces and dynamics",
    examples=(("closedchain drive-summary mechanism.toml --until 2s", "Figures to choose motors by"),),
)
