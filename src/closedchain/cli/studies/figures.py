"""The figures that a study of a file asks for: `figures = ["orbit", "phase q.A qd.A"]` instead of its usual ones."""

from collections.abc import Iterator, Sequence
from typing import Any

from closedchain.exceptions import Finding

KEY = "figures"


def read_figures(raw: Any, place: str) -> tuple[list[str], list[Finding]]:
    """The figures as lists of words in one text each, and what is wrong with them.

    raw: what the file says: names of figures, each with the words that `closedchain plot` takes after it.
    """
    from closedchain.cli.completing import figures
    from closedchain.description.names import suggest

    if not isinstance(raw, list | tuple) or not all(isinstance(each, str) and each.split() for each in raw):
        return [], [Finding(place, f"{raw!r} is no list of figures.", 'Write ["orbit", "phase q.A qd.A"].')]
    known = figures("")
    raw = [" ".join([each.split()[0].replace("-", "_"), *each.split()[1:]]) for each in raw]
    wrong = [
        Finding(place, f"{each.split()[0]!r} is no figure.", suggest(each.split()[0], known, "figure"))
        for each in raw
        if each.split()[0] not in known
    ]
    return raw, wrong


def draw_figures(m: Any, ds: Any, wanted: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """The figures that were asked for, named as they are, numbered where one occurs again."""
    import closedchain as cc

    count: dict[str, int] = {}
    for each in wanted:
        name, *words = each.split()
        count[name] = count.get(name, 0) + 1
        label = name if count[name] == 1 else f"{name}_{count[name]}"
        yield label, cc.plot.FIGURES[name].of_result(ds, words, title=m.name)
