"""A mechanism file as frozen data: nested ordered maps, tuples, numbers, words; hashable and comparable."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from closedchain.exceptions import Finding, MechanismError

Content = TypeVar("Content")
Address = tuple[str | int, ...]
DEEPEST = 30


class FrozenMap(Mapping[str, Content], Generic[Content]):
    """Mapping that keeps its order and never changes; equal to another one with equal entries, as a dict is."""

    __slots__ = ("_entries", "_hash")

    def __init__(self, entries: Mapping[str, Content] | None = None):
        self._entries: dict[str, Content] = dict(entries or {})
        self._hash: int | None = None

    def __getitem__(self, name: str) -> Content:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FrozenMap):
            return self._entries == other._entries
        return self._entries == other if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._entries.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"FrozenMap({self._entries!r})"

    def __reduce__(self):
        return (FrozenMap, (self._entries,))

    def with_entry(self, name: str, value: Any) -> "FrozenMap[Any]":
        """The same map with one entry more or another one in its place."""
        return FrozenMap({**self._entries, name: value})


@dataclass(frozen=True)
class Unreadable:
    """Stands for a Python object that no mechanism file can hold."""

    text: str


def freeze(value: Any, depth: int = 0) -> Any:
    """The same data as FrozenMap, tuple, str, bool, int and float; NumPy arrays and numbers become lists and numbers.

    Raises MechanismError when tables are nested deeper than any mechanism needs or a key is not text.
    """
    if depth > DEEPEST:
        raise MechanismError(
            Finding(
                "mechanism",
                f"tables or lists are nested more than {DEEPEST} deep.",
                "No key of a mechanism needs that.",
            )
        )
    if isinstance(value, bool | str) or type(value) in (int, float):
        return value
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise MechanismError(
                    Finding("mechanism", f"the key {name!r} is not text.", "Keys of a mechanism are text.")
                )
        return FrozenMap({name: freeze(entry, depth + 1) for name, entry in value.items()})
    if isinstance(value, list | tuple):
        return tuple(freeze(entry, depth + 1) for entry in value)
    if hasattr(value, "tolist"):
        return freeze(value.tolist(), depth + 1)
    if isinstance(value, int | float):
        return float(value)
    return Unreadable(repr(value))


def thaw(value: Any) -> Any:
    """The same data as plain dict and list, as `freeze` takes it."""
    if isinstance(value, Mapping):
        return {name: thaw(entry) for name, entry in value.items()}
    if isinstance(value, tuple):
        return [thaw(entry) for entry in value]
    return value


def with_entry(document: Any, address: Address, value: Any) -> Any:
    """The document with another value at an address; missing tables on the way are made."""
    if not address:
        return value
    key, rest = address[0], address[1:]
    if isinstance(key, int):
        entries = list(document)
        entries[key] = with_entry(entries[key], rest, value)
        return tuple(entries)
    table = document if isinstance(document, FrozenMap) else FrozenMap()
    return table.with_entry(key, with_entry(table.get(key), rest, value))


@dataclass(frozen=True)
class Place:
    """Where something stands in a document: its path as users write it, and its address in the nested data."""

    path: str = ""
    address: Address = ()

    def __truediv__(self, key: str | int) -> "Place":
        return Place(f"{self.path}.{key}" if self.path else str(key), (*self.address, key))

    def silent(self, key: str) -> "Place":
        """The entry `key` of the table here, under this same path."""
        return Place(self.path, (*self.address, key))

    def __str__(self) -> str:
        return self.path or "mechanism"
