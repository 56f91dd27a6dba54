"""What may stand under a key: words, switches, numbers, vectors, named tables; see reading.Kind for the contract."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.description.document import FrozenMap, Place
from closedchain.description.expressions import RESERVED
from closedchain.description.names import is_name, nearest, shown, suggest
from closedchain.description.reading import WRONG, Reader, read_table_of
from closedchain.description.values import Value, ValueProblem, make_value

NUMBER_SCHEMA: dict[str, Any] = {"type": ["number", "string"]}
Fields = Mapping[str, Any]


class Plain:
    """Base of kinds that are None where the file is silent."""

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """None."""
        return None


@dataclass(frozen=True)
class Text(Plain):
    """Any text."""

    default: str | None = None

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The text."""
        if not isinstance(raw, str):
            return reader.note(place, f"{shown(raw)} is not text.", 'Write it in quotes: "…".')
        return raw

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """The default."""
        return self.default

    def schema(self, planar: bool) -> dict[str, Any]:
        """Text."""
        return {"type": "string"}


@dataclass(frozen=True)
class Word:
    """One word of a list (asked for when needed: a family finds its members late)."""

    choices: Callable[[], Iterable[str]]
    default: str | None = None
    what: str = "word"

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The word."""
        known = list(self.choices())
        if not isinstance(raw, str):
            return reader.note(place, f"{shown(raw)} is not a word.", f"Known: {', '.join(known)}.")
        if raw not in known:
            return reader.note(place, f"{shown(raw)} is not a known {self.what}.", suggest(raw, known, self.what))
        return raw

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """The default."""
        return self.default

    def schema(self, planar: bool) -> dict[str, Any]:
        """One of the words."""
        return {"enum": list(self.choices())}


@dataclass(frozen=True)
class Flag:
    """true or false."""

    default: bool = False

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The switch."""
        if not isinstance(raw, bool):
            return reader.note(place, f"{shown(raw)} is not true or false.", "Write true or false, without quotes.")
        return raw

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """The default."""
        return self.default

    def schema(self, planar: bool) -> dict[str, Any]:
        """true or false."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Range:
    """Allowed numbers, ends included unless open."""

    lower: float = float("-inf")
    upper: float = float("inf")
    open_lower: bool = False
    open_upper: bool = False

    def broken_by(self, number: float) -> str:
        """What a number outside should be ("positive", "at most 1"); "" for one inside."""
        if number < self.lower or (self.open_lower and number == self.lower):
            if self.lower == 0.0:
                return "positive" if self.open_lower else "not negative"
            return f"above {self.lower:g}" if self.open_lower else f"at least {self.lower:g}"
        if number > self.upper or (self.open_upper and number == self.upper):
            return f"below {self.upper:g}" if self.open_upper else f"at most {self.upper:g}"
        return ""


ANY = Range()
POSITIVE = Range(0.0, open_lower=True)
NOT_NEGATIVE = Range(0.0)


@dataclass(frozen=True)
class Number:
    """A number, quantity or expression; `timed` ones may depend on t. `unit` is the SI unit expected ("" any)."""

    unit: str = ""
    range: Range = ANY
    timed: bool = False
    default: float | None = None

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Value."""
        return read_value(raw, self.unit, place, reader, self.range, self.timed)

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """The default as a Value of this place."""
        if self.default is None:
            return None
        return make_value(self.default, self.unit, place.path, place.address)

    def schema(self, planar: bool) -> dict[str, Any]:
        """A number or a text."""
        return NUMBER_SCHEMA


def read_value(
    raw: Any, unit: str, place: Place, reader: Reader, allowed: Range = ANY, timed: bool = False
) -> Value | Any:
    """The Value of something written; unknown names, misplaced time and numbers out of range are noted."""
    try:
        value = make_value(raw, unit, place.path, place.address)
    except ValueProblem as problem:
        return reader.note(place, f"{problem}.", problem.remedy)
    if value.uses_time and not timed:
        return reader.note(
            place,
            f"{value.text!r} is a function of time.",
            "Only motions, efforts, targets and forces may depend on t.",
        )
    unknown = sorted(name for name in value.depends_on if name not in reader.parameters)
    for name in unknown:
        near = nearest(name, [*reader.parameters, *sorted(RESERVED if timed else RESERVED - {"t"})])
        remedy = f"Did you mean {near}?" if near else suggest(name, reader.parameters, "parameter")
        hyphened = next((p for p in reader.parameters if p.startswith(name + "-")), None)
        if hyphened:
            remedy = f"A minus in a name is read as a difference; rename {hyphened} to {hyphened.replace('-', '_')}."
        reader.note(place, f"{value.text!r} uses {name}, which is not in [parameters].", remedy)
    if unknown:
        return WRONG
    if value.expression is not None and value.expression.tables:
        if not reader.load_tables(value.expression.tables, place):
            return WRONG
        value = make_value(raw, unit, place.path, place.address, reader.tables)
    reader.ranges.append((value, allowed))
    return value


