"""Checks that need the numbers or several tables together; each notes what it finds."""

from collections.abc import Iterable, Mapping
from typing import Any

from closedchain.description.reading import Reader


def check_all(content: Any, reader: Reader, registry: Mapping[str, Iterable[str]] | None) -> None:
    """All of them."""
