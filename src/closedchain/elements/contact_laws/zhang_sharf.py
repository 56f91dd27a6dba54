"""Zhang and Sharf: the damping that delivers exactly the restitution asked for."""

from closedchain.elements.contact_laws.contract import Number
from closedchain.elements.contact_laws.dissipative import power_law
from closedchain.numbers import absolute, exp, less, log, maximum, minimum, select

# below it the equation is solved in the variable that stays apart from its limit 1 − χe → 0
LOW = 0.4


def _log_remainder(x: Number) -> Number:
    """L(x) = (ln(1 + x) − x)/x², without cancellation near x = 0: ln(1 + x) = 2 artanh y, y = x/(2 + x)."""
    small = less(absolute(x), 0.4)
    near = select(small, x, 0.0)
    y = near / (2.0 + near)
    tail = 0.0
    for k in range(11, -1, -1):
        tail = 1.0 / (2 * k + 3) + tail * y * y
    far = select(small, 1.0, x)
    return select(small, (2.0 * y * tail / (2.0 + near) - 1.0) / (2.0 + near), (log(1.0 + far) - far) / (far * far))


def _slope(x: Number, L: Number) -> Number:
    """dL/dx = −(1/(1 + x) + 2L)/x."""
    return -(1.0 / (1.0 + x) + 2.0 * L) / x


def _high(e: Number) -> Number:
    """χ where e ≥ LOW: Newton on L(χ) = e² L(−χe), which is the exact relation divided by its trivial root χ² = 0.

    The start, Carvalho and Martins' fit, is within 0.5 %, so three steps reach rounding.
    """
    chi = 1.5 * (1.0 - e) * (11.0 - e) / (1.0 + 9.0 * e)
    for _ in range(3):
        L_plus, L_minus = _log_remainder(chi), _log_remainder(-chi * e)
        # the slope's 0/0 at χ = 0 is kept away; its small bias there only slows a step that is already converged
        at = maximum(chi, 1e-5)
        slope = _slope(at, _log_remainder(at)) + e * e * e * _slope(-at * e, _log_remainder(-at * e))
        chi = chi - (L_plus - e * e * L_minus) / slope
    return chi


def _low(e: Number) -> Number:
    """χ = (1 − exp(−w))/e where e < LOW: Newton on χ(1 + e) − ln(1 + χ) − w = 0.

    It starts at the w of χ = 1/e, the limit for e → 0; six steps reach rounding.
    """
    w = (1.0 + e) / e - log(1.0 + 1.0 / e)
    for _ in range(6):
        fading = exp(-w)
        chi = (1.0 - fading) / e
        defect = chi * (1.0 + e) - log(1.0 + chi) - w
        slope = ((1.0 + e) - 1.0 / (1.0 + chi)) * fading / e - 1.0
        w = w - defect / slope
    return (1.0 - exp(-w)) / e


def chi(e: Number) -> Number:
    """χ of χ(1 + e) = ln[(1 + χ)/(1 − χe)], to 1e-14 for e from 1e-3 to 1; grows as 1/e where e → 0.

    >>> round(chi(0.5), 12)
    1.432750533271
    """
    return select(less(e, LOW), _low(minimum(e, LOW)), _high(maximum(e, LOW)))


ZHANG_SHARF = power_law(
    name="zhang-sharf",
    meaning="F = K δⁿ (1 + χ δ̇/δ̇₀), χ from χ(1 + e) = ln[(1 + χ)/(1 − χe)]",
    source=(
        "Zhang and Sharf 2009, Validation of nonlinear viscoelastic contact force models for low speed impact, "
        "J. Appl. Mech. 76: the exact relation"
    ),
    chi=chi,
    above_zero=True,
)
