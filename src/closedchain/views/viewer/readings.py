"""What is known of the pose on the stage, as a small table: closure, freedoms, distance to singular poses, places."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from closedchain.language import tr

NEAR = 0.02
ILL = 100.0
KINDS = ("constraint", "forward", "inverse")

Row = tuple[str, str]


def units_shown(unit: str) -> tuple[str, float]:
    """The unit that a coordinate is shown in, and its number in SI: degrees for angles, millimetres for lengths."""
    return ("deg", float(np.pi / 180.0)) if unit == "rad" else ("mm", 1e-3)


def quantity(value: float, unit: str) -> str:
    """A coordinate as a reader takes it.

    >>> quantity(0.5, "rad"), quantity(0.0213, "m")
    ('28.648 deg', '21.3 mm')
    """
    shown, factor = units_shown(unit)
    return f"{_short(value / factor)} {shown}"


def _short(value: float) -> str:
    return "0" if abs(value) < 1e-6 else f"{value:.5g}"


def state_rows(residual: float, mobility: Any, found: Any) -> list[Row]:
    """Closure, freedoms, distances to singular poses. mobility, found: of `mobility` and `singularities`, or None."""
    rows = [(tr("loops closed to"), tr("{gap:.1e} of the size", gap=residual))]
    if mobility is not None:
        parts = [tr("{count} of finite motion", count=mobility.dof)]
        if mobility.idle:
            parts.append(tr("{count} of them idle", count=mobility.idle))
        if mobility.instantaneous:
            parts.append(tr("{count} more at this pose only", count=mobility.instantaneous))
        rows.append((tr("freedoms"), ", ".join(parts)))
        rows.append((tr("constraint rows"), _rows(mobility)))
    if found is not None:
        for kind, text in zip(KINDS, _kinds(), strict=True):
            if kind in found.measures:
                condition = found.measures[f"{kind}_condition"]
                said = f"{condition:.3g}" if np.isfinite(condition) else "∞"
                value = tr("σ {least:.3g}, condition {condition}", least=found.measures[kind], condition=said)
                rows.append((text, value))
    return rows


def _rows(mobility: Any) -> str:
    if mobility.redundant:
        return tr("{rows}, {redundant} of them redundant", rows=mobility.rows, redundant=mobility.redundant)
    return tr("{rows}, none redundant", rows=mobility.rows)


def _kinds() -> tuple[str, str, str]:
    return tr("loop equations"), tr("motors → mechanism"), tr("motors → outputs")


def warnings(found: Any) -> list[tuple[str, bool]]:
    """Sentences about singular poses, here (True) or near (False)."""
    said = []
    if found is None:
        return said
    here = {
        "constraint": tr("Constraint singularity: here the mechanism gains a freedom; branches of motion may meet."),
        "forward": tr("Forward singularity: with its motors locked the mechanism can still move."),
        "inverse": tr("Inverse singularity: an output has lost a direction, as at a dead centre."),
    }
    near = {
        "constraint": tr("Near a constraint singularity."),
        "forward": tr("Near a forward singularity: locked motors hold the mechanism badly, and efforts grow."),
        "inverse": tr("Near an inverse singularity: the motors hardly move an output in some direction."),
    }
    for kind in KINDS:
        if kind in found.kinds:
            said.append((here[kind], True))
        elif kind in found.measures and (
            found.measures[kind] < (NEAR if kind != "inverse" else 0.1 * NEAR)
            or found.measures[f"{kind}_condition"] > ILL
        ):
            said.append((near[kind], False))
    return said


def output_rows(places: Mapping[str, np.ndarray], planar: bool) -> list[Row]:
    """Places of the outputs."""
    return [
        (name, ", ".join(_short(1e3 * value) for value in place[: 2 if planar else 3]) + " mm")
        for name, place in places.items()
    ]


def joint_rows(values: Mapping[str, float], units: Mapping[str, str]) -> list[Row]:
    """Coordinates with their units; parts of quaternions, which have none, as plain numbers."""
    return [(name, quantity(value, units[name]) if name in units else f"{value:.5f}") for name, value in values.items()]


def as_table(rows: Sequence[Row]) -> str:
    """Rows as HTML; every text is escaped, for names and titles come from files."""
    cells = "".join(
        f'<tr><td style="padding:1px 8px 1px 0;color:#667;vertical-align:top">{html.escape(name)}</td>'
        f'<td style="padding:1px 0;font-variant-numeric:tabular-nums;text-align:right">{html.escape(value)}</td></tr>'
        for name, value in rows
    )
    return (
        '<div style="padding:2px 12px"><table style="width:100%;font-size:0.8em;border-collapse:collapse;'
        f'line-height:1.35">{cells}</table></div>'
    )


def as_notice(lines: Sequence[tuple[str, bool]]) -> str:
    """Sentences in coloured boxes, grave ones red; nothing for none."""
    return "".join(
        f'<div style="margin:2px 10px;padding:4px 8px;border-left:4px solid {"#B22222" if grave else "#E69F00"};'
        f'background:{"#fdecea" if grave else "#fff6e0"};color:#222;font-size:0.8em;line-height:1.3">'
        f"{html.escape(line)}</div>"
        for line, grave in lines
    )
