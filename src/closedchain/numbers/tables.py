"""Tables: smooth functions given by samples, as piecewise polynomials that also give their derivatives."""

import hashlib
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedchain.numbers import foreign
from closedchain.numbers.functions import greater_equal, select


@dataclass(frozen=True, eq=False)
class Table:
    """A piecewise polynomial. Outside the knots the end polynomials go on: check or clamp the range before.

    knots: increasing, shape (n,); coefficients: ascending powers of x - knots[i], shape (n - 1, degree + 1).
    """

    knots: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    digest: str = field(init=False)

    def __post_init__(self):
        knots, coefficients = (np.array(values, dtype=float, order="C") for values in (self.knots, self.coefficients))
        if knots.ndim != 1 or len(knots) < 2 or not np.all(np.diff(knots) > 0):
            raise ValueError("The knots of a table must increase from row to row, and there must be at least two.")
        if coefficients.ndim != 2 or len(coefficients) != len(knots) - 1:
            raise ValueError(f"A table with {len(knots)} knots needs {len(knots) - 1} rows of coefficients.")
        if not (np.isfinite(knots).all() and np.isfinite(coefficients).all()):
            raise ValueError("A table holds a number that is not finite.")
        knots.flags.writeable = coefficients.flags.writeable = False
        digest = hashlib.blake2b(knots.tobytes() + coefficients.tobytes(), digest_size=16).hexdigest()
        for name, value in (("knots", knots), ("coefficients", coefficients), ("digest", digest)):
            object.__setattr__(self, name, value)

    @staticmethod
    def from_samples(x: ArrayLike, y: ArrayLike, degree: int = 3) -> "Table":
        """The spline through samples (x, y), both of shape (n,): degree 1, 3 (C2) or 5 (C4), not-a-knot ends.

        Raises ValueError when x does not increase or there are too few samples (degree + 1).

        >>> round(table(2.5, Table.from_samples([0, 1, 2, 3, 4], [0, 1, 4, 9, 16])), 12)
        6.25
        """
        from scipy.interpolate import PPoly, make_interp_spline

        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        if x.ndim != 1 or x.shape != y.shape:
            raise ValueError(f"A table needs as many values as places; it has shapes {x.shape} and {y.shape}.")
        if degree not in (1, 3, 5):
            raise ValueError(f"The degree of a table is 1, 3 or 5, not {degree}.")
        if len(x) <= degree:
            raise ValueError(f"A table of degree {degree} needs at least {degree + 1} rows; it has {len(x)}.")
        if not np.all(np.diff(x) > 0):
            raise ValueError("The first column of a table must increase from row to row.")
        pieces: Any = PPoly.from_spline(make_interp_spline(x, y, k=degree))
        inner = np.diff(pieces.x) > 0
        knots = np.append(pieces.x[:-1][inner], pieces.x[-1])
        return Table(knots, pieces.c[::-1, inner].T)

    def derivative_coefficients(self, order: int) -> NDArray[np.float64]:
        """Coefficients of the order-th derivative, shape (n - 1, degree + 1 - order)."""
        coefficients = self.coefficients
        for _ in range(order):
            coefficients = coefficients[:, 1:] * np.arange(1.0, coefficients.shape[1])
        return coefficients

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)


def table(x: Any, data: Table, order: int = 0) -> Any:
    """The order-th derivative of a table at x."""
    method = getattr(x, "table", None)
    if method is not None:
        return method(data, order)
    if order >= data.coefficients.shape[1]:
        return 0.0
    coefficients = data.derivative_coefficients(order)
    kind = foreign.library(x)
    if kind in ("casadi", "mpmath"):
        return _selected(x, data.knots, coefficients)
    at: Any = foreign.real(x)
    if isinstance(at, np.ndarray):
        piece: Any = np.clip(np.searchsorted(data.knots, at, side="right") - 1, 0, len(coefficients) - 1)
    else:
        piece = min(max(bisect_right(data.knots, at) - 1, 0), len(coefficients) - 1)
    value = _polynomial(x - data.knots[piece], coefficients[piece])
    return float(value) if kind == "float" else value


def _polynomial(t: Any, powers: Any) -> Any:
    value = powers[..., -1]
    for k in reversed(range(powers.shape[-1] - 1)):
        value = value * t + powers[..., k]
    return value


def _selected(x: Any, knots: Any, coefficients: Any) -> Any:
    """For numbers that cannot index: every piece, the right one selected."""
    pieces = [_plain(x - float(start), row) for start, row in zip(knots, coefficients)]
    value = pieces[0]
    for start, piece in zip(knots[1:-1], pieces[1:]):
        value = select(greater_equal(x, float(start)), piece, value)
    return value


def _plain(t: Any, powers: Any) -> Any:
    value: Any = float(powers[-1])
    for power in reversed(powers[:-1]):
        value = value * t + float(power)
    return value
