"""exp, log, tanh and power as branch-free LLVM IR, so that lanes stay in their vector and no call clears the registers.

exp: x = k ln 2 + r, exp r = 1 + r + r² q(r), q minimax of degree 9 (relative error 4e-18), times 2ᵏ in two steps.
log: fdlibm's e_log.c (Sun Microsystems 1993): x = 2ᵏ m, s = (m − 1)/(m + 1), log m = 2s + s R(s²).
power: exp(y log x) with the logarithm and the product carried in two doubles, as in fdlibm's e_pow.c.
Errors are below 1 unit in the last place (exp, log), 1.5 (power) and 3 (tanh). Infinities, nan and domains are as in
the C standard; zeros have no sign.
"""

import math

from closedchain.compile.ir import EXACT, Code
from closedchain.compile.sincos import ROUNDER

LOG2_E = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
LARGEST, SMALLEST = 710.0, -746.0

EXPONENTIAL = (
    0.5000000000000011,
    0.16666666666666413,
    0.041666666666530155,
    0.008333333333494461,
    0.0013888888943630114,
    0.00019841269506578688,
    2.480149309890655e-05,
    2.755758637384016e-06,
    2.7630248379211113e-07,
    2.5000061602836368e-08,
)
LOGARITHM = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)
_HALF_ROOT_BITS = 0x3FE6A09E667F3BCD
_UPPER_HALF = -(1 << 27)
_ABSOLUTE = (1 << 63) - 1


def write_exp(code: Code, x: str) -> str:
    """exp x."""
    x = _clamped(code, x)
    k, k_bits = _whole_part(code, x)
    r = _rest(code, x, k)
    return _scaled(code, code.add(code.number(1.0), _exp_minus_one(code, r)), k_bits)


def write_log(code: Code, x: str) -> str:
    """Natural logarithm of x."""
    k, f = _mantissa(code, x)
    s = code.div(f, code.add(f, code.number(2.0)))
    half_square = code.mul(code.mul(f, f), code.number(0.5))
    bent = code.mul(s, code.add(half_square, _log_rest(code, s)))
    low = code.add(bent, code.mul(k, code.number(LN2_LOW)))
    result = code.sub(code.mul(k, code.number(LN2_HIGH)), code.sub(code.sub(half_square, low), f))
    result = code.select(code.compare("oeq", x, code.number(math.inf)), x, result)
    result = code.select(code.compare("oeq", x, code.number(0.0)), code.number(-math.inf), result)
    return code.select(code.compare("uge", x, code.number(0.0)), _or_nan(code, x, result), code.number(math.nan))


def write_tanh(code: Code, x: str) -> str:
    """Hyperbolic tangent of x: (e - 1)/(e + 1) with e = exp 2|x|, its part above one computed without loss."""
    positive = code.intrinsic("fabs", x)
    doubled = code.add(positive, positive)
    doubled = code.select(code.compare("ogt", doubled, code.number(44.0)), code.number(44.0), doubled)
    k, k_bits = _whole_part(code, doubled)
    power = _power_of_two(code, code.whole_op("sub", k_bits, code.integer(_ROUNDER_BITS)))
    p = _exp_minus_one(code, _rest(code, doubled, k))
    above = code.add(code.mul(power, p), code.sub(power, code.number(1.0)))
    result = code.div(above, code.add(above, code.number(2.0)))
    sign = code.whole_op("and", code.bits(x), code.integer(-(1 << 63)))
    return code.value(code.whole_op("or", code.bits(result), sign))


def write_power(code: Code, x: str, y: str) -> str:
    """x to the power y."""
    positive = code.intrinsic("fabs", x)
    high, low = _log_in_two(code, positive)
    # beyond this size every power but that of one over- or underflows; products stay finite
    exponent = _limited(code, y, 1e300)
    y_high = _upper_half(code, exponent)
    product = code.mul(y_high, high, EXACT)
    rest = code.add(code.mul(code.sub(exponent, y_high), high), code.mul(exponent, low))
    total = _clamped(code, code.add(product, rest, EXACT))
    k, k_bits = _whole_part(code, total)
    outside = code.compare("une", total, code.add(product, rest, EXACT))
    product = code.select(outside, total, product)
    rest = code.select(outside, code.number(0.0), rest)
    r = code.sub(product, code.mul(k, code.number(LN2_HIGH)))
    r = code.add(r, code.sub(rest, code.mul(k, code.number(LN2_LOW))))
    result = _scaled(code, code.add(code.number(1.0), _exp_minus_one(code, r)), k_bits)
    return _power_cases(code, x, positive, y, result)


def _power_cases(code: Code, x: str, positive: str, y: str, result: str) -> str:
    """The C standard's special cases of x**y, given |x|**y for ordinary numbers."""
    zero, one, infinity = code.number(0.0), code.number(1.0), code.number(math.inf)
    rising = code.compare("ogt", y, zero)
    result = code.select(code.compare("oeq", positive, zero), code.select(rising, zero, infinity), result)
    result = code.select(code.compare("oeq", positive, infinity), code.select(rising, infinity, zero), result)
    # a negative base: whole exponents only, odd ones keep the sign
    half = code.mul(y, code.number(0.5), EXACT)
    odd = code.compare("one", code.intrinsic("floor", half), half)
    whole = code.compare("oeq", code.intrinsic("floor", y), y)
    turned = code.select(odd, code.raw(f"fneg {code.kind} {result}"), result)
    ordinary = code.compare("one", positive, infinity)
    nan = code.select(ordinary, code.number(math.nan), result)
    turned = code.select(whole, turned, nan)
    negative = code.compare("olt", x, zero)
    result = code.select(negative, turned, result)
    result = code.select(code.compare("uno", x, y), code.number(math.nan), result)
    result = code.select(code.compare("oeq", y, zero), one, result)
    return code.select(code.compare("oeq", x, one), one, result)


