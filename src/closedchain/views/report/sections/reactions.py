"""Reactions: what the joints carry at most, study by study."""

from collections.abc import Sequence

import numpy as np

from closedchain.language import as_is, tr
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.readable import show
from closedchain.views.report.sections.contract import Figure, Section
from closedchain.views.report.table import Column, Table, numbers, words

NOISE = 1e-9


def tables(chapters: Sequence[Chapter]) -> list[Table]:
    """Peak forces, and peak moments where there are any: a row per joint, a column per study."""
    some = carrying(chapters)
    if not some:
        return []
    note = tr("* Statics leaves open how this joint shares the load; the smallest loads are shown.")
    forces = [peaks(chapter, "reaction_force") for chapter in some]
    found = [joint_table(tr("Peak reaction forces"), some, forces, "N", "reaction_determined", note)]
    moments = [peaks(chapter, "reaction_moment") for chapter in some]
    largest = max((value for each in moments for value in each.values()), default=0.0)
    if largest > NOISE * max((value for each in forces for value in each.values()), default=0.0):
        title = tr("Peak reaction moments")
        found.append(joint_table(title, some, moments, "N*m", "reaction_moment_determined", note))
    return found


def joint_table(
    title: str, some: Sequence[Chapter], values: list[dict[str, float]], unit: str, determined: str, note: str
) -> Table:
    """Joints down, studies across."""
    largest = max((value for each in values for value in each.values()), default=0.0)
    every = dict.fromkeys(name for each in values for name in each)
    joints = [name for name in every if max(each.get(name, 0.0) for each in values) > NOISE * largest]
    # One column of all numbers gives all of them one unit and equal decimals.
    column = numbers("", [each.get(name, float("nan")) for each in values for name in joints], unit)
    columns = [words(tr("Joint"), joints)]
    starred = False
    for k, chapter in enumerate(some):
        free = undetermined(chapter, determined)
        starred |= any(name in free for name in joints)
        cells = column.cells[k * len(joints) : (k + 1) * len(joints)]
        marked = [cell + ("*" if name in free else "") for name, cell in zip(joints, cells, strict=True)]
        columns.append(Column(chapter.name, marked, column.unit))
    return Table(title, columns, note if starred else "")


def findings(chapters: Sequence[Chapter]) -> list[str]:
    """The most loaded joint of the ideal mechanism, and of the loose one."""
    said = []
    for loose in (False, True):
        loads = [
            (*heaviest(chapter), chapter.name)
            for chapter in carrying(chapters)
            if bool(chapter.data.sizes.get("loose_joint")) == loose
        ]
        if not loads:
            continue
        joint, force, at, study = max(loads, key=lambda each: each[1])
        if force > 0.0:
            text = (
                as_is("{joint} carries most: {force} at {time} ({study}).")
                if not loose
                else as_is("With play {joint} carries most: {force} at {time} ({study}).")
            )
            said.append(text.format(joint=joint, force=show(force, "N"), time=show(at, "s"), study=study))
    return said


def figures(chapters: Sequence[Chapter]) -> list[Figure]:
    """The largest reaction of all."""
    loads = [
        (force, joint, chapter.where(joint, at))
        for chapter in carrying(chapters)
        for joint, force, at in [heaviest(chapter)]
    ]
    if not loads or not max(loads)[0] > 0.0:
        return []
    force, _, where = max(loads)
    return [Figure(tr("Largest bearing force"), show(force, "N"), where)]


def carrying(chapters: Sequence[Chapter]) -> list[Chapter]:
    """The studies with reactions."""
    return [chapter for chapter in chapters if chapter.has("reaction_force")]


def lengths(chapter: Chapter, name: str) -> np.ndarray:
    """Sizes over time and joints, (n, joints)."""
    array = chapter.data[name]
    values = np.asarray(array.values, dtype=float)
    return np.linalg.norm(values, axis=-1) if "axis" in array.dims else np.abs(values)


def peaks(chapter: Chapter, name: str) -> dict[str, float]:
    """Joint -> largest size."""
    if name not in chapter.data:
        return {}
    largest = lengths(chapter, name).max(axis=0)
    return {str(joint): float(value) for joint, value in zip(chapter.data["joint"].values, largest, strict=True)}


def undetermined(chapter: Chapter, name: str) -> set[str]:
    """Joints whose share statics leaves open at some instant."""
    if name not in chapter.data:
        return set()
    array = chapter.data[name]
    other = [dim for dim in array.dims if dim != "joint"]
    return {str(joint) for joint, sure in zip(array["joint"].values, array.all(other).values, strict=True) if not sure}


def heaviest(chapter: Chapter) -> tuple[str, float, float]:
    """The joint with the largest force: name, force [N], time [s]."""
    sizes = np.nan_to_num(lengths(chapter, "reaction_force"))
    place, column = np.unravel_index(int(sizes.argmax()), sizes.shape)
    return (
        str(chapter.data["joint"].values[column]),
        float(sizes[place, column]),
        float(chapter.data["time"].values[place]),
    )


SECTION = Section("Bearings", tables, findings, figures)
