"""Expressions of a mechanism file: text -> program over numbers, by a grammar that knows nothing else (no eval).

    sum     = product (("+" | "-") product)*
    product = sign (("*" | "/") sign)*
    sign    = ("+" | "-") sign | power
    power   = atom (("**" | "^") sign)?
    atom    = number | name | "pi" | "t" | function "(" sum ("," sum)* ")" | "table" "(" string "," sum ")" | "(" sum ")"

At most 1000 characters and 50 deep. The program is a list of instructions for a stack, so a long sum needs no deep recursion
and every number type (floats, complex, traced symbols) runs the same instructions.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from closedchain.description.functions import FUNCTIONS
from closedchain.numbers import power

Number = Any
Instruction = tuple[Any, ...]
LONGEST = 1000
DEEPEST = 50
RESERVED = frozenset({"t", "pi", "table", *FUNCTIONS})

_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<string>"[^"\n]*"|'[^'\n]*')|(?P<op>\*\*|[-+*/^(),]))""",
    re.VERBOSE,
)


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


def run(program: tuple[Instruction, ...], names: Mapping[str, Number], lookup: Callable[[str, Number], Number] | None) -> Number:
    """Run a program; float results that are not finite raise ExpressionError."""
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
            stack.append(_call(name, arguments))
        elif code == "table":
            if lookup is None:
                raise ExpressionError("a table is read where none can be", "Tables belong to functions of time.")
            stack.append(lookup(operands[0], stack.pop()))
        else:
            b = stack.pop()
            stack.append(_combine(code, stack.pop(), b))
        if type(stack[-1]) is float and not math.isfinite(stack[-1]):
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


@lru_cache(maxsize=4096)
def parse(text: str) -> Expression:
    """The expression of a text; raises ExpressionError that says where it stops making sense.

    >>> parse("2*l^2 + 1").run({"l": 3.0})
    19.0
    """
    if len(text) > LONGEST:
        raise ExpressionError(
            f"the expression has {len(text)} characters", f"At most {LONGEST} are allowed; split it into [parameters]."
        )
    return _Parser(text).expression()


