"""The grammar of expressions: text -> program, by a whitelist that knows nothing else (no eval).

    sum     = product (("+" | "-") product)*
    product = sign (("*" | "/") sign)*
    sign    = ("+" | "-") sign | power
    power   = atom (("**" | "^") sign)?
    atom    = number | name | "pi" | "t" | call | table | "(" sum ")"
    call    = function "(" sum ("," sum)* ")"
    table   = "table" "(" string "," sum ")"

At most 1000 characters and 50 deep, counted in parentheses, calls, signs and powers.
"""

import math
import re
from functools import lru_cache

from closedchain.description.expressions import Expression, ExpressionError, Instruction
from closedchain.description.functions import FUNCTIONS
from closedchain.description.names import suggest

LONGEST = 1000
DEEPEST = 50

_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<string>"[^"\n]*"|'[^'\n]*')|(?P<op>\*\*|[-+*/^(),]))""",
    re.VERBOSE,
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
            raise ExpressionError(f"{_quoted(token)} is beyond the range of numbers")
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
                f"{name} has {count} argument{'' if count == 1 else 's'} in {_quoted(self.text)}",
                f"Usage: {function.usage}.",
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
        return ExpressionError(f"there is no function {name}", suggest(name, [*FUNCTIONS, "table"], "function"))


_ALLOWED = "Allowed are numbers, names of [parameters], + - * / **, parentheses, pi and the documented functions."


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
