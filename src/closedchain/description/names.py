"""Names that users give: which are allowed, and the nearest known one to a name that is not."""

import difflib
import re
from collections.abc import Iterable

from closedchain.description.document import Unreadable, thaw

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")


def is_name(text: object) -> bool:
    """Whether a text may name a body, joint, parameter or another thing of the user's."""
    return isinstance(text, str) and NAME.match(text) is not None


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that looks most like `word`, None when none looks like it."""
    known = list(known)
    by_case = {entry.lower(): entry for entry in reversed(known)}
    if word.lower() in by_case:
        return by_case[word.lower()]
    found = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return found[0] if found else None


def suggest(word: str, known: Iterable[str], kind: str) -> str:
    """Remedy for an unknown word: the nearest known one, else all of them (at most twelve)."""
    known = list(known)
    found = nearest(word, known)
    if found is not None:
        return f"Did you mean {found}?"
    if not known:
        return f"There is no {kind} yet."
    listed = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
    return f"Known: {listed}."


def shown(value: object) -> str:
    """A value of a file as a message quotes it: short, on one line."""
    text = value.text if isinstance(value, Unreadable) else repr(thaw(value))
    return text if len(text) <= 60 else text[:57] + "..."
