"""Expression graph: symbols that record the operations done to them, each distinct operation once.

A Symbol behaves as a number. Every operation looks for an equal node first (hash-consing), so common subexpressions are
shared by construction, and folds what is exactly known: constants stay plain Python floats, `x*0` is `0.0`, `x + 0`
is `x`.
"""

import math
from typing import Any

from closedchain.compile import operations as g

# names of this module are found faster, and these five are asked for at every step
ADD, SUB, MUL, DIV, NEG = g.ADD, g.SUB, g.MUL, g.DIV, g.NEG

LARGEST_INTEGER_POWER = 64


class Symbol:
    """A node of an expression graph: the result of one operation, used as a number.

    op: operation code; a, b, c: operands (Symbol, float, or None); table: the node table shared by one graph; index:
    position in order of creation, so operands always have smaller indices than the node itself.
    """

    __slots__ = ("a", "b", "c", "index", "op", "table_of_nodes")

    # NumPy scalars then leave mixed arithmetic to the methods below
    __array_ufunc__ = None

    def __init__(self, op: int, a: Any, b: Any, c: Any, nodes: dict, index: int):
        self.op = op
        self.a = a
        self.b = b
        self.c = c
        self.table_of_nodes = nodes
        self.index = index

    def __repr__(self) -> str:
        if self.op in g.LEAVES:
            return f"<{g.NAMES[self.op]} {self.a}>"
        return f"<{g.NAMES[self.op]} #{self.index}>"

    def __bool__(self) -> bool:
        raise TypeError(
            "The truth of a traced number is not known while tracing; use select(condition, a, b) instead of if."
        )

    def __float__(self) -> float:
        raise TypeError(
            "A traced number has no value while tracing; use the elementary functions of closedchain.numbers."
        )

    def __add__(self, other: Any) -> Any:
        if type(other) is Symbol:
            if other.op is NEG:
                return self - other.a
            if self.op is NEG:
                return other - self.a
            key = (ADD, self, other) if self.index <= other.index else (ADD, other, self)
        else:
            other = _constant(other)
            if other is NotImplemented:
                return NotImplemented
            if other == 0.0:
                return self
            if self.op is ADD and type(self.b) is float:
                return self.a + (self.b + other)
            key = (ADD, self, other)
        nodes = self.table_of_nodes
        node = nodes.get(key)
        if node is None:
            node = nodes[key] = Symbol(ADD, key[1], key[2], None, nodes, len(nodes))
        return node

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if type(other) is not Symbol:
            other = _constant(other)
            return NotImplemented if other is NotImplemented else self + (-other)
        if self is other:
            return 0.0
        if other.op is NEG:
            return self + other.a
        if self.op is NEG:
            return -(self.a + other)
        nodes = self.table_of_nodes
        key = (SUB, self, other)
        node = nodes.get(key)
        if node is None:
            reverse = nodes.get((SUB, other, self))
            if reverse is not None:
                return -reverse
            node = nodes[key] = Symbol(SUB, self, other, None, nodes, len(nodes))
        return node

    def __rsub__(self, other: Any) -> Any:
        other = _constant(other)
        if other is NotImplemented:
            return NotImplemented
        if other == 0.0:
            return -self
        if self.op is NEG:
            return self.a + other
        return _node(SUB, other, self, None, self.table_of_nodes)

    def __mul__(self, other: Any) -> Any:
        if type(other) is Symbol:
            if self.op is NEG:
                return -(self.a * other)
            if other.op is NEG:
                return -(self * other.a)
            key = (MUL, self, other) if self.index <= other.index else (MUL, other, self)
        else:
            other = _constant(other)
            if other is NotImplemented:
                return NotImplemented
            if other == 0.0:
                return 0.0
            if other == 1.0:
                return self
            if other == -1.0:
                return -self
            op = self.op
            if op is NEG:
                return self.a * (-other)
            if op is MUL and type(self.b) is float:
                return self.a * (self.b * other)
            key = (MUL, self, other)
        nodes = self.table_of_nodes
        node = nodes.get(key)
        if node is None:
            node = nodes[key] = Symbol(MUL, key[1], key[2], None, nodes, len(nodes))
        return node

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if type(other) is not Symbol:
            other = _constant(other)
            if other is NotImplemented:
                return NotImplemented
            if other == 0.0:
                raise ZeroDivisionError("A traced number is divided by the constant zero.")
            inverse = 1.0 / other
            # a denormal or infinite reciprocal would lose the quotient
            if 1e-300 < abs(inverse) < 1e300:
                return self * inverse
            return _node(DIV, self, other, None, self.table_of_nodes)
        if self is other:
            return 1.0
        if self.op is NEG:
            return -(self.a / other)
        if other.op is NEG:
            return -(self / other.a)
        return _node(DIV, self, other, None, self.table_of_nodes)

    def __rtruediv__(self, other: Any) -> Any:
        other = _constant(other)
        if other is NotImplemented:
            return NotImplemented
        if other == 0.0:
            return 0.0
        if self.op is NEG:
            return -other / self.a
        return _node(DIV, other, self, None, self.table_of_nodes)

    def __neg__(self) -> Any:
        op = self.op
        if op is NEG:
            return self.a
        if op is SUB and type(self.a) is float:
            return self.b - self.a
        if op is MUL and type(self.b) is float:
            return self.a * (-self.b)
        return _node(NEG, self, None, None, self.table_of_nodes)

    def __pos__(self) -> "Symbol":
        return self

    def __abs__(self) -> Any:
        if self.op is NEG:
            return abs(self.a)
        if self.op is g.ABS or self.op is g.SQRT:
            return self
        return _node(g.ABS, self, None, None, self.table_of_nodes)

    absolute = __abs__

    def __pow__(self, other: Any) -> Any:
        if type(other) is Symbol:
            return _node(g.POW, self, other, None, self.table_of_nodes)
        other = _constant(other)
        if other is NotImplemented:
            return NotImplemented
        if other.is_integer() and abs(other) <= LARGEST_INTEGER_POWER:
            return _integer_power(self, int(other))
        if (2.0 * other).is_integer() and abs(other) <= LARGEST_INTEGER_POWER:
            return _integer_power(self, math.floor(other)) * self.sqrt()
        return _node(g.POW, self, other, None, self.table_of_nodes)

    def __rpow__(self, other: Any) -> Any:
        other = _constant(other)
        if other is NotImplemented:
            return NotImplemented
        if other == 1.0:
            return 1.0
        return _node(g.POW, other, self, None, self.table_of_nodes)

    def power(self, other: Any) -> Any:
        """Self to a power."""
        return self**other

    def sqrt(self) -> Any:
        """Square root."""
        return _node(g.SQRT, self, None, None, self.table_of_nodes)

    def sin(self) -> Any:
        """Sine."""
        if self.op is NEG:
            return -_node(g.SIN, self.a, None, None, self.table_of_nodes)
        return _node(g.SIN, self, None, None, self.table_of_nodes)

    def cos(self) -> Any:
        """Cosine."""
        return _node(g.COS, self.a if self.op is NEG else self, None, None, self.table_of_nodes)

    def tan(self) -> Any:
        """Tangent."""
        return _node(g.TAN, self, None, None, self.table_of_nodes)

    def asin(self) -> Any:
        """Inverse sine."""
        return _node(g.ASIN, self, None, None, self.table_of_nodes)

    def acos(self) -> Any:
        """Inverse cosine."""
        return _node(g.ACOS, self, None, None, self.table_of_nodes)

    def atan(self) -> Any:
        """Inverse tangent."""
        return _node(g.ATAN, self, None, None, self.table_of_nodes)

    def atan2(self, x: Any) -> Any:
        """Angle of the point (x, self)."""
        return _node(g.ATAN2, self, x if type(x) is Symbol else float(x), None, self.table_of_nodes)

    def atan2_of(self, y: float) -> Any:
        """atan2(y, x) with this symbol as x and a constant y."""
        return _node(g.ATAN2, float(y), self, None, self.table_of_nodes)

    def exp(self) -> Any:
        """Exponential."""
        return _node(g.EXP, self, None, None, self.table_of_nodes)

    def log(self) -> Any:
        """Natural logarithm."""
        return _node(g.LOG, self, None, None, self.table_of_nodes)

    def tanh(self) -> Any:
        """Hyperbolic tangent."""
        return _node(g.TANH, self, None, None, self.table_of_nodes)

    def floor(self) -> Any:
        """Largest whole number not above."""
        return _node(g.FLOOR, self, None, None, self.table_of_nodes)

    def sign(self) -> Any:
        """-1, 0 or 1."""
        return _node(g.SIGN, self, None, None, self.table_of_nodes)

    def minimum(self, other: Any) -> Any:
        """The smaller of two."""
        return self if other is self else _ordered(g.MIN, self, other)

    def maximum(self, other: Any) -> Any:
        """The larger of two."""
        return self if other is self else _ordered(g.MAX, self, other)

    def __lt__(self, other: Any) -> Any:
        return _compare(g.LT, self, other)

    def __le__(self, other: Any) -> Any:
        return _compare(g.LE, self, other)

    def __gt__(self, other: Any) -> Any:
        return _compare(g.LT, other, self)

    def __ge__(self, other: Any) -> Any:
        return _compare(g.LE, other, self)

    def __and__(self, other: Any) -> Any:
        if type(other) is not Symbol:
            return self if other else False
        return self if other is self else _node(g.AND, self, other, None, self.table_of_nodes)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        if type(other) is not Symbol:
            return True if other else self
        return self if other is self else _node(g.OR, self, other, None, self.table_of_nodes)

    __ror__ = __or__

    def __invert__(self) -> Any:
        return self.a if self.op is g.NOT else _node(g.NOT, self, None, None, self.table_of_nodes)

    def select(self, a: Any, b: Any) -> Any:
        """The number a where this condition holds, b where it does not."""
        if type(a) is not Symbol:
            a = float(a)
        if type(b) is not Symbol:
            b = float(b)
        if a is b or (type(a) is float and type(b) is float and a == b):
            return a
        if self.op is g.NOT:
            return _node(g.SELECT, self.a, b, a, self.table_of_nodes)
        return _node(g.SELECT, self, a, b, self.table_of_nodes)

    def table(self, data: Any, order: int = 0) -> Any:
        """The order-th derivative of a piecewise polynomial (attributes knots, coefficients, digest) at this symbol."""
        if order >= data.coefficients.shape[1]:
            return 0.0
        return _node(g.TABLE, self, data, order, self.table_of_nodes)


