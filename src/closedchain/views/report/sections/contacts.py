"""Contacts of loose joints: how many, how hard, how long."""

import math
from collections.abc import Sequence

import numpy as np

from closedchain.language import as_is, plural, tr
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.readable import fixed_percent, show
from closedchain.views.report.sections.contract import Section
from closedchain.views.report.table import Table, numbers, words


def tables(chapters: Sequence[Chapter]) -> list[Table]:
    """One row per study and loose joint."""
    rows = [(chapter.name, joint, facts(chapter, joint)) for chapter, joint in loose(chapters)]
    if not rows:
        return []
    columns = [
        words(tr("Study"), [row[0] for row in rows]),
        words(tr("Loose joint"), [row[1] for row in rows]),
        *(
            column
            for column in (
                counted(tr("Contacts"), [row[2]["count"] for row in rows]),
                numbers(tr("Peak contact force"), [row[2]["force"] for row in rows], "N"),
                numbers(tr("Deepest penetration"), [row[2]["depth"] for row in rows], "m"),
                numbers(tr("Hardest impact"), [row[2]["speed"] for row in rows], "m/s"),
                percentages(tr("Time in contact"), [row[2]["share"] for row in rows]),
            )
        ),
    ]
    note = tr("Peaks of whole contacts, whatever the samples; impacts at the events themselves.")
    return [Table(tr("Contacts"), columns, note)]


def counted(head: str, counts: Sequence[float]):
    """A column of counts."""
    from closedchain.views.report.table import Column

    return Column(head, [f"{int(count)}" for count in counts])


def percentages(head: str, shares: Sequence[float]):
    """A column of shares."""
    from closedchain.views.report.table import Column

    return Column(head, [fixed_percent(share).removesuffix("%").rstrip("\u202f") for share in shares], "%")


def findings(chapters: Sequence[Chapter]) -> list[str]:
    """The contacts of every study together."""
    said = []
    for chapter in dict.fromkeys(chapter for chapter, _ in loose(chapters)):
        found = {joint: facts(chapter, joint) for each, joint in loose(chapters) if each is chapter}
        count = int(sum(one["count"] for one in found.values()))
        if not count:
            said.append(tr("No contact in {study}: the pins stay free.", study=chapter.name))
            continue
        hardest = max(found, key=lambda joint: found[joint]["speed"])
        heaviest = max(found, key=lambda joint: found[joint]["force"])
        said.append(
            tr(
                "{contacts} in {study}: up to {force} in {heaviest}, hardest impact {speed} in {hardest}.",
                contacts=plural(count, "{n} contact", "{n} contacts"),
                study=chapter.name,
                heaviest=heaviest,
                force=show(found[heaviest]["force"], "N"),
                hardest=hardest,
                speed=show(found[hardest]["speed"], "m/s"),
            )
        )
        from_start = [as_is("contact force")] if found[heaviest]["first"] else []
        from_start += [words for name, words in LOADS if peak_time(chapter, name) <= chapter.first_contacts]
        if from_start:
            said.append(
                tr(
                    "In {study} these are largest by its first contacts, after a start in the middle of the bore: "
                    "{quantities}. 'after' in [studies.{study}] leaves the first contacts out.",
                    study=chapter.name,
                    quantities=tr(", ").join(map(tr, from_start)),
                )
            )
        said += unresolved(chapter)
    return said


# What contacts show in besides their own forces.
LOADS = (
    ("effort", as_is("motor effort")),
    ("reaction_force", as_is("bearing force")),
    ("acceleration", as_is("acceleration of an output")),
)
# Samples in a contact from which on its pulse is seen, and the most that are advised.
SEEN, MANY = 10.0, 1_000_000


def peak_time(chapter: Chapter, name: str) -> float:
    """When a vector of the result, or one of its numbers, is largest [s]; never where it has none."""
    if not chapter.has(name):
        return np.inf
    values = np.nan_to_num(np.asarray(chapter.data[name].values, dtype=float))
    sizes = np.linalg.norm(values, axis=-1) if "axis" in chapter.data[name].dims else np.abs(values)
    sizes = sizes.reshape(len(sizes), -1).max(axis=1)
    return float(chapter.data["time"].values[int(sizes.argmax())]) if sizes.max() > 0.0 else np.inf


def unresolved(chapter: Chapter) -> list[str]:
    """A sentence where contacts are shorter than the samples show, which hides peaks of everything but the contacts."""
    from closedchain.analyses.contact_statistics import contact_statistics

    t = chapter.data["time"].values
    if len(t) < 2:
        return []
    seen = contact_statistics(chapter.data)["samples_per_contact"].values
    seen = seen[seen > 0.0]
    if not len(seen) or seen.min() >= SEEN:
        return []
    wanted = math.ceil(SEEN / float(seen.min()) * (len(t) - 1))
    step = 10 ** int(math.log10(wanted))
    wanted = min(step * math.ceil(wanted / step), MANY) + 1
    return [
        tr(
            "Contacts of {study} are short beside its {count} samples: peaks of efforts, bearing forces and "
            "accelerations between them are missed, those of the contacts are not. samples = {wanted} shows them.",
            study=chapter.name,
            count=len(t),
            wanted=wanted,
        )
    ]


def loose(chapters: Sequence[Chapter]) -> list[tuple[Chapter, str]]:
    """Every loose joint of every study."""
    return [
        (chapter, str(joint))
        for chapter in chapters
        if chapter.has("contact_force")
        for joint in chapter.data["loose_joint"].values
    ]


def facts(chapter: Chapter, joint: str) -> dict[str, float]:
    """Contacts, peak force [N], deepest penetration [m], hardest impact [m/s], share of time in contact; first: whether
    the peak is that of the first contact of a run from t = 0."""
    ds = chapter.data
    one = ds.sel(loose_joint=joint)
    time = ds["time"].values
    touching = one["in_contact"].values.astype(float)
    span = float(time[-1] - time[0]) if len(time) > 1 else 0.0
    force = np.linalg.norm(one["contact_force"].values, axis=-1)
    found = {
        "force": float(force.max()),
        "depth": max(0.0, float(one["penetration"].max())),
        "share": float(np.trapezoid(touching, time)) / span if span else float(touching.mean()),
        "count": 0.0,
        "speed": 0.0,
        "first": 0.0,
    }
    if "contact_joint" in ds and ds.sizes.get("contact"):
        mine = ds["contact_joint"].values == joint
        found["count"] = float(mine.sum())
        found["speed"] = float(ds["contact_speed"].values[mine].max(initial=0.0))
        # The list of contacts knows starts and ends exactly; one without end lasts to the end of the run.
        ends = np.where(np.isnan(ds["contact_end"].values), time[-1], ds["contact_end"].values)
        for name, figure in (("contact_peak", "force"), ("contact_depth", "depth")):
            if name in ds:
                found[figure] = max(found[figure], float(np.nan_to_num(ds[name].values[mine]).max(initial=0.0)))
        if mine.any() and time[0] == 0.0:
            peak = time[force.argmax()]
            inside = ds["contact_time"].values[mine][0] <= peak <= ends[mine][0]
            if "contact_peak" in ds:
                inside = ds["contact_peak"].values[mine][0] >= found["force"]
            found["first"] = float(inside)
        if span:
            starts = np.maximum(ds["contact_time"].values, time[0])
            found["share"] = min(1.0, float(np.maximum(0.0, ends - starts)[mine].sum()) / span)
    return found


SECTION = Section("Contacts", tables, findings)
