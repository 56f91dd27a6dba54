"""Couplings: linear relations of joint coordinates (gears, belts, racks, differentials)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.description.document import Place
from closedchain.description.kinds import NUMBER_SCHEMA, Fields, Number, Plain, read_value
from closedchain.description.names import shown
from closedchain.description.reading import WRONG, Readable, Reader, key
from closedchain.description.references import CoordinateReference, resolve_coordinate
from closedchain.description.values import Value

Term = tuple[CoordinateReference, Value]


@dataclass(frozen=True)
class Terms(Plain):
    """Coordinates with their factors."""

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """((coordinate, factor), …)."""
        if not isinstance(raw, Mapping) or not raw:
            return reader.note(
                place, f"{shown(raw)} is not factors by coordinate.", 'Write sum = { "A" = 1, "B" = 2.5 }.'
            )
        terms: list[Term] = []
        complete = True
        for name, factor in raw.items():
            coordinate = resolve_coordinate(name, place / name, reader)
            value = read_value(factor, "", place / name, reader)
            if coordinate is WRONG or value is WRONG:
                complete = False
            elif any(coordinate == other for other, _ in terms):
                reader.note(place / name, "this coordinate is named twice.", "Add the two factors.")
            else:
                terms.append((coordinate, value))
        return tuple(terms) if complete else WRONG

    def schema(self, planar: bool) -> dict[str, Any]:
        """An object of numbers."""
        return {"type": "object", "additionalProperties": NUMBER_SCHEMA, "minProperties": 1}


@dataclass(frozen=True, kw_only=True)
class Coupling(Readable):
    """A linear relation as said: Σ factor · coordinate = equals. sum: (coordinate, factor) pairs."""

    name: str
    sum: tuple[Term, ...] = key(Terms(), "factor of each coordinate", required=True)
    equals: Value = key(Number("", default=0.0), "what the sum equals")
