"""How the arrays of a compiled program lie in memory."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    """One state, lanes side by side, or a batch.

    lanes: states computed at once. per_lane: constants have their own entries per state. batch: entry i of state s lies
    at i*ld + s with a leading dimension ld given at the call, and a loop runs over the states; otherwise entry i of
    lane l lies at i*lanes + l. stream: outputs of a batch are written past the caches, for results that are longer than
    these: half the traffic of memory, and one visit to every page.
    """

    lanes: int = 1
    per_lane: bool = False
    batch: bool = False
    stream: bool = False

    @property
    def key(self) -> str:
        """What tells the machine code of this layout from that of others."""
        return f"{self.lanes}{'p' * self.per_lane}{'b' * self.batch}{'s' * self.stream}"
