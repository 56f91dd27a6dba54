"""atan2 and with it atan, asin and acos as branch-free LLVM IR.

The smaller of |x|, |y| is divided by the larger; beyond tan π/8 the angle is taken from π/4. Polynomial: fdlibm's
s_atan.c (Sun Microsystems 1993). Errors are below 2 units in the last place (asin and acos: 3).
"""

import math

from closedchain.compile.ir import EXACT, Code

TANGENT_OF_EIGHTH = 0.41421356237309503
HALF_PI_LOW = 6.123233995736766e-17

ARCTANGENT = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)
_SIGN = -(1 << 63)


def write_atan2(code: Code, y: str, x: str) -> str:
    """Angle of the point (x, y)."""
    zero, one, infinity = code.number(0.0), code.number(1.0), code.number(math.inf)
    across, up = code.intrinsic("fabs", x), code.intrinsic("fabs", y)
    # towards a corner at infinity the angle is that of (±1, ±1)
    corner = code.both(code.compare("oeq", across, infinity), code.compare("oeq", up, infinity))
    across, up = code.select(corner, one, across), code.select(corner, one, up)
    steep = code.compare("ogt", up, across)
    small, large = code.select(steep, across, up), code.select(steep, up, across)
    angle = _first_octant(code, small, large)
    # at the origin 0/0
    angle = code.select(code.compare("oeq", large, zero), zero, angle)
    angle = code.select(steep, _less_from(code, math.pi / 2, HALF_PI_LOW, angle), angle)
    left = code.compare("olt", x, zero)
    angle = code.select(left, _less_from(code, math.pi, 2 * HALF_PI_LOW, angle), angle)
    angle = code.select(code.compare("uno", x, y), code.number(math.nan), angle)
    sign = code.whole_op("and", code.bits(y), code.integer(_SIGN))
    return code.value(code.whole_op("or", code.bits(angle), sign))


def write_atan(code: Code, x: str) -> str:
    """Angle in [−π/2, π/2] whose tangent is x."""
    return write_atan2(code, x, code.number(1.0))


def write_asin(code: Code, x: str) -> str:
    """Angle in [−π/2, π/2] whose sine is x."""
    return write_atan2(code, x, _other_side(code, x))


def write_acos(code: Code, x: str) -> str:
    """Angle in [0, π] whose cosine is x."""
    return write_atan2(code, _other_side(code, x), x)


def _other_side(code: Code, x: str) -> str:
    """√(1 − x²) without loss near ±1; nan beyond."""
    one = code.number(1.0)
    return code.intrinsic("sqrt", code.mul(code.sub(one, x, EXACT), code.add(one, x, EXACT), EXACT))


def _first_octant(code: Code, small: str, large: str) -> str:
    """atan(small/large) for 0 ≤ small ≤ large."""
    limit = code.mul(large, code.number(TANGENT_OF_EIGHTH))
    upper = code.compare("ogt", small, limit)
    # halves of large numbers, so that the sum of two huge ones stays finite and denormal ones keep their bits
    scale = code.select(code.compare("ogt", large, code.number(1.0)), code.number(0.5), code.number(1.0))
    small, large = code.mul(small, scale, EXACT), code.mul(large, scale, EXACT)
    numerator = code.select(upper, code.sub(small, large, EXACT), small)
    denominator = code.select(upper, code.add(small, large, EXACT), large)
    t = code.div(numerator, denominator, EXACT)
    z = code.mul(t, t)
    bent = code.mul(code.mul(t, z), code.polynomial(z, ARCTANGENT))
    from_diagonal = code.add(
        code.number(math.pi / 4),
        code.sub(t, code.sub(bent, code.number(HALF_PI_LOW / 2)), EXACT),
        EXACT,
    )
    return code.select(upper, from_diagonal, code.sub(t, bent))


def _less_from(code: Code, high: float, low: float, angle: str) -> str:
    """high + low − angle."""
    return code.sub(code.number(high), code.sub(angle, code.number(low), EXACT), EXACT)
