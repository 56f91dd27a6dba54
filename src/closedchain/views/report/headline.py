"""What a study found, in one line: for the list of studies and for the terminal."""

from closedchain.language import tr
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.sections import contacts, drives, numerics, outputs, reactions


def headline(chapter: Chapter) -> str:
    """The most telling sentence about a study; its own first line where it is no motion over time.

    Warnings that the numbers cannot be trusted come before everything.
    """
    if not chapter.moves:
        return chapter.sentence.partition("\n")[0]
    alone = [chapter]
    said = numerics.warnings(alone)
    subjects = {"inverse_dynamics": (drives, reactions), "simulate": (contacts, drives)}
    for subject in (*subjects.get(chapter.kind, ()), outputs):
        if not said:
            said = subject.SECTION.findings(alone)
    return without_name(said[0], chapter.name) if said else span(chapter)


def span(chapter: Chapter) -> str:
    """How many instants there are, from when to when."""
    times = chapter.data["time"].values
    return tr("{count} instants from {start} to {end} s", count=len(times), start=f"{times[0]:g}", end=f"{times[-1]:g}")


def without_name(sentence: str, name: str) -> str:
    """A sentence without the study's name at its end, where the name stands before it anyway.

    >>> without_name("A2 carries most: 13 N (motors).", "motors")
    'A2 carries most: 13 N.'
    """
    for tail, stop in ((f" ({name}).", "."), (f"（{name}）。", "。")):
        if sentence.endswith(tail):
            return sentence.removesuffix(tail) + stop
    return sentence
