"""Quantities: "12 mm", "30 deg", "1500 rpm", "4.2 kg*cm^2" become SI numbers here and nowhere else.

A unit is a product of powers of symbols, each with an SI prefix where that is usual. Its dimension is counted in kg,
m, s and rad;
rad may be left out where something else remains ("2 N*m" for N*m/rad), but never stands where it does not belong.
"""

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from closedchain.description.names import nearest

Dimension = tuple[float, float, float, float]
_ONE, _MASS, _LENGTH, _TIME, _ANGLE = (
    (0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0),
)  # fmt: skip
_FORCE, _PRESSURE, _ENERGY, _POWER = (
    (1.0, 1.0, -2.0, 0.0),
    (1.0, -1.0, -2.0, 0.0),
    (1.0, 2.0, -2.0, 0.0),
    (1.0, 2.0, -3.0, 0.0),
)
_FREQUENCY, _RATE = (0.0, 0.0, -1.0, 0.0), (0.0, 0.0, -1.0, 1.0)

_PREFIXES = {
    "G": 1e9, "M": 1e6, "k": 1e3, "h": 1e2, "da": 1e1, "d": 1e-1, "c": 1e-2, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6,
    "n": 1e-9,
}  # fmt: skip
_INCH, _POUND, _G, _DEGREE = 0.0254, 0.45359237, 9.80665, math.pi / 180

# Symbol -> (size in SI, dimension, whether SI prefixes go with it).
_SYMBOLS: dict[str, tuple[float, Dimension, bool]] = {
    "m": (1.0, _LENGTH, True), "g": (1e-3, _MASS, True), "s": (1.0, _TIME, True), "rad": (1.0, _ANGLE, True),
    "N": (1.0, _FORCE, True), "Pa": (1.0, _PRESSURE, True), "J": (1.0, _ENERGY, True), "W": (1.0, _POWER, True),
    "Nm": (1.0, _ENERGY, True), "Hz": (1.0, _FREQUENCY, True), "bar": (1e5, _PRESSURE, True),
    "meter": (1.0, _LENGTH, False), "metre": (1.0, _LENGTH, False), "micron": (1e-6, _LENGTH, False),
    "inch": (_INCH, _LENGTH, False), "in": (_INCH, _LENGTH, False), "ft": (12 * _INCH, _LENGTH, False),
    "mil": (1e-3 * _INCH, _LENGTH, False),
    "t": (1e3, _MASS, False), "lb": (_POUND, _MASS, False), "oz": (_POUND / 16, _MASS, False),
    "min": (60.0, _TIME, False), "h": (3600.0, _TIME, False),
    "deg": (_DEGREE, _ANGLE, False), "degree": (_DEGREE, _ANGLE, False), "degrees": (_DEGREE, _ANGLE, False),
    "°": (_DEGREE, _ANGLE, False), "arcmin": (_DEGREE / 60, _ANGLE, False), "arcsec": (_DEGREE / 3600, _ANGLE, False),
    "turn": (2 * math.pi, _ANGLE, False), "turns": (2 * math.pi, _ANGLE, False), "rev": (2 * math.pi, _ANGLE, False),
    "rpm": (2 * math.pi / 60, _RATE, False),
    "lbf": (_POUND * _G, _FORCE, False), "kgf": (_G, _FORCE, False), "psi": (_POUND * _G / _INCH**2, _PRESSURE, False),
    "percent": (0.01, _ONE, False), "%": (0.01, _ONE, False),
}  # fmt: skip

_NUMBER = r"[+-]?\s*(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_QUANTITY = re.compile(
    rf"\s*(?P<number>{_NUMBER})(?![eE][+-]?[0-9])(?P<unit>\s*(?:[A-Za-z°µμ%]|(?<=\s)1\s*/).*)\Z", re.DOTALL
)
_TOKEN = re.compile(
    r"\s*(?:(?P<symbol>[A-Za-zµμ]+|°|%)|(?P<number>[0-9]+\.?[0-9]*|\.[0-9]+)|(?P<op>\*\*|[*/^()·⋅-]|[²³]))"
)
_LONGEST = 100


class UnitError(Exception):
    """A quantity that cannot be read: what follows it in a sentence ("is a length"), and a remedy."""

    def __init__(self, message: str, remedy: str = ""):
        super().__init__(message)
        self.remedy = remedy


@dataclass(frozen=True)
class Unit:
    """A unit: its size in SI units, its dimension (powers of kg, m, s, rad), and whether it is counted in Hz."""

    size: float
    dimension: Dimension
    hertz: bool = False

    def __mul__(self, other: "Unit") -> "Unit":
        powers = tuple(a + b for a, b in zip(self.dimension, other.dimension))
        return Unit(self.size * other.size, powers, self.hertz or other.hertz)  # type: ignore[arg-type]

    def __pow__(self, n: float) -> "Unit":
        try:
            size = self.size**n
        except OverflowError:
            size = math.inf
        return Unit(size, tuple(a * n for a in self.dimension), self.hertz)  # type: ignore[arg-type]


def split_quantity(text: str) -> tuple[str, str] | None:
    """Number and unit of a text that is a number followed by a unit; None for anything else (an expression).

    >>> split_quantity("12 mm")
    ('12', 'mm')
    >>> split_quantity("2*l") is None
    True
    """
    match = _QUANTITY.match(text)
    return (match["number"].replace(" ", ""), match["unit"].strip()) if match else None


