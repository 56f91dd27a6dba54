"""Texts in the reader's language: the English sentence is the key, one TOML file per other language holds the rest."""

import contextlib
import contextvars
import functools
import os
import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import Any

_chosen: contextvars.ContextVar[str] = contextvars.ContextVar("language", default="en")


def tr(text: str, /, **values: Any) -> str:
    """The text in the chosen language, its `{names}` filled with the values; English where no translation exists.

    >>> with using("zh"):
    ...     tr("{count} studies done", count=2)
    '完成 2 项分析'
    """
    return _catalogue(_chosen.get()).get(text, text).format(**values)


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
    """The language of the user's environment (LC_ALL, LC_MESSAGES, LANG), English where we do not speak it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if wanted := os.environ.get(name):
            code = wanted.split("_")[0].split(".")[0].lower()
            return code if code in languages() else "en"
    return "en"


@functools.cache
def _catalogue(language: str) -> dict[str, str]:
    if language == "en":
        return {}
    return tomllib.loads((resources.files(__name__) / f"{language}.toml").read_text(encoding="utf-8"))
