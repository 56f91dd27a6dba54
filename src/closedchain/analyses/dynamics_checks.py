"""Checks before a simulation: is there inertia behind every freedom that can move?"""

from typing import Any

import numpy as np

from closedchain.exceptions import MechanismError
from closedchain.model.dynamics_kernels import Setting
from closedchain.model.dynamics_patterns import mass_kernel
from closedchain.model.rows import row_marks, rows_kernel
from closedchain.numerics.integrators import names

WEIGHTLESS = 1e-12


def require_inertia(setting: Setting, q: np.ndarray, goal: np.ndarray) -> None:
    """Raise MechanismError when a motion that the loops and imposed coordinates leave open moves no mass.

    The mass matrix on the null space of the passive Jacobian must be positive definite.
    """
    model, passive = setting.model, list(setting.patterns.closure.passive)
    if not passive:
        return
    p = model.parameters.values
    mass, structure = mass_kernel(model)
    M = mass(q, mass.constants(p)).reshape(structure.shape)[np.ix_(passive, passive)]
    rows, _ = rows_kernel(model, setting.drive)
    marks = row_marks(model, setting.drive)
    part, _ = rows.outputs["jacobian"]
    J = rows(np.concatenate([q, goal]), rows.constants(p))[part].reshape(len(marks), model.topology.rates)
    J = J[[not mark[3] for mark in marks]][:, passive]
    units = np.array(model.tree_units)[passive]
    scale = np.where(units == "rad", 1.0, model.size)
    _, s, Vt = np.linalg.svd(np.vstack([J * scale, np.zeros((1, len(passive)))]))
    rank = int(np.sum(s > 1e-9 * max(s[0], 1.0)))
    N = Vt[rank:].T
    if N.shape[1] == 0:
        return
    M = M * np.outer(scale, scale)
    values, vectors = np.linalg.eigh(N.T @ M @ N)
    # Where no freedom moves any mass all values are rounding, so the bodies' own inertias are the measure.
    largest = max(float(values[-1]), WEIGHTLESS * float(np.diag(M).max()))
    if values[0] > WEIGHTLESS * largest and values[-1] > 0.0:
        return
    move = np.abs(N @ vectors[:, 0])
    names = {rate: name for name, rate in model.tree_rates.items()}
    moving = [names[rate] for rate, size in zip(passive, move, strict=True) if size > 1e-6 * move.max()]
    raise MechanismError(
        f"joints {', '.join(moving)} can move without moving any mass, so no acceleration follows. "
        "Give the bodies they carry "
        "mass or inertia, or impose their motion."
    )


def is_number(value: Any) -> bool:
    """Whether it is one finite number; True and False are none."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return (plain or (kind in ("f", "i", "u") and np.ndim(value) == 0)) and bool(np.isfinite(value))


def require_time(name: str, value: Any, least: float = 0.0) -> None:
    """Raise MechanismError for what is no time in seconds from `least` on."""
    if not is_number(value) or value < least:
        raise MechanismError(f"{name} is {value!r}; give a time in seconds, {least:g} or more.")


def require_count(name: str, value: Any, least: int) -> None:
    """Raise MechanismError for what is no whole number from `least` on."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise MechanismError(f"{name} is {value!r}; give a whole number, {least} or more.")


def methods() -> tuple[str, ...]:
    """What a simulation may be told to integrate with."""
    return ("auto", *names())


def require_method(method: Any, rtol: Any, atol: Any, step: Any = None) -> None:
    """Raise MechanismError for an integrator that does not exist and for tolerances or steps that none can keep."""
    if not isinstance(method, str) or method not in methods():
        raise MechanismError(f"method is {method!r}; choose {', '.join(methods())}.")
    if step is not None and not (is_number(step) and step > 0.0):
        raise MechanismError(f"step is {step!r}; give a step above zero in seconds, or leave it out.")
    if step is None and method == "rk4":
        raise MechanismError("the method rk4 takes steps of fixed size; give step = ... in seconds.")
    for name, value in (("rtol", rtol), ("atol", atol)):
        if not is_number(value) or value < 0.0:
            raise MechanismError(f"{name} is {value!r}; give a small number that is not negative, such as 1e-8.")
    if rtol == 0.0 and atol == 0.0:
        raise MechanismError("rtol and atol are both zero; give at least one of them, such as rtol = 1e-8.")
