"""Simulation with a user's own Python functions as controllers and forces: the slow way, sample by sample.

A function is asked at a fixed rate, and what it answers is held until the next sample, as a digital controller does.
The integration stops at every sample and goes on with other constants; between samples nothing is called, so the
motion there is as accurate as without. Laws that can be written as expressions of the file, or as controllers, run a
hundred times faster.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.integration import Kernels, contact_list, ended, first_memory, hybrid_problem
from closedchain.description import Mechanism
from closedchain.exceptions import IntegrationError, MechanismError

if TYPE_CHECKING:
    import xarray as xr

MOST_SAMPLES = 10_000_000
HELD = 0.5  # any number but zero: zeros are structure, other numbers are inputs of the kernels


@dataclass(frozen=True)
class Reading:
    """What a callback sees at a sample.

    t: time [s]. q, qd: coordinate and rate by label, all joints. position, velocity: of the file's outputs by name,
    each (2,) in the plane, (3,) in space.
    """

    t: float
    q: Mapping[str, float]
    qd: Mapping[str, float]
    position: Mapping[str, np.ndarray]
    velocity: Mapping[str, np.ndarray]


Callback = Callable[[Reading], float | Sequence[float]]


def with_held_inputs(mechanism: Mechanism, names: Sequence[str]) -> tuple[Mechanism, dict[str, list[str]]]:
    """The mechanism in which each named actuator or force has numbers to be set, and their paths.

    Raises MechanismError for names that are neither an actuator nor a force or moment.
    """
    document = tomllib.loads(mechanism.to_text())
    paths: dict[str, list[str]] = {}
    for name in names:
        if name in mechanism.actuators:
            document["actuators"][name] = {"joint": mechanism.actuators[name].joint.text, "effort": HELD}
            paths[name] = [f"actuators.{name}.effort"]
        elif name in mechanism.forces and mechanism.forces[name].kind in ("force", "moment"):
            planar_moment = mechanism.planar and mechanism.forces[name].kind == "moment"
            size = 1 if planar_moment else 2 if mechanism.planar else 3
            document["forces"][name]["vector"] = HELD if planar_moment else [HELD] * size
            paths[name] = [f"forces.{name}.vector" + ("" if planar_moment else f".{k}") for k in range(size)]
        else:
            known = [
                *mechanism.actuators,
                *(f.name for f in mechanism.forces.values() if f.kind in ("force", "moment")),
            ]
            raise MechanismError(
                f"callbacks names {name!r}, which is neither an actuator nor a force or moment; there are "
                f"{', '.join(known) or 'none'}."
            )
    changed = Mechanism.from_dict(document, folder=mechanism._folder, source=mechanism._source)
    known_paths = changed.values()
    for name, found in paths.items():
        missing = [path for path in found if path not in known_paths]
        if missing:
            raise MechanismError(f"callbacks cannot set {missing[0]} of {name!r}.")
    return changed, paths


def simulate_with_callbacks(
    mechanism: Mechanism,
    callbacks: Mapping[str, Callback],
    sampling: float | None,
    until: float,
    start: Any,
    times: np.ndarray,
    loose: tuple[str, ...],
    tolerances: tuple[float, float],
    method: str,
    progress: Callable[[float], bool | None] | None,
) -> "xr.Dataset":
    """Simulate with callbacks {actuator or force: function of a Reading}, asked every `sampling` seconds.

    Raises MechanismError for a missing or bad sampling time, unknown names, and answers that are not numbers;
    IntegrationError where the integration cannot go on.
    """
    from closedchain.analyses.carrying import carried_memory
    from closedchain.analyses.preparing import prepare
    from closedchain.analyses.simulate import loop_kernels, report
    from closedchain.analyses.to_dataset import to_dataset
    from closedchain.model import compile
    from closedchain.model.dynamics_kernels import report_kernel

    if sampling is None or not (np.isfinite(sampling) and sampling > 0.0):
        raise MechanismError(f"sampling is {sampling!r}; callbacks are asked every `sampling` seconds, a time above 0.")
    if until / sampling > MOST_SAMPLES:
        raise MechanismError(
            f"sampling is {sampling:g} s, which makes {until / sampling:.0f} samples; give a longer one."
        )
    changed, paths = with_held_inputs(mechanism, list(callbacks))
    setting, y = prepare(compile(changed), start, loose)
    kernels, reader = loop_kernels(setting), report_kernel(setting)
    parameters = setting.model.parameters
    place = {name: [parameters.paths.index(path) for path in found] for name, found in paths.items()}
    p = parameters.values.copy()
    memory, t = first_memory(kernels, y, carried_memory(setting, start)), 0.0
    initial = memory
    kept: list[tuple[np.ndarray, ...]] = []
    logs: list[Any] = []
    count = max(1, int(np.ceil(until / sampling - 1e-9)))
    for k in range(count):
        end = until if k == count - 1 else min(until, (k + 1) * sampling)
        now = reading(setting.model, t, reader.split(reader(np.concatenate([[t], y, memory]), reader.constants(p))))
        for name, function in callbacks.items():
            p[place[name]] = answer(name, function(now), len(place[name]))
        piece = replace(kernels, parameters=p.copy())
        last = k == count - 1
        chosen = times[(times >= t) & ((times <= end) if last else (times < end))]
        solution = integrate_piece(piece, t, y, memory, end, chosen, tolerances, method)
        if not solution.success:
            raise IntegrationError(ended(solution, setting.drive.coordinates))
        kept.append((solution.t, solution.y, solution.memory, np.repeat(p[:, None], len(solution.t), axis=1)))
        logs.append(solution.events)
        t, y, memory = end, solution.y_end, solution.memory_end
        if progress is not None and progress(t / until) is False:
            raise IntegrationError(f"the simulation was stopped at t = {t:.9g} s.")
    sample_t, sample_y, sample_memory = (np.concatenate([part[i] for part in kept]) for i in range(3))
    values = report(setting, sample_t, sample_y, sample_memory, np.concatenate([part[3] for part in kept], axis=1))
    joined = SimpleNamespace(
        t=sample_t,
        y=sample_y,
        events=SimpleNamespace(
            t=np.concatenate([log.t for log in logs]),
            index=np.concatenate([log.index for log in logs]),
            memory=np.concatenate([log.memory for log in logs]),
        ),
    )
    settings = {
        "until": until, "formulation": "loop", "rtol": tolerances[0], "atol": tolerances[1], "method": method,
        "callbacks": list(callbacks), "sampling": sampling,
    }  # fmt: skip
    further = contact_list(kernels, joined, values, initial)
    return to_dataset(setting.model, sample_t, values, "simulate", settings, further=further)


def integrate_piece(kernels: Kernels, t: float, y, memory, end: float, samples, tolerances, method: str):
    """One integration between two samples."""
    from closedchain.numerics.driver import integrate

    rtol, atol = tolerances
    return integrate(hybrid_problem(kernels, rtol), t, y, memory, end, samples, rtol, atol, method)


def reading(model, t: float, values: Mapping[str, np.ndarray]) -> Reading:
    """What callbacks see, from the report at an instant."""
    outputs = list(model.mechanism.outputs)

    def of_outputs(name: str) -> dict[str, np.ndarray]:
        vectors = np.reshape(values[name], (len(outputs), -1)) if outputs else []
        return {output: np.array(vector) for output, vector in zip(outputs, vectors, strict=True)}

    return Reading(
        t,
        {name: float(value) for name, value in zip(model.coordinates, values["q"], strict=True)},
        {name: float(value) for name, value in zip(model.rates, values["qd"], strict=True)},
        of_outputs("position"),
        of_outputs("velocity"),
    )


def answer(name: str, value: Any, count: int) -> np.ndarray:
    """What a callback answered as numbers; raises MechanismError where it did not."""
    try:
        numbers = np.ravel(np.asarray(value, float))
    except (TypeError, ValueError):
        numbers = np.zeros(0)
    if len(numbers) != count or not np.isfinite(numbers).all():
        wanted = "a finite number" if count == 1 else f"{count} finite numbers"
        raise MechanismError(f"the callback of {name!r} answered {value!r}; it must give {wanted}.")
    return numbers
