"""How long the motions of a mechanism last: to their last knot, over their period, or one turn of a steady drive."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from closedchain.description.expressions import ExpressionError, run
from closedchain.description.functions import FUNCTIONS
from closedchain.language import tr

# Two instants tell the rate of an argument; a time function that has moved on by then has its knots anyway.
_STEP = 1e-3
USUAL = 1.0


@dataclass
class Clues:
    """What the functions of time say: ends of their parts [s], periods [s], first times that tables no longer reach."""

    knots: list[float] = field(default_factory=list)
    periods: list[float] = field(default_factory=list)
    reaches: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)


def span(m: Any) -> tuple[float, str]:
    """Seconds that show the motions once, and the sentence why.

    >>> import closedchain as cc
    >>> span(cc.load("examples/shift_manipulator/mechanism.toml"))[0]
    0.8
    """
    clues = Clues()
    names = m.parameter_numbers()
    for path, value in m.values().items():
        if value.uses_time and not path.startswith("studies."):
            look(value, names, clues)
    until, why = chosen(clues)
    if clues.reaches and min(clues.reaches) < until:
        return min(clues.reaches), tr("to the end of the tables")
    return until, why


def chosen(clues: Clues) -> tuple[float, str]:
    """The time that the clues lead to."""
    if clues.knots:
        return max(clues.knots), tr("to the end of the given motions")
    if clues.reaches:
        return min(clues.reaches), tr("to the end of the tables")
    if clues.periods:
        return max(clues.periods), tr("one period of the given motions")
    if clues.turns:
        return max(clues.turns), tr("one turn of the drive")
    return USUAL, tr("no motion says how long; --until chooses another end")


def look(value: Any, names: dict[str, float], clues: Clues) -> None:
    """Adds what one function of time says.

    The program of the expression is run at two instants at once; arguments of sin and cos then show their rates.
    """
    clues.reaches += [float(table.columns[0][-1]) for table in value.tables if table.columns[0][-1] > 0.0]
    before = len(clues.knots), len(clues.periods), len(clues.reaches)
    try:
        result = traced(value.expression.program, {**names, "t": np.array([0.0, _STEP])}, clues)
    except (ExpressionError, ZeroDivisionError, OverflowError, ValueError, FloatingPointError):
        return
    steady = isinstance(result, np.ndarray) and before == (len(clues.knots), len(clues.periods), len(clues.reaches))
    if steady and value.unit == "rad":
        rate = abs(float(result[1] - result[0])) / _STEP
        if rate > 0.0:
            clues.turns.append(2.0 * math.pi / rate)


def traced(program: tuple[tuple[Any, ...], ...], names: dict[str, Any], clues: Clues) -> Any:
    """The value of a program at the instants, noting knots and periods on the way."""

    def call(name: str, arguments: list[Any]) -> Any:
        note(name, arguments, clues)
        return called(name, arguments)

    with np.errstate(all="ignore"):
        # What a table says matters for nothing here.
        return run(program, names, lambda _, at: at * 0.0, call)


def note(name: str, arguments: list[Any], clues: Clues) -> None:
    """The knots of a time function, the period of a sine."""
    first = arguments[0]
    if not isinstance(first, np.ndarray):
        return
    rate = float(first[1] - first[0]) / _STEP
    if rate == 0.0:
        return
    if FUNCTIONS[name].of_time and not isinstance(arguments[2], np.ndarray):
        # t1 = end of the argument's way, back to the time itself
        end = (float(arguments[2]) - float(first[0])) / rate
        clues.knots += [end] if end > 0.0 else []
    elif name in ("sin", "cos"):
        clues.periods.append(2.0 * math.pi / abs(rate))


def called(name: str, arguments: list[Any]) -> Any:
    """A function at the instants, one after another: time functions ask for plain numbers."""
    pairs = [[float(each[k]) if isinstance(each, np.ndarray) else each for each in arguments] for k in (0, 1)]
    values = [FUNCTIONS[name].formula(*each) for each in pairs]
    return np.array(values) if any(isinstance(each, np.ndarray) for each in arguments) else values[0]
