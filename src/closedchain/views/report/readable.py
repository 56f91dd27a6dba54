"""Numbers and units as engineers read them: mm and degrees, few digits, a true minus sign."""

import math
from dataclasses import dataclass

MINUS, NARROW = "\u2212", "\u202f"
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

# SI unit -> (least size, factor, unit shown), smallest first; the last whose least size is reached is taken.
_STEPS: dict[str, tuple[tuple[float, float, str], ...]] = {
    "m": ((0.0, 1e6, "µm"), (1e-4, 1e3, "mm"), (2.0, 1.0, "m")),
    "m/s": ((0.0, 1e3, "mm/s"), (0.1, 1.0, "m/s")),
    "m/s^2": ((0.0, 1e3, "mm/s²"), (0.1, 1.0, "m/s²")),
    "rad": ((0.0, 180.0 / math.pi, "°"),),
    "rad/s": ((0.0, 1.0, "rad/s"),),
    "rad/s^2": ((0.0, 1.0, "rad/s²"),),
    "N": ((0.0, 1.0, "N"), (1e4, 1e-3, "kN"), (1e7, 1e-6, "MN")),
    "N*m": ((0.0, 1e3, "mN·m"), (0.1, 1.0, "N·m"), (1e4, 1e-3, "kN·m")),
    "J": ((0.0, 1e3, "mJ"), (0.1, 1.0, "J"), (1e4, 1e-3, "kJ")),
    "W": ((0.0, 1e3, "mW"), (0.1, 1.0, "W"), (1e4, 1e-3, "kW")),
    "s": ((0.0, 1e3, "ms"), (0.1, 1.0, "s")),
    "1": ((0.0, 1.0, ""),),
}


@dataclass(frozen=True)
class Unit:
    """A unit as shown, and the factor from SI to it."""

    factor: float
    name: str

    def number(self, value: float, digits: int = 3) -> str:
        """The number of a value in SI, in this unit."""
        return number(value * self.factor, digits)

    def show(self, value: float, digits: int = 3) -> str:
        """Number and unit of a value in SI."""
        shown = self.number(value, digits)
        return shown + (self.name if self.name == "°" else f"{NARROW}{self.name}" if self.name else "")


def unit_for(unit: str, size: float) -> Unit:
    """The unit in which values of an SI unit up to a size are best read.

    >>> unit_for("m", 0.02).show(0.0123456), unit_for("rad", 1.0).show(-0.5), unit_for("m", 2e-6).show(2e-6)
    ('12.3\u202fmm', '\u221228.6°', '2.00\u202fµm')
    """
    found = Unit(1.0, plain_unit(unit))
    # Exactly zero has no size: what is usual for the unit is shown.
    for least, factor, name in _STEPS.get(unit, ()):
        if (size or 1.0) >= least:
            found = Unit(factor, name)
    return found


def show(value: float, unit: str = "1", digits: int = 3) -> str:
    """A value in SI with the unit in which it is best read."""
    return unit_for(unit, abs(value) if math.isfinite(value) else 1.0).show(value, digits)


def number(value: float, digits: int = 3) -> str:
    """A number to some significant digits: 1240, 12.4, −0.0124, 3.1 × 10⁻⁹.

    >>> number(1234.56), number(-0.01234), number(3.14e-9), number(0.0), number(float("nan"))
    ('1235', '\u22120.0123', '3.14\u202f×\u202f10⁻⁹', '0', '–')
    """
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else f"{MINUS}∞")
    if value == 0.0:
        return "0"
    power = math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}"))))
    if -4 <= power < 6:
        shown = f"{value:.{max(0, digits - 1 - power)}f}"
    else:
        shown = f"{value:.{max(0, min(digits - 1, 2))}e}".partition("e")[0]
        shown = f"{shown}{NARROW}×{NARROW}10{str(power).translate(_RAISED)}"
    return shown.replace("-", MINUS)


def rough(value: float) -> str:
    """The size of something tiny, to one digit: 4 × 10⁻¹²."""
    if value == 0.0 or not math.isfinite(value):
        return number(value)
    power = math.floor(math.log10(abs(float(f"{value:.0e}"))))
    if power >= -3:
        return number(value, 1)
    return f"{value / 10.0**power:.0f}{NARROW}×{NARROW}10{str(power).translate(_RAISED)}".replace("-", MINUS)


def plain_unit(unit: str) -> str:
    """A unit as printed: m/s² for m/s^2, N·m for N*m, nothing for 1."""
    return "" if unit == "1" else unit.replace("^2", "²").replace("^3", "³").replace("*", "·")


def fixed_percent(share: float) -> str:
    """A share as a percentage: 98.4 %, and never 100 % for less.

    >>> fixed_percent(0.5), fixed_percent(0.99999), fixed_percent(1.0)
    ('50.0\u202f%', '> 99.9\u202f%', '100\u202f%')
    """
    if 0.9995 <= share < 1.0:
        return f"> 99.9{NARROW}%"
    return f"{100.0 * share:.0f}{NARROW}%" if share in (0.0, 1.0) else f"{100.0 * share:.1f}{NARROW}%"
