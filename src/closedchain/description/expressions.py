"""Expressions of a mechanism file: a program over numbers, run on a stack.

A long sum then needs no deep recursion, and every number type (floats, complex, traced symbols) runs the same
instructions.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from closedchain.description.functions import FUNCTIONS
from closedchain.numbers import power

Number = Any
Instruction = tuple[Any, ...]
RESERVED = frozenset({"t", "pi", "table", *FUNCTIONS})


class ExpressionError(Exception):
    """A text that is no expression, or one that has no value; the message is a sentence without its place."""

    def __init__(self, message: str, remedy: str = ""):
        super().__init__(message)
        self.remedy = remedy


@dataclass(frozen=True)
class Expression:
    """A parsed expression: its text, its program in reverse Polish order, the names it uses and the tables it reads."""

    text: str
    program: tuple[Instruction, ...]
    names: frozenset[str]
    tables: tuple[str, ...]

    @property
    def uses_time(self) -> bool:
        """Whether t occurs in it."""
        return "t" in self.names

    def run(self, names: Mapping[str, Number], lookup: Callable[[str, Number], Number] | None = None) -> Number:
        """The value over numbers of any kind.

        names: value of every parameter used and of t; lookup: value of a table at a number.
        """
        return run(self.program, names, lookup)


def run(
    program: tuple[Instruction, ...],
    names: Mapping[str, Number],
    lookup: Callable[[str, Number], Number] | None,
    call: Callable[[str, list[Number]], Number] | None = None,
) -> Number:
    """Run a program; float results that are not finite raise ExpressionError.

    call: what a function gives, its formula otherwise.
    """
    call = call or _call
    stack: list[Number] = []
    for code, *operands in program:
        if code == "number":
            stack.append(operands[0])
        elif code == "name":
            stack.append(names[operands[0]])
        elif code == "neg":
            stack.append(-stack.pop())
        elif code == "call":
            name, count = operands
            arguments = stack[-count:]
            del stack[-count:]
            stack.append(call(name, arguments))
        elif code == "table":
            if lookup is None:
                raise ExpressionError("a table is read where none can be", "Tables belong to functions of time.")
            stack.append(lookup(operands[0], stack.pop()))
        else:
            b = stack.pop()
            stack.append(_combine(code, stack.pop(), b))
        if isinstance(stack[-1], float) and not math.isfinite(stack[-1]):
            raise ExpressionError(f"{_shown(code, operands)} has no finite value")
    return stack[0]


def _call(name: str, arguments: list[Number]) -> Number:
    try:
        return FUNCTIONS[name].formula(*arguments)
    except ValueError as error:
        raise ExpressionError(f"{name} {error}", f"Usage: {FUNCTIONS[name].usage}.") from error
    except OverflowError as error:
        raise ExpressionError(f"{name} has no finite value") from error


def _combine(code: str, a: Number, b: Number) -> Number:
    try:
        if code == "+":
            return a + b
        if code == "-":
            return a - b
        if code == "*":
            return a * b
        if code == "/":
            return a / b
        return power(a, b)
    except ZeroDivisionError as error:
        raise ExpressionError("it divides by zero") from error
    except OverflowError as error:
        raise ExpressionError(f"{_shown(code, [])} has no finite value") from error


def _shown(code: str, operands: list[Any]) -> str:
    return {"+": "a sum", "-": "a difference", "*": "a product", "/": "a quotient", "**": "a power"}.get(
        code, str(operands[0]) if operands else "it"
    )


UNKNOWN: Any = object()


def check_constants(program: tuple[Instruction, ...], names: Mapping[str, float]) -> None:
    """Raise ExpressionError where a part that does not depend on time has no finite value, or a time function wrong
    ends."""
    stack: list[Any] = []
    for code, *operands in program:
        count = {"number": 0, "name": 0, "neg": 1, "call": operands[-1] if code == "call" else 0, "table": 1}.get(
            code, 2
        )
        arguments = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        if code == "name":
            stack.append(names.get(operands[0], UNKNOWN))
        elif UNKNOWN not in arguments and code != "table":
            steps = (*(("number", value) for value in arguments), (code, *operands))
            stack.append(run(steps, names, None))
        else:
            stack.append(UNKNOWN)
            if code == "/" and arguments[1] == 0.0:
                raise ExpressionError("it divides by zero")
            if code == "call" and FUNCTIONS[operands[0]].of_time and UNKNOWN not in arguments[1:]:
                # at its start a time function needs no time to tell wrong ends
                _call(operands[0], [arguments[1], *arguments[1:]])
