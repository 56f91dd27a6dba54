"""Quantities: SI values, dimensions, angles, and what is refused."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from closedchain.description.units import UnitError, parse_unit, split_quantity, to_si


def si(text, expected=""):
    quantity = split_quantity(text)
    assert quantity is not None, text
    return to_si(*quantity, expected)


@pytest.mark.parametrize(
    ("text", "expected", "value"),
    [
        ("12 mm", "m", 0.012),
        ("12mm", "m", 0.012),
        ("-3.5 cm", "m", -0.035),
        ("1e-3 km", "m", 1.0),
        ("5 um", "m", 5e-6),
        ("5 µm", "m", 5e-6),
        ("1 in", "m", 0.0254),
        ("30 deg", "rad", math.pi / 6),
        ("30°", "rad", math.pi / 6),
        ("0.5 turn", "rad", math.pi),
        ("2 rev", "rad", 4 * math.pi),
        ("3 mrad", "rad", 3e-3),
        ("1500 rpm", "rad/s", 50 * math.pi),
        ("45 deg/s", "rad/s", math.pi / 4),
        ("10 1/s", "rad/s", 10.0),
        ("9.81 m/s^2", "m/s^2", 9.81),
        ("9.81 m/s**2", "m/s^2", 9.81),
        ("9.81 m/s²", "m/s^2", 9.81),
        ("4.2 kg*cm^2", "kg*m^2", 4.2e-4),
        ("4.2 kg cm^2", "kg*m^2", 4.2e-4),
        ("250 g", "kg", 0.25),
        ("2 t", "kg", 2000.0),
        ("1 lb", "kg", 0.45359237),
        ("2 kN", "N", 2000.0),
        ("1 kgf", "N", 9.80665),
        ("3 Nm", "N*m", 3.0),
        ("3 mNm", "N*m", 3e-3),
        ("2 N*m/rad", "N*m/rad", 2.0),
        ("2 N*m/deg", "N*m/rad", 360 / math.pi),
        ("2 N*m", "N*m/rad", 2.0),
        ("2 N*m*s", "N m s/rad", 2.0),
        ("210 GPa", "Pa", 2.1e11),
        ("1 bar", "Pa", 1e5),
        ("3 kg/(m*s^2)", "Pa", 3.0),
        ("2 min", "s", 120.0),
        ("1 h", "s", 3600.0),
        ("20 %", "1", 0.2),
        ("3 Hz", "", 3.0),
        ("2 m^0.5", "", 2.0),
        ("7 kg*m^2", "N*m*s^2", 7.0),
    ],
)
def test_si_values(text, expected, value):
    assert si(text, expected) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "expected", "told", "remedy"),
    [
        ("3 Hz", "rad/s", "an angular rate in Hz", "rpm or rad/s"),
        ("3 kHz", "rad/s", "an angular rate in Hz", "rpm or rad/s"),
        ("30 deg", "m", "is an angle", "m"),
        ("5 mm", "rad", "is a length", "rad"),
        ("5 %", "rad", "is a pure number", "rad"),
        ("20 deg", "1", "is an angle", "a pure number"),
        ("3 kg", "m", "is a mass", "m"),
        ("3 m/s", "rad/s", "is a speed", "rad/s"),
        ("3 rpm", "m/s", "is an angular rate", "m/s"),
        ("3 N*rad", "N", "kg*m*s^-2*rad", "N"),
        ("3 furlong", "m", "unknown unit furlong", ""),
        ("3 mmm", "m", "unknown unit mmm", "Did you mean mm?"),
        ("3 mm/2", "m", "cannot be read", "[parameters]"),
        ("3 mm + 2", "m", "cannot be read", "[parameters]"),
        ("3 m^x", "m", "power is no number", ""),
        ("3 kg/(m", "", "closing parenthesis", ""),
        ("3 km^9999999", "", "beyond the range", ""),
        ("1e308 km", "m", "no finite number", ""),
        ("3 " + "m*" * 60 + "m", "", "too long", ""),
    ],
)
def test_refusals_say_what_and_what_instead(text, expected, told, remedy):
    with pytest.raises(UnitError) as caught:
        si(text, expected)
    assert told in str(caught.value)
    assert remedy in caught.value.remedy


@pytest.mark.parametrize("text", ["2*l", "l", "-l", "1/2", "2", "2e3", "(2)", "2 + 3", "sin(2)", "", "2 *m", "１２ mm"])
def test_what_is_no_quantity(text):
    assert split_quantity(text) is None


@given(st.text(max_size=30))
def test_garbage_units_are_unit_errors(text):
    try:
        unit = parse_unit(text)
    except UnitError:
        return
    assert math.isfinite(unit.size)
    assert unit.size > 0.0
