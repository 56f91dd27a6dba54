"""Integrate a hybrid problem from a start to an end: the compiled loops in chunks, with method changes between them."""

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from closedchain.numerics import integrators, setup
from closedchain.numerics import status as codes
from closedchain.numerics.integrators.contract import Integrator
from closedchain.numerics.problem import Floats, HybridProblem
from closedchain.numerics.solution import Counts, Segment, Solution, event_log
from closedchain.numerics.state import LOG_ARRAYS, MEMBER_ARRAYS, Arrays, Sizes, allocate

Progress = Callable[[float], bool | None]

_EVENTS_PER_CHUNK = 64
_FIRST_CHUNK = 2000
_SECONDS_PER_CHUNK = 0.05
_EXPLICIT, _IMPLICIT = "dop853", "radau"
# Where the implicit method could not go on: accepted steps after which it may be tried again, after which it is asked
# whether the explicit one gets anywhere, and how many more it may need to the end.
_PATIENCE, _TRIED, _HOPELESS = 2000, 100_000, 20_000_000
# Part of the duration: steps that small, of the implicit method, are those of a kink.
_TINY = 1e-8
# what a change of method keeps; the rest belongs to the step
_CARRIED = {"y0", "f0", "memory", "side", "shift", "fastest", "restart", "span_start", "span_count"}
_CARRIED |= {"sample_y", "sample_memory"}


