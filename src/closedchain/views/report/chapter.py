"""One study as the report sees it: its result, or the sentence why there is none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any

from closedchain.exceptions import ClosedChainError

if TYPE_CHECKING:
    import xarray as xr

DONE, FAILED, LEFT_OUT, NOT_RUN = "done", "failed", "left out", "not run"


@dataclass(frozen=True, eq=False)
class Chapter:
    """A study: name, kind (the analysis), result.

    state: "done", "failed", "left out" or "not run"; sentence: why there is no result, or what it says in one line.
    figures: name -> SVG text; files: names of the files beside the report. given: the mechanism where it is at hand.
    """

    name: str
    kind: str
    ds: "xr.Dataset | None" = None
    state: str = DONE
    sentence: str = ""
    figures: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[str] = ()
    given: Any = None

    @cached_property
    def moves(self) -> bool:
        """Whether the result is one motion over time."""
        ds = self.ds
        return (
            ds is not None
            and "q" in ds
            and tuple(ds["q"].dims) == ("time", "coordinate")
            and ds.sizes["time"] > 0
            and ds.attrs.get("time_axis") != "sample"
        )

    def has(self, *names: str) -> bool:
        """Whether the result is a motion over time that holds these variables, not empty."""
        return self.moves and all(name in self.data and self.data[name].size for name in names)

    @property
    def data(self) -> "xr.Dataset":
        """The result of a study that has one."""
        assert self.ds is not None, "asked only of studies that have a result"
        return self.ds

    @cached_property
    def first_contacts(self) -> float:
        """When the first contacts of all loose joints are over in a run whose pins start free [s]; what is largest
        before tells of that start, not of the machine at work. -inf where there is no such start."""
        import numpy as np

        if not self.has("contact_force", "contact_time") or self.data["time"].values[0] != 0.0:
            return -np.inf
        ds = self.data
        found = -np.inf
        for joint in ds["loose_joint"].values:
            mine = np.flatnonzero(ds["contact_joint"].values == joint)
            if len(mine) and ds["contact_time"].values[mine[0]] > 0.0:
                end = float(ds["contact_end"].values[mine[0]])
                found = max(found, float(ds["time"].values[-1]) if np.isnan(end) else end)
        return found

    def where(self, name: str, at: float) -> str:
        """Where a largest figure was met: of what, in which study, and whether by its first contacts."""
        from closedchain.language import tr

        if at <= self.first_contacts:
            return tr("{name} in {study}, by its first contacts", name=name, study=self.name)
        return tr("{name} in {study}", name=name, study=self.name)

    @cached_property
    def mechanism(self) -> Any:
        """The mechanism of the result; None where it cannot be read, such as without its tables."""
        from closedchain.description import loads

        if self.given is not None or self.ds is None:
            return self.given
        try:
            return loads(str(self.ds.attrs.get("mechanism", "")))
        except ClosedChainError:
            return None

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What the analysis was told."""
        import json

        return json.loads(str(self.data.attrs.get("settings", "{}"))) if self.ds is not None else {}


def remembered(calc: Callable[[Chapter], Any]) -> Callable[[Chapter], Any]:
    """The function of a study, computed once for each."""
    place = f"{calc.__module__}.{calc.__qualname__}"

    @wraps(calc)
    def once(chapter: Chapter) -> Any:
        if place not in chapter.__dict__:
            chapter.__dict__[place] = calc(chapter)
        return chapter.__dict__[place]

    return once


def motions(chapters: Sequence[Chapter]) -> list[Chapter]:
    """The studies whose result is one motion over time."""
    return [chapter for chapter in chapters if chapter.moves]