class _Parser:
    """Recursive descent over the tokens of an expression; depth counts parentheses, calls, signs and powers."""

    def __init__(self, text: str):
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        end = len(text.rstrip(" \t\r\n"))
        at = 0
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                here = re.compile(r"[ \t\r\n]*").match(text, at).end()  # type: ignore[union-attr]
                raise ExpressionError(
                    f"the expression {_quoted(text)} cannot be read at {text[here]!r} (character {here + 1})", _ALLOWED
                )
            kind = match.lastgroup or ""
            self.tokens.append((kind, match[kind], match.start(kind)))
            at = match.end()
        self.at = 0
        self.depth = 0
        self.program: list[Instruction] = []
        self.names: set[str] = set()
        self.tables: list[str] = []

    def expression(self) -> Expression:
        if not self.tokens:
            raise ExpressionError("the expression is empty", "Write a number, a quantity or an expression.")
        self.sum()
        if self.at < len(self.tokens):
            raise self.unexpected()
        return Expression(self.text, tuple(self.program), frozenset(self.names), tuple(dict.fromkeys(self.tables)))

    def peek(self) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "op":
            return self.tokens[self.at][1]
        return ""

    def accept(self, *operators: str) -> str:
        token = self.peek()
        if token in operators and token:
            self.at += 1
            return token
        return ""

    def expect(self, operator: str) -> None:
        if not self.accept(operator):
            raise self.unexpected(f"; {operator!r} belongs there")

    def unexpected(self, hint: str = "") -> ExpressionError:
        if self.at >= len(self.tokens):
            return ExpressionError(f"the expression {_quoted(self.text)} ends too early{hint}", _ALLOWED)
        _, token, start = self.tokens[self.at]
        return ExpressionError(
            f"the expression {_quoted(self.text)} cannot be read at {token!r} (character {start + 1}){hint}", _ALLOWED
        )

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ExpressionError(
                f"the expression is nested more than {DEEPEST} deep", "Split it into several [parameters]."
            )

    def sum(self) -> None:
        self.product()
        while operator := self.accept("+", "-"):
            self.product()
            self.program.append((operator,))

    def product(self) -> None:
        self.sign()
        while operator := self.accept("*", "/"):
            self.sign()
            self.program.append((operator,))

    def sign(self) -> None:
        operator = self.accept("+", "-")
        if not operator:
            return self.power()
        self.deeper()
        self.sign()
        self.depth -= 1
        if operator == "-":
            self.program.append(("neg",))
        return None

    def power(self) -> None:
        self.atom()
        if self.accept("**", "^"):
            self.deeper()
            self.sign()
            self.depth -= 1
            self.program.append(("**",))

    def atom(self) -> None:
        if self.accept("("):
            self.deeper()
            self.sum()
            self.depth -= 1
            return self.expect(")")
        if self.at >= len(self.tokens):
            raise self.unexpected()
        kind, token, _ = self.tokens[self.at]
        if kind == "number":
            self.at += 1
            return self.number(token)
        if kind != "name":
            raise self.unexpected()
        self.at += 1
        if token == "table":
            return self.table()
        if token in FUNCTIONS:
            return self.call(token)
        if self.peek() == "(":
            raise self.unknown_function(token)
        if token == "pi":
            self.program.append(("number", math.pi))
        else:
            self.names.add(token)
            self.program.append(("name", token))
        return None

    def number(self, token: str) -> None:
        value = float(token)
        if not math.isfinite(value):
            raise ExpressionError(f"{token} is beyond the range of numbers")
        self.program.append(("number", value))

    def call(self, name: str) -> None:
        function = FUNCTIONS[name]
        self.expect("(")
        self.deeper()
        count = 0
        while True:
            self.sum()
            count += 1
            if not self.accept(","):
                break
        self.depth -= 1
        self.expect(")")
        if not function.least <= count <= function.most:
            raise ExpressionError(
                f"{name} has {count} argument{'' if count == 1 else 's'} in {_quoted(self.text)}", f"Usage: {function.usage}."
            )
        if function.of_time:
            self.names.add("t")
        self.program.append(("call", name, count))

    def table(self) -> None:
        self.expect("(")
        if self.at >= len(self.tokens) or self.tokens[self.at][0] != "string":
            raise self.unexpected('; usage: table("file.csv", t)')
        name = self.tokens[self.at][1][1:-1]
        self.at += 1
        self.expect(",")
        self.deeper()
        self.sum()
        self.depth -= 1
        self.expect(")")
        self.names.add("t")
        self.tables.append(name)
        self.program.append(("table", name))

    def unknown_function(self, name: str) -> ExpressionError:
        from closedchain.description.names import suggest

        return ExpressionError(f"there is no function {name}", suggest(name, [*FUNCTIONS, "table"], "function"))


_ALLOWED = "Allowed are numbers, names of [parameters], + - * / **, parentheses, pi and the documented functions."


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


UNKNOWN: Any = object()


def check_constants(program: tuple[Instruction, ...], names: Mapping[str, float]) -> None:
    """Raise ExpressionError where a part that does not depend on time has no finite value, or a time function wrong ends."""
    stack: list[Any] = []
    for code, *operands in program:
        count = {"number": 0, "name": 0, "neg": 1, "call": operands[-1] if code == "call" else 0, "table": 1}.get(code, 2)
        arguments = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        if code == "name":
            stack.append(names.get(operands[0], UNKNOWN))
        elif UNKNOWN not in arguments and code != "table":
            steps = (*(("number", value) for value in arguments), (code, *operands))
            stack.append(run(steps, names, None))
        else:
            stack.append(UNKNOWN)
            if code == "call" and FUNCTIONS[operands[0]].of_time and UNKNOWN not in arguments[1:]:
                # at its start a time function needs no time to tell wrong ends
                _call(operands[0], [arguments[1], *arguments[1:]])
