"""What a run leaves behind besides coordinates and rates, so that another goes on from its last state as if both were
one: integrals of controllers, bristles of friction, which gaps are closed, and the approach speeds laws remember.
"""

from typing import Any

import numpy as np

from closedchain.algorithms.contact import MEMORY
from closedchain.model.dynamics_kernels import Setting
from closedchain.model.loads import extra_states
from closedchain.model.maximal_setting import MaximalSetting

# Modes above it say that a gap is closed.
CLOSED = 0.5


def gap_names(setting: Setting | MaximalSetting) -> list[str]:
    """Name of every gap, the joint's where it has but one."""
    counts: dict[str, int] = {}
    for joint, _ in setting.gaps:
        counts[joint] = counts.get(joint, 0) + 1
    return [joint if counts[joint] == 1 else f"{joint}.{gap}" for joint, gap in setting.gaps]


def carried_values(setting: Setting | MaximalSetting, X: np.ndarray) -> dict[str, np.ndarray]:
    """Results that carry what is left behind. X: states and memory, samples last (states + memory, n)."""
    start, count = (3, setting.sizes[3]) if isinstance(setting, MaximalSetting) else (2, setting.sizes[2])
    first = sum(setting.sizes[:start])
    found: dict[str, np.ndarray] = {}
    if count:
        found["inner_state"] = X[first : first + count].copy()
    if setting.gaps:
        memory = X[setting.states :]
        found["gap_closed"], found["approach_speed"] = memory[::MEMORY] > CLOSED, memory[1::MEMORY].copy()
    return found


def carried_labels(setting: Setting | MaximalSetting) -> dict[str, list[str]]:
    """Labels of their dimensions."""
    found = {}
    if extra_states(setting.model):
        found["inner"] = extra_states(setting.model)
    if setting.gaps:
        found["gap"] = gap_names(setting)
    return found


def carried_states(setting: Setting, start: Any) -> np.ndarray:
    """Integrals of controllers and bristles at the last instant of a result, zero where `start` does not tell them."""
    names = extra_states(setting.model)
    found = np.zeros(len(names))
    if hasattr(start, "data_vars") and "inner_state" in start:
        known = dict(zip(start["inner"].values.tolist(), start["inner_state"].values[-1].tolist(), strict=True))
        found[:] = [known.get(name, 0.0) for name in names]
    return found


def carried_memory(setting: Setting | MaximalSetting, start: Any) -> dict[int, tuple[float, float]]:
    """Gap number -> (mode, approach speed) at the last instant of a result, of the gaps that it knows."""
    if not (hasattr(start, "data_vars") and "gap_closed" in start):
        return {}
    names = start["gap"].values.tolist()
    closed, speed = start["gap_closed"].values[-1], start["approach_speed"].values[-1]
    known = {name: (float(mode), float(latched)) for name, mode, latched in zip(names, closed, speed, strict=True)}
    return {gap: known[name] for gap, name in enumerate(gap_names(setting)) if name in known}
