"""Reading tables into frozen dataclasses whose fields say what may stand in the file, collecting every mistake on the
way.

A field made with `key(kind, meaning)` is one key of the file: the kind reads and checks what was written and
describes itself
to editors (JSON Schema). What is read, what is refused and what the schema says come from this one declaration.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from closedchain.description.document import FrozenMap, Place
from closedchain.description.names import shown, suggest
from closedchain.description.tables import Table, TableError, read_table
from closedchain.exceptions import Finding

Entry = TypeVar("Entry")


class Wrong:
    """Stands for something that could not be read; the findings say why."""

    def __repr__(self) -> str:
        return "WRONG"


WRONG: Any = Wrong()


class Kind(Protocol):
    """What may stand under a key."""

    def read(self, raw: Any, place: Place, reader: "Reader", fields: Mapping[str, Any]) -> Any:
        """The value of what was written, or WRONG after noting why; `fields` holds the keys of the same table read
        before."""
        ...

    def absent(self, place: Place, reader: "Reader", fields: Mapping[str, Any]) -> Any:
        """The value where the file is silent, for keys that are not required."""
        ...

    def schema(self, planar: bool) -> dict[str, Any]:
        """JSON Schema of what may be written."""
        ...


@dataclass(frozen=True)
class Key:
    """One key of a table: its name in the file, what may stand there, what it means, whether it must be given."""

    name: str
    kind: Kind
    meaning: str
    required: bool


def key(kind: Kind, meaning: str, *, required: bool = False, name: str = "") -> Any:
    """A dataclass field that is one key of the file (`name` where the field cannot be called as the key is)."""
    default = MISSING if required else None
    return field(default=default, metadata={"key": Key(name, kind, meaning, required)})


class Readable:
    """Base of the tables of a mechanism file: no state, only the default answer to which further keys there are.

    leading: fields whose words bring further keys.
    """

    leading: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def further(cls, fields: Mapping[str, Any], planar: bool) -> tuple[Key, ...]:
        """Keys that belong to the words already read (a law's parameters); they go to the field `parameters`."""
        return ()


@lru_cache(maxsize=256)
def keys_of(table: type) -> Mapping[str, Key]:
    """The keys of a table by the field that holds them."""
    found = {}
    for entry in dataclasses.fields(table):
        declared: Key | None = entry.metadata.get("key")
        if declared is not None:
            found[entry.name] = dataclasses.replace(declared, name=declared.name or entry.name)
    return found


class Reader:
    """The state of one reading: findings so far, what kind of mechanism it is, and which names there are."""

    def __init__(self, document: FrozenMap[Any], folder: Path, tables: Mapping[str, Table]):
        self.document = document
        self.folder = folder
        self.findings: list[Finding] = []
        self.planar = False
        self.parameters: tuple[str, ...] = ()
        self.tables: dict[str, Table] = dict(tables)
        self.bodies: dict[str, Any] = {}
        self.joints: dict[str, Any] = {}
        self.broken_bodies: set[str] = set()
        self.broken_joints: set[str] = set()
        self.broken_points: set[tuple[str, str]] = set()
        self.numbers: Any = None
        self.ranges: list[tuple[Any, Any]] = []
        self.pairs: list[tuple[Place, Any]] = []
        self.directions: list[tuple[Place, Any]] = []
        # a reading to take unchanged entries from, the notes of every entry, and those checked with the same numbers
        self.former: Any = None
        self.notes: dict[tuple[str, str], Any] = {}
        self.settled: set[tuple[str, str]] = set()
        self._refused: dict[str, TableError] = {}

    def note(self, place: Place | str, message: str, remedy: str = "") -> Any:
        """Write down a mistake; gives WRONG."""
        finding = Finding(str(place), message, remedy)
        if finding not in self.findings:
            self.findings.append(finding)
        return WRONG

    def names(self, table: str) -> list[str]:
        """The names in a top-level table of the file, right or wrong."""
        entries = self.document.get(table)
        return list(entries) if isinstance(entries, Mapping) else []

    def load_tables(self, names: Iterable[str], place: Place) -> bool:
        """Read the tables an expression needs; whether all are there."""
        complete = True
        for name in names:
            if name in self.tables:
                continue
            if name not in self._refused:
                try:
                    self.tables[name] = read_table(name, self.folder)
                    continue
                except TableError as error:
                    self._refused[name] = error
            error = self._refused[name]
            self.note(place, f"{error}.", error.remedy)
            complete = False
        return complete


def read_table_of(table: type[Entry], raw: Any, place: Place, reader: Reader, **given: Any) -> Entry | Any:
    """An instance of a dataclass from a table of the file; WRONG where a required key is missing or cannot be read.

    given: fields that do not stand in the table, such as its name.
    """
    if not isinstance(raw, Mapping):
        return reader.note(place, f"{shown(raw)} is not a table.", "Write it as a table { key = value, … }.")
    declared = keys_of(table)
    fields: dict[str, Any] = dict(given)
    complete = True
    for name, entry in declared.items():
        fields[name] = read_key(entry, raw, place, reader, fields)
        complete = complete and not (fields[name] is WRONG and entry.required)
    known = [entry.name for entry in declared.values()]
    further, leading = (
        (table.further(fields, reader.planar), table.leading) if issubclass(table, Readable) else ((), ())
    )
    if further:
        parameters = {}
        seen = dict(fields)
        for entry in further:
            known.append(entry.name)
            value = seen[entry.name] = read_key(entry, raw, place, reader, seen)
            complete = complete and not (value is WRONG and entry.required)
            if value is not WRONG and value is not None:
                parameters[entry.name] = value
        fields["parameters"] = FrozenMap(parameters)
    # where such a word could not be read it is not known which keys belong to it
    if not any(fields[name] is WRONG for name in leading):
        for name in raw:
            if name not in known:
                reader.note(place / name, f"there is no key {name!r} here.", suggest(name, known, "key"))
    if not complete:
        return WRONG
    for name, entry in declared.items():
        if fields[name] is WRONG:
            # the mistake is noted; further checks go on with what an absent key stands for
            fields[name] = entry.kind.absent(place / entry.name, reader, fields)
    return table(**fields)


def read_key(entry: Key, raw: Mapping[str, Any], place: Place, reader: Reader, fields: Mapping[str, Any]) -> Any:
    """What a table holds under a key, or its default; WRONG (and a finding) where it is required and missing or
    unreadable."""
    if entry.name in raw:
        return entry.kind.read(raw[entry.name], place / entry.name, reader, fields)
    if entry.required:
        return reader.note(place, f"the key {entry.name!r} ({entry.meaning}) is missing.", f"Add {entry.name} = ….")
    return entry.kind.absent(place / entry.name, reader, fields)
