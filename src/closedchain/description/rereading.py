"""A mechanism that differs from another in a few numbers reads only the entries in which they stand.

An entry of a table is one object from the document and one from its reading; where the document still holds the same
object, what was read of it serves again, together with the checks that need numbers, which are repeated where
parameters changed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.description.document import FrozenMap, Place
from closedchain.description.walk import values_of

# Tables whose entries refer to points of bodies, which have numbers.
REFERRING = frozenset({"joints", "motions", "forces", "outputs"})
# What an entry leaves with its reader to be checked once numbers are known: ranges, pairs and directions.
Notes = tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]


@dataclass(frozen=True)
class Former:
    """A reading without mistakes: its document, its content, and the notes of every entry by (table, name)."""

    document: FrozenMap[Any]
    content: Any
    notes: Mapping[tuple[str, str], Notes]

    def entry(self, table: str, name: str, raw: Any, reader: Any) -> Any:
        """What was read of an entry, where the same reading would give the same again; None otherwise."""
        said, read = self.document.get(table), getattr(self.content, table, None)
        if not isinstance(said, Mapping) or read is None or said.get(name) is not raw:
            return None
        if (table, name) not in self.notes:
            return None
        entry = read.get(name)
        if table in REFERRING and not self.same_points(reader):
            return None
        if not self.same_parameters(reader) and any(value.role == "structural" for value in values_of(entry).values()):
            return None
        return entry

    def same_parameters(self, reader: Any) -> bool:
        """Whether all parameters are as they were."""
        return self.document.get("parameters") is reader.document.get("parameters")

    def same_points(self, reader: Any) -> bool:
        """Whether all bodies have the points they had."""
        return all(
            body is (old := self.content.bodies.get(name)) or (old is not None and body.points == old.points)
            for name, body in reader.bodies.items()
        )


def unchanged_table(table: str, reader: Any) -> Any:
    """All entries of a table of the former reading, where neither they nor any number they depend on changed."""
    former: Former | None = reader.former
    if former is None or former.document.get(table) is not reader.document.get(table):
        return None
    if not former.same_parameters(reader) or (table in REFERRING and not former.same_points(reader)):
        return None
    read = getattr(former.content, table)
    for name in read:
        reader.settled.add((table, name))
        if (table, name) in former.notes:
            reader.notes[table, name] = former.notes[table, name]
    return read


def again(table: str, reader: Any, read: Callable[[str, Any, Place], Any]) -> Callable[[str, Any, Place], Any]:
    """A function that reads an entry, or takes it from the reader's former reading."""

    def take(name: str, raw: Any, place: Place) -> Any:
        lists = (reader.ranges, reader.pairs, reader.directions)
        former: Former | None = reader.former
        entry = former.entry(table, name, raw, reader) if former is not None else None
        if entry is None or former is None:
            starts = [len(each) for each in lists]
            entry = read(name, raw, place)
            reader.notes[table, name] = tuple(tuple(each[start:]) for each, start in zip(lists, starts, strict=True))
            return entry
        reader.notes[table, name] = former.notes[table, name]
        if former.same_parameters(reader):
            reader.settled.add((table, name))
        else:
            for each, notes in zip(lists, former.notes[table, name], strict=True):
                each.extend(notes)
        return entry

    return take
