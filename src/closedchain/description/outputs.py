"""Outputs (points reported in every result) and studies (what `closedchain run` does with the file)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.description.document import FrozenMap, Place, thaw
from closedchain.description.kinds import check_plain
from closedchain.description.names import shown
from closedchain.description.reading import WRONG, Readable, Reader, key
from closedchain.description.references import At, PointReference
from closedchain.description.units import UnitError, split_quantity, to_si


@dataclass(frozen=True, kw_only=True)
class Output(Readable):
    """A point reported in every result."""

    name: str
    point: At = key(PointReference(), "the point to report", required=True)


@dataclass(frozen=True)
class Study:
    """An analysis to run: its kind and arguments, quantities in SI.

    arguments: keyword arguments as plain numbers, words, lists and dicts (`arguments_as_said` keeps what was written).
    """

    name: str
    kind: str
    arguments_as_said: FrozenMap[Any]

    @property
    def arguments(self) -> dict[str, Any]:
        """Keyword arguments with quantities such as "2 s" as numbers in SI."""
        return {name: _in_si(value) for name, value in self.arguments_as_said.items()}


def _in_si(value: Any) -> Any:
    if isinstance(value, str):
        quantity = split_quantity(value)
        if quantity is None:
            return value
        try:
            return to_si(*quantity, "")
        except UnitError:
            return value
    if isinstance(value, Mapping):
        return {name: _in_si(entry) for name, entry in value.items()}
    if isinstance(value, tuple):
        return [_in_si(entry) for entry in value]
    return thaw(value)


def read_study(name: str, raw: Any, place: Place, reader: Reader) -> Any:
    """The Study of a table."""
    if not isinstance(raw, Mapping):
        return reader.note(place, f"{shown(raw)} is not a table.", f"Write [{place.path}] with kind = ….")
    kind = raw.get("kind")
    if not isinstance(kind, str):
        what = f"{shown(kind)} is not a word" if "kind" in raw else "the key 'kind' is missing"
        return reader.note(place / "kind", f"{what}.", 'Name the analysis: kind = "kinematics".')
    check_plain(raw, place, reader)
    return Study(name, kind, FrozenMap({key: value for key, value in raw.items() if key != "kind"}))


__all__ = ["WRONG", "Output", "Study", "read_study"]
