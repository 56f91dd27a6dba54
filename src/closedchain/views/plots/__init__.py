"""Figures, one file each: `cc.plot.NAME(...)` is the function NAME of the module NAME in this folder.

Every figure is a `matplotlib.figure.Figure`, so `figure.savefig("out.svg")` writes it; nothing opens a window and no
global state of Matplotlib changes. What the command line needs of a figure is its module's `FIGURE`.
"""

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

from closedchain.views.plots.contract import FigureOfResult

FIGURES: dict[str, FigureOfResult] = {}

for _entry in pkgutil.iter_modules(__path__):
    _member = getattr(importlib.import_module(f"{__name__}.{_entry.name}"), "FIGURE", None)
    if isinstance(_member, FigureOfResult):
        FIGURES[_entry.name] = _member
        globals()[_entry.name] = _member.draw

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """The figures found above."""


__all__ = ["FIGURES", *FIGURES]  # pyright: ignore[reportUnsupportedDunderAll]