class Graph:
    """The nodes of one trace, each distinct operation once; makes the leaves."""

    def __init__(self):
        self.nodes: dict = {}

    def input(self, position: int) -> Symbol:
        """The input number at a position of the flat input vector."""
        return _node(g.INPUT, position, None, None, self.nodes)

    def parameter(self, position: int) -> Symbol:
        """The parameter at a position of the flat parameter vector."""
        return _node(g.PARAMETER, position, None, None, self.nodes)


def _node(op: int, a: Any, b: Any, c: Any, nodes: dict) -> Symbol:
    key = (op, a, b, c)
    node = nodes.get(key)
    if node is None:
        node = nodes[key] = Symbol(op, a, b, c, nodes, len(nodes))
    return node


def _constant(value: Any) -> Any:
    if type(value) is float:
        return value
    # complex numbers and texts have no __float__; longer arrays refuse it
    try:
        return float(value.__float__())
    except (AttributeError, TypeError):
        return NotImplemented


def _integer_power(x: Any, n: int) -> Any:
    if n < 0:
        return 1.0 / _integer_power(x, -n)
    result: Any = 1.0
    while n:
        if n & 1:
            result = x * result
        n >>= 1
        if n:
            x = x * x
    return result


def _ordered(op: int, x: Symbol, y: Any) -> Any:
    if type(y) is not Symbol:
        y = float(y)
    elif y.index < x.index:
        x, y = y, x
    return _node(op, x, y, None, x.table_of_nodes)


def _compare(op: int, x: Any, y: Any) -> Any:
    if x is y:
        return op is g.LE
    if type(x) is not Symbol:
        x = _constant(x)
        if x is NotImplemented:
            return NotImplemented
        return _node(op, x, y, None, y.table_of_nodes)
    if type(y) is not Symbol:
        y = _constant(y)
        if y is NotImplemented:
            return NotImplemented
    return _node(op, x, y, None, x.table_of_nodes)
