"""One number of a mechanism as its user said it: a number, a quantity, or an expression; with the SI unit that
belongs there."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from closedchain.description.document import Address
from closedchain.description.expressions import Expression, ExpressionError
from closedchain.description.grammar import parse
from closedchain.description.names import shown
from closedchain.description.tables import Table, lookup
from closedchain.description.units import UnitError, split_quantity, to_si
from closedchain.exceptions import Finding, MechanismError

Number = Any
LONGEST_QUANTITY = 200


class ValueProblem(Exception):
    """What is wrong with something written where a number belongs: a sentence without its place, and a remedy."""

    def __init__(self, message: str, remedy: str = ""):
        super().__init__(message)
        self.remedy = remedy


@dataclass(frozen=True)
class Value:
    """A number as written, for one place of a mechanism.

    written: number or text of the file; unit: SI unit expected there ("" any, "1" a pure number); path: its place as
    users
    write it; expression: None for a number or quantity; tables: those an expression reads; role: "direction" for a
    component of
    an axis, "turn" for a constant angle of a chain, "structural" for an exponent and the like (which has its number
    even as an
    expression), else "". Equal when written equally.
    """

    written: float | int | str
    unit: str = ""
    path: str = field(default="", compare=False)
    address: Address = field(default=(), compare=False, repr=False)
    number: float | None = field(default=None, compare=False, repr=False)
    expression: Expression | None = field(default=None, compare=False, repr=False)
    tables: tuple[Table, ...] = field(default=(), repr=False)
    role: str = field(default="", compare=False, repr=False)

    @property
    def is_literal(self) -> bool:
        """Whether it is a number or a quantity, not an expression."""
        return self.expression is None

    @property
    def is_zero(self) -> bool:
        """Whether it is a literal zero, which is structure."""
        return self.number == 0.0

    @property
    def folded(self) -> float | None:
        """The number that shapes the mechanism and is traced as a constant: a literal 0, a quarter turn of a
        chain, an exponent; None for every other."""
        if self.number is None:
            return None
        if self.role == "structural" or (self.role == "turn" and is_quarter_turn(self.number)):
            return self.number
        return self.number if self.number == 0.0 else None

    @property
    def si(self) -> float:
        """The number in SI of a literal; raises TypeError for an expression."""
        if self.number is None:
            raise TypeError(
                f"{self.path} is the expression {self.written!r}; it has a number only once its names have."
            )
        return self.number

    @property
    def text(self) -> str:
        """What was written, as text."""
        return self.written if isinstance(self.written, str) else repr(self.written)

    @property
    def uses_time(self) -> bool:
        """Whether it depends on t."""
        return self.expression is not None and self.expression.uses_time

    @property
    def depends_on(self) -> frozenset[str]:
        """Names of the parameters in it."""
        return frozenset() if self.expression is None else self.expression.names - {"t"}

    def evaluate(self, names: Mapping[str, Number]) -> Number:
        """The value in SI over numbers of any kind (floats, complex, arrays, traced symbols).

        names: number of every parameter it depends on, and "t" [s] where it uses time. Raises MechanismError that
        names the
        place where a float result is not finite or a table does not reach.
        """
        if self.expression is None or self.number is not None:
            return self.si
        try:
            result = self.expression.run(names, self._lookup)
        except ExpressionError as error:
            raise MechanismError(Finding(self.path, f"{self.text!r}: {error}.", error.remedy)) from error
        if isinstance(result, np.ndarray) and not np.all(np.isfinite(result)):
            raise MechanismError(Finding(self.path, f"{self.text!r} has no finite value at some of the times."))
        return float(result) if isinstance(result, int) else result

    def _lookup(self, name: str, x: Number) -> Number:
        table = next(table for table in self.tables if table.name == name)
        try:
            return lookup(table, x)
        except ValueError as error:
            raise ExpressionError(str(error), "Outside its range a table has no value.") from error

    def time_range(self, names: Mapping[str, float]) -> tuple[float, float]:
        """First and last time [s] at which its tables reach, (-inf, inf) without tables.

        names: numbers of the parameters. A table is read at t or at a straight line of t; of anything else the range is
        not known and the ends are open.
        """
        first, last = -math.inf, math.inf
        for table, line in self._table_lines(names):
            low, high = table.range
            start, slope = line
            if slope == 0.0:
                continue
            ends = sorted(((low - start) / slope, (high - start) / slope))
            first, last = max(first, ends[0]), min(last, ends[1])
        return first, last

    def _table_lines(self, names: Mapping[str, float]) -> list[tuple[Table, tuple[float, float]]]:
        """Each table read with start and slope of the straight line of t it is read at."""
        if self.expression is None or not self.tables:
            return []
        samples: list[list[tuple[str, float]]] = []
        for t in (0.0, 1.0, 2.5):
            seen: list[tuple[str, float]] = []

            def record(name: str, x: float, seen: list[tuple[str, float]] = seen) -> float:
                seen.append((name, x))
                table = next(table for table in self.tables if table.name == name)
                low, high = table.range
                return float(lookup(table, min(max(x, low), high)))

            try:
                self.expression.run({**names, "t": t}, record)
            except ExpressionError:
                return []
            samples.append(seen)
        lines = []
        for (name, x0), (_, x1), (_, x2) in zip(*samples):
            straight = abs(x0 + 2.5 * (x1 - x0) - x2) <= 1e-12 * (abs(x0) + abs(x1) + abs(x2))
            if straight:
                lines.append((next(table for table in self.tables if table.name == name), (x0, x1 - x0)))
        return lines


_CALLED = re.compile(r"[A-Za-z]\w*\s*\(")
_NUMBER_AND_UNIT = re.compile(
    r"(?<![A-Za-z_0-9.])[0-9.]+\s*(?:mm|cm|m|um|deg|rad|rpm|kg|g|s|ms|N|Nm|Hz)(?![A-Za-z_0-9(])"
)


def mixed(written: str) -> str:
    """What to do about a text that mixes a unit with arithmetic, or has a decimal comma; empty for any other."""
    if re.fullmatch(r"\s*[+-]?[0-9]+,[0-9]+\s*[^,]*", written):
        return "Write the decimals behind a point: 50.5 mm."
    quantity = split_quantity(written)
    unit = quantity[1] if quantity else ""
    arithmetic = _CALLED.search(unit) or re.search(r"[*/]\s*t\b", unit) or re.search(r"\s[+-]\s", unit)
    if arithmetic or (quantity is None and _NUMBER_AND_UNIT.search(written)):
        return (
            "Units do not stand inside expressions, whose numbers are SI: put the quantity into [parameters], "
            'speed = "600 rpm", and write "speed*t".'
        )
    return ""


def is_quarter_turn(angle: float) -> bool:
    """Whether an angle [rad] is a whole number of quarter turns up to rounding."""
    quarters = round(angle / (0.5 * math.pi))
    return abs(angle - quarters * 0.5 * math.pi) <= 1e-15 * max(1, abs(quarters))


def make_value(
    written: Any, unit: str, path: str = "", address: Address = (), tables: Mapping[str, Table] | None = None
) -> Value:
    """The value of something written where a number in `unit` belongs; raises ValueProblem."""
    if isinstance(written, bool) or not isinstance(written, int | float | str):
        raise ValueProblem(
            f"{shown(written)} is not a number", 'Write a number, a quantity such as "12 mm", or an expression.'
        )
    if not isinstance(written, str):
        return Value(written, unit, path, address, _finite(written))
    quantity = split_quantity(written) if len(written) <= LONGEST_QUANTITY else None
    if quantity is not None:
        try:
            return Value(written, unit, path, address, to_si(*quantity, unit))
        except UnitError as error:
            raise ValueProblem(f"{written!r} {error}", mixed(written) or error.remedy) from error
    try:
        expression = parse(written)
    except ExpressionError as error:
        raise ValueProblem(str(error), mixed(written) or error.remedy) from error
    used = tuple(tables[name] for name in expression.tables if tables and name in tables)
    return Value(written, unit, path, address, None, expression, used)


def _finite(written: float) -> float:
    try:
        number = float(written)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueProblem(f"{shown(written)} is not a finite number", "Write a finite number.")
    return number
