"""Elementary functions for numbers without methods of their own: complex, int, NumPy, mpmath, casadi."""

import cmath
import math
import sys
from typing import Any

_CASADI = {"absolute": "fabs"}
_MPMATH = {"absolute": "fabs"}
_NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}


def library(x: Any) -> str:
    """The name of the library whose functions suit x: complex, numpy, mpmath, casadi or float."""
    if isinstance(x, complex) and type(x) is complex:
        return "complex"
    root = type(x).__module__.partition(".")[0]
    if root in ("numpy", "mpmath", "casadi"):
        return root
    if isinstance(x, (int, float)):
        return "float"
    raise TypeError(f"{x!r} is not a number closedchain can compute with ({type(x).__name__}).")


def _common(a: Any, b: Any) -> str:
    kinds = {library(a), library(b)}
    for kind in ("casadi", "mpmath", "numpy", "complex"):
        if kind in kinds:
            return kind
    return "float"


def unary(name: str, x: Any) -> Any:
    """The function of that name (as in functions.py) at x."""
    kind = library(x)
    if kind == "casadi":
        return getattr(sys.modules["casadi"], _CASADI.get(name, name))(x)
    if kind == "mpmath":
        mpmath = sys.modules["mpmath"]
        if name in ("sqrt", "log", "asin", "acos") and not _in_domain(name, x):
            return mpmath.mpf("nan")
        return getattr(mpmath, _MPMATH.get(name, name))(x)
    if kind == "numpy":
        return _numpy_unary(name, x)
    if kind == "complex":
        return _complex_unary(name, x)
    from closedchain.numbers import functions

    return getattr(functions, name)(float(x))


def _in_domain(name: str, x: Any) -> bool:
    return x >= 0 if name in ("sqrt", "log") else -1 <= x <= 1


def _complex_unary(name: str, x: complex) -> Any:
    if name == "absolute":
        return -x if x.real < 0.0 else x
    if name == "sign":
        return math.copysign(1.0, x.real) if x.real else 0.0
    if name == "floor":
        return float(math.floor(x.real))
    return getattr(cmath, name)(x)


def _numpy_unary(name: str, x: Any) -> Any:
    import numpy as np

    with np.errstate(all="ignore"):
        if np.iscomplexobj(x):
            if name == "absolute":
                return np.where(x.real < 0.0, -x, x)[()]
            if name in ("sign", "floor"):
                return getattr(np, name)(x.real)
        return getattr(np, _NUMPY.get(name, name))(x)


def real(x: Any) -> Any:
    """The real part of complex numbers, any other number as it is."""
    if type(x) is complex:
        return x.real
    if type(x).__module__ == "numpy" and x.dtype.kind == "c":
        return x.real
    return x


def _imag(x: Any) -> Any:
    return x.imag if hasattr(x, "imag") else 0.0


def atan2(y: Any, x: Any) -> Any:
    """Angle of the point (x, y); its imaginary part is the derivative (x dy - y dx)/(x² + y²)."""
    kind = _common(y, x)
    if kind == "casadi":
        return sys.modules["casadi"].atan2(y, x)
    if kind == "mpmath":
        return sys.modules["mpmath"].atan2(y, x)
    if kind == "float":
        return math.atan2(y, x)
    import numpy as np

    re_y, re_x = real(y), real(x)
    angle = np.arctan2(re_y, re_x) if kind == "numpy" else math.atan2(re_y, re_x)
    if kind == "complex" or np.iscomplexobj(y) or np.iscomplexobj(x):
        return angle + 1j * (re_x * _imag(y) - re_y * _imag(x)) / (re_x * re_x + re_y * re_y)
    return angle


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two numbers, by real part."""
    if _common(a, b) == "casadi":
        return sys.modules["casadi"].fmin(a, b)
    return select(real(a) <= real(b), a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two numbers, by real part."""
    if _common(a, b) == "casadi":
        return sys.modules["casadi"].fmax(a, b)
    return select(real(a) >= real(b), a, b)


def float_power(x: float, y: float) -> float:
    """x to the power y on floats as compiled code does it: nan and inf instead of exceptions."""
    try:
        result = x**y
    except ZeroDivisionError:
        return math.inf
    except OverflowError:
        return math.inf if x > 0 or y % 2 == 0 else -math.inf
    return math.nan if isinstance(result, complex) else float(result)


def power(x: Any, y: Any) -> Any:
    """x to the power y."""
    if _common(x, y) == "numpy":
        import numpy as np

        with np.errstate(all="ignore"):
            return np.power(x * 1.0, y)
    return x**y


def select(condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, b elsewhere."""
    kind = library(condition)
    if kind == "casadi":
        return sys.modules["casadi"].if_else(condition, a, b)
    if kind == "numpy" and getattr(condition, "ndim", 0):
        import numpy as np

        return np.where(condition, a, b)
    return a if condition else b


def is_casadi(x: Any) -> bool:
    """Whether x is a number of casadi, whose conditions have functions instead of operators."""
    return type(x).__module__.startswith("casadi")


def casadi_logic(name: str, *conditions: Any) -> Any:
    """A logical operation of casadi."""
    return getattr(sys.modules["casadi"], name)(*conditions)
