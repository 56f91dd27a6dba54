"""Walking through what was said: every Value by its path, and what of it is structure."""

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from closedchain.description.document import FrozenMap
from closedchain.description.values import Value

NO_MECHANICS = frozenset({"name", "description", "studies"})
# Where an entry keeps what a walk through it found; entries never change, and mechanisms share them.
_KEPT = "_walked"


def values_in(
    content: Any, tables: Iterable[str], former: tuple[Any, Mapping[str, Value]] | None = None
) -> FrozenMap[Value]:
    """Every Value in the tables by its path, in the order of the file, whose tables are given in theirs.

    former: content that differs in numbers alone, and its Values.
    """
    if former is not None:
        changed = _changed_values(content, former[0])
        if changed.keys() <= former[1].keys():
            return FrozenMap({**former[1], **changed})
    found: dict[str, Value] = {}
    for field in dataclasses.fields(content):
        whole = getattr(content, field.name)
        for entry in whole.values() if isinstance(whole, Mapping) else (whole,):
            for path, value in values_of(entry).items():
                found.setdefault(path, value)
    place = {table: k for k, table in enumerate(tables)}
    return FrozenMap(dict(sorted(found.items(), key=lambda entry: place.get(str(entry[1].address[0]), len(place)))))


def _changed_values(content: Any, former: Any) -> dict[str, Value]:
    """Values of the entries that are not the same objects."""
    found: dict[str, Value] = {}
    for field in dataclasses.fields(content):
        whole, before = getattr(content, field.name), getattr(former, field.name)
        if whole is before:
            continue
        if isinstance(whole, Mapping):
            for name, entry in whole.items():
                if before.get(name) is not entry:
                    for path, value in values_of(entry).items():
                        found.setdefault(path, value)
        else:
            found.update(values_of(whole))
    return found


def values_of(entry: Any) -> dict[str, Value]:
    """Every Value in an entry of a table by its path."""
    return _walked(entry)[0]


def structure_of(content: Any) -> tuple[Any, ...]:
    """Everything that shapes the mechanics but the numbers of literals, of which Value.folded and signs of directions
    remain."""
    found: list[Any] = []
    for field in dataclasses.fields(content):
        whole = getattr(content, field.name)
        if field.name in NO_MECHANICS:
            continue
        if isinstance(whole, Mapping):
            found.append(tuple((name, _walked(entry)[1]) for name, entry in whole.items()))
        else:
            found.append(_walked(whole)[1])
    return tuple(found)


def _walked(entry: Any) -> tuple[dict[str, Value], tuple[Any, ...]]:
    """Values by path and shapes of an entry, kept with it."""
    kept = getattr(entry, "__dict__", {}).get(_KEPT)
    if kept is None:
        values: dict[str, Value] = {}
        shapes = []
        leaves: list[Any] = []
        _collect(entry, leaves.append)
        for leaf in leaves:
            if not isinstance(leaf, Value):
                shapes.append(leaf)
                continue
            shapes.append(_shape(leaf))
            if leaf.path:
                values.setdefault(leaf.path, leaf)
        kept = values, tuple(shapes)
        if dataclasses.is_dataclass(entry):
            vars(entry)[_KEPT] = kept
    return kept


def _shape(item: Value) -> tuple[Any, ...]:
    """What of a Value is structure."""
    if not item.is_literal:
        return (item.path, item.written, item.folded, item.tables)
    sign = math.copysign(1.0, item.si) if item.role == "direction" else None
    return (item.path, item.folded, sign)


def _collect(item: Any, put: Callable[[Any], None]) -> None:
    """Values, words, numbers and names of a nest of dataclasses, maps and tuples, in order."""
    parts = _parts(type(item))
    if parts is _LEAF:
        put(item)
    elif parts is _MAP:
        for name, entry in item.items():
            put(name)
            _collect(entry, put)
    elif parts is _ROW:
        put(len(item))
        for entry in item:
            _collect(entry, put)
    else:
        for name in parts:
            _collect(getattr(item, name), put)


_LEAF, _MAP, _ROW = ("leaf",), ("map",), ("row",)


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """What a walk does with an object of a type: one of the three words above, or goes through these fields."""
    if issubclass(kind, Value):
        return _LEAF
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    return _MAP if issubclass(kind, Mapping) else _ROW if issubclass(kind, tuple | list) else _LEAF
