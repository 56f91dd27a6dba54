"""Drives: peaks, root mean squares and means of effort and power of every actuator."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from closedchain.exceptions import ClosedChainError
from closedchain.language import as_is, tr
from closedchain.results import units_of
from closedchain.views.report.chapter import Chapter, remembered
from closedchain.views.report.readable import show
from closedchain.views.report.sections.contract import Figure, Section
from closedchain.views.report.table import Table, merged, numbers, words

if TYPE_CHECKING:
    import xarray as xr

SPEEDS = {"N*m": "rad/s", "N": "m/s"}
# Of the peak: below this a mean is rounding.
ROUNDED = 1e-9


def tables(chapters: Sequence[Chapter]) -> list[Table]:
    """One row per study and actuator."""
    rows = [
        (chapter.name, str(name), summary.sel(actuator=name), effort_unit(summary, str(name)))
        for chapter, summary in summaries(chapters)
        for name in summary["actuator"].values
    ]
    if not rows:
        return []
    efforts = [unit for *_, unit in rows]
    speeds = [SPEEDS.get(unit, "1") for unit in efforts]

    def of(name: str) -> list[float]:
        return [figure(summary, name) for _, _, summary, _ in rows]

    columns = [
        words(tr("Study"), [row[0] for row in rows]),
        words(tr("Actuator"), [row[1] for row in rows]),
        numbers(tr("Peak effort"), of("effort_peak"), efforts),
        numbers(tr("RMS"), of("effort_rms"), efforts),
        numbers(tr("Mean"), of("effort_mean"), efforts),
        numbers(tr("Peak speed"), of("speed_peak"), speeds),
        numbers(tr("Peak power"), of("power_peak"), "W"),
        numbers(tr("RMS"), of("power_rms"), "W"),
        numbers(tr("Mean"), of("power_mean"), "W"),
        numbers(tr("Energy given"), of("work_given"), "J"),
        numbers(tr("Taken back"), of("work_taken"), "J"),
    ]
    return [merged(Table(tr("Actuators"), columns))]


def figure(summary: "xr.Dataset", name: str) -> float:
    """A figure of an actuator; a mean that is rounding beside the peak is zero."""
    value = float(summary[name])
    if name.endswith("_mean") and abs(value) < ROUNDED * float(summary[name.replace("_mean", "_peak")]):
        return 0.0
    return value


def findings(chapters: Sequence[Chapter]) -> list[str]:
    """The hardest working actuator of the ideal mechanism, and of the loose one."""
    said = []
    for loose in (False, True):
        found = [
            (*hardest(chapter), chapter.name, summary)
            for chapter, summary in summaries(chapters)
            if bool(chapter.data.sizes.get("loose_joint")) == loose
        ]
        if not found:
            continue
        name, effort, at, study, summary = max(found, key=lambda each: each[1])
        if not effort > 0.0:
            continue
        one, unit = summary.sel(actuator=name), effort_unit(summary, name)
        text = (
            as_is("{actuator} works hardest: {peak} at {time}, {rms} RMS, up to {power} ({study}).")
            if not loose
            else as_is("With play {actuator} works hardest: {peak} at {time}, {rms} RMS, up to {power} ({study}).")
        )
        said.append(
            text.format(
                actuator=name,
                peak=show(effort, unit),
                time=show(at, "s"),
                rms=show(float(one["effort_rms"]), unit),
                power=show(float(one["power_peak"]), "W"),
                study=study,
            )
        )
    return said


def figures(chapters: Sequence[Chapter]) -> list[Figure]:
    """The largest effort, of the torques if there are any."""
    peaks = []
    for chapter, summary in summaries(chapters):
        name, effort, at = hardest(chapter)
        unit = effort_unit(summary, name)
        peaks.append((unit == "N*m", effort, unit, chapter.where(name, at)))
    if not peaks or not max(peaks)[1] > 0.0:
        return []
    _, effort, unit, where = max(peaks)
    label = tr("Largest motor torque") if unit == "N*m" else tr("Largest motor force")
    return [Figure(label, show(effort, unit), where)]


def effort_unit(summary: "xr.Dataset", name: str) -> str:
    """Unit of the effort of an actuator."""
    return str(summary["actuator_unit"].sel(actuator=name).item())


def summaries(chapters: Sequence[Chapter]) -> "list[tuple[Chapter, xr.Dataset]]":
    """The figures for choosing motors of every study that has efforts."""
    return [(chapter, found) for chapter in chapters if (found := summary_of(chapter)) is not None]


@remembered
def summary_of(chapter: Chapter) -> "xr.Dataset | None":
    """The figures of one study; None without efforts over time."""
    from closedchain.analyses.drive_summary import drive_summary

    if not chapter.has("effort", "power"):
        return None
    try:
        return drive_summary(chapter.data)
    except (ClosedChainError, KeyError):
        # a single instant, or a drive on a coordinate without a rate of its own
        return None


def hardest(chapter: Chapter) -> tuple[str, float, float]:
    """The actuator with the largest effort, torques before forces: name, effort, time [s]."""
    efforts = np.nan_to_num(np.abs(chapter.data["effort"].values))
    names = [str(name) for name in chapter.data["actuator"].values]
    units = [units_of(chapter.data, "effort", {"actuator": name}) for name in names]
    if "N*m" in units:
        efforts = np.where(np.array(units) == "N*m", efforts, -1.0)
    place, column = np.unravel_index(int(np.argmax(efforts)), efforts.shape)
    return names[column], float(efforts[place, column]), float(chapter.data["time"].values[place])


SECTION = Section("Drives", tables, findings, figures)
