"""What a figure answers: how it is drawn, how it is drawn from a result alone, and which results it is for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class FigureOfResult:
    """A figure of this folder.

    1. `meaning`: half a sentence for the command line's list.
    2. `draw`: the public function; it takes `title` and `width` ("one-column", "two-column" or inches).
    3. `of_result(ds, names, **look)`: the figure from a result; `names` are the words a user gave, none for the usual
       choice; `look` is title and width.
    4. `fits(ds)`: whether the result holds what the figure shows; where it does, `of_result(ds, [])` draws it, else it
       raises ClosedChainError.
    """

    meaning: str
    draw: Callable[..., Figure]
    of_result: Callable[..., Figure]
    fits: Callable[["xr.Dataset"], bool]

    def __post_init__(self) -> None:
        draw = self.of_result

        def checked(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
            if not self.fits(ds):
                have = ds.attrs.get("analysis") or tr("unknown origin")
                raise ClosedChainError(
                    tr("A result of {analysis} does not hold what this figure shows: {meaning}.", analysis=have,
                       meaning=tr(self.meaning))
                )  # fmt: skip
            return draw(ds, names, **look)

        object.__setattr__(self, "of_result", checked)


def holds(ds: "xr.Dataset", *names: str, over: str = "time") -> bool:
    """Whether a result of one run has all these variables over a dimension, with values."""
    return all(
        name in ds and over in ds[name].dims and ds[name].size and set(map(str, ds[name].dims)) <= _KNOWN | {over}
        for name in names
    )


_KNOWN = {
    "time",
    "coordinate",
    "rate",
    "point",
    "axis",
    "body",
    "body_axis",
    "joint",
    "loose_joint",
    "actuator",
    "contact",
}
