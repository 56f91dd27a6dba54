"""Outputs: how far they travel, how fast, and how far play carries them from the ideal motion."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.readable import show
from closedchain.views.report.sections.contract import Figure, Section
from closedchain.views.report.table import Table, merged, numbers, words

if TYPE_CHECKING:
    import xarray as xr


def tables(chapters: Sequence[Chapter]) -> list[Table]:
    """Ways, speeds and accelerations of every output; errors against the ideal motion."""
    rows = [
        (chapter, str(point))
        for chapter in chapters
        if chapter.has("position")
        for point in chapter.data["point"].values
    ]
    found = []
    if rows:
        axes = [str(axis) for axis in rows[0][0].data["axis"].values]
        ways = [np.ptp(chapter.data["position"].sel(point=point).values, axis=0) for chapter, point in rows]
        columns = [
            words(tr("Study"), [chapter.name for chapter, _ in rows]),
            words(tr("Output"), [point for _, point in rows]),
            *(numbers(tr("Way along {axis}", axis=axis), [way[k] for way in ways], "m") for k, axis in enumerate(axes)),
        ]
        for name, head, unit in (
            ("velocity", tr("Largest speed"), "m/s"),
            ("acceleration", tr("Largest acceleration"), "m/s^2"),
        ):
            if all(name in chapter.data for chapter, _ in rows):
                peaks = [peak(chapter, name, point)[0] for chapter, point in rows]
                columns.append(numbers(head, peaks, unit))
        found.append(merged(Table(tr("Motion of the outputs"), columns)))
    return found + error_table(chapters)


def error_table(chapters: Sequence[Chapter]) -> list[Table]:
    """Errors of loose mechanisms against the ideal one."""
    rows = [
        (chapter.name, ideal.name, str(point), errors.sel(point=point))
        for chapter, ideal, errors in comparisons(chapters)
        for point in errors["point"].values
    ]
    if not rows:
        return []
    columns = [
        words(tr("Study"), [row[0] for row in rows]),
        words(tr("Output"), [row[2] for row in rows]),
        numbers(tr("Largest error"), [float(row[3]["position_largest"]) for row in rows], "m"),
        numbers(tr("RMS error"), [float(row[3]["position_rms"]) for row in rows], "m"),
    ]
    if all("velocity_largest" in row[3] for row in rows):
        columns.append(
            numbers(tr("Largest velocity error"), [float(row[3]["velocity_largest"]) for row in rows], "m/s")
        )
    columns.append(words(tr("Against"), [row[1] for row in rows]))
    return [Table(tr("End-point errors by play"), columns)]


def findings(chapters: Sequence[Chapter]) -> list[str]:
    """How far the outputs travel, and what play does to them."""
    said = []
    first = next((chapter for chapter in chapters if chapter.has("position", "velocity")), None)
    if first is not None:
        speeds = [(*peak(first, "velocity", str(point)), str(point)) for point in first.data["point"].values]
        speed, at, point = max(speeds)
        way = np.ptp(first.data["position"].sel(point=point).values, axis=0)
        axis = str(first.data["axis"].values[int(way.argmax())])
        if way.max() > 0.0:
            said.append(
                tr(
                    "{point} travels {way} along {axis} and reaches {speed} at {time} ({study}).",
                    point=point,
                    way=show(float(way.max()), "m"),
                    axis=axis,
                    speed=show(speed, "m/s"),
                    time=show(at, "s"),
                    study=first.name,
                )
            )
    for chapter, ideal, errors in comparisons(chapters):
        point, largest, rms = worst(errors)
        said.append(
            tr(
                "Play in {joints} moves {point} by up to {largest} (RMS {rms}) against {ideal} ({study}).",
                joints=joint_list(chapter),
                point=point,
                largest=show(largest, "m"),
                rms=show(rms, "m"),
                ideal=ideal.name,
                study=chapter.name,
            )
        )
    return said


def figures(chapters: Sequence[Chapter]) -> list[Figure]:
    """The largest error by play, or the largest speed."""
    all_errors = []
    for chapter, _, errors in comparisons(chapters):
        point, largest, _ = worst(errors)
        all_errors.append((largest, point, chapter.name))
    if all_errors:
        largest, point, study = max(all_errors)
        where = tr("{name} in {study}", name=point, study=study)
        return [Figure(tr("Largest end-point error"), show(largest, "m"), where)]
    peaks = [
        (peak(chapter, "velocity", str(point))[0], str(point))
        for chapter in chapters
        if chapter.has("velocity")
        for point in chapter.data["point"].values
    ]
    if not peaks:
        return []
    return [Figure(tr("Largest speed"), show(max(peaks)[0], "m/s"), max(peaks)[1])]


def peak(chapter: Chapter, name: str, point: str) -> tuple[float, float]:
    """Largest length of a vector of an output, and when [s]."""
    sizes = np.linalg.norm(chapter.data[name].sel(point=point).values, axis=-1)
    place = int(np.nanargmax(sizes)) if not np.isnan(sizes).all() else 0
    return float(sizes[place]), float(chapter.data["time"].values[place])


def comparisons(chapters: Sequence[Chapter]) -> list[tuple[Chapter, Chapter, "xr.Dataset"]]:
    """Every loose motion with the ideal one at the same instants and the errors between them."""
    from closedchain.analyses.deviation import deviation

    found = []
    for loose in chapters:
        if not loose.has("position") or not loose.data.sizes.get("loose_joint"):
            continue
        for ideal in sorted(chapters, key=lambda each: each.kind != "simulate"):
            if not ideal.has("position") or ideal.data.sizes.get("loose_joint"):
                continue
            pair = at_same_times(loose.data, ideal.data)
            if pair is None:
                continue
            try:
                found.append((loose, ideal, deviation(*pair)))
                break
            except ClosedChainError:
                continue
    return found


def at_same_times(loose: "xr.Dataset", ideal: "xr.Dataset") -> "tuple[xr.Dataset, xr.Dataset] | None":
    """Both results at the instants that they share; None where these are few."""
    t, other = loose["time"].values, ideal["time"].values
    if len(t) == len(other):
        return loose, ideal
    places = np.clip(np.searchsorted(t, other), 1, len(t) - 1)
    places -= np.abs(other - t[places - 1]) < np.abs(other - t[places])
    same = np.abs(t[places] - other) <= 1e-9 * max(float(np.ptp(t)), 1e-30)
    if same.sum() < max(2, 0.1 * min(len(t), len(other))):
        return None
    names = ["position", "velocity", "acceleration"]
    return loose[names].isel(time=places[same]), ideal[names].isel(time=np.flatnonzero(same))


def worst(errors: "xr.Dataset") -> tuple[str, float, float]:
    """The output that strays most: name, largest and RMS error [m]."""
    place = int(errors["position_largest"].values.argmax())
    return (
        str(errors["point"].values[place]),
        float(errors["position_largest"].values[place]),
        float(errors["position_rms"].values[place]),
    )


def joint_list(chapter: Chapter) -> str:
    """The loose joints of a result, "B1, B2"."""
    return ", ".join(str(name) for name in chapter.data["loose_joint"].values)


SECTION = Section("Motion", tables, findings, figures)
