"""One integration of a simulation from t = 0, whatever the formulation: kernels in, samples and contacts out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from closedchain.algorithms.contact import MEMORY
from closedchain.analyses.carrying import carried_labels
from closedchain.model.dynamics_kernels import Setting
from closedchain.model.maximal_setting import MaximalSetting

# Conditioning of the loops (1 is good) below which a run is done again with every stage projected, and below which an
# attempted step is tried with other lengths; accelerations there are good to SINGULAR_TOLERANCE at best.
NEAR_SINGULAR = 0.02
SINGULAR = 1e-5
SINGULAR_TOLERANCE = 1e-11
# Conditioning below which a run that failed failed because of it.
LOST = 1e-4
# How much more exact than the motion the energies of contacts are, at rough tolerances and at those of most runs:
# fifty contacts then keep the balance to 1e-8 at 1e-8, for a sixth more evaluations.
QUADRATURE, FINE_QUADRATURE = 10.0, 100.0
FINE = 1e-7
# A gap this far open [m] is not closed, whatever a former run says.
OPEN = 1e-12


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


def run(kernels: Kernels, y0, memory, until, samples, rtol, atol, method, step, progress):
    """Integrate from t = 0; a run that comes near a loss of rank is done again with every stage on the constraints.

    Projecting after steps alone leaves errors that grow as the steps shrink where links line up and freedom jumps.
    """
    from closedchain.numerics.driver import integrate

    problem = hybrid_problem(kernels, rtol)
    options = {"first_step": step, "progress": progress}
    solution = integrate(problem, 0.0, y0, memory, until, samples, rtol, atol, method, **options)
    if solution.conditioning >= NEAR_SINGULAR or solution.status == "stopped":
        return solution
    if kernels.careful is not None:
        problem = hybrid_problem(replace(kernels, rhs=kernels.careful()), rtol)
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


def hybrid_problem(kernels: Kernels, rtol: float = 1e-8):
    """The kernels with their constants and events, as the integrators take them for a relative tolerance."""
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
        tighter=tighter(kernels.setting, rtol),
    )


def tighter(setting: Simulated, rtol: float) -> np.ndarray | None:
    """How many times more exact than asked each state is: dissipated energy and input work of contacts.

    They are long sums of short pulses; as exact as everything else, their quadrature alone would leave an energy
    balance of 1e-7 and hide how well the motion itself keeps it.
    """
    if not setting.gaps:
        return None
    factors = np.ones(setting.states)
    factors[-2:] = FINE_QUADRATURE if rtol <= FINE else QUADRATURE
    return factors


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


def first_memory(
    kernels: Kernels, y0: np.ndarray, known: Mapping[int, tuple[float, float]] | None = None
) -> np.ndarray:
    """Modes and approach speeds at the start: a pin that touches there is in contact, with the speed it has.

    known: gap -> (mode, approach speed) of a run that is to go on; a gap that is open now is in flight all the same.
    """
    setting, kernel, change = kernels.setting, kernels.guard, kernels.transition
    memory = np.zeros(setting.memory)
    if not setting.gaps:
        return memory
    count = 2 * len(setting.gaps)
    touching = kernel(np.concatenate([[0.0], y0, memory]), kernel.constants(kernels.parameters))[:count:2]
    flags = np.zeros(len(kernels.events))
    flags[:count:2] = touching >= 0.0
    if flags.any():
        after = change(np.concatenate([[0.0], y0, memory, flags]), change.constants(kernels.parameters))
        memory = after[change.outputs["memory"][0]].copy()
    for gap, (mode, speed) in (known or {}).items():
        memory[MEMORY * gap : MEMORY * gap + 2] = mode if touching[gap] > -OPEN else 0.0, speed
    return memory


def contact_list(
    kernels: Kernels, solution, values: dict[str, np.ndarray], initial: np.ndarray, peaks: Any = None
) -> dict[str, Any]:
    """Labels of what is carried and of the loose joints; the contacts in time order join the values.

    initial: modes and approach speeds at the start. peaks: contact_peaks.Peaks between the samples; without, the peaks
    of the contacts are those of the samples.
    """
    setting = kernels.setting
    labels: dict[str, Any] = carried_labels(setting)
    if not setting.gaps:
        return labels
    log = solution.events
    joints, starts, ends, speeds = [], [], [], []
    running: dict[int, int] = {}
    for gap, (joint, _) in enumerate(setting.gaps):
        if initial[MEMORY * gap] > 0.5:
            running[gap] = len(joints)
            joints.append(joint)
            starts.append(0.0)
            ends.append(np.nan)
            speeds.append(float(initial[MEMORY * gap + 1]))
    for t, index, memory in zip(log.t, log.index, log.memory, strict=True):
        if index >= 2 * len(setting.gaps):
            continue
        gap, ending = divmod(int(index), 2)
        if not ending:
            running[gap] = len(joints)
            joints.append(setting.gaps[gap][0])
            starts.append(float(t))
            ends.append(np.nan)
            speeds.append(float(memory[MEMORY * gap + 1]))
        elif gap in running:
            ends[running.pop(gap)] = float(t)
    values["contact_joint"] = np.array(joints, dtype=str)
    values["contact_time"], values["contact_end"] = np.array(starts), np.array(ends)
    values["contact_speed"] = np.array(speeds)
    names = [name for name in setting.model.mechanism.joints if name in setting.model.topology.loose]
    values |= contact_sizes(solution.t, values, names, peaks)
    return labels | {"loose_joint": names, "contact": np.arange(len(joints))}


def contact_sizes(t: np.ndarray, values: dict[str, np.ndarray], names: list[str], peaks: Any) -> dict[str, np.ndarray]:
    """Largest force and penetration of every contact, from the samples at t and from the peaks between them."""
    force = np.linalg.norm(values["contact_force"], axis=1)
    depth = values["penetration"]
    found = {"contact_peak": np.full(len(values["contact_time"]), np.nan)}
    found["contact_depth"] = found["contact_peak"].copy()
    parts = [(t, t, force.T, depth.T)]
    if peaks is not None:
        parts.append((peaks.start, peaks.end, peaks.force, peaks.depth))
    contacts = zip(values["contact_joint"], values["contact_time"], values["contact_end"], strict=True)
    for k, (joint, start, end) in enumerate(contacts):
        column = names.index(str(joint))
        for first, last, *largest in parts:
            # Stretches follow one another, so those of a contact lie side by side.
            until = np.inf if np.isnan(end) else end
            inside = slice(np.searchsorted(first, start), np.searchsorted(last, until, "right"))
            for name, of in zip(found, largest, strict=True):
                if inside.stop > inside.start:
                    found[name][k] = np.fmax(found[name][k], of[inside, column].max())
    return found
