"""Walking through what was said: every Value by its path, and what of it is structure."""

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from closedchain.description.document import FrozenMap
from closedchain.description.values import Value

NO_MECHANICS = frozenset({"name", "description", "studies"})


def values_in(content: Any, tables: Iterable[str]) -> FrozenMap[Value]:
    """Every Value in the tables by its path, in the order of the file, whose tables are given in theirs."""
    found: dict[str, Value] = {}
    for item in _leaves(content):
        if isinstance(item, Value) and item.path:
            found.setdefault(item.path, item)
    place = {table: k for k, table in enumerate(tables)}
    return FrozenMap(dict(sorted(found.items(), key=lambda entry: place.get(str(entry[1].address[0]), len(place)))))


def structure_of(content: Any) -> tuple[Any, ...]:
    """Everything that shapes the mechanics but the numbers of literals, of which Value.folded and signs of directions
    remain."""
    fields = (field.name for field in dataclasses.fields(content) if field.name not in NO_MECHANICS)
    return tuple(_shape(item) for name in fields for item in _leaves(getattr(content, name)))


def _shape(item: Any) -> Any:
    if not isinstance(item, Value):
        return item
    if not item.is_literal:
        return (item.path, item.written, item.folded, item.tables)
    sign = math.copysign(1.0, item.si) if item.role == "direction" else None
    return (item.path, item.folded, sign)


def _leaves(item: Any) -> Iterator[Any]:
    """Values, words, numbers and names of a nest of dataclasses, maps and tuples, in order."""
    if isinstance(item, Value):
        yield item
    elif dataclasses.is_dataclass(item):
        for field in dataclasses.fields(item):
            yield from _leaves(getattr(item, field.name))
    elif isinstance(item, Mapping):
        for name, entry in item.items():
            yield name
            yield from _leaves(entry)
    elif isinstance(item, tuple | list):
        yield len(item)
        for entry in item:
            yield from _leaves(entry)
    else:
        yield item
