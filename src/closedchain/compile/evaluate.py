"""Interpret a graph node by node: on floats and NumPy arrays, or with other elementary functions on any numbers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from closedchain.compile import operations as g
from closedchain.compile.graph import Symbol
from closedchain.compile.operations import NAMES
from closedchain.compile.ordering import reachable


class NumpyFunctions:
    """The operations of a graph on NumPy arrays and scalars."""

    sin, cos, tan, asin, acos, atan = np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan
    atan2, exp, log, tanh, sqrt, floor = np.arctan2, np.exp, np.log, np.tanh, np.sqrt, np.floor
    absolute, minimum, maximum, power, sign, select = np.abs, np.minimum, np.maximum, np.power, np.sign, np.where
    less, less_equal = np.less, np.less_equal
    logical_and, logical_or, logical_not = np.logical_and, np.logical_or, np.logical_not

    @staticmethod
    def table(x: Any, data: Any, order: int) -> Any:
        """The order-th derivative of a piecewise polynomial at x."""
        coefficients = data.derivative_coefficients(order)
        piece = np.clip(np.searchsorted(data.knots, x, side="right") - 1, 0, len(coefficients) - 1)
        t, value = x - data.knots[piece], 0.0
        for k in reversed(range(coefficients.shape[1])):
            value = value * t + coefficients[piece, k]
        return value


def evaluate(outputs: Sequence[Any], values: Mapping[Symbol, Any], functions: Any = NumpyFunctions) -> list[Any]:
    """The outputs for given values of the leaves (and of any inner nodes named in values).

    functions: a module or class with the elementary functions under the names of NumpyFunctions; closedchain.numbers
    is one. Raises KeyError when a leaf has no value.
    """
    found: dict[Any, Any] = dict(values)
    for node in reachable(outputs):
        if node not in found:
            found[node] = _apply(node, found, functions)
    return [found[y] if type(y) is Symbol else y for y in outputs]


_OPERATORS: dict[int, Callable[..., Any]] = {
    g.ADD: lambda a, b: a + b,
    g.SUB: lambda a, b: a - b,
    g.MUL: lambda a, b: a * b,
    g.DIV: lambda a, b: a / b,
    g.NEG: lambda a: -a,
}
_RENAMED = {
    g.ABS: "absolute",
    g.MIN: "minimum",
    g.MAX: "maximum",
    g.POW: "power",
    g.LT: "less",
    g.LE: "less_equal",
    g.AND: "logical_and",
    g.OR: "logical_or",
    g.NOT: "logical_not",
}


def _apply(node: Symbol, found: Mapping[Any, Any], functions: Any) -> Any:
    op = node.op
    if op in g.LEAVES:
        raise KeyError(f"No value was given for {node!r}.")
    operands = [found[x] if type(x) is Symbol else x for x in (node.a, node.b, node.c) if x is not None]
    operator = _OPERATORS.get(op)
    if operator is None:
        operator = getattr(functions, _RENAMED.get(op, NAMES[op]))
    return operator(*operands)
