"""Lyapunov exponents: how fast motions that start side by side part or come together, on the average over time.

Benettin, Galgani, Giorgilli and Strelcyn 1980, Lyapunov characteristic exponents for smooth dynamical systems: as many
neighbours as exponents are carried along beside the motion; after every interval their differences are made orthogonal
again and shortened, and the logarithms of what they had grown by are summed. Neighbours meet contacts at their own
times, so what an event does to a difference (its saltation) is in the result.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.dynamics_checks import is_number, require_method
from closedchain.analyses.integration import first_memory, hybrid_problem
from closedchain.analyses.preparing import prepare
from closedchain.analyses.simulate import check_loose, loop_kernels, sample_times
from closedchain.description import Mechanism
from closedchain.exceptions import IntegrationError, MechanismError
from closedchain.model import Model, compile
from closedchain.model.dynamics_kernels import Setting, projection_kernel
from closedchain.model.loose import loose_joints
from closedchain.results import dataset

if TYPE_CHECKING:
    import xarray as xr

Progress = Callable[[float], bool | None]
# Distance of neighbours in units of an angle or the mechanism's size: far above the integrator's error, far below where
# a difference bends, which is sooner where contacts start and end.
NEAR, NEAR_CONTACTS = 1e-6, 1e-8
# Logarithm of the largest growth or shrinking of a difference within an interval: beyond it the interval is shortened,
# because the difference bends, or drowns in the integrator's error; and what is aimed at.
MOST, WANTED = 4.0, 2.0
INTERVALS = 100
SHORTEST = 1e-5
# A direction of length one that projection shortens below is not free; rounding leaves some 1e-8.
FREE = 1e-5


def lyapunov(
    mechanism: Mechanism | Model,
    until: float,
    count: int = 1,
    start: Any = None,
    *,
    transient: float = 0.0,
    interval: float | None = None,
    clearance: Any = True,
    rtol: float = 1e-10,
    atol: float = 1e-13,
    progress: Progress | None = None,
) -> "xr.Dataset":
    """The largest Lyapunov exponents of a motion [1/s], largest first.

    until: end of the motion [s]; the estimate's error falls about as its inverse. count: how many exponents, up to the
    number of states that are free to move. start, clearance, rtol, atol: as in `simulate`. transient: time before the
    sums begin [s]. interval: longest time between two orthonormalisations [s], a hundredth of `until` otherwise; they
    come sooner where neighbours part or close up fast. progress: called with the part done; returning False stops.

    `exponent` (order) at the end, `running_exponent` (time, order) on the way, to see whether it has settled. Time
    that the motion itself knows (imposed motions, forces of t) is no state and brings no exponent.

    Raises MechanismError for a bad count or time; IntegrationError where the motion cannot go on.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -9.81]},
    ...     "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "damping": 0.4}},
    ... })
    >>> [round(float(value), 1) for value in cc.lyapunov(m, until=40.0, count=2).exponent]
    [-0.2, -0.2]
    """
    model = compile(mechanism)
    sample_times(until, None)
    check_loose(model.mechanism, clearance)
    require_method("auto", rtol, atol)
    if not (isinstance(count, int | np.integer) and count >= 1):
        raise MechanismError(f"count is {count!r}; give the number of exponents, 1 or more.")
    if not (is_number(transient) and 0.0 <= transient < until):
        raise MechanismError(f"transient is {transient!r}; give a time from 0 to below until = {until:g} s.")
    if interval is not None and not (is_number(interval) and interval > 0.0):
        raise MechanismError(f"interval is {interval!r}; give a time above zero in seconds.")
    setting, y = prepare(model, start, loose_joints(model.mechanism, clearance))
    bundle = _Bundle(setting, y, int(count), (rtol, atol))
    times, running = bundle.follow(float(until), float(transient), interval or until / INTERVALS, progress)
    settings = {
        "until": float(until), "count": int(count), "transient": float(transient), "interval": interval, "rtol": rtol,
        "atol": atol,
    }  # fmt: skip
    name = "Lyapunov exponent"
    values = {
        "exponent": (("order",), running[-1], {"units": "1/s", "long_name": name}),
        "running_exponent": (("time", "order"), running, {"units": "1/s", "long_name": f"{name} so far"}),
    }
    labels = {"time": times, "order": np.arange(1, count + 1)}
    return dataset(values, labels, analysis="lyapunov", mechanism=model.mechanism.to_text(), settings=settings)


class _Bundle:
    """A motion and its neighbours."""

    def __init__(self, setting: Setting, y: np.ndarray, count: int, tolerances: tuple[float, float]):
        self.setting, self.tolerances = setting, tolerances
        self.near = NEAR_CONTACTS if setting.gaps else NEAR
        kernels = loop_kernels(setting)
        self.problem, self.memory = hybrid_problem(kernels, tolerances[0]), first_memory(kernels, y)
        self.projection = projection_kernel(setting)
        self.constants = self.projection.constants(setting.model.parameters.values)
        # Work and dissipated energy are sums along the motion, and the ideal mechanism follows from time.
        self.chosen = np.arange(sum(setting.sizes[:3]))
        model = setting.model
        lengths = [unit == "m" for unit in (*model.coordinate_units, *model.tree_units)]
        self.scale = np.ones(len(self.chosen))
        self.scale[: len(lengths)] = np.where(lengths, 1.0 / model.size, 1.0)
        self.t = 0.0
        self.y = self.projected(y)
        self.directions = self.first_directions(count)

    def projected(self, y: np.ndarray) -> np.ndarray:
        """A state on the loops, with imposed coordinates at their goals."""
        place = self.projection.outputs["y"][0]
        for _ in range(2):
            y = self.projection(np.concatenate([[self.t], y, self.memory]), self.constants)[place].copy()
        return y

    def neighbour(self, direction: np.ndarray) -> np.ndarray:
        """The state that far away along a direction."""
        y = self.y.copy()
        y[self.chosen] += self.near * direction / self.scale
        return self.projected(y)

    def difference(self, y: np.ndarray) -> np.ndarray:
        """From the motion to a state, in units of the distance at the start of an interval."""
        return (y - self.y)[self.chosen] * self.scale / self.near

    def first_directions(self, count: int) -> np.ndarray:
        """Orthonormal directions (states, count) that loops and imposed motions leave free, at random."""
        draw = np.random.default_rng(1).standard_normal((len(self.chosen), len(self.chosen)))
        draw /= np.linalg.norm(draw, axis=0)
        found = np.array([self.difference(self.neighbour(column)) for column in draw.T]).T
        U, s, _ = np.linalg.svd(found)
        free = int(np.sum(s > FREE))
        if count > free:
            raise MechanismError(
                f"count is {count}, but {free} states are free to move beside the imposed motions and closed loops; "
                "ask for no more exponents than that."
            )
        return np.linalg.qr(U[:, :free] @ np.random.default_rng(2).standard_normal((free, count)))[0]

    def advance(self, end: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The motion's state and memory at `end`, and the differences of the neighbours there (states, count)."""
        from closedchain.numerics.ensemble import ensemble

        starts = np.array([self.y, *(self.neighbour(direction) for direction in self.directions.T)])
        memory = np.repeat(self.memory[None], len(starts), axis=0)
        found = ensemble(self.problem, self.t, starts, memory, end, (), *self.tolerances, threads=1)
        if not found.success.all():
            worst = int(np.argmin(found.success))
            raise IntegrationError(f"the motion ended at t = {found.t_end[worst]:.9g} s: {found.message[worst]}")
        apart = (found.y_end[1:] - found.y_end[0])[:, self.chosen] * self.scale / self.near
        return found.y_end[0], found.memory_end[0], apart.T

    def follow(
        self, until: float, transient: float, interval: float, progress: Progress | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Times (n,) after the transient and the exponents so far (n, count)."""
        sums = np.zeros(self.directions.shape[1])
        times, running = [], []
        step = interval
        while self.t < until:
            stop = transient if self.t < transient else until
            left = stop - self.t
            end = stop if step >= left * (1.0 - 1e-9) else self.t + (step if step < 0.5 * left else 0.5 * left)
            y, memory, apart = self.advance(end)
            Q, R = np.linalg.qr(apart)
            growth = np.log(np.maximum(np.abs(np.diagonal(R)), math.ulp(0.0)))
            load = float(np.abs(growth).max())
            if load > MOST and end - self.t > SHORTEST * until:
                step = (end - self.t) * max(0.2, WANTED / load)
                continue
            step = min(interval, (end - self.t) * min(2.0, WANTED / max(load, 1e-3)))
            self.directions = Q
            if self.t >= transient:
                sums += growth
            self.t, self.memory = end, memory
            self.y = self.projected(y)
            if self.t > transient:
                times.append(self.t)
                running.append(sums / (self.t - transient))
            if progress is not None and progress(self.t / until) is False:
                break
        if not times:
            raise IntegrationError(f"stopped at t = {self.t:.9g} s, before the sums began.")
        return np.array(times), np.array(running)
