"""Every number of the file has a finite value in its range: cycles of parameters, arithmetic, ranges, limits."""

from collections.abc import Iterable, Mapping
from typing import Any

from closedchain.description.dimensions import hertz
from closedchain.description.evaluation import dependence_order
from closedchain.description.expressions import ExpressionError, check_constants
from closedchain.description.reading import Reader
from closedchain.description.values import Value
from closedchain.exceptions import Finding, MechanismError


class Numbers:
    """Numbers of Values as far as they can be told; what cannot is noted once, at its own place."""

    def __init__(self, parameters: Mapping[str, Value], reader: Reader):
        self.reader = reader
        self.parameters: dict[str, float] = {}
        order, cycles = dependence_order(parameters)
        for cycle in cycles:
            reader.note(
                parameters[cycle[0]].path,
                f"it depends on itself: {' → '.join(cycle)}.",
                "Give one of them as a number.",
            )
        circular = {name for cycle in cycles for name in cycle}
        for name in order:
            value = parameters[name]
            if name in circular or not value.depends_on <= self.parameters.keys():
                continue
            number = self.of(value)
            if number is not None:
                self.parameters[name] = number

    def of(self, value: Value) -> float | None:
        """The number in SI; None (and a finding) where there is none, None for functions of time."""
        if value.is_literal:
            return value.si
        if value.uses_time or not value.depends_on <= self.parameters.keys():
            return None
        try:
            return float(value.evaluate(self.parameters))
        except MechanismError as error:
            for finding in error.findings:
                self.note(finding)
            return None

    def all_of(self, values: Iterable[Value]) -> list[float] | None:
        """The numbers of several Values; None where one has none."""
        numbers = [self.of(value) for value in values]
        return None if None in numbers else [number for number in numbers if number is not None]

    def note(self, finding: Finding) -> None:
        """Write a finding down once."""
        self.reader.note(finding.place, finding.message, finding.remedy)


def check_numbers(numbers: Numbers, parameters: Mapping[str, Value], reader: Reader) -> None:
    """Values, dimensions, ranges, the constant parts of time functions, and limits in order."""
    for value, allowed in reader.ranges:
        wrong = hertz(value, parameters)
        if wrong is not None:
            numbers.note(wrong)
            continue
        if value.uses_time:
            _check_time_function(value, numbers, reader)
            continue
        number = numbers.of(value)
        broken = "" if number is None else allowed.broken_by(number)
        if broken:
            said = value.text if value.is_literal else f"{value.text} = {number:g}"
            reader.note(value.path, f"this is {said}; it must be {broken}.", f"Write a number that is {broken}.")
    for place, (low, high) in reader.pairs:
        pair = numbers.all_of((low, high))
        if pair is not None and pair[0] > pair[1]:
            reader.note(place, f"the lower limit {low.text} is above the upper {high.text}.", "Write [lo, hi].")


def _check_time_function(value: Value, numbers: Numbers, reader: Reader) -> None:
    """What can be told without a time: arithmetic of constants, starts before ends."""
    known: dict[str, Any] = {name: number for name, number in numbers.parameters.items() if name in value.depends_on}
    try:
        assert value.expression is not None
        check_constants(value.expression.program, known)
    except ExpressionError as error:
        reader.note(value.path, f"{value.text!r}: {error}.", error.remedy)
