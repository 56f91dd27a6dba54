"""Units in which numbers of a figure are short: 0.0002 m is drawn as 200 µm, so no axis carries a power of ten."""

import math
from dataclasses import dataclass

import numpy as np

_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}
# First symbol of a unit -> least and greatest power of ten that its prefixes stand for.
_USUAL = {"m": (-9, 0), "s": (-9, 0), "rad": (-6, 0), "N": (-6, 9), "J": (-12, 9), "W": (-9, 9), "Hz": (-3, 9)}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Scale:
    """A factor from SI to what is drawn, and the unit as printed ("" for pure numbers)."""

    factor: float
    unit: str

    def label(self, text: str) -> str:
        """A text with the unit behind it: "force [kN]"."""
        return f"{text} [{self.unit}]" if self.unit else text


def scale_for(unit: str, *values: np.ndarray) -> Scale:
    """The scale in which values [unit] are numbers between 0.1 and 10 000, as far as usual prefixes go.

    >>> scale_for("m", np.array([0.0, 2e-4])).unit, scale_for("N*m", np.array([-3.0])).unit
    ('µm', 'N·m')
    >>> scale_for("1", np.array([3e-15])).label("closure")
    'closure [10⁻¹⁵]'
    """
    largest = max((float(np.abs(each[np.isfinite(each)]).max(initial=0.0)) for each in values), default=0.0)
    shown = unit_text(unit)
    if largest == 0.0 or 0.1 <= largest < 1e4:
        return Scale(1.0, shown)
    power = 3 * math.floor(math.log10(largest * (1.0 + 1e-12)) / 3)
    symbol = unit.partition("/")[0].partition("*")[0].partition("^")[0]
    least, greatest = (0, 0) if unit.startswith(f"{symbol}^") else _USUAL.get(symbol, (0, 0))
    if power < least or (power > greatest and symbol not in _USUAL):
        return Scale(10.0**-power, f"10{str(power).translate(_RAISED)}" + (f" {shown}" if shown else ""))
    power = min(power, greatest)
    return Scale(10.0**-power, _PREFIXES[power] + shown)


def short(value: float) -> str:
    """A number to three digits without a power of ten, as far as a `Scale` made it short.

    >>> short(1234.6), short(0.98765)
    ('1235', '0.988')
    """
    return f"{value:.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def unit_text(unit: str) -> str:
    """A unit as printed: m/s² for m/s^2, N·m for N*m, nothing for 1."""
    return "" if unit == "1" else unit.replace("^2", "²").replace("^3", "³").replace("*", "·")
