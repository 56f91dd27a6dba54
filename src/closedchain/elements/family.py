"""A family of physics leaves: its members are found in its folder and asked the same questions."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Member = TypeVar("Member")


@dataclass(frozen=True)
class Parameter:
    """One value a leaf takes from the file: its name, unit, meaning, range and default.

    name: key in the mechanism file.
    unit: SI unit as text ("m", "N/m", "rad", "1" for a pure number); "" where the dimension depends on others. Two
        units "N m/rad or N/m" for what acts along a joint coordinate: that of an angle first, of a length second.
    meaning: half a sentence for error messages and the catalogue.
    default: value where the file is silent; None makes the key required.
    lower, upper: allowed range, ends included unless `open_lower`, `open_upper`.
    choices: allowed words; then the value is one of these words and not a number.
    optional: the key may be absent and then has no value at all.
    timed: the value may be a function of time.
    structural: the value shapes the formula (an exponent), so a leaf gets a plain float, never a traced number.
    """

    name: str
    unit: str
    meaning: str
    default: float | str | None = None
    lower: float = float("-inf")
    upper: float = float("inf")
    open_lower: bool = False
    open_upper: bool = False
    choices: tuple[str, ...] = ()
    optional: bool = False
    timed: bool = False
    structural: bool = False


@dataclass(frozen=True)
class VectorParameter:
    """Several numbers under one key, fewer in a planar mechanism; ranges hold for every number.

    units: SI unit of each number in space. in_plane: which of them (indices) a planar mechanism has.
    default: the numbers in space where the file is silent; None makes the key required. short: in space those of a
    plane may stand alone, the others being zero; they come first. Other fields as in Parameter.
    """

    name: str
    units: tuple[str, ...]
    meaning: str
    in_plane: tuple[int, ...]
    default: tuple[float, ...] | None = None
    lower: float = float("-inf")
    upper: float = float("inf")
    open_lower: bool = False
    open_upper: bool = False
    optional: bool = False
    timed: bool = False
    short: bool = False

    def size(self, planar: bool) -> int:
        """How many numbers there are."""
        return len(self.in_plane) if planar else len(self.units)

    def sizes(self, planar: bool) -> tuple[int, ...]:
        """How many numbers the file may give."""
        whole = self.size(planar)
        return (len(self.in_plane), whole) if self.short and not planar else (whole,) if whole else ()


@dataclass(frozen=True)
class Switch:
    """A yes-or-no value (true or false) that a leaf takes from the file."""

    name: str
    meaning: str
    default: bool = False


Problem = tuple[str, str]
"""What is wrong with the values of a leaf taken together: the key at fault and a sentence."""


def no_problems(p: Mapping[str, Any]) -> tuple[Problem, ...]:
    """For leaves whose values are right whenever each lies in its own range."""
    return ()


class Family(Mapping[str, Member], Generic[Member]):
    """The members of one folder by name, found when first asked for."""

    def __init__(self, package: str, contract: type[Member]) -> None:
        self._package = package
        self._contract = contract
        self._members: dict[str, Member] | None = None

    def _found(self) -> dict[str, Member]:
        if self._members is None:
            package = importlib.import_module(self._package)
            members: dict[str, Any] = {}
            for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda entry: entry.name):
                module = importlib.import_module(f"{self._package}.{info.name}")
                for value in vars(module).values():
                    if isinstance(value, self._contract):
                        members[value.name] = value  # type: ignore[attr-defined]
            self._members = members
        return self._members

    def __getitem__(self, name: str) -> Member:
        return self._found()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found())

    def __len__(self) -> int:
        return len(self._found())
