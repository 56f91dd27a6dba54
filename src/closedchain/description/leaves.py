"""What a leaf of elements/ asks for (Parameter, VectorParameter, Switch) as a kind that reads it from the file."""

import math
from dataclasses import dataclass, replace
from typing import Any

from closedchain.description.document import Place
from closedchain.description.kinds import NUMBER_SCHEMA, Fields, Flag, Number, Range, Word, list_schema, read_vector
from closedchain.description.reading import Key, Kind, Reader
from closedchain.description.values import make_value
from closedchain.elements.family import Parameter, Switch, VectorParameter


def key_of(parameter: Any, *, required: bool | None = None, coordinate: str = "") -> Key:
    """The key that a leaf's parameter stands for; `required` overrules its own word.

    coordinate: unit of the joint coordinate it acts along, which picks from a unit such as "N m/rad or N/m".
    """
    own = getattr(parameter, "default", None) is None and not getattr(parameter, "optional", False)
    if " or " in getattr(parameter, "unit", ""):
        options = parameter.unit.split(" or ")
        parameter = replace(parameter, unit={"rad": options[0], "m": options[1]}.get(coordinate, ""))
    return Key(parameter.name, _kind(parameter), parameter.meaning, own if required is None else required)


def _kind(parameter: Any) -> Kind:
    if isinstance(parameter, Switch):
        return Flag(parameter.default)
    if isinstance(parameter, VectorParameter):
        return LeafVector(parameter)
    assert isinstance(parameter, Parameter)
    if parameter.choices:
        default = parameter.default if isinstance(parameter.default, str) else None
        return Word(lambda: parameter.choices, default, parameter.name)
    default = parameter.default
    if isinstance(default, str) or (default is not None and not math.isfinite(default)):
        default = None
    return Number(parameter.unit, _range(parameter), parameter.timed, default)


def _range(parameter: Parameter | VectorParameter) -> Range:
    return Range(parameter.lower, parameter.upper, parameter.open_lower, parameter.open_upper)


@dataclass(frozen=True)
class LeafVector:
    """The numbers of a VectorParameter, fewer of them in a planar mechanism."""

    parameter: VectorParameter

    def _units(self, planar: bool) -> tuple[str, ...]:
        units = self.parameter.units
        return tuple(units[k] for k in self.parameter.in_plane) if planar else units

    def read(self, raw: Any, place: Place, reader: Reader, fields: Fields) -> Any:
        """The Values; in the plane only those that a planar mechanism has."""
        units = self._units(reader.planar)
        return read_vector(
            raw, (len(units),), units, place, reader, _range(self.parameter), self.parameter.timed, bare=True
        )

    def absent(self, place: Place, reader: Reader, fields: Fields) -> Any:
        """Values of the default."""
        if self.parameter.default is None:
            return None
        picked = self.parameter.in_plane if reader.planar else range(len(self.parameter.units))
        units = self._units(reader.planar)
        places = [place] if len(units) == 1 else [place / k for k in range(len(units))]
        return tuple(
            make_value(self.parameter.default[k], unit, at.path, at.address) for k, unit, at in zip(picked, units, places)
        )

    def schema(self, planar: bool) -> dict[str, Any]:
        """A list of numbers (one alone may stand without brackets)."""
        size = self.parameter.size(planar)
        return list_schema((size,), bare=size == 1) if size else NUMBER_SCHEMA
