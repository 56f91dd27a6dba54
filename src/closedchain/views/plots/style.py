"""One look for all figures: sizes of one and two printed columns, colours that colour-blind readers tell apart."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unicodedata import east_asian_width

import matplotlib
from matplotlib.figure import Figure

from closedchain.language import current, using
from closedchain.views.palette import COLOURS

DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))

GREY_LINE = "#8a8a8a"

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
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#404040",
    "xtick.color": "#404040",
    "ytick.color": "#404040",
    "xtick.labelcolor": "black",
    "ytick.labelcolor": "black",
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "legend.handlelength": 1.6,
    "legend.borderaxespad": 0.0,
    "legend.handletextpad": 0.5,
    "legend.columnspacing": 1.2,
    "mathtext.default": "regular",
    "axes.formatter.use_mathtext": False,  # numbers as formulas take ten times as long to draw
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-5, 6),
}

# Faces with Chinese, on the systems that have them; readers' names may be Chinese whatever the language of the texts.
_CHINESE = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Microsoft YaHei", "PingFang SC", "Hiragino Sans GB",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "SimHei", "Noto Sans CJK JP", "Noto Serif CJK SC", "Noto Serif CJK JP",
)  # fmt: skip


@cache
def faces() -> tuple[str, ...]:
    """Font families in the order in which they are asked for a sign, of which the system has all.

    One with Chinese is enough: every text looks up all of them.
    """
    from matplotlib.font_manager import fontManager

    known = set(fontManager.get_font_names())
    return ("DejaVu Sans", *[name for name in _CHINESE if name in known][:1])


@contextmanager
def styled() -> Iterator[None]:
    """The project's look for what is drawn inside; the user's settings stand again afterwards.

    Texts are English where the chosen language has signs that no font of the system can print.
    """
    printable = current() != "zh" or len(faces()) > 1
    with matplotlib.rc_context({**_SETTINGS, "font.family": list(faces())}), using(current() if printable else "en"):
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
    """About how wide a text is printed [inch]; Chinese signs are nearly twice as wide as letters."""
    return 0.0085 * points * sum(1.7 if east_asian_width(sign) in "WF" else 1.0 for sign in text)


def plain(text: str) -> str:
    """Text of a user as it stands: no `$` starts a formula, no leading `_` hides a curve from the legend."""
    text = str(text).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def put_title(figure: Figure, title: str | None) -> None:
    """A title at the upper edge."""
    if title:
        figure.suptitle(plain(title), y=1.0 - 0.06 / figure.get_figheight(), va="top")


def grid(ax: Any) -> None:
    """Fine lines behind the curves, and ticks that stay as they are where other settings hold later."""
    ax.grid(True, linewidth=0.4, color="#e2e2e2")
    ax.set_axisbelow(True)
    ax.tick_params(labelsize=_SETTINGS["xtick.labelsize"])


def line_style(number: int) -> dict[str, Any]:
    """Colour and dashes of the n-th curve: all colours solid, then again dashed, so no two of 28 are alike."""
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[(number // len(COLOURS)) % len(DASHES)]}
