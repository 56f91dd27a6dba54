"""Sine and cosine as branch-free LLVM IR: reduction by π/2 in parts, then minimax polynomials on [−π/4, π/4].

x = k π/2 + r with k = round(2x/π). The first part of π/2 has 33 bits, so k times it is exact for |x| < 1e6 (with fused
multiply-add far beyond); the second part carries the next 53 bits, and what its rounding loses is kept. Polynomials:
fdlibm's k_sin.c and k_cos.c (Sun Microsystems 1993). Absolute error below 1e-16 for |x| ≤ 1e3 and 1e-15 for |x| ≤ 1e6.
"""

from closedchain.compile.ir import EXACT, Code

TWO_OVER_PI = 0.6366197723675814
HALF_PI_HIGH = 1.5707963267341256
HALF_PI_LOW = 6.077100506506192e-11
# adding and subtracting 1.5 * 2**52 rounds to the nearest whole number, which then stands in the low bits
ROUNDER = 6755399441055744.0

SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)


def write_sincos(code: Code, x: str) -> tuple[str, str]:
    """Append the instructions for the sine and cosine of x; returns their names."""
    shifted = code.add(code.mul(x, code.number(TWO_OVER_PI), EXACT), code.number(ROUNDER), EXACT)
    k = code.sub(shifted, code.number(ROUNDER), EXACT)
    first = code.sub(x, code.mul(k, code.number(HALF_PI_HIGH)))
    low = code.mul(k, code.number(HALF_PI_LOW))
    r = code.sub(first, low)
    lost = code.sub(code.sub(first, r), low)
    sine, cosine = _polynomials(code, r, lost)
    bits = code.bits(shifted)
    odd = code.whole_op("and", bits, code.integer(1))
    swap = code.raw(f"icmp ne {code.whole} {odd}, {code.integer(0)}")
    following = code.whole_op("add", bits, code.integer(1))
    return (
        _signed(code, code.select(swap, cosine, sine), bits),
        _signed(code, code.select(swap, sine, cosine), following),
    )


def _polynomials(code: Code, r: str, r_low: str) -> tuple[str, str]:
    """Sine and cosine of r + r_low."""
    z = code.mul(r, r)
    bent = code.add(code.mul(code.mul(r, z), code.polynomial(z, SINE)), r_low)
    sine = code.add(r, bent)
    # 1 - z/2 + z² p - r r_low, with the rounding of 1 - z/2 made good
    half = code.mul(z, code.number(0.5))
    head = code.sub(code.number(1.0), half, EXACT)
    lost = code.sub(code.sub(code.number(1.0), head, EXACT), half, EXACT)
    lost = code.sub(lost, code.mul(r, r_low))
    tail = code.add(lost, code.mul(code.mul(z, z), code.polynomial(z, COSINE)))
    return sine, code.add(head, tail)


def _signed(code: Code, value: str, quadrant: str) -> str:
    """The value, negative in quadrants 2 and 3."""
    sign = code.whole_op("shl", code.whole_op("and", quadrant, code.integer(2)), code.integer(62))
    return code.value(code.whole_op("xor", code.bits(value), sign))
