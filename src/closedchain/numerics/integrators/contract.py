"""The contract of an integrator: one file, one method, found by its module's name.

1. `name` is the module's name; `title` says in half a sentence what it is; `order` is the method's, `dense_order`
   that of its interpolant; the error that controls the step is proportional to step ** `error_order`.
2. `nodes` are the parts of a step, ascending and ending at 1, at which event values are known without extra cost;
   `dense_rows` is the number of rows of its interpolant (interpolant.py), `stages` that of the stages it keeps.
3. `arrays(plan, run, sizes, tolerances)` gives (work, arrays): the record that `advance` works on, and the arrays
   behind its addresses. Where it keeps arrays of the member itself (state.MEMBER_ARRAYS), it enters their addresses
   into `run`.
4. `advance(plan, run, work, budget)` is compiled; it takes at most `budget` attempts from (run.t, run.y0, run.f0,
   run.memory) and leaves there a state from which it, or another method, can go on. It ends early when may_go_on() says
   so or run.status is set. It does not allocate and does not raise.
5. Every accepted step ends in settle(), which knows events, samples and breaks; before it the method fills run.values,
   and where an event is suspected or a sample is due the interpolant run.dense.
6. `fixed` methods take steps of plan.first_step; the others control the error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from closedchain.numerics.state import Arrays, Sizes


@dataclass(frozen=True)
class Integrator:
    """One method; see this module's text for its duties."""

    name: str
    title: str
    order: int
    error_order: int
    dense_order: int
    nodes: tuple[float, ...]
    dense_rows: int
    stages: int
    arrays: Callable[[Any, Any, Sizes, Arrays], tuple[Any, Arrays]]
    advance: Any
    fixed: bool = False
    implicit: bool = False
