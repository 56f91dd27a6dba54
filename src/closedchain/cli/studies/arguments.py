"""What an analysis may be told, in a file's `[studies]` or as options of its command: same words, same meaning."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.exceptions import ClosedChainError

Names = Mapping[str, float]


class ArgumentProblem(ClosedChainError):
    """An argument cannot be read; the message is the rest of a sentence that starts with its name."""


@dataclass(frozen=True)
class Quantity:
    """A number in SI, a quantity ("2 s") or an expression of the mechanism's parameters."""

    unit: str
    many: bool = False

    def read(self, raw: Any, names: Names) -> float | list[float]:
        """The number, or the list of numbers where `many`, in SI."""
        if not self.many:
            return number(raw, self.unit, names)
        return [number(each, self.unit, names) for each in as_list(raw)]


@dataclass(frozen=True)
class Whole:
    """A whole number, at least `least`."""

    least: int = 1
    many: bool = False

    def read(self, raw: Any, names: Names) -> int:
        """The whole number."""
        value = number(raw, "1", names)
        if value != int(value) or value < self.least:
            raise ArgumentProblem(f"is {raw!r}; give a whole number of at least {self.least}.")
        return int(value)


@dataclass(frozen=True)
class Words:
    """Names: one, or a list where `many`."""

    many: bool = False

    def read(self, raw: Any, names: Names) -> str | list[str]:
        """The name, or the list of names."""
        words = as_list(raw)
        if not all(isinstance(word, str) for word in words):
            raise ArgumentProblem(f"is {raw!r}; give names.")
        if self.many:
            return [str(word) for word in words]
        if len(words) != 1:
            raise ArgumentProblem(f"is {raw!r}; give one name.")
        return str(words[0])


class Numbers(dict[str, Any]):
    """Numbers in SI by name, and as `written` what was said for each: what unit they may have, the name tells later."""

    def __init__(self, numbers: Mapping[str, Any], written: Mapping[str, Any]):
        super().__init__(numbers)
        self.written = written


@dataclass(frozen=True)
class Values:
    """Coordinates by name: a table `{ A = "30 deg" }`, as options `A=30deg` or `A=30deg,B=1`."""

    many: bool = True

    def read(self, raw: Any, names: Names) -> Numbers:
        """Name -> number in SI, or list of numbers for a joint with several coordinates."""
        written = {str(name): value for name, value in (raw if isinstance(raw, Mapping) else pairs(raw)).items()}
        found = {
            name: [number(each, "", names) for each in value] if is_list(value) else number(value, "", names)
            for name, value in written.items()
        }
        return Numbers(found, written)


def pairs(raw: Any) -> dict[str, Any]:
    """Names and their values from texts: NAME=VALUE, several with commas between; a comma before a value adds it.

    >>> pairs(["A=30deg, B=1,2", "C=atan2(1, 2)"])
    {'A': '30deg', 'B': ['1', '2'], 'C': 'atan2(1, 2)'}
    """
    found: dict[str, list[str]] = {}
    for text in as_list(raw):
        name, sign, value = str(text).partition("=")
        if sign:
            found[name.strip()] = [value.strip()]
        elif found:
            found[next(reversed(found))].append(name.strip())
        else:
            raise ArgumentProblem(f"is {raw!r}; give NAME=VALUE, such as A=30deg.")
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


@dataclass(frozen=True)
class Choice:
    """Yes, no, or names: `true`, `false`, `["B1", "B2"]`."""

    many: bool = True

    def read(self, raw: Any, names: Names) -> bool | list[str]:
        """Whether, or for which."""
        words = as_list(raw)
        if len(words) == 1 and str(words[0]).lower() in ("true", "false"):
            return str(words[0]).lower() == "true"
        if not all(isinstance(word, str) for word in words):
            raise ArgumentProblem(f"is {raw!r}; give true, false or names.")
        return [str(word) for word in words]


@dataclass(frozen=True)
class Said:
    """What was said for an argument that is read later, once it is known by whom."""

    raw: Any

    @property
    def one(self) -> Any:
        """The only value of a list of one."""
        return self.raw[0] if is_list(self.raw) and len(self.raw) == 1 else self.raw


@dataclass(frozen=True)
class AsSaid:
    """An argument that different studies read differently."""

    many: bool = True

    def read(self, raw: Any, names: Names) -> Said:
        """What was said."""
        return Said(raw)


Kind = Quantity | Whole | Words | Values | Choice | AsSaid


@dataclass(frozen=True)
class Argument:
    """One argument: name in file and command line, meaning (half a sentence), kind, default; None may be left out.

    refers(m, value): raises ClosedChainError where the value names something that the mechanism does not have.
    """

    name: str
    meaning: str
    kind: Kind
    default: Any = None
    required: bool = False
    refers: Callable[[Any, Any], None] | None = None


def number(raw: Any, unit: str, names: Names) -> float:
    """The number in SI of something written where a number in `unit` belongs."""
    from closedchain.description.values import ValueProblem, make_value

    try:
        value = make_value(plain_number(raw), unit)
    except ValueProblem as problem:
        raise ArgumentProblem(f"{problem}. {problem.remedy}") from problem
    unknown = sorted(value.depends_on - set(names))
    if unknown or value.uses_time:
        shown = ", ".join(unknown or ["t"])
        raise ArgumentProblem(f"is {raw!r}; {shown} is no parameter of this mechanism.")
    return float(value.evaluate(names))


def plain_number(raw: Any) -> Any:
    """Text of a bare number as a number, anything else as it is."""
    try:
        return float(raw) if isinstance(raw, str) else raw
    except ValueError:
        return raw


def pieces(text: str) -> list[str]:
    """The parts of "1, atan2(1, 2)" between commas that stand in no parentheses.

    >>> pieces("1, atan2(1, 2)")
    ['1', 'atan2(1, 2)']
    """
    found, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    return [piece.strip() for piece in found]


def is_list(value: Any) -> bool:
    """Whether a file or an option gave several values."""
    return isinstance(value, list | tuple)


def as_list(raw: Any) -> list[Any]:
    """Several values, from a list or from one; text may hold several with commas between."""
    several: list[Any] = []
    for each in raw if is_list(raw) else [raw]:
        several += pieces(each) if isinstance(each, str) else [each]
    return several