def _whole_part(code: Code, x: str) -> tuple[str, str]:
    """k = round(x / ln 2) as a double, and the bits of k + ROUNDER."""
    shifted = code.add(code.mul(x, code.number(LOG2_E), EXACT), code.number(ROUNDER), EXACT)
    return code.sub(shifted, code.number(ROUNDER), EXACT), code.bits(shifted)


def _rest(code: Code, x: str, k: str) -> str:
    return code.sub(code.sub(x, code.mul(k, code.number(LN2_HIGH))), code.mul(k, code.number(LN2_LOW)))


def _exp_minus_one(code: Code, r: str) -> str:
    """exp r - 1 for |r| ≤ ln 2 / 2."""
    return code.add(r, code.mul(code.mul(r, r), code.polynomial(r, EXPONENTIAL)))


_ROUNDER_BITS = 0x4338000000000000


def _power_of_two(code: Code, k: str) -> str:
    """2ᵏ of an integer in the range of normal numbers."""
    biased = code.whole_op("add", k, code.integer(1023))
    return code.value(code.whole_op("shl", biased, code.integer(52)))


def _scaled(code: Code, value: str, k_bits: str) -> str:
    """value 2ᵏ, in two steps so that the largest and the denormal results are reached."""
    k = code.whole_op("sub", k_bits, code.integer(_ROUNDER_BITS))
    half = code.whole_op("ashr", k, code.integer(1))
    other = code.whole_op("sub", k, half)
    return code.mul(code.mul(value, _power_of_two(code, half), EXACT), _power_of_two(code, other), EXACT)


def _clamped(code: Code, x: str) -> str:
    """x limited to where exp does not over- and underflow; nan stays nan."""
    x = code.select(code.compare("ogt", x, code.number(LARGEST)), code.number(LARGEST), x)
    return code.select(code.compare("olt", x, code.number(SMALLEST)), code.number(SMALLEST), x)


def _limited(code: Code, x: str, size: float) -> str:
    x = code.select(code.compare("ogt", x, code.number(size)), code.number(size), x)
    return code.select(code.compare("olt", x, code.number(-size)), code.number(-size), x)


def _mantissa(code: Code, x: str) -> tuple[str, str]:
    """k and m - 1 with x = 2ᵏ m and m between √½ and √2."""
    tiny = code.compare("olt", x, code.number(2.2250738585072014e-308))
    scaled = code.select(tiny, code.mul(x, code.number(2.0**54), EXACT), x)
    bits = code.bits(scaled)
    k = code.whole_op("ashr", code.whole_op("sub", bits, code.integer(_HALF_ROOT_BITS)), code.integer(52))
    m = code.value(code.whole_op("sub", bits, code.whole_op("shl", k, code.integer(52))))
    as_double = code.sub(code.value(code.whole_op("add", k, code.integer(_ROUNDER_BITS))), code.number(ROUNDER), EXACT)
    lowered = code.sub(as_double, code.number(54.0), EXACT)
    return code.select(tiny, lowered, as_double), code.sub(m, code.number(1.0), EXACT)


def _log_rest(code: Code, s: str) -> str:
    """R with log((1 + s)/(1 - s)) = 2s + s R."""
    z = code.mul(s, s)
    return code.mul(z, code.polynomial(z, LOGARITHM))


def _upper_half(code: Code, x: str) -> str:
    """x with the lower 27 bits of its mantissa cleared; products of two such numbers are exact."""
    return code.value(code.whole_op("and", code.bits(x), code.integer(_UPPER_HALF)))


def _log_in_two(code: Code, x: str) -> tuple[str, str]:
    """log x as high + low, high with a cleared lower half."""
    k, f = _mantissa(code, x)
    below = code.add(f, code.number(2.0), EXACT)
    inverse = code.div(code.number(1.0), below)
    s = code.mul(f, inverse, EXACT)
    # what s lacks: (f - s_high below - s_low …)/below with exact products of halves
    s_high = _upper_half(code, s)
    below_high = _upper_half(code, below)
    below_low = code.sub(f, code.sub(below_high, code.number(2.0), EXACT), EXACT)
    exact = code.sub(f, code.mul(s_high, below_high, EXACT), EXACT)
    s_low = code.mul(code.sub(exact, code.mul(s_high, below_low)), inverse)
    big = code.mul(k, code.number(LN2_HIGH), EXACT)
    main = code.mul(s_high, code.number(2.0), EXACT)
    total = code.add(big, main, EXACT)
    lost = code.sub(main, code.sub(total, big, EXACT), EXACT)
    rest = code.add(code.mul(s, _log_rest(code, s)), code.mul(k, code.number(LN2_LOW)))
    rest = code.add(code.add(rest, lost), code.mul(s_low, code.number(2.0)))
    high = _upper_half(code, code.add(total, rest, EXACT))
    return high, code.add(code.sub(total, high, EXACT), rest)


def _or_nan(code: Code, x: str, result: str) -> str:
    return code.select(code.compare("uno", x, x), x, result)
