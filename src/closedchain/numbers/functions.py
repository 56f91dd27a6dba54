"""Elementary functions over anything that counts as a number here.

A number is a float (or int), a complex (for complex-step differentiation), a NumPy scalar or array (elementwise), or
any object that has the operation as a method, as a traced symbol has; mpmath and casadi numbers go to their own
libraries. On complex numbers absolute, sign, floor, minimum, maximum, atan2 and the comparisons look at the real
part and keep the derivative in the imaginary part. Outside their domain functions return nan or inf as compiled code
does, and never raise, so that `select(x > 0, sqrt(x), 0.0)` is the same on floats and on symbols; division is
Python's own: keep a denominator from being zero with maximum or select.
"""

import math
from typing import Any

from closedchain.numbers import foreign

_NAN = math.nan
_EXACT = (float, int)


def is_zero(x: Any) -> bool:
    """Whether x is exactly the Python number 0, which is structure (a computed or measured zero of other types is
    not).
    """
    kind = type(x)
    return (kind is float or kind is int) and x == 0


def is_one(x: Any) -> bool:
    """Whether x is exactly the Python number 1, which is structure."""
    kind = type(x)
    return (kind is float or kind is int) and x == 1


def sin(x: Any) -> Any:
    """Sine of an angle [rad]."""
    if type(x) is float:
        return math.sin(x) if math.isfinite(x) else _NAN
    method = getattr(x, "sin", None)
    return method() if method is not None else foreign.unary("sin", x)


def cos(x: Any) -> Any:
    """Cosine of an angle [rad]."""
    if type(x) is float:
        return math.cos(x) if math.isfinite(x) else _NAN
    method = getattr(x, "cos", None)
    return method() if method is not None else foreign.unary("cos", x)


def sincos(x: Any) -> tuple[Any, Any]:
    """Sine and cosine of the same angle [rad]; compiled code shares their work."""
    return sin(x), cos(x)


def tan(x: Any) -> Any:
    """Tangent of an angle [rad]."""
    if type(x) is float:
        return math.tan(x) if math.isfinite(x) else _NAN
    method = getattr(x, "tan", None)
    return method() if method is not None else foreign.unary("tan", x)


def asin(x: Any) -> Any:
    """Inverse sine [rad]; nan outside [-1, 1]."""
    if type(x) is float:
        return math.asin(x) if -1.0 <= x <= 1.0 else _NAN
    method = getattr(x, "asin", None)
    return method() if method is not None else foreign.unary("asin", x)


def acos(x: Any) -> Any:
    """Inverse cosine [rad]; nan outside [-1, 1]."""
    if type(x) is float:
        return math.acos(x) if -1.0 <= x <= 1.0 else _NAN
    method = getattr(x, "acos", None)
    return method() if method is not None else foreign.unary("acos", x)


def atan(x: Any) -> Any:
    """Inverse tangent [rad]."""
    if type(x) is float:
        return math.atan(x)
    method = getattr(x, "atan", None)
    return method() if method is not None else foreign.unary("atan", x)


def atan2(y: Any, x: Any) -> Any:
    """Angle [rad] of the point (x, y), in [-π, π]."""
    if type(y) in _EXACT and type(x) in _EXACT:
        return math.atan2(y, x)
    method = getattr(y, "atan2", None)
    if method is not None:
        return method(x)
    method = getattr(x, "atan2_of", None)
    return method(y) if method is not None else foreign.atan2(y, x)


def sqrt(x: Any) -> Any:
    """Square root; nan for negative numbers."""
    if type(x) is float:
        return math.sqrt(x) if x >= 0.0 else _NAN
    method = getattr(x, "sqrt", None)
    return method() if method is not None else foreign.unary("sqrt", x)


def exp(x: Any) -> Any:
    """Exponential function; inf beyond the range of doubles."""
    if type(x) is float:
        return math.exp(x) if x < 709.782712893384 else (math.inf if x == x else _NAN)
    method = getattr(x, "exp", None)
    # the attribute of that name of an mpmath number is its exponent
    return method() if callable(method) else foreign.unary("exp", x)


