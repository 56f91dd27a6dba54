"""Imposed motions that jump, in value or in rate: a simulation cannot follow them, and says when."""

from collections.abc import Callable

import numpy as np

from closedchain.exceptions import IntegrationError
from closedchain.model import Drive, Model
from closedchain.model.motion_kernels import goals_kernel

GRID = 2001
# Intervals of the grid that are looked into, those whose ends agree least first.
LOOKED_INTO = 20
HALVINGS = 44
# Part of the largest value or rate that counts as a jump.
JUMP = 1e-6
# Part of the time beside a jump where its two values are read.
BESIDE = 1e-9


def require_smooth(model: Model, drive: Drive, until: float) -> None:
    """Raise IntegrationError where an imposed motion or its rate jumps before `until` [s], or grows without bound.

    A jump of the rate asks for an infinite effort, so that no energy balance holds across it. Ends of the intervals of
    a grid that disagree most with a smooth motion are halved until the jump stands alone or is gone.
    """
    count = len(model.goals(drive))
    known = [k for k, (_, function) in enumerate(model.goals(drive)) if function is not None]
    if not known:
        return
    kernel = goals_kernel(model, drive)
    c = kernel.constants(model.parameters.values)

    def goals(t: np.ndarray) -> np.ndarray:
        """Values, rates, accelerations, shape (3, goals, times)."""
        parts = kernel.split(kernel.batch(np.ascontiguousarray(t[None]), c))
        found = [parts[name].reshape(count, -1) for name in ("goal", "goal_rate", "goal_acceleration")]
        return np.stack(found)[:, known]

    times = np.linspace(0.0, until, GRID)
    found = goals(times)
    names = [model.goals(drive)[k][0] for k in known]
    finite = np.isfinite(found).all(axis=0)
    if not finite.all():
        k, where = (int(place) for place in np.argwhere(~finite)[0])
        raise IntegrationError(
            f"the imposed motion of {names[k]} has no finite value, rate or acceleration at t = {times[where]:.6g} s; "
            "check its expression there."
        )
    step = times[1]
    for order, what in ((0, ""), (1, " in its rate")):
        value, slope = found[order], found[order + 1]
        off = np.abs(np.diff(value) - 0.5 * step * (slope[:, 1:] + slope[:, :-1]))
        scale = np.abs(value).max(axis=1) + until * np.abs(slope).max(axis=1) * (1 - order)
        for k in np.flatnonzero(off.max(axis=1) > JUMP * scale):
            for start in np.sort(np.argsort(off[k])[-LOOKED_INTO:]):
                if off[k, start] <= JUMP * scale[k]:
                    continue
                a, b, before, after = closed_in(goals, order, int(k), *(float(t) for t in times[start : start + 2]))
                if abs(after - before) > JUMP * scale[k]:
                    beside = np.array([max(a - BESIDE * until, 0.0), min(b + BESIDE * until, until)])
                    before, after = goals(beside)[order, k]
                    raise IntegrationError(
                        f"the imposed motion of {names[k]} jumps{what} at t = {0.5 * (a + b):.6g} s, from {before:.6g} "
                        f"to {after:.6g}, which asks for an infinite effort. Smooth it, with step or cycloid say, or "
                        "follow it with a controller."
                    )


def closed_in(
    goals: Callable[[np.ndarray], np.ndarray], order: int, k: int, a: float, b: float
) -> tuple[float, float, float, float]:
    """The interval [a, b] halved onto its largest change: its ends, and the value before and after."""
    before, after = goals(np.array([a, b]))[order, k]
    for _ in range(HALVINGS):
        middle = 0.5 * (a + b)
        if not a < middle < b:
            break
        between = goals(np.array([middle]))[order, k, 0]
        if abs(between - before) >= abs(after - between):
            b, after = middle, between
        else:
            a, before = middle, between
    return a, b, float(before), float(after)
