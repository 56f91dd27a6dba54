"""What a figure answers: how it is drawn, and how it is drawn from a result alone."""

from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.figure import Figure


@dataclass(frozen=True)
class FigureOfResult:
    """A figure of this folder.

    1. `meaning`: half a sentence for the command line's list.
    2. `draw`: the public function.
    3. `of_result(ds, names)`: the figure from a result; `names` are the words a user gave, none for the usual choice.
    """

    meaning: str
    draw: Callable[..., Figure]
    of_result: Callable[..., Figure]