def to_si(number: str, unit: str, expected: str) -> float:
    """The SI value of a quantity where a value in the SI unit `expected` belongs ("" accepts every dimension).

    >>> round(to_si("30", "deg", "rad"), 12)
    0.523598775598
    """
    known = parse_unit(unit)
    if expected:
        _check_dimension(known, unit, expected)
    value = float(re.sub(r"\s", "", number)) * known.size
    if not math.isfinite(value):
        raise UnitError("is no finite number")
    return value


def _check_dimension(unit: Unit, text: str, expected: str) -> None:
    wanted = parse_unit(expected)
    have, want = unit.dimension, wanted.dimension
    if unit.hertz and want[3] != 0.0:
        raise UnitError("is an angular rate in Hz", "Say rpm or rad/s.")
    angle_left_out = have[3] == 0.0 and want[:3] != _ONE[:3]
    if have[:3] == want[:3] and (have[3] == want[3] or angle_left_out):
        return
    shown = "a pure number" if expected == "1" else f"a value in {expected}"
    raise UnitError(f"is {describe(unit.dimension)}", f"Here belongs {shown}.")


_KINDS = {
    _ONE: "a pure number", _MASS: "a mass", _LENGTH: "a length", _TIME: "a time", _ANGLE: "an angle", _FORCE: "a force",
    _PRESSURE: "a pressure", _ENERGY: "a moment or an energy", _POWER: "a power", _FREQUENCY: "a frequency",
    _RATE: "an angular rate", (0.0, 1.0, -1.0, 0.0): "a speed", (0.0, 1.0, -2.0, 0.0): "an acceleration",
    (0.0, 2.0, 0.0, 0.0): "an area", (1.0, 2.0, 0.0, 0.0): "a moment of inertia", (1.0, 0.0, -2.0, 0.0): "a stiffness",
}  # fmt: skip


def describe(dimension: Dimension) -> str:
    """A dimension in words: "a length", or its SI units."""
    if dimension in _KINDS:
        return _KINDS[dimension]
    parts = [
        symbol if power == 1 else f"{symbol}^{power:g}"
        for symbol, power in zip(("kg", "m", "s", "rad"), dimension)
        if power
    ]
    return "in " + "*".join(parts)


@lru_cache(maxsize=1024)
def parse_unit(text: str) -> Unit:
    """The unit of a text such as "kg*cm^2", "N*m/rad", "m/s**2", "kg/(m*s)"; raises UnitError."""
    if len(text) > _LONGEST:
        raise UnitError("has a unit that is too long", f"A unit has at most {_LONGEST} characters.")
    tokens, at = [], 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            raise UnitError("has a unit that cannot be read", _ARITHMETIC)
        tokens.append((match.lastgroup or "", match.group().strip()))
        at = match.end()
    reader = _UnitReader(text, tokens)
    unit = reader.product()
    if reader.at < len(tokens):
        raise UnitError("has a unit that cannot be read", _ARITHMETIC)
    if not math.isfinite(unit.size) or unit.size == 0.0:
        raise UnitError("has a unit beyond the range of numbers")
    return unit


_ARITHMETIC = "Write one number and one unit; arithmetic with quantities goes through [parameters]."


class _UnitReader:
    """Recursive descent over the tokens of a unit."""

    def __init__(self, text: str, tokens: list[tuple[str, str]]):
        self.text, self.tokens, self.at = text, tokens, 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.at += 1
        return token

    def product(self) -> Unit:
        unit = self.power()
        while True:
            kind, token = self.peek()
            if token in ("*", "·", "⋅"):
                self.take()
                unit = unit * self.power()
            elif token == "/":
                self.take()
                unit = unit * self.power() ** -1
            elif kind == "symbol":
                unit = unit * self.power()
            else:
                return unit

    def power(self) -> Unit:
        unit = self.atom()
        _, token = self.peek()
        if token in ("²", "³"):
            self.take()
            return unit ** (2.0 if token == "²" else 3.0)
        if token in ("^", "**"):
            self.take()
            return unit ** self.exponent()
        return unit

    def exponent(self) -> float:
        kind, token = self.take()
        if token == "-":
            return -self.exponent()
        if kind != "number":
            raise UnitError("has a unit whose power is no number")
        return float(token)

    def atom(self) -> Unit:
        kind, token = self.take()
        if token == "(":
            unit = self.product()
            if self.take()[1] != ")":
                raise UnitError("has a unit that lacks a closing parenthesis")
            return unit
        if kind == "number" and token == "1":
            return Unit(1.0, _ONE)
        if kind == "symbol":
            return _symbol(token)
        raise UnitError("has a unit that cannot be read", _ARITHMETIC)


def _symbol(name: str) -> Unit:
    if name in _SYMBOLS:
        size, dimension, _ = _SYMBOLS[name]
        return Unit(size, dimension, name == "Hz")
    for prefix, factor in _PREFIXES.items():
        rest = name.removeprefix(prefix)
        if rest != name and rest in _SYMBOLS and _SYMBOLS[rest][2]:
            size, dimension, _ = _SYMBOLS[rest]
            return Unit(factor * size, dimension, rest == "Hz")
    usual = [*_SYMBOLS, "mm", "cm", "km", "um", "kg", "kN", "MPa", "GPa", "ms", "kHz", "mrad"]
    found = nearest(name, usual)
    raise UnitError(f"has the unknown unit {name}", f"Did you mean {found}?" if found else _ARITHMETIC)
