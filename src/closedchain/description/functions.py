"""Functions that expressions may call: name -> formula over numbers and how many arguments it takes.

Time functions are written with select, so that floats and traced symbols agree and traced derivatives are exact on both
sides of every corner.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import Any

from closedchain.numbers import (
    absolute,
    acos,
    asin,
    atan,
    atan2,
    cos,
    exp,
    floor,
    log,
    maximum,
    minimum,
    select,
    sign,
    sin,
    sqrt,
    tan,
    tanh,
)  # fmt: skip

Number = Any


@dataclass(frozen=True)
class Function:
    """A function of expressions: its formula, its least and most arguments, and whether only time functions may call
    it."""

    formula: Callable[..., Number]
    least: int
    most: int
    of_time: bool = False
    usage: str = ""


def _phase(t: Number, t0: Number, t1: Number) -> Number:
    """(t − t0)/(t1 − t0) held between 0 and 1."""
    if isinstance(t0, float) and isinstance(t1, float) and not t1 > t0:
        raise ValueError(f"ends at t1 = {t1:g}, which is not after its start t0 = {t0:g}")
    u = (t - t0) / (t1 - t0)
    return select(u < 0.0, 0.0, select(u > 1.0, 1.0, u))


def step(t: Number, t0: Number, t1: Number, a: Number, b: Number) -> Number:
    """From a at t0 to b at t1 with rate and acceleration zero at both ends: a + (b − a)(10u³ − 15u⁴ + 6u⁵)."""
    u = _phase(t, t0, t1)
    return a + (b - a) * (u * u * u * (10.0 + u * (6.0 * u - 15.0)))


def cycloid(t: Number, t0: Number, t1: Number, a: Number, b: Number) -> Number:
    """From a at t0 to b at t1 along a cycloid: a + (b − a)(u − sin(2πu)/2π)."""
    u = _phase(t, t0, t1)
    return a + (b - a) * (u - sin(2.0 * pi * u) * (0.5 / pi))


def trapezoid(t: Number, t0: Number, t1: Number, a: Number, b: Number, fraction: Number) -> Number:
    """From a at t0 to b at t1 with trapezoidal rate: `fraction` f of the time accelerating, f decelerating.

    With v = 1/(1 − f), s = vu²/2f while u < f, 1 − v(1 − u)²/2f while u > 1 − f, v(u − f/2) between.
    """
    if isinstance(fraction, float) and not 0.0 < fraction <= 0.5:
        raise ValueError(f"has fraction = {fraction:g}, which is not above 0 and at most 0.5")
    u, f = _phase(t, t0, t1), fraction
    v = 1.0 / (1.0 - f)
    rest = 1.0 - u
    s = select(u < f, v * u * u / (2.0 * f), select(rest < f, 1.0 - v * rest * rest / (2.0 * f), v * (u - 0.5 * f)))
    return a + (b - a) * s


def _smallest(*values: Number) -> Number:
    result = values[0]
    for value in values[1:]:
        result = minimum(result, value)
    return result


def _largest(*values: Number) -> Number:
    result = values[0]
    for value in values[1:]:
        result = maximum(result, value)
    return result


MANY = 1000
FUNCTIONS: dict[str, Function] = {
    **{
        name: Function(formula, 1, 1, usage=f"{name}(x)")
        for name, formula in {
            "sin": sin, "cos": cos, "tan": tan, "asin": asin, "acos": acos, "atan": atan, "sqrt": sqrt, "exp": exp,
            "log": log, "abs": absolute, "sign": sign, "tanh": tanh, "floor": floor,
        }.items()
    },
    "atan2": Function(atan2, 2, 2, usage="atan2(y, x)"),
    "min": Function(_smallest, 2, MANY, usage="min(a, b, …)"),
    "max": Function(_largest, 2, MANY, usage="max(a, b, …)"),
    "step": Function(step, 5, 5, True, "step(t, t0, t1, a, b)"),
    "trapezoid": Function(trapezoid, 6, 6, True, "trapezoid(t, t0, t1, a, b, fraction)"),
    "cycloid": Function(cycloid, 5, 5, True, "cycloid(t, t0, t1, a, b)"),
}  # fmt: skip
