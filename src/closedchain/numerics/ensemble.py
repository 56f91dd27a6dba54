"""Integrate many members of one problem: other starts, other constants; in lanes and threads, failures kept apart."""

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedchain.numerics import integrators, setup
from closedchain.numerics import status as codes
from closedchain.numerics.driver import Progress, integrate
from closedchain.numerics.problem import BoundKernel, Floats, HybridProblem
from closedchain.numerics.solution import EventLog, event_log
from closedchain.numerics.state import LOG_ARRAYS, MEMBER_ARRAYS, RUN, Arrays, Sizes, address, allocate

_METHOD = "dop853"
_EVENTS_PER_CHUNK = 64
_BUDGET = 2000
_CHUNKS_PER_THREAD = 8
_COUNTED = ("rhs", "guards", "accepted", "rejected", "events", "projections")


@dataclass(frozen=True)
class EnsembleSolution:
    """What became of every member, N of them.

    status, message (N,): as in Solution; t (s,): sample times, y (N, s, n), memory (N, s, m): samples, not a number
    where a member did not get so far; events, event_member (k,): events ordered by member, then time; t_end (N,),
    y_end (N, n), memory_end (N, m); residual, conditioning (N,); counts: name -> (N,); stiff (N,): an implicit method
    took over.
    """

    status: NDArray[np.str_]
    message: tuple[str, ...]
    t: Floats
    y: Floats
    memory: Floats
    events: EventLog
    event_member: NDArray[np.int64]
    t_end: Floats
    y_end: Floats
    memory_end: Floats
    residual: Floats
    conditioning: Floats
    counts: dict[str, NDArray[np.int64]]
    stiff: NDArray[np.bool_]

    @property
    def success(self) -> NDArray[np.bool_]:
        """Which members reached their end time or a terminal event (N,)."""
        return np.isin(self.status, [codes.NAMES[codes.DONE], codes.NAMES[codes.TERMINAL]])