def integrate(
    problem: HybridProblem,
    t0: float,
    y0: ArrayLike,
    memory0: ArrayLike,
    t1: float,
    samples: ArrayLike = (),
    rtol: ArrayLike = 1e-8,
    atol: ArrayLike = 1e-10,
    method: str = "auto",
    *,
    max_step: float = np.inf,
    first_step: float | None = None,
    breaks: Sequence[float] | Floats = (),
    max_steps: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Integrate dy/dt = f(t, y, memory) from t0 to t1 (also backwards) through all events.

    y0 (n,), memory0 (m,): start; samples (s,): times in the order of integration at which the state is kept; rtol,
    atol: scalar or (n,). method: "auto" is DOP853 with Radau where the problem is stiff, or a name of
    integrators.names(); first_step: the step of fixed-step methods, which need it. breaks: times at which f is not
    smooth; they are met exactly. progress: called now and then with the part done; returning False stops. What goes
    wrong is in the solution's status.

    Raises ValueError for arguments that make no sense.

    >>> from closedchain.compile import trace
    >>> from closedchain.compile.kernels import compile_kernel
    >>> from closedchain.numerics.problem import BoundKernel
    >>> decay = compile_kernel(trace(lambda x: {"rate": [-x[1]]}, {"x": 2}))
    >>> solution = integrate(HybridProblem(states=1, rhs=BoundKernel(decay, decay.constants())), 0.0, [1.0], [], 1.0)
    >>> round(float(solution.y_end[0]), 6)
    0.367879
    """
    times = setup.interval(t0, t1, samples, breaks)
    relative, absolute = setup.tolerances(problem, rtol, atol)
    chosen = integrators.find(_EXPLICIT if method == "auto" else method)
    if chosen.fixed and first_step is None:
        raise ValueError(f"The method {method} takes steps of fixed size; give it as first_step.")
    integration = _Integration(problem, times, chosen, relative, absolute, max_step, first_step, method == "auto")
    if max_steps is not None:
        integration.plan["max_steps"] = max_steps
    integration.arrays["y0"][:] = setup.vector(y0, problem.states, "y0")
    integration.arrays["memory"][:] = setup.vector(memory0, problem.memory, "memory0")
    try:
        integration.go(progress)
    except KeyboardInterrupt as interrupt:
        interrupt.add_note(codes.sentence(codes.STOPPED, float(integration.run["t"])))
        raise
    return integration.solution()


class _Integration:
    """One integration under way."""

    def __init__(
        self,
        problem: HybridProblem,
        times: setup.Interval,
        method: Integrator,
        relative: Floats,
        absolute: Floats,
        max_step: float,
        first_step: float | None,
        auto: bool,
    ):
        self.problem, self.times, self.auto = problem, times, auto
        self.tolerances = (relative, absolute)
        self.plan, self.plan_arrays = setup.make_plan(problem, times, max_step, first_step)
        self.rows = setup.constants(problem)
        self.run = setup.make_run(times, self.rows)
        self.arrays: Arrays = {}
        self.events: list[Arrays] = []
        self.segments: list[Segment] = []
        self.gave_way: tuple[int, float] | None = None  # accepted steps and time where the implicit method gave up
        self._use(method)

    def _use(self, method: Integrator) -> None:
        """Go on from here with this method: its arrays take over the state, the samples and what the events learned."""
        former, plan = self.arrays, self.plan
        self.method = method
        if method.name == _IMPLICIT:
            self._bind_jacobian()
        self.plan_arrays |= setup.choose_method(plan, method, *self.tolerances)
        n, e, m, s = (int(plan[name]) for name in ("states", "events", "memory", "sample_count"))
        plan["log_room"] = _EVENTS_PER_CHUNK
        log = _EVENTS_PER_CHUNK + 8 * e if e else 0
        stages, nodes, rows = method.stages, len(method.nodes), method.dense_rows
        self.sizes = Sizes(n=n, e=e, m=m, s=s, log=log, nodes=nodes, rows=rows, stages=stages)
        arrays = allocate(self.sizes, MEMBER_ARRAYS + LOG_ARRAYS, self.run)
        self.work, more = method.arrays(plan, self.run, self.sizes, self.plan_arrays)
        self.arrays = arrays | more
        for name in former.keys() & _CARRIED:
            self.arrays[name][:] = former[name]
        plan["stop_when_stiff"] = self.auto and method.name == _EXPLICIT and self._implicit_again()
        plan["stop_when_not_stiff"] = self.auto and method.name == _IMPLICIT
        self.opened = (float(self.run["t"]), int(self.run["accepted"]))

    def _bind_jacobian(self) -> None:
        """Make the Jacobian that was promised, now that it is needed."""
        promised = self.problem.jacobian
        if callable(promised) and self.plan["jacobian"] == 0:
            kernel = promised()
            self.plan["jacobian"] = kernel.address()
            self.rows["jacobian"] = kernel.row()
            self.run["jacobian_c"] = self.rows["jacobian"].ctypes.data

    def _switch(self, name: str) -> None:
        self._close_segment()
        self._use(integrators.find(name))
        self.run["status"] = codes.RUNNING
        self.run["stiff_hits"] = self.run["stiff_misses"] = 0
        self.run["step_before"] = 0.0

    def _implicit_again(self) -> bool:
        """Whether the implicit method may take over: not right after it gave up."""
        return self.gave_way is None or int(self.run["accepted"]) - self.gave_way[0] >= _PATIENCE

    def _hopeless(self) -> bool:
        """Whether the explicit method hardly moves where the implicit one gave up."""
        assert self.gave_way is not None
        steps, way = int(self.run["accepted"]) - self.gave_way[0], abs(float(self.run["t"]) - self.gave_way[1])
        left = abs(self.times.end - float(self.run["t"]))
        return steps > _TRIED and left * steps > _HOPELESS * way

    def _close_segment(self) -> None:
        start, accepted = self.opened
        self.segments.append(
            Segment(self.method.name, start, float(self.run["t"]), int(self.run["accepted"]) - accepted)
        )

    def _fetch_events(self) -> None:
        count = int(self.run["logged"])
        if count:
            table = {name: self.arrays[name].reshape(self.sizes.log, -1)[:count].copy() for name, _ in LOG_ARRAYS}
            self.events.append(table)
            self.run["logged"] = 0

    def go(self, progress: Progress | None) -> None:
        """Run to the end, or to whatever stops it before."""
        from closedchain.numerics.settle import settle_address
        from closedchain.numerics.transition import start

        plan, run = self.plan, self.run
        plan["settle"] = settle_address()
        start(plan, run)
        budget = _FIRST_CHUNK
        span = self.times.end - self.times.start
        while run["status"] == codes.RUNNING:
            started, before = time.perf_counter(), run["accepted"] + run["rejected"]
            self.method.advance(plan, run, self.work, budget)
            elapsed = time.perf_counter() - started
            attempts = run["accepted"] + run["rejected"] - before
            budget = int(np.clip(attempts * _SECONDS_PER_CHUNK / max(elapsed, 1e-6), 1, 10 * budget))
            if run["status"] == codes.FULL:
                run["status"] = codes.RUNNING
            self._fetch_events()
            if run["status"] == codes.STIFF and self.auto:
                self._switch(_IMPLICIT)
            elif run["status"] == codes.NOT_STIFF:
                if run["step"] < _TINY * span:
                    self.gave_way = int(run["accepted"]), float(run["t"])
                self._switch(_EXPLICIT)
            elif run["status"] == codes.TOO_SMALL and self.auto and self.method.name == _IMPLICIT:
                # Kinks stop its Newton iteration; the explicit method passes them, if slowly.
                self.gave_way = int(run["accepted"]), float(run["t"])
                self._switch(_EXPLICIT)
            elif self.gave_way is not None and self.method.name == _EXPLICIT:
                plan["stop_when_stiff"] = self._implicit_again()
                if self._hopeless() and run["status"] == codes.RUNNING:
                    run["status"] = codes.TOO_SMALL
            part = float((run["t"] - self.times.start) / span)
            if progress is not None and progress(part) is False and run["status"] == codes.RUNNING:
                run["status"] = codes.STOPPED
        self._fetch_events()
        self._close_segment()

    def solution(self) -> Solution:
        """What came out."""
        run, arrays, n, m = self.run, self.arrays, self.sizes.n, self.sizes.m
        done, status = int(run["next_sample"]), int(run["status"])
        name = self.problem.events[int(run["event"])].name if status in (codes.TERMINAL, codes.CHATTER) else ""
        return Solution(
            status=codes.NAMES[status],
            message=codes.sentence(status, float(run["t"]), name),
            t=self.times.samples[:done],
            y=arrays["sample_y"].reshape(-1, n)[:done],
            memory=arrays["sample_memory"].reshape(self.sizes.s, m)[:done],
            events=event_log(self.events, n, m),
            t_end=float(run["t"]),
            y_end=arrays["y0"].copy(),
            memory_end=arrays["memory"].copy(),
            counts=Counts(**{name: int(run[name]) for name in Counts.__dataclass_fields__}),
            segments=tuple(self.segments),
            residual=float(run["residual"]),
            conditioning=float(run["worst_conditioning"]),
        )
