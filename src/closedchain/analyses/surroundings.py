"""A pose beside the poses near by: what motors and outputs see here and there, and the ranks that are usual."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from closedchain.analyses.input_output import Seen, Watched, look, motors, watched
from closedchain.analyses.tangent import Configurations, Tangent
from closedchain.model import Model

NEIGHBOURS = 6
CLOSE = 1e-4


@dataclass(frozen=True, eq=False)
class Surroundings:
    """A configuration `here` of a mechanism, and what surrounds it."""

    configurations: Configurations
    here: Tangent

    @property
    def model(self) -> Model:
        """The mechanism's model."""
        return self.configurations.model

    @cached_property
    def inputs(self) -> list[int]:
        """Tree rates with a motor."""
        return motors(self.configurations)

    @cached_property
    def outputs(self) -> list[Watched]:
        """What the mechanism is there to move."""
        return watched(self.configurations)

    @cached_property
    def neighbours(self) -> list[Tangent]:
        """Configurations so far away that they tell the usual ranks."""
        return self.configurations.neighbours(self.here, count=NEIGHBOURS)

    @cached_property
    def close(self) -> list[Tangent]:
        """Configurations so close that they tell directions."""
        return self.configurations.neighbours(self.here, away=CLOSE, count=2 * NEIGHBOURS)

    @cached_property
    def seen(self) -> Seen:
        """What motors and outputs see here."""
        return self.look([self.here])[0]

    @cached_property
    def near(self) -> list[Seen]:
        """What they see at the neighbours."""
        return self.look(self.neighbours)

    @cached_property
    def beside(self) -> list[Seen]:
        """What they see close by."""
        return self.look(self.close)

    def look(self, tangents: Sequence[Tangent]) -> list[Seen]:
        """What motors and outputs see at configurations."""
        return [look(self.configurations, tangent, self.outputs, self.inputs) for tangent in tangents]

    @cached_property
    def generic(self) -> int:
        """Freedoms near by; 0 where no other pose is near."""
        return min((tangent.freedoms for tangent in self.neighbours), default=0)

    @property
    def growth(self) -> int:
        """First-order freedoms here beyond those near by."""
        return self.here.freedoms - self.generic

    @cached_property
    def loose(self) -> int:
        """Freedoms that so many motors leave open at best: idle ones, and those without a motor."""
        idle = min((other.idle.shape[1] for other in self.near), default=0)
        return idle + max(0, self.generic - idle - len(self.inputs))

    @property
    def judged(self) -> bool:
        """Whether motors and outputs can be judged: there are motors, and poses to compare with."""
        return bool(self.inputs and self.neighbours)
