"""Kernels of the independent formulation: maximal coordinates with multipliers and Baumgarte's stabilisation."""

from typing import Any

from closedchain.algorithms.closure_solver import Pattern
from closedchain.algorithms.maximal import norm_corrections, pose_rates
from closedchain.model.dynamics_kernels import event_names, event_values
from closedchain.model.guard_kernels import maximal_guard
from closedchain.model.latch import latch
from closedchain.model.maximal_rows import IMPOSED, MOTION, angle_rates
from closedchain.model.maximal_setting import MaximalSetting
from closedchain.model.maximal_state import Accelerations, Present, accelerations, find_maximal_pattern, present
from closedchain.numbers import add, mul

Number = Any

__all__ = ["find_maximal_pattern", "maximal_events", "maximal_rhs", "maximal_transition"]


def maximal_rhs(setting: MaximalSetting, pattern: Pattern):
    """Kernel (t, y, memory) -> dy/dt, event functions: start and end of contact of every gap."""

    def function(t, y, memory=(), parameters=None, baumgarte=()):
        now = present(setting, t[0], y, memory, parameters)
        found = accelerations(setting, pattern, now, baumgarte)
        corrections = norm_corrections(now.system, now.x, baumgarte[0])
        poses = [add(rate, change)
                 for rate, change in zip(pose_rates(now.system, now.x, now.u), corrections, strict=True)]  # fmt: skip
        ideal = now.ideal.rates if now.ideal else []
        parts = [
            *poses, *found.a, *angle_rates(setting, now.system, now.motions), *now.applied.state_rates, *ideal,
            input_power(setting, now, found), now.applied.dissipation,
        ]  # fmt: skip
        return {"rate": parts, "events": event_values(now.applied.contacts)}

    return setting.kernel("rhs", function)


def maximal_events(setting: MaximalSetting) -> list[tuple[str, int]]:
    """Name and direction of every event function of the right-hand side."""
    return event_names(setting.gaps, maximal_guard(setting)) if setting.gaps else []


def maximal_transition(setting: MaximalSetting):
    """Kernel (t, y, memory, flags) -> y, memory: what changes where contacts start and end."""

    def function(t, y, memory=(), flags=(), parameters=None, baumgarte=()):
        now = present(setting, t[0], y, memory, parameters)
        extra, after, lost = latch(now.loads.loose, now.applied.contacts, now.extra, memory, flags)
        head, tail = sum(setting.sizes[:3]), sum(setting.sizes[:4])
        return {"y": [*y[:head], *extra, *y[tail:-1], add(y[-1], lost)], "memory": after}

    return setting.kernel("transition", function, {**setting.inputs, "flags": len(maximal_events(setting))})


def input_power(setting: MaximalSetting, now: Present, found: Accelerations) -> Number:
    """Power of motors, imposed coordinates, point motions and given forces [W]."""
    total = now.applied.supply
    rows = now.rows
    for kind, entries, force in zip(rows.kinds, rows.entries, found.multipliers, strict=True):
        if kind in (IMPOSED, MOTION):
            for column, entry in entries.items():
                total = add(total, mul(force, mul(entry, now.u[column])))
    return total
