"""One integration of a simulation from t = 0, whatever the formulation: kernels in, samples and contacts out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from closedchain.model.dynamics_kernels import Setting
from closedchain.model.maximal_setting import MaximalSetting

# Conditioning of the loops (1 is good) below which a run is done again with every stage projected, and below which an
# attempted step is tried with other lengths; accelerations there are good to SINGULAR_TOLERANCE at best.
NEAR_SINGULAR = 0.02
SINGULAR = 1e-5
SINGULAR_TOLERANCE = 1e-11
# Conditioning below which a run that failed failed because of it.
LOST = 1e-4


# What is simulated, in either formulation.
Simulated = Setting | MaximalSetting


@dataclass(frozen=True)
class Kernels:
    """What an integration needs: kernels, events (name, direction), and the parameters of all kernels.

    jacobian: makes the kernel of d(rate)/dy when an implicit method asks for it. guard: the events alone.
    careful: makes the kernel of rates that holds near a loss of rank, where it is another one.
    """

    setting: Simulated
    rhs: Any
    events: tuple[tuple[str, int], ...]
    transition: Any
    projection: Any
    parameters: np.ndarray
    jacobian: Callable[[], Any] | None = None
    guard: Any = None
    careful: Callable[[], Any] | None = None


def run(kernels: Kernels, y0, until, samples, rtol, atol, method, step, progress):
    """Integrate from t = 0; a run that comes near a loss of rank is done again with every stage on the constraints.

    Projecting after steps alone leaves errors that grow as the steps shrink where links line up and freedom jumps.
    """
    from closedchain.numerics.driver import integrate

    problem = hybrid_problem(kernels)
    memory = first_memory(kernels, y0)
    options = {"first_step": step, "progress": progress}
    solution = integrate(problem, 0.0, y0, memory, until, samples, rtol, atol, method, **options)
    if solution.conditioning >= NEAR_SINGULAR or solution.status == "stopped":
        return solution
    if kernels.careful is not None:
        problem = hybrid_problem(replace(kernels, rhs=kernels.careful()))
    closer = replace(problem, project_stages=True, conditioning_limit=SINGULAR)
    rtol, atol = max(rtol, SINGULAR_TOLERANCE), max(atol, 0.01 * SINGULAR_TOLERANCE)
    return integrate(closer, 0.0, y0, memory, until, samples, rtol, atol, method, **options)


def ended(solution, imposed: tuple[str, ...] = ()) -> str:
    """How an integration failed, in the mechanism's words. imposed: coordinates whose motion is given."""
    where = f"the simulation ended at t = {solution.t_end:.9g} s"
    if solution.conditioning >= LOST:
        return f"{where}: {solution.message}"
    if imposed:
        return (
            f"{where}: the loops lose rank there (a dead centre, links in line, or the end of reach), and the imposed "
            f"motion of {', '.join(imposed)} asks for what they cannot follow. Impose another joint, a motion that "
            "stops before, or give an effort instead."
        )
    return (
        f"{where}: the loops lose rank there (a toggle position or links in line), so the motion beyond is not "
        "determined. End the run before, or start from a slightly different position."
    )


def hybrid_problem(kernels: Kernels):
    """The kernels with their constants and events, as the integrators take them."""
    from closedchain.numerics.problem import BoundKernel, Event, HybridProblem

    def bound(kernel) -> BoundKernel | None:
        return None if kernel is None else BoundKernel(kernel, kernel.constants(kernels.parameters))

    rhs = bound(kernels.rhs)
    assert rhs is not None
    return HybridProblem(
        kernels.setting.states,
        rhs,
        kernels.setting.memory,
        tuple(Event(name, direction) for name, direction in kernels.events),
        bound(kernels.projection),
        bound(kernels.transition),
        promised(kernels),
        bound(kernels.guard),
        project_stages=False,
        rest=bool(kernels.events),
    )


def promised(kernels: Kernels):
    """The Jacobian with its constants, made when asked for."""
    from closedchain.numerics.problem import BoundKernel

    make = kernels.jacobian
    if make is None:
        return None

    def bound() -> BoundKernel:
        kernel = make()
        return BoundKernel(kernel, kernel.constants(kernels.parameters))

    return bound


def first_memory(kernels: Kernels, y0: np.ndarray) -> np.ndarray:
    """Modes and approach speeds at the start: a pin that touches there is in contact, with the speed it has."""
    setting, kernel, change = kernels.setting, kernels.rhs, kernels.transition
    memory = np.zeros(setting.memory)
    if not setting.gaps:
        return memory
    y = kernel(np.concatenate([[0.0], y0, memory]), kernel.constants(kernels.parameters))
    count = 2 * len(setting.gaps)
    flags = np.zeros(len(kernels.events))
    flags[:count:2] = y[kernel.outputs["events"][0]][:count:2] >= 0.0
    if not flags.any():
        return memory
    after = change(np.concatenate([[0.0], y0, memory, flags]), change.constants(kernels.parameters))
    return after[change.outputs["memory"][0]]


def contact_list(kernels: Kernels, solution, values: dict[str, np.ndarray]) -> dict[str, Any]:
    """Labels of the loose joints; the contacts in time order join the values."""
    setting = kernels.setting
    if not setting.gaps:
        return {}
    log = solution.events
    joints, starts, ends, speeds = [], [], [], []
    running: dict[int, int] = {}
    initial = (
        first_memory(kernels, solution.y[0]) if len(solution.y) and solution.t[0] == 0.0 else np.zeros(setting.memory)
    )
    for gap, (joint, _) in enumerate(setting.gaps):
        if initial[2 * gap] > 0.5:
            running[gap] = len(joints)
            joints.append(joint)
            starts.append(0.0)
            ends.append(np.nan)
            speeds.append(float(initial[2 * gap + 1]))
    for t, index, memory in zip(log.t, log.index, log.memory, strict=True):
        if index >= 2 * len(setting.gaps):
            continue
        gap, ending = divmod(int(index), 2)
        if not ending:
            running[gap] = len(joints)
            joints.append(setting.gaps[gap][0])
            starts.append(float(t))
            ends.append(np.nan)
            speeds.append(float(memory[2 * gap + 1]))
        elif gap in running:
            ends[running.pop(gap)] = float(t)
    values["contact_joint"] = np.array(joints, dtype=str)
    values["contact_time"], values["contact_end"] = np.array(starts), np.array(ends)
    values["contact_speed"] = np.array(speeds)
    names = [name for name in setting.model.mechanism.joints if name in setting.model.topology.loose]
    return {"loose_joint": names, "contact": np.arange(len(joints))}
