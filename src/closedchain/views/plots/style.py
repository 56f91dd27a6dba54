"""One look for all figures: sizes of one and two printed columns, colours that colour-blind readers tell apart."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from closedchain.views.palette import COLOURS

DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))

# Widths of printed columns [inch].
WIDTHS = {"one-column": 3.35, "two-column": 7.0}

_SETTINGS: dict[Any, Any] = {
    "font.size": 8.0,
    "axes.titlesize": 9.0,
    "axes.labelsize": 8.0,
    "legend.fontsize": 7.0,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "axes.linewidth": 0.6,
    "axes.grid": False,
    "lines.linewidth": 1.1,
    "legend.frameon": False,
    "font.family": ["DejaVu Sans"],
}


@contextmanager
def styled() -> Iterator[None]:
    """The project's look for what is drawn inside; the user's settings stand again afterwards."""
    with matplotlib.rc_context(_SETTINGS):
        yield


def new_figure(width: str | float, height: float | None = None) -> Figure:
    """Empty figure: width ("one-column", "two-column" or [inch]), height [inch], default that of the width."""
    if isinstance(width, str) and width not in WIDTHS:
        raise ValueError(f"width {width!r} is unknown; give {', '.join(WIDTHS)} or a number of inches.")
    inches = WIDTHS[width] if isinstance(width, str) else float(width)
    return Figure(figsize=(inches, height or inches), dpi=150)


def place_axes(figure: Figure, left: float, right: float, bottom: float, top: float, gap: float = 0.0) -> None:
    """Margins around all axes and the gap between them [inch]; fixed ones spare the search for a layout."""
    width, height = figure.get_size_inches()
    rows = max(1, len(figure.axes))
    panel = max(0.2, (height - bottom - top - gap * (rows - 1)) / rows)
    figure.subplots_adjust(
        left=left / width, right=1.0 - right / width, bottom=bottom / height, top=1.0 - top / height, hspace=gap / panel
    )


def text_width(text: str, points: float = 7.0) -> float:
    """About how wide a text is printed [inch]."""
    return 0.0085 * points * len(text)


def plain(text: str) -> str:
    """Text of a user as it stands: no `$` starts a formula, no leading `_` hides a curve from the legend."""
    text = str(text).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def line_style(number: int) -> dict[str, Any]:
    """Colour and dashes of the n-th curve: all colours solid, then again dashed, so no two of 28 are alike."""
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[(number // len(COLOURS)) % len(DASHES)]}


def unit_text(unit: str) -> str:
    """A unit as printed: m/s² for m/s^2, N·m for N*m, nothing for 1."""
    return "" if unit == "1" else unit.replace("^2", "²").replace("^3", "³").replace("*", "·")
