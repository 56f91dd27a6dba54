"""Texts in the reader's language: the English sentence is the key, one TOML file per other language holds the rest."""

import contextlib
import contextvars
import functools
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import Any

# What stands between the fixed words of a sentence: anything but the end of one and the beginning of the next.
_GAP = r"((?:(?!\. [A-Z]).)*?)"

_chosen: contextvars.ContextVar[str] = contextvars.ContextVar("language", default="en")


def tr(text: str, /, **values: Any) -> str:
    """The text in the chosen language, its `{names}` filled with the values; English where no translation exists.

    >>> with using("zh"):
    ...     tr("{count} studies done", count=2)
    '完成 2 项分析'
    """
    return as_is(text).format(**values)


def plural(number: int, one: str, many: str, none: str = "") -> str:
    """The one of three texts that goes with a number, in the chosen language; `{n}` in it is the number.

    >>> plural(2, "{n} freedom", "{n} freedoms")
    '2 freedoms'
    """
    text = one if number == 1 else (none or many) if number == 0 else many
    return tr(text, n=number)


def as_is(text: str) -> str:
    """The text in the chosen language, braces left alone: for help texts, whose keys are found by asking, not by name.

    >>> with using("zh"):
    ...     as_is("no such key {x}")
    'no such key {x}'
    """
    return _catalogue(_chosen.get()).get(text, text)


def rephrased(text: str) -> str:
    """A finished English sentence, or several, in the chosen language; as it is where the catalogue does not know it.

    Errors are made far from whoever reads them. They are known again by their form: what stands between the fixed
    words of a sentence of the catalogue is put between those of its translation.

    >>> with using("zh"):
    ...     rephrased("body rod has no point 'Q'. Known: origin, A.")
    "构件 rod 没有点 'Q'。可用的有：origin, A。"
    """
    if current() == "en":
        return text
    whole = _known_again(text)
    if whole is not None:
        return whole
    pieces = [(piece, _known_again(piece)) for piece in re.split(r"(?<=[.?!。]) ", text)]
    return "".join(said if said is not None else f"{piece} " for piece, said in pieces).strip()


def _known_again(text: str) -> str | None:
    forms, words = _sentences(current())
    for form, said in forms:
        if found := form.fullmatch(text):
            return _filled(said, [words.get(each, each) for each in found.groups()])
    return None


def _filled(said: str, values: list[str]) -> str:
    """The numbers in braces replaced; other braces stay."""
    return re.sub(r"\{(\d+)\}", lambda gap: values[int(gap[1])], said)


@functools.cache
def _sentences(language: str) -> tuple[list[tuple[re.Pattern[str], str]], dict[str, str]]:
    """Forms of the sentences, those with most fixed words first, with their translations; and words inside them."""
    file = resources.files(__name__) / "sentences" / f"{language}.toml"
    if not file.is_file():
        return [], {}
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    words = said.pop("words", {})
    forms = []
    for sentence in sorted(said, key=lambda each: len(re.sub(r"\{\d+\}", "", each)), reverse=True):
        fixed = [re.escape(part) for part in re.split(r"\{\d+\}", sentence)]
        forms.append((re.compile(_GAP.join(fixed), re.DOTALL), said[sentence]))
    return forms, words


def current() -> str:
    """The chosen language: "en", "zh" …"""
    return _chosen.get()


def languages() -> list[str]:
    """Every language there is: English, and one per catalogue file."""
    files = resources.files(__name__).iterdir()
    return ["en", *sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))]


@contextlib.contextmanager
def using(language: str) -> Iterator[None]:
    """Texts inside the block are in this language."""
    token = _chosen.set(language if language in languages() else "en")
    try:
        yield
    finally:
        _chosen.reset(token)


def of_the_system() -> str:
    """The language of the user's environment: LC_ALL, LC_MESSAGES, LANG, the Windows desktop; English where unknown."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if wanted := os.environ.get(name):
            return _spoken(wanted)
    return _spoken(_of_windows()) if sys.platform == "win32" else "en"


def _spoken(locale: str) -> str:
    code = locale.split("_")[0].split(".")[0].lower()
    return code if code in languages() else "en"


def _of_windows() -> str:
    """The locale of the Windows desktop, such as "zh_CN"."""
    import ctypes
    import locale

    number = ctypes.windll.kernel32.GetUserDefaultUILanguage()  # type: ignore[attr-defined]
    return locale.windows_locale.get(number, "en")


@functools.cache
def _catalogue(language: str) -> dict[str, str]:
    if language == "en":
        return {}
    return tomllib.loads((resources.files(__name__) / f"{language}.toml").read_text(encoding="utf-8"))
