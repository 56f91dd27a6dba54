"""Vectors and matrices of three over numbers, with exact zeros kept as such, so that planar mechanisms fold out of
spatial code.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from closedchain.numbers.functions import sqrt


def mul(a: Any, b: Any) -> Any:
    """Product; an exact zero factor gives 0.0, an exact one the other factor."""
    kind = type(a)
    if kind is float or kind is int:
        if a == 0:
            return 0.0
        if a == 1:
            return b
    kind = type(b)
    if kind is float or kind is int:
        if b == 0:
            return 0.0
        if b == 1:
            return a
    return a * b


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """Sum of products."""
    total: Any = 0.0
    for x, y in zip(a, b, strict=True):
        total = add(total, mul(x, y))
    return total


def add(a: Any, b: Any) -> Any:
    """Sum; an exact zero gives the other operand."""
    kind = type(a)
    if (kind is float or kind is int) and a == 0:
        return b
    kind = type(b)
    if (kind is float or kind is int) and b == 0:
        return a
    return a + b


def sub(a: Any, b: Any) -> Any:
    """Difference; an exact zero to subtract gives a."""
    kind = type(b)
    if (kind is float or kind is int) and b == 0:
        return a
    kind = type(a)
    if (kind is float or kind is int) and a == 0:
        return -b
    return a - b


# Tracing spends a third of its time in the next two functions, mostly on factors that are zero or one: what `mul` and
# `add` say is written out in them.


def _dot3(a1: Any, b1: Any, a2: Any, b2: Any, a3: Any, b3: Any) -> Any:
    # all products before the sums: compiled code follows the order of creation, and is a tenth slower otherwise
    p: Any = None
    if type(a1) is float:
        if a1 != 0.0 and not (type(b1) is float and b1 == 0.0):
            p = b1 if a1 == 1.0 else a1 * b1
    elif type(b1) is not float:
        p = a1 * b1
    elif b1 != 0.0:
        p = a1 if b1 == 1.0 else a1 * b1
    q: Any = None
    if type(a2) is float:
        if a2 != 0.0 and not (type(b2) is float and b2 == 0.0):
            q = b2 if a2 == 1.0 else a2 * b2
    elif type(b2) is not float:
        q = a2 * b2
    elif b2 != 0.0:
        q = a2 if b2 == 1.0 else a2 * b2
    r: Any = None
    if type(a3) is float:
        if a3 != 0.0 and not (type(b3) is float and b3 == 0.0):
            r = b3 if a3 == 1.0 else a3 * b3
    elif type(b3) is not float:
        r = a3 * b3
    elif b3 != 0.0:
        r = a3 if b3 == 1.0 else a3 * b3
    if p is None:
        p = q
    elif q is not None:
        p = p + q
    if p is None:
        return 0.0 if r is None else r
    return p if r is None else p + r


def _cross1(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The number a b - c d, one component of a vector product."""
    first: Any = None
    if type(a) is float:
        if a != 0.0 and not (type(b) is float and b == 0.0):
            first = b if a == 1.0 else a * b
    elif type(b) is not float:
        first = a * b
    elif b != 0.0:
        first = a if b == 1.0 else a * b
    if type(c) is float:
        if c == 0.0 or (type(d) is float and d == 0.0):
            return 0.0 if first is None else first
        second = d if c == 1.0 else c * d
    elif type(d) is not float:
        second = c * d
    elif d == 0.0:
        return 0.0 if first is None else first
    else:
        second = c if d == 1.0 else c * d
    return -second if first is None else first - second


class Vec3:
    """Three numbers. Operators +, -, scalar * and /; dot, cross, norm; indexing, iteration.

    >>> Vec3(1.0, 0.0, 0.0).cross(Vec3(0.0, 1.0, 0.0))
    Vec3(0.0, 0.0, 1.0)
    """

    __slots__ = ("x", "y", "z")

    def __init__(self, x: Any, y: Any, z: Any):
        self.x = x
        self.y = y
        self.z = z

    @staticmethod
    def zero() -> "Vec3":
        """All zeros."""
        return Vec3(0.0, 0.0, 0.0)

    def __repr__(self) -> str:
        return f"Vec3({self.x!r}, {self.y!r}, {self.z!r})"

    def __iter__(self) -> Iterator[Any]:
        return iter((self.x, self.y, self.z))

    def __len__(self) -> int:
        return 3

    def __getitem__(self, i: int) -> Any:
        return (self.x, self.y, self.z)[i]

    def __add__(self, other: "Vec3") -> "Vec3":
        return Vec3(add(self.x, other.x), add(self.y, other.y), add(self.z, other.z))

    def __sub__(self, other: "Vec3") -> "Vec3":
        return Vec3(sub(self.x, other.x), sub(self.y, other.y), sub(self.z, other.z))

    def __neg__(self) -> "Vec3":
        return Vec3(sub(0.0, self.x), sub(0.0, self.y), sub(0.0, self.z))

    def __mul__(self, s: Any) -> "Vec3":
        return Vec3(mul(self.x, s), mul(self.y, s), mul(self.z, s))

    def __rmul__(self, s: Any) -> "Vec3":
        return Vec3(mul(s, self.x), mul(s, self.y), mul(s, self.z))

    def __truediv__(self, s: Any) -> "Vec3":
        return self * (1.0 / s)

    def dot(self, other: "Vec3") -> Any:
        """Scalar product."""
        return _dot3(self.x, other.x, self.y, other.y, self.z, other.z)

    def cross(self, other: "Vec3") -> "Vec3":
        """Vector product."""
        a, b, c = self.x, self.y, self.z
        x, y, z = other.x, other.y, other.z
        return Vec3(_cross1(b, z, c, y), _cross1(c, x, a, z), _cross1(a, y, b, x))

    def norm(self) -> Any:
        """Length; of a vector along one axis the absolute value of that component."""
        return sqrt(self.dot(self))

    def is_zero(self) -> bool:
        """Whether all three numbers are exact zeros."""
        return all((type(s) is float or type(s) is int) and s == 0 for s in (self.x, self.y, self.z))


