"""Sine and cosine as branch-free LLVM IR: reduction by π/2 in parts, then minimax polynomials on [−π/4, π/4].

x = k π/2 + r with k = round(2x/π). The first part of π/2 has 33 bits, so k times it is exact for |x| < 1e6 (with fused
multiply-add far beyond); the second part carries the next 53 bits, and what its rounding loses is kept. Polynomials:
fdlibm's k_sin.c and k_cos.c (Sun Microsystems 1993). Absolute error below 1e-16 for |x| ≤ 1e3 and 1e-15 for |x| ≤ 1e6.
"""

from closedchain.compile import literals
from closedchain.compile.literals import vector_type

TWO_OVER_PI = 0.6366197723675814
HALF_PI_HIGH = 1.5707963267341256
HALF_PI_LOW = 6.077100506506192e-11
# adding and subtracting 1.5 * 2**52 rounds to the nearest whole number, which then stands in the low bits
ROUNDER = 6755399441055744.0

SINE = (
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06,
    -2.50507602534068634195e-08, 1.58969099521155010221e-10,
)  # fmt: skip
COSINE = (
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05, -2.75573143513906633035e-07,
    2.08757232129817482790e-09, -1.13596475577881948265e-11,
)  # fmt: skip


class SinCos:
    """Writes the instructions that compute sine and cosine of one argument, with the fast-math flags of the kernel."""

    def __init__(self, lines: list[str], flags: str, lanes: int):
        self.lines = lines
        self.flags = flags
        self.lanes = lanes
        self.kind = vector_type("double", lanes)
        self.integer = vector_type("i64", lanes)
        self.boolean = vector_type("i1", lanes)

    def write(self, x: str, name: str) -> tuple[str, str]:
        """Append the instructions for argument x; returns the names of sine and cosine."""
        self.name = name
        self.count = 0
        # no flags here: the rounding trick must stay as written
        shifted = self._op("fadd", self._op("fmul", x, self._number(TWO_OVER_PI), ""), self._number(ROUNDER), "")
        k = self._op("fsub", shifted, self._number(ROUNDER), "")
        r = self._op("fsub", x, self._op("fmul", k, self._number(HALF_PI_HIGH)))
        low = self._op("fmul", k, self._number(HALF_PI_LOW))
        reduced = self._op("fsub", r, low)
        lost = self._op("fsub", self._op("fsub", r, reduced), low)
        sine, cosine = self._polynomials(reduced, lost)
        bits = self._raw(f"bitcast {self.kind} {shifted} to {self.integer}")
        return self._quadrant(bits, sine, cosine)

    def _polynomials(self, r: str, r_low: str) -> tuple[str, str]:
        """Sine and cosine of r + r_low."""
        z = self._op("fmul", r, r)
        rz = self._op("fmul", r, z)
        bent = self._op("fadd", self._op("fmul", rz, self._horner(z, SINE)), r_low)
        sine = self._op("fadd", r, bent)
        # 1 - z/2 + z² p - r r_low, with the rounding of 1 - z/2 made good
        half = self._op("fmul", z, self._number(0.5))
        head = self._op("fsub", self._number(1.0), half, "")
        lost = self._op("fsub", self._op("fsub", self._number(1.0), head, ""), half, "")
        lost = self._op("fsub", lost, self._op("fmul", r, r_low))
        zz = self._op("fmul", z, z)
        tail = self._op("fadd", lost, self._op("fmul", zz, self._horner(z, COSINE)))
        return sine, self._op("fadd", head, tail)

    def _quadrant(self, bits: str, sine: str, cosine: str) -> tuple[str, str]:
        integer = self.integer
        odd = self._raw(f"and {integer} {bits}, {self._integer(1)}")
        swap = self._raw(f"icmp ne {integer} {odd}, {self._integer(0)}")
        s = self._raw(f"select {self.boolean} {swap}, {self.kind} {cosine}, {self.kind} {sine}")
        c = self._raw(f"select {self.boolean} {swap}, {self.kind} {sine}, {self.kind} {cosine}")
        following = self._raw(f"add {integer} {bits}, {self._integer(1)}")
        return self._signed(s, bits), self._signed(c, following)

    def _signed(self, value: str, bits: str) -> str:
        integer = self.integer
        second = self._raw(f"and {integer} {bits}, {self._integer(2)}")
        sign = self._raw(f"shl {integer} {second}, {self._integer(62)}")
        plain = self._raw(f"bitcast {self.kind} {value} to {integer}")
        turned = self._raw(f"xor {integer} {plain}, {sign}")
        return self._raw(f"bitcast {integer} {turned} to {self.kind}")

    def _horner(self, z: str, coefficients: tuple[float, ...]) -> str:
        value = self._number(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            value = self._op("fadd", self._op("fmul", value, z), self._number(coefficient))
        return value

    def _number(self, value: float) -> str:
        return literals.number(value, self.lanes)

    def _integer(self, value: int) -> str:
        return literals.integer(value, self.lanes)

    def _op(self, op: str, a: str, b: str, flags: str | None = None) -> str:
        return self._raw(f"{op} {self.flags if flags is None else flags} {self.kind} {a}, {b}")

    def _raw(self, text: str) -> str:
        result = f"{self.name}.{self.count}"
        self.count += 1
        self.lines.append(f"{result} = {text}")
        return result
