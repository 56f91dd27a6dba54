"""How far the numbers can be trusted: loops closed, energy balance kept, work of the integrator."""

from collections.abc import Sequence

import numpy as np

from closedchain.language import tr
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.readable import rough, show
from closedchain.views.report.sections.contract import Figure, Section
from closedchain.views.report.table import Column, Table, words

ENERGIES = ("kinetic_energy", "potential_energy", "dissipated_energy", "input_work")
# Beyond these a reader should know before anything else.
OPEN, DRIFT = 1e-8, 1e-5


def tables(chapters: Sequence[Chapter]) -> list[Table]:
    """One row per study."""
    if not chapters:
        return []
    balances = [balance(chapter) for chapter in chapters]
    columns = [
        words(tr("Study"), [chapter.name for chapter in chapters]),
        Column(tr("Instants"), [str(chapter.data.sizes["time"]) for chapter in chapters]),
        Column(tr("Loop closure"), [rough(closure(chapter)) for chapter in chapters]),
    ]
    if any(each is not None for each in balances):
        columns += [
            Column(tr("Energy balance"), [f"{rough(each[0])} J" if each else "–" for each in balances]),
            Column(tr("Over the energies"), [rough(each[1]) if each else "–" for each in balances]),
        ]
    if any("steps" in chapter.settings for chapter in chapters):
        columns += [
            Column(tr("Steps"), [str(chapter.settings.get("steps", "–")) for chapter in chapters]),
            Column(tr("Evaluations"), [str(chapter.settings.get("evaluations", "–")) for chapter in chapters]),
        ]
    note = tr(
        "Closure: largest gap of the loops over the size of the mechanism. Energy balance: largest change of "
        "kinetic + potential + dissipated energy − input work, which theory keeps constant."
    )
    return [Table(tr("Accuracy of the numbers"), columns, note)]


def warnings(chapters: Sequence[Chapter]) -> list[str]:
    """A sentence per study whose numbers stray."""
    said = []
    for chapter in chapters:
        if closure(chapter) > OPEN:
            said.append(
                tr(
                    "The loops of {study} are open by {gap} of the size: do not trust it before you know why.",
                    study=chapter.name,
                    gap=rough(closure(chapter)),
                )
            )
        held = balance(chapter)
        if held and held[1] > DRIFT:
            said.append(
                tr(
                    "The energy balance of {study} drifts by {drift}: run it again with a smaller rtol.",
                    study=chapter.name,
                    drift=show(held[0], "J"),
                )
            )
    return said


def findings(chapters: Sequence[Chapter]) -> list[str]:
    """One sentence for all, or a warning per study that strays."""
    said = warnings(chapters)
    if said or not chapters:
        return said
    gap = max(closure(chapter) for chapter in chapters)
    held = [each for chapter in chapters if (each := balance(chapter))]
    drift = rough(max((each[1] for each in held), default=0.0))
    if held and gap == 0.0:
        return [tr("The energy balance is kept to {drift} of the energies.", drift=drift)]
    if held:
        return [
            tr(
                "Loops stay closed to {gap} of the size, the energy balance is kept to {drift} of the energies.",
                gap=rough(gap),
                drift=drift,
            )
        ]
    return [tr("Loops stay closed to {gap} of the size.", gap=rough(gap))]


def figures(chapters: Sequence[Chapter]) -> list[Figure]:
    """The energy balance of the worst study."""
    held = [(each[1], chapter.name) for chapter in chapters if (each := balance(chapter))]
    if not held:
        return []
    return [
        Figure(tr("Energy balance kept to"), rough(max(held)[0]), tr("of the energies, {study}", study=max(held)[1]))
    ]


def closure(chapter: Chapter) -> float:
    """Largest gap of the loops, over the size."""
    return float(chapter.data["closure"].max()) if "closure" in chapter.data else 0.0


def balance(chapter: Chapter) -> tuple[float, float] | None:
    """Largest change of the energy balance [J] and over the largest energy; None without energies."""
    if not chapter.has(*ENERGIES):
        return None
    kinetic, potential, dissipated, work = (chapter.data[name].values for name in ENERGIES)
    held = kinetic + potential + dissipated - work
    change = float(np.abs(held - held[0]).max())
    scale = max(float(np.ptp(each)) for each in (kinetic, potential, dissipated, work))
    scale = max(scale, float(np.abs(kinetic).max()))
    return change, change / scale if scale else 0.0


SECTION = Section("Numbers", tables, findings, figures)