def log(x: Any) -> Any:
    """Natural logarithm; -inf at zero, nan for negative numbers."""
    if type(x) is float:
        return math.log(x) if x > 0.0 else (-math.inf if x == 0.0 else _NAN)
    method = getattr(x, "log", None)
    return method() if method is not None else foreign.unary("log", x)


def tanh(x: Any) -> Any:
    """Hyperbolic tangent."""
    if type(x) is float:
        return math.tanh(x)
    method = getattr(x, "tanh", None)
    return method() if method is not None else foreign.unary("tanh", x)


def absolute(x: Any) -> Any:
    """Absolute value; its derivative is sign(x)."""
    if type(x) is float:
        return abs(x)
    method = getattr(x, "absolute", None)
    return method() if method is not None else foreign.unary("absolute", x)


def sign(x: Any) -> Any:
    """-1, 0 or 1."""
    if type(x) is float:
        return math.copysign(1.0, x) if x else x
    method = getattr(x, "sign", None)
    return method() if method is not None else foreign.unary("sign", x)


def floor(x: Any) -> Any:
    """Largest whole number not above x, as a float."""
    if type(x) is float:
        return float(math.floor(x)) if math.isfinite(x) else x
    method = getattr(x, "floor", None)
    return method() if method is not None else foreign.unary("floor", x)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two numbers."""
    if type(a) in _EXACT and type(b) in _EXACT:
        return a if a <= b else b
    method = getattr(a, "minimum", None)
    if method is not None:
        return method(b)
    method = getattr(b, "minimum", None)
    return method(a) if method is not None else foreign.minimum(a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two numbers."""
    if type(a) in _EXACT and type(b) in _EXACT:
        return a if a >= b else b
    method = getattr(a, "maximum", None)
    if method is not None:
        return method(b)
    method = getattr(b, "maximum", None)
    return method(a) if method is not None else foreign.maximum(a, b)


def power(x: Any, y: Any) -> Any:
    """x to the power y; nan for a negative x with a broken exponent (whole constant exponents are multiplications)."""
    if type(x) in _EXACT and type(y) in _EXACT:
        return foreign.float_power(x, y)
    if hasattr(x, "power") or hasattr(y, "power"):
        return x**y
    return foreign.power(x, y)


def select(condition: Any, a: Any, b: Any) -> Any:
    """The number a where the condition holds, b where it does not; the way to branch on numbers that may be traced.

    condition: a comparison, a combination by logical_and, logical_or, logical_not, or a 0/1 mask. Both a and b are
    always computed.

    >>> select(1.0 < 2.0, 10.0, 20.0)
    10.0
    """
    if condition is True:
        return a
    if condition is False:
        return b
    method = getattr(condition, "select", None)
    return method(a, b) if method is not None else foreign.select(condition, a, b)


def less(a: Any, b: Any) -> Any:
    """The condition a < b; on complex numbers between the real parts (the operators do the same on all other
    numbers).
    """
    return foreign.real(a) < foreign.real(b)


def less_equal(a: Any, b: Any) -> Any:
    """The condition a <= b; on complex numbers between the real parts."""
    return foreign.real(a) <= foreign.real(b)


def greater(a: Any, b: Any) -> Any:
    """The condition a > b; on complex numbers between the real parts."""
    return foreign.real(a) > foreign.real(b)


def greater_equal(a: Any, b: Any) -> Any:
    """The condition a >= b; on complex numbers between the real parts."""
    return foreign.real(a) >= foreign.real(b)


def logical_and(a: Any, b: Any) -> Any:
    """Both conditions hold."""
    if type(a) is bool:
        return b if a else False
    if type(b) is bool:
        return a if b else False
    return foreign.casadi_logic("logic_and", a, b) if foreign.is_casadi(a) else a & b


def logical_or(a: Any, b: Any) -> Any:
    """At least one condition holds."""
    if type(a) is bool:
        return True if a else b
    if type(b) is bool:
        return True if b else a
    return foreign.casadi_logic("logic_or", a, b) if foreign.is_casadi(a) else a | b


def logical_not(a: Any) -> Any:
    """The condition does not hold."""
    if type(a) is bool:
        return not a
    return foreign.casadi_logic("logic_not", a) if foreign.is_casadi(a) else ~a
