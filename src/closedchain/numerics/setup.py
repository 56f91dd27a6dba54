"""From a problem and its tolerances to the numbers and arrays that the compiled loops run on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from closedchain.numerics.integrators.contract import Integrator
from closedchain.numerics.problem import BoundKernel, Floats, HybridProblem
from closedchain.numerics.state import PLAN, RUN, Arrays, point

# events of one function within CHATTER_SPAN of the duration before they count as chatter
CHATTER_COUNT = 200
CHATTER_SPAN = 1e-9
# leaving a root slower than this part of the fastest approach to it is rest
REST_SPEED = 1e-9

KERNELS = ("rhs", "projection", "transition", "jacobian", "guard")


@dataclass(frozen=True)
class Interval:
    """Checked times: start, end, samples (s,) and breaks (b,) in the order of integration."""

    start: float
    end: float
    samples: Floats
    breaks: Floats

    @property
    def sign(self) -> float:
        """+1 forwards, -1 backwards."""
        return -1.0 if self.end < self.start else 1.0


def interval(start: float, end: float, samples: ArrayLike, breaks: Sequence[float] | Floats) -> Interval:
    """Check the times; raises ValueError naming what is wrong."""
    if not (math.isfinite(start) and math.isfinite(end)):
        raise ValueError(f"The integration from {start} to {end} needs finite times.")
    sign = -1.0 if end < start else 1.0
    samples = np.ascontiguousarray(samples, dtype=np.float64).reshape(-1)
    if len(samples):
        if not np.all(np.isfinite(samples)) or np.any(np.diff(samples) * sign < 0.0):
            raise ValueError("The sample times must be finite and in the order of integration.")
        if (samples[0] - start) * sign < 0.0 or (samples[-1] - end) * sign > 0.0:
            raise ValueError(f"The samples from {samples[0]} to {samples[-1]} reach beyond the times {start} to {end}.")
    breaks = np.sort(np.ascontiguousarray(breaks, dtype=np.float64).reshape(-1))
    breaks = breaks[(breaks > min(start, end)) & (breaks < max(start, end))]
    return Interval(float(start), float(end), samples, breaks if sign > 0.0 else breaks[::-1].copy())


def tolerances(problem: HybridProblem, rtol: ArrayLike, atol: ArrayLike) -> tuple[Floats, Floats]:
    """rtol and atol per state (n,); raises ValueError where they cannot be met."""
    relative, absolute = np.empty(problem.states), np.empty(problem.states)
    relative[:], absolute[:] = rtol, atol
    both = relative + absolute
    if not (relative.min() >= 0.0 and absolute.min() >= 0.0 and both.min() > 0.0):
        raise ValueError("Tolerances must not be negative, and rtol and atol must not both be 0.")
    if not math.isfinite(both.max()):
        raise ValueError("Tolerances must be finite.")
    if problem.tighter is not None:
        relative /= problem.tighter
        absolute /= problem.tighter
    return relative, absolute


def make_plan(problem: HybridProblem, times: Interval, max_step: float, first_step: float | None) -> tuple[Any, Arrays]:
    """The record PLAN for one lane without what belongs to a method, and its arrays."""
    if not max_step > 0.0:
        raise ValueError(f"max_step is {max_step}; it must be positive.")
    if first_step is not None and not first_step > 0.0:
        raise ValueError(f"first_step is {first_step}; it must be positive.")
    plan = np.zeros(1, PLAN)[0]
    plan["states"], plan["memory"], plan["events"], plan["lanes"] = (
        problem.states,
        problem.memory,
        len(problem.events),
        1,
    )
    for name in KERNELS:
        kernel: BoundKernel | None = getattr(problem, name)
        plan[name] = kernel.address() if isinstance(kernel, BoundKernel) else 0
    plan["project_stages"] = problem.project_stages
    plan["rest"] = problem.rest
    plan["residual_limit"], plan["conditioning_limit"] = problem.residual_limit, problem.conditioning_limit
    plan["sign"] = times.sign
    plan["span"] = abs(times.end - times.start)
    plan["max_step"] = max_step
    plan["first_step"] = first_step or 0.0
    plan["max_steps"] = np.iinfo(np.int64).max
    plan["chatter_count"] = CHATTER_COUNT
    plan["chatter_span"] = CHATTER_SPAN * plan["span"]
    plan["rest_speed"] = REST_SPEED
    plan["sample_count"], plan["break_count"] = len(times.samples), len(times.breaks)
    arrays = {
        "direction": np.array([event.direction for event in problem.events], dtype=np.float64),
        "terminal": np.array([event.terminal for event in problem.events], dtype=np.float64),
        "sample_t": times.samples,
        "breaks": times.breaks,
    }
    point(plan, arrays)
    return plan, arrays


def choose_method(plan: Any, method: Integrator, relative: Floats, absolute: Floats) -> Arrays:
    """Enter into the plan what belongs to the method; returns the arrays behind it."""
    plan["order"] = method.error_order
    plan["node_count"], plan["dense_rows"] = len(method.nodes), method.dense_rows
    arrays = {"nodes": np.array(method.nodes), "rtol": relative, "atol": absolute}
    if not method.fixed:
        # below this the error estimate is rounding
        arrays |= {"rtol": np.maximum(relative, 2.3e-15), "atol": np.maximum(absolute, 1e-300)}
    smallest = float(arrays["rtol"].min())
    plan["newton_tolerance"] = max(10.0 * 2.3e-16 / smallest, min(0.03, smallest**0.5)) if smallest > 0.0 else 0.03
    point(plan, arrays)
    return arrays


def make_run(times: Interval, rows: Arrays) -> Any:
    """The record RUN at the start without its arrays; rows: constants of each kernel, which the caller keeps alive."""
    run = np.zeros(1, RUN)[0]
    run["t"], run["end"] = times.start, times.end
    run["bound"] = times.breaks[0] if len(times.breaks) else times.end
    run["conditioning"] = run["conditioning_before"] = run["worst_conditioning"] = 1.0
    for name, row in rows.items():
        run[f"{name}_c"] = row.ctypes.data
    return run


def constants(problem: HybridProblem, member: int = 0) -> Arrays:
    """The constants of each kernel for one member."""
    kernels = {name: getattr(problem, name) for name in KERNELS}
    return {name: kernel.row(member) for name, kernel in kernels.items() if isinstance(kernel, BoundKernel)}


def vector(values: ArrayLike, count: int, what: str) -> Floats:
    """A vector of that length; raises ValueError naming it."""
    array = np.array(values, dtype=np.float64).reshape(-1)
    if len(array) != count:
        raise ValueError(f"{what} has {len(array)} numbers; the problem has {count}.")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{what} is not finite.")
    return array