def ensemble(
    problem: HybridProblem,
    t0: float,
    y0: ArrayLike,
    memory0: ArrayLike,
    t1: ArrayLike,
    samples: ArrayLike = (),
    rtol: ArrayLike = 1e-8,
    atol: ArrayLike = 1e-10,
    *,
    members: int | None = None,
    keep_events: bool = True,
    max_step: float = np.inf,
    first_step: float | None = None,
    breaks: Sequence[float] | Floats = (),
    max_steps: int | None = None,
    lanes: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> EnsembleSolution:
    """Integrate N members from t0 to t1, each with its own steps, events and end; see driver.integrate for the rest.

    y0 (N, n) or (n,), memory0 (N, m) or (m,), t1 scalar or (N,); the kernels' constants shared (n_c,) or (N, n_c);
    members: N where none of these tells. Samples beyond a member's end are not reached. keep_events: False keeps only
    their number. lanes: 4 or 8 side by side, by default what suits the processor; threads: by default one per core. A
    member that fails has its status and message and disturbs no other; a stiff one goes on with an implicit method.

    Raises ValueError for arguments that make no sense.
    """
    count = _members(problem, y0, memory0, t1, members)
    ends = np.broadcast_to(np.asarray(t1, dtype=np.float64), (count,)).copy()
    furthest = float(ends.max() if np.all(ends >= t0) else ends.min()) if count else t0
    times = setup.interval(t0, furthest, samples, breaks)
    if np.any((ends - t0) * times.sign < 0.0):
        raise ValueError("All members of an ensemble run in one direction of time.")
    relative, absolute = setup.tolerances(problem, rtol, atol)
    work = _Ensemble(
        problem, times, relative, absolute, max_step, first_step, max_steps, lanes or native_lanes(), count
    )
    work.keep_events = keep_events
    work.fill(y0, memory0, ends)
    work.go(threads or os.cpu_count() or 1, progress)
    stiff = np.flatnonzero(work.outcome["status"] == codes.STIFF)
    options = {"max_step": max_step, "first_step": first_step, "breaks": times.breaks, "max_steps": max_steps}
    for member in stiff:
        work.go_on_implicitly(int(member), rtol, atol, options)
    return work.solution(stiff)


def native_lanes() -> int:
    """Lanes that suit this processor: 8 where it has vectors of 512 bits, else 4."""
    import llvmlite.binding as binding

    return 8 if binding.get_host_cpu_features().get("avx512f", False) else 4


def _members(problem: HybridProblem, y0: ArrayLike, memory0: ArrayLike, t1: ArrayLike, members: int | None) -> int:
    kernels = (getattr(problem, name) for name in setup.KERNELS)
    shapes = [np.shape(kernel.constants)[:-1] for kernel in kernels if isinstance(kernel, BoundKernel)]
    shapes += [np.shape(y0)[:-1], np.shape(memory0)[:-1], np.shape(t1), () if members is None else (members,)]
    counts = {shape[0] for shape in shapes if shape}
    if len(counts) > 1:
        raise ValueError(f"Starts, ends and constants are given for different numbers of members: {sorted(counts)}.")
    return counts.pop() if counts else 1


class _Ensemble:
    """An ensemble under way: the results of all members, and what its threads share."""

    def __init__(
        self,
        problem: HybridProblem,
        times: setup.Interval,
        relative: Floats,
        absolute: Floats,
        max_step: float,
        first_step: float | None,
        max_steps: int | None,
        lanes: int,
        members: int,
    ):
        from closedchain.numerics.lane_loop import OUTCOME
        from closedchain.numerics.settle import settle_address

        self.problem, self.times, self.lanes, self.members = problem, times, lanes, members
        self.method = integrators.find(_METHOD)
        self.plan, self.plan_arrays = setup.make_plan(problem, times, max_step, first_step)
        self.plan_arrays |= setup.choose_method(self.plan, self.method, relative, absolute)
        self.plan["settle"] = settle_address()
        self.plan["stop_when_stiff"] = 1
        self.plan["log_room"] = _EVENTS_PER_CHUNK
        if max_steps is not None:
            self.plan["max_steps"] = max_steps
        kernels = {name: getattr(problem, name) for name in setup.KERNELS}
        self.kernels = {name: kernel for name, kernel in kernels.items() if isinstance(kernel, BoundKernel)}
        self.constants = {name: np.ascontiguousarray(k.constants, dtype=np.float64) for name, k in self.kernels.items()}
        # a second plan for the stages, with the kernels of the lanes
        self.wide = self.plan.copy()
        self.wide["lanes"] = lanes
        for name in self.kernels.keys() & {"rhs", "projection"}:
            self.wide[name] = self.kernels[name].address(lanes, self.constants[name].ndim == 2)
        n, m, s = problem.states, problem.memory, len(times.samples)
        self.y, self.memory, self.ends = np.empty((members, n)), np.empty((members, m)), np.empty(members)
        self.sample_y = np.full((members, s, n), np.nan)
        self.sample_memory = np.full((members, s, m), np.nan)
        self.outcomes = np.zeros((members, len(OUTCOME)))
        self.outcome: Arrays = dict(zip(OUTCOME, self.outcomes.T))
        self.log = _EVENTS_PER_CHUNK + 8 * len(problem.events) if problem.events else 0
        self.events: list[Arrays] = []
        self.keep_events = True
        self.stopped = threading.Event()

    def fill(self, y0: ArrayLike, memory0: ArrayLike, ends: Floats) -> None:
        """Enter the starts and ends."""
        for target, values, name in ((self.y, y0, "y0"), (self.memory, memory0, "memory0")):
            given = np.asarray(values, dtype=np.float64)
            if given.shape not in (target.shape, target.shape[1:]):
                raise ValueError(f"{name} has shape {given.shape}; it is {target.shape} or {target.shape[1:]}.")
            if not np.all(np.isfinite(given)):
                raise ValueError(f"{name} is not finite.")
            target[:] = given
        self.ends[:] = ends
        self.outcome["t"][:] = self.times.start
        self.outcome["status"][:] = codes.STOPPED

    def go(self, threads: int, progress: Progress | None) -> None:
        """Run all members; progress is called from this thread."""
        threads = max(1, min(threads, -(-self.members // self.lanes)))
        size = max(self.lanes, -(-self.members // (threads * _CHUNKS_PER_THREAD)))
        chunks = iter([(start, min(start + size, self.members)) for start in range(0, self.members, size)])
        if threads == 1 and progress is None:
            self._work(chunks)
            return
        guarded = _Shared(chunks)
        with ThreadPoolExecutor(threads) as pool:
            running = [pool.submit(self._work, guarded) for _ in range(threads)]
            try:
                while wait(running, timeout=0.1, return_when=FIRST_EXCEPTION).not_done:
                    done = float(np.mean(self.outcome["status"] != codes.STOPPED))
                    if progress is not None and progress(done) is False:
                        self.stopped.set()
                    if any(task.done() and task.exception() for task in running):
                        self.stopped.set()
            except BaseException:
                self.stopped.set()
                raise
            for task in running:
                task.result()

    def _work(self, chunks: Iterator[tuple[int, int]]) -> None:
        """One thread: its own lanes, chunk after chunk of the members."""
        from closedchain.numerics.lane_loop import IDLE, advance_lanes

        runs, lanes, queue, arrays = self._lane_arrays()
        for start, stop in chunks:
            queue["next"], queue["stop"], queue["active"] = start, stop, 0
            runs["status"] = IDLE
            while not self.stopped.is_set():
                advance_lanes(self.plan, self.wide, runs, lanes, queue, _BUDGET)
                self._fetch_events(runs, arrays)
                if queue["active"] == 0 and queue["next"] == queue["stop"]:
                    break

    def _lane_arrays(self) -> tuple[Any, Any, Any, list[Arrays]]:
        """What one thread works on: a run per lane, the lanes, the queue, and the arrays of each lane's member."""
        from closedchain.numerics.lane_loop import QUEUE
        from closedchain.numerics.stages import LANE_ARRAYS, LANES

        problem, width, method = self.problem, self.lanes, self.method
        sizes = Sizes(
            n=problem.states,
            e=len(problem.events),
            m=problem.memory,
            s=0,
            log=self.log,
            nodes=len(method.nodes),
            rows=method.dense_rows,
            stages=method.stages,
        )
        runs = np.zeros(width, RUN)
        arrays = [allocate(sizes, MEMBER_ARRAYS + LOG_ARRAYS, runs[lane]) for lane in range(width)]
        lanes = np.zeros(1, LANES)[0]
        made = allocate(replace(sizes, lanes=width), LANE_ARRAYS, lanes)
        for name in ("atol", "rtol"):
            made[name][:] = np.repeat(self.plan_arrays[name], width)
        lanes["stride"] = 8 * width * (sizes.n + sizes.e)
        queue = np.zeros(1, QUEUE)[0]
        queue["keep_events"], queue["start"] = self.keep_events, self.times.start
        results = {"end": self.ends, "y": self.y, "memory": self.memory, "outcome": self.outcomes}
        for name, array in (results | {"sample_y": self.sample_y, "sample_memory": self.sample_memory}).items():
            queue[name] = address(array)
        for name, constants in self.constants.items():
            queue[f"{name}_c"] = address(constants)
            if constants.ndim == 2:
                queue[f"{name}_stride"] = constants.shape[1]
            if name in ("rhs", "projection"):
                lanes[f"{name}_c"] = address(constants)
                if constants.ndim == 2:
                    made[f"{name}_lanes"] = np.zeros(constants.shape[1] * width + 8)
                    queue[f"{name}_lanes"] = lanes[f"{name}_c"] = address(made[f"{name}_lanes"])
        return runs, lanes, queue, [*arrays, made]

    def _fetch_events(self, runs: Any, arrays: list[Arrays]) -> None:
        for lane in range(self.lanes):
            count = int(runs[lane]["logged"])
            if count and self.keep_events:
                rows = {name: arrays[lane][name].reshape(self.log, -1) for name, _ in LOG_ARRAYS}
                self.events.append({name: values[:count].copy() for name, values in rows.items()})
            runs[lane]["logged"] = 0
            if runs[lane]["status"] == codes.FULL:
                runs[lane]["status"] = codes.RUNNING

    def go_on_implicitly(self, member: int, rtol: ArrayLike, atol: ArrayLike, options: dict[str, Any]) -> None:
        """Continue a stiff member alone, from where it stands, with the method that suits it."""
        out, first = self.outcomes[member], int(self.outcome["next_sample"][member])
        own = self.problem.of(member)
        until = self.ends[member]
        times = self.times.samples[first:]
        times = times[(times - until) * self.times.sign <= 0.0]
        t, y, memory = self.outcome["t"][member], self.y[member], self.memory[member]
        rest = integrate(own, float(t), y, memory, float(until), times, rtol, atol, **options)
        kept = slice(first, first + len(rest.t))
        self.sample_y[member, kept], self.sample_memory[member, kept] = rest.y, rest.memory
        self.y[member], self.memory[member] = rest.y_end, rest.memory_end
        code = next(code for code, name in codes.NAMES.items() if name == rest.status)
        names = [event.name for event in self.problem.events]
        event = next((i for i, name in enumerate(names) if f"The event {name} " in rest.message), 0)
        counts = {name: getattr(rest.counts, name) for name in _COUNTED}
        for name, value in counts.items():
            self.outcome[name][member] += value
        self.outcome["residual"][member] = max(self.outcome["residual"][member], rest.residual)
        self.outcome["worst_conditioning"][member] = min(self.outcome["worst_conditioning"][member], rest.conditioning)
        out[:3] = code, event, rest.t_end
        self.outcome["next_sample"][member] = first + len(rest.t)
        if self.keep_events and len(rest.events):
            log = rest.events
            kind = np.stack([log.index, log.direction, np.full(len(log), member)], axis=1).astype(np.float64)
            tables = {"event_t": log.t[:, None], "event_kind": kind, "event_before": log.before}
            self.events.append(tables | {"event_after": log.after, "event_memory": log.memory})

    def solution(self, stiff: NDArray[np.int64]) -> EnsembleSolution:
        """What came out."""
        problem, outcome = self.problem, self.outcome
        status = outcome["status"].astype(int)
        owners = np.concatenate([np.zeros(0), *(table["event_kind"][:, 2] for table in self.events)]).astype(np.int64)
        order = np.argsort(owners, kind="stable")
        log = event_log(self.events, problem.states, problem.memory)
        log = EventLog(*(getattr(log, name)[order] for name in EventLog.__dataclass_fields__))
        named = (codes.TERMINAL, codes.CHATTER)
        sentences = (
            codes.sentence(code, t, problem.events[int(event)].name if code in named else "")
            for code, t, event in zip(status, outcome["t"], outcome["event"])
        )
        held = np.zeros(self.members, dtype=bool)
        held[stiff] = True
        return EnsembleSolution(
            status=np.array([codes.NAMES[code] for code in status], dtype=str),
            message=tuple(sentences),
            t=self.times.samples,
            y=self.sample_y,
            memory=self.sample_memory,
            events=log,
            event_member=owners[order],
            t_end=outcome["t"].copy(),
            y_end=self.y,
            memory_end=self.memory,
            residual=outcome["residual"].copy(),
            conditioning=outcome["worst_conditioning"].copy(),
            counts={name: outcome[name].astype(np.int64) for name in _COUNTED},
            stiff=held,
        )


class _Shared:
    """An iterator that several threads may draw from."""

    def __init__(self, items: Iterator[tuple[int, int]]):
        self.items, self.lock = items, threading.Lock()

    def __iter__(self) -> "_Shared":
        return self

    def __next__(self) -> tuple[int, int]:
        with self.lock:
            return next(self.items)