class Mat3:
    """A 3×3 matrix of numbers, row major: Mat3(m00, m01, m02, m10, …). Iteration gives rows; M[i, j] an entry.

    >>> Mat3.identity() @ Vec3(1.0, 2.0, 3.0)
    Vec3(1.0, 2.0, 3.0)
    """

    __slots__ = ("m",)

    def __init__(self, *entries: Any):
        if len(entries) != 9:
            raise ValueError(f"A Mat3 needs 9 numbers, row by row; it got {len(entries)}.")
        self.m = entries

    @staticmethod
    def identity() -> "Mat3":
        """The unit matrix, always the same one: products with it cost nothing."""
        return _IDENTITY

    @staticmethod
    def zero() -> "Mat3":
        """All zeros."""
        return Mat3(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    @staticmethod
    def diagonal(a: Any, b: Any, c: Any) -> "Mat3":
        """A diagonal matrix."""
        return Mat3(a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, c)

    @staticmethod
    def from_columns(a: Vec3, b: Vec3, c: Vec3) -> "Mat3":
        """The matrix with these columns."""
        return Mat3(a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z)

    @staticmethod
    def from_rows(a: Vec3, b: Vec3, c: Vec3) -> "Mat3":
        """The matrix with these rows."""
        return Mat3(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z)

    def __repr__(self) -> str:
        return f"Mat3({', '.join(map(repr, self.m))})"

    def __iter__(self) -> Iterator[Vec3]:
        return iter((self.row(0), self.row(1), self.row(2)))

    def __len__(self) -> int:
        return 3

    def __getitem__(self, at: tuple[int, int]) -> Any:
        return self.m[3 * at[0] + at[1]]

    def row(self, i: int) -> Vec3:
        """Row i."""
        m = self.m
        return Vec3(m[3 * i], m[3 * i + 1], m[3 * i + 2])

    def column(self, j: int) -> Vec3:
        """Column j."""
        m = self.m
        return Vec3(m[j], m[3 + j], m[6 + j])

    @property
    def T(self) -> "Mat3":
        """The transpose."""
        if self is _IDENTITY:
            return self
        a, b, c, d, e, f, g, h, i = self.m
        return Mat3(a, d, g, b, e, h, c, f, i)

    def __add__(self, other: "Mat3") -> "Mat3":
        return Mat3(*map(add, self.m, other.m))

    def __sub__(self, other: "Mat3") -> "Mat3":
        return Mat3(*map(sub, self.m, other.m))

    def __neg__(self) -> "Mat3":
        return Mat3(*(sub(0.0, s) for s in self.m))

    def __mul__(self, s: Any) -> "Mat3":
        return Mat3(*(mul(entry, s) for entry in self.m))

    __rmul__ = __mul__

    def __truediv__(self, s: Any) -> "Mat3":
        return self * (1.0 / s)

    def __matmul__(self, other: Any) -> Any:
        a, b, c, d, e, f, g, h, i = self.m
        if type(other) is Vec3:
            if self is _IDENTITY:
                return other
            x, y, z = other.x, other.y, other.z
            return Vec3(_dot3(a, x, b, y, c, z), _dot3(d, x, e, y, f, z), _dot3(g, x, h, y, i, z))
        if type(other) is not Mat3:
            return NotImplemented
        if self is _IDENTITY or other is _IDENTITY:
            return other if self is _IDENTITY else self
        p, q, r, s, t, u, v, w, x = other.m
        return Mat3(
            _dot3(a, p, b, s, c, v), _dot3(a, q, b, t, c, w), _dot3(a, r, b, u, c, x),
            _dot3(d, p, e, s, f, v), _dot3(d, q, e, t, f, w), _dot3(d, r, e, u, f, x),
            _dot3(g, p, h, s, i, v), _dot3(g, q, h, t, i, w), _dot3(g, r, h, u, i, x),
        )  # fmt: skip

    def transpose_times(self, v: Any) -> Any:
        """Mᵀ v (or Mᵀ N) without forming the transpose."""
        if self is _IDENTITY:
            return v
        if type(v) is Mat3:
            return self.T @ v
        a, b, c, d, e, f, g, h, i = self.m
        x, y, z = v.x, v.y, v.z
        return Vec3(_dot3(a, x, d, y, g, z), _dot3(b, x, e, y, h, z), _dot3(c, x, f, y, i, z))

    def trace(self) -> Any:
        """Sum of the diagonal."""
        return add(add(self.m[0], self.m[4]), self.m[8])


_IDENTITY = Mat3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def skew(v: Vec3) -> Mat3:
    """The matrix with skew(v) @ w = v × w."""
    x, y, z = v
    return Mat3(0.0, sub(0.0, z), y, z, 0.0, sub(0.0, x), sub(0.0, y), x, 0.0)


def outer(a: Vec3, b: Vec3) -> Mat3:
    """The matrix a bᵀ."""
    return Mat3(*(mul(s, t) for s in a for t in b))
