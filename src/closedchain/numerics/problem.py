"""What an integrator is given: smooth motion between events, and what changes at events.

The state is y (n numbers, integrated) and memory (m numbers, constant between events). A kernel is a compiled function
`void f(double* x, double* c, double* y)` of inputs x and constants c, and

1. `rhs`: x = [t, y, memory] -> [dy/dt (n), g (e)], with one number g per event function; smooth for constant memory;
2. `projection`: x = [t, y, memory] -> [y on the constraints (n), residual left, conditioning]; residual relative, 0 is
   perfect; conditioning 1 is good, 0 is a loss of rank;
3. `transition`: x = [t, y, memory, flags (e)] -> [y (n), memory (m)] at an event; a flag is -1 or +1 where that event
   function crosses zero falling or rising, 0 where it does not, and ±2 (only with `rest`) where it chatters;
4. `jacobian`: x = [t, y, memory] -> ∂(dy/dt)/∂y (n × n, row by row), for implicit methods; a function that returns it
   is called when an implicit method is first used;
5. `guard`: x = [t, y, memory] -> [g (e)], the event functions of `rhs` alone, where they cost much less: locating an
   event asks for them some ten times.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Event:
    """An event function: which crossings count and what they do.

    name: for messages; direction: -1 only falling, +1 only rising, 0 both; terminal: the integration ends there, before
    any transition.
    """

    name: str
    direction: int = 0
    terminal: bool = False


@dataclass(frozen=True)
class BoundKernel:
    """A kernel with the constants it is called with.

    kernel: address of the compiled function, or an object whose `address` is that number (a Numba cfunc) or a method
    `address(lanes, per_lane)` (a kernel of closedchain.compile).
    constants: (n_c,) or, for ensembles, (members, n_c).
    """

    kernel: Any
    constants: Floats = field(default_factory=lambda: np.zeros(0))

    def address(self, lanes: int = 1, per_lane: bool = False) -> int:
        """Address of the compiled function for that many lanes."""
        found: Any = getattr(self.kernel, "address", self.kernel)
        if isinstance(found, int):
            if lanes != 1:
                raise ValueError("This kernel is known by one address only, so it has no form for lanes.")
            return found
        return found(lanes, per_lane)

    def of(self, member: int) -> "BoundKernel":
        """The same kernel with the constants of one member."""
        return BoundKernel(self.kernel, self.row(member))

    def row(self, member: int = 0) -> Floats:
        """The constants of one member, contiguous."""
        constants = np.ascontiguousarray(self.constants, dtype=np.float64)
        return constants if constants.ndim == 1 else constants[member]


@dataclass(frozen=True)
class HybridProblem:
    """dy/dt = f(t, y, memory) with events, transitions and constraints; see this module's text for the kernels.

    states: n; memory: m; events: one per event function, in the order of `rhs`.
    project_stages: project before every evaluation of `rhs`, not only after every step.
    residual_limit: a projection that leaves more than this has failed.
    conditioning_limit: below this conditioning a rejected step is tried again longer and not only shorter, so that the
    integration steps over a loss of rank instead of shrinking towards it; 0 never.
    rest: `transition` understands flags of ±2: an event that chatters is to be ended by a state of rest.
    tighter: (n,), how many times smaller than asked the tolerances of each state are; None: as asked.

    >>> HybridProblem(states=2, rhs=BoundKernel(0), events=(Event("floor", direction=-1),)).events[0].name
    'floor'
    """

    states: int
    rhs: BoundKernel
    memory: int = 0
    events: Sequence[Event] = ()
    projection: BoundKernel | None = None
    transition: BoundKernel | None = None
    jacobian: BoundKernel | Callable[[], BoundKernel] | None = None
    guard: BoundKernel | None = None
    project_stages: bool = True
    residual_limit: float = 1e-6
    conditioning_limit: float = 0.0
    rest: bool = False
    tighter: Floats | None = None

    def of(self, member: int) -> "HybridProblem":
        """The problem of one member of an ensemble, with its own constants."""
        names = ("rhs", "projection", "transition", "jacobian", "guard")
        kernels = {name: getattr(self, name) for name in names}
        bound: dict[str, Any] = {
            name: kernel.of(member) for name, kernel in kernels.items() if isinstance(kernel, BoundKernel)
        }
        promised = self.jacobian
        if promised is not None and not isinstance(promised, BoundKernel):
            bound["jacobian"] = lambda: promised().of(member)
        return replace(self, **bound)

    def __post_init__(self) -> None:
        if self.states < 1:
            raise ValueError(f"A problem needs at least one state; this one has {self.states}.")
        if self.memory < 0:
            raise ValueError(f"The number of memory entries is {self.memory}; it cannot be negative.")
        if self.rest and self.transition is None:
            raise ValueError("rest=True needs a transition kernel that knows the state of rest.")
        for event in self.events:
            if event.direction not in (-1, 0, 1):
                raise ValueError(f"The direction of event {event.name} is {event.direction}; it is -1, 0 or 1.")