@dataclass(frozen=True)
class Vector:
    """A list of numbers: how many in a planar and in a spatial mechanism (0: none allowed there)."""

    unit: str = ""
    planar: tuple[int, ...] = (2,)
    spatial: tuple[int, ...] = (3,)
    timed: bool = False
    default: float | None = None
    bare: bool = False

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Values."""
        sizes = self.planar if reader.planar else self.spatial
        return read_vector(raw, sizes, (self.unit,), place, reader, timed=self.timed, bare=self.bare)

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """Values of the default, as many as the shortest list has."""
        if self.default is None:
            return None
        size = (self.planar if reader.planar else self.spatial)[0]
        if size == 1 and self.bare:
            return (make_value(self.default, self.unit, place.path, place.address),)
        return tuple(
            make_value(self.default, self.unit, at.path, at.address) for at in (place / k for k in range(size))
        )

    def schema(self, planar: bool) -> dict[str, Any]:
        """A list of numbers."""
        sizes = self.planar if planar else self.spatial
        return list_schema(sizes, self.bare)


def list_schema(sizes: tuple[int, ...], bare: bool = False) -> dict[str, Any]:
    """JSON Schema of a list of numbers of one of some lengths; `bare`: a single number may stand without brackets."""
    lists = [{"type": "array", "items": NUMBER_SCHEMA, "minItems": n, "maxItems": n} for n in sizes]
    options = [*lists, *([NUMBER_SCHEMA] if bare else [])]
    if not options:
        return {"not": {}}
    return options[0] if len(options) == 1 else {"anyOf": options}


def read_vector(
    raw: Any,
    sizes: tuple[int, ...],
    units: tuple[str, ...],
    place: Place,
    reader: Reader,
    allowed: Range = ANY,
    timed: bool = False,
    bare: bool = False,
) -> tuple[Value, ...] | Any:
    """The Values of a list whose length is one of `sizes`; one unit for all or one each; `bare`: a number is a list
    of one."""
    if bare and 1 in sizes and not isinstance(raw, tuple):
        value = read_value(raw, units[0], place, reader, allowed, timed)
        return WRONG if value is WRONG else (value,)
    wanted = " or ".join(str(size) for size in sizes)
    plane = "planar" if reader.planar else "spatial"
    remedy = (
        f"In a {plane} mechanism write {wanted} number{'' if sizes == (1,) else 's'} here."
        if sizes
        else f"A {plane} mechanism has nothing to say here; remove it."
    )
    if not isinstance(raw, tuple):
        return reader.note(place, f"{shown(raw)} is not a list of numbers.", remedy)
    if len(raw) not in sizes:
        return reader.note(
            place, f"{len(raw)} number{'' if len(raw) == 1 else 's'} {'is' if len(raw) == 1 else 'are'} given.", remedy
        )
    each = units * len(raw) if len(units) == 1 else units
    values = tuple(read_value(entry, each[k], place / k, reader, allowed, timed) for k, entry in enumerate(raw))
    return WRONG if any(value is WRONG for value in values) else values


@dataclass(frozen=True)
class Table:
    """A table with the keys of a dataclass."""

    table: type

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The instance."""
        return read_table_of(self.table, raw, place, reader)

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """None."""
        return None

    def schema(self, planar: bool) -> dict[str, Any]:
        """An object with those keys."""
        from closedchain.description.schema import table_schema

        return table_schema(self.table, planar)


@dataclass(frozen=True)
class Anything(Plain):
    """Whatever the file holds, kept as it is."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """As it is."""
        check_plain(raw, place, reader)
        return raw

    def schema(self, planar: bool) -> dict[str, Any]:
        """Anything."""
        return {}


def check_plain(raw: Any, place: Place, reader: Reader) -> None:
    """Data without a meaning of its own still holds plain things only; NaN and infinity are rejected everywhere."""
    if isinstance(raw, Mapping):
        for name, value in raw.items():
            check_plain(value, place / name, reader)
    elif isinstance(raw, tuple):
        for k, value in enumerate(raw):
            check_plain(value, place / k, reader)
    elif isinstance(raw, float) and (raw != raw or raw in (float("inf"), float("-inf"))):
        reader.note(place, f"{raw} is not a finite number.", "Write a finite number.")
    elif not isinstance(raw, str | bool | int | float):
        reader.note(place, f"{shown(raw)} cannot stand in a file.", "Write numbers, words, lists or tables.")


def read_named(
    raw: Any,
    place: Place,
    reader: Reader,
    read: Callable[[str, Any, Place], Any],
    extra: Iterable[str] = (),
    taken: Iterable[str] = (),
) -> FrozenMap[Any]:
    """A table of named things: every name checked, entries that cannot be read left out.

    extra: names that need no check; taken: names there are already.
    """
    if raw is None:
        return FrozenMap()
    if not isinstance(raw, Mapping):
        reader.note(place, f"{shown(raw)} is not a table.", f"Write [{place.path}.NAME] tables.")
        return FrozenMap()
    extra = set(extra)
    seen = {name.lower(): name for name in taken}
    entries = {}
    for name, content in raw.items():
        if name not in extra and not is_name(name):
            reader.note(
                place / name, f"{name!r} is not a name.", "A name is a letter or _, then letters, digits, _ and -."
            )
        other = seen.setdefault(name.lower(), name)
        if other != name:
            reader.note(place / name, f"{name} differs from {other} only in case.", "Rename one of them.")
        value = read(name, content, place / name)
        if value is not WRONG:
            entries[name] = value
    return FrozenMap(entries)
