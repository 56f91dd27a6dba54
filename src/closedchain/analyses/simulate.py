"""Forward dynamics: how a mechanism moves under forces, motors and imposed motions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.carrying import carried_memory, carried_values
from closedchain.analyses.contact_peaks import Member, Peaks, peaks_between_samples
from closedchain.analyses.continuation import opened_parts
from closedchain.analyses.dynamics_checks import is_number, require_method
from closedchain.analyses.integration import Kernels, contact_list, ended, first_memory, run
from closedchain.analyses.motion_jumps import require_smooth
from closedchain.analyses.pose import labels_of
from closedchain.analyses.preparing import prepare
from closedchain.analyses.reaction_determinacy import settled_reactions
from closedchain.analyses.to_dataset import to_dataset
from closedchain.description import Mechanism
from closedchain.elements.friction_laws import friction_laws
from closedchain.elements.friction_laws.contract import no_pieces
from closedchain.exceptions import IntegrationError, MechanismError
from closedchain.model import Model, compile
from closedchain.model.derivative_kernels import jacobian_kernel
from closedchain.model.dynamics_kernels import (
    Setting,
    projection_kernel,
    report_kernel,
    rhs_events,
    rhs_kernel,
    transition_kernel,
)
from closedchain.model.guard_kernels import guard_kernel
from closedchain.model.loose import loose_joints

if TYPE_CHECKING:
    import xarray as xr

SAMPLES = 1001
# Relative tolerance from which on kinks of friction are located. On the loose joint of the benchmarks 49 more events
# cost a tenth at 1e-5, and save 40 % of the evaluations at 1e-8.
LATCHED = 1e-7
# Baumgarte's coefficients [1/s]: at the default tolerances they kept loops closed to 4e-10 of the size over seconds of
# free fall where 50 left 2e-9 and none 2e-8; twice as large costs twice the evaluations.
ALPHA = BETA = 100.0
FORMULATIONS = ("loop", "multipliers")
Progress = Callable[[float], bool | None]


def simulate(
    mechanism: Mechanism | Model,
    until: float,
    start: Any = None,
    times: Any = None,
    formulation: str = "loop",
    clearance: Any = True,
    rtol: float = 1e-8,
    atol: float = 1e-10,
    *,
    method: str = "auto",
    step: float | None = None,
    progress: Progress | None = None,
    alpha: float = ALPHA,
    beta: float = BETA,
    callbacks: Mapping[str, Any] | None = None,
    sampling: float | None = None,
) -> "xr.Dataset":
    """How the mechanism moves from t = 0 to `until` under gravity, forces, motors and imposed motions.

    until: end time [s]. start: {joint: value or (value, rate)}, met exactly, a Pose, or another result, whose last
    state is taken; the file's guesses and rates otherwise. times: instants to report [s]; 1001 equal ones otherwise.
    formulation: "loop" (joint coordinates with loop closure) or "multipliers" (maximal coordinates). rtol, atol:
    tolerances of the integrator. method: "auto", or the name of an integrator; step: its step where it is fixed [s].
    progress: called with the part done; returning False stops. alpha, beta: Baumgarte's stabilisation of the
    multipliers [1/s], against phi = 0: phi" + 2 alpha phi' + beta^2 phi = 0.

    callbacks: {actuator or force: function}, your own controllers and forces in Python, asked every `sampling`
    seconds with a `callbacks.Reading` (t, q, qd, position, velocity) for the effort, or the force's vector, that is
    held until the next sample. This is the slow way: what can be said in the file runs a hundred times faster.

    Each evaluation solves [[M, J^T], [J, 0]] (a, -lam) = (tau - h, gamma); in the loop formulation the state is
    projected onto the loops after steps (Hairer and Wanner 1996, VII.2). kinetic + potential + dissipated energy -
    input work is constant.

    Raises AssemblyError where the start cannot be closed; MechanismError where something without mass would have to
    move freely; IntegrationError, with the time, where the integration cannot go on.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -9.81]},
    ...     "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "guess": "-90 deg"}},
    ... })
    >>> ds = cc.simulate(m, until=0.1)
    >>> abs(float(ds.qd[-1, 0])) < 1e-12
    True
    """
    model = compile(mechanism)
    check_loose(model.mechanism, clearance)
    loose = loose_joints(model.mechanism, clearance)
    samples = sample_times(until, times)
    require_run(formulation, rtol, atol, method, step, alpha, beta)
    if callbacks and formulation != "loop":
        raise MechanismError("callbacks work in the loop formulation; leave formulation out.")
    if formulation == "multipliers":
        from closedchain.analyses.multipliers import simulate_multipliers

        setting, y0 = prepare(model, start, loose)
        require_smooth(setting.model, setting.drive, float(until))
        return simulate_multipliers(
            setting, y0, start, float(until), samples, (rtol, atol), (method, step), (alpha, beta),
            progress,
        )  # fmt: skip
    if callbacks:
        from closedchain.analyses.callbacks import simulate_with_callbacks

        return simulate_with_callbacks(
            model.mechanism, callbacks, sampling, float(until), start, samples, loose, (rtol, atol), method, progress
        )
    setting, y0 = prepare(model, start, loose)
    require_smooth(setting.model, setting.drive, float(until))
    setting = replace(setting, latched=latches_friction(setting, rtol))
    kernels = loop_kernels(setting)
    memory = first_memory(kernels, y0, carried_memory(setting, start))
    solution = run(kernels, y0, memory, float(until), samples, rtol, atol, method, step, progress)
    if not solution.success:
        raise IntegrationError(ended(solution, setting.drive.coordinates))
    values = report(setting, solution.t, solution.y, solution.memory)
    settings = {
        "until": float(until),
        "formulation": formulation,
        "rtol": rtol,
        "atol": atol,
        "method": list(dict.fromkeys(segment.method for segment in solution.segments)),
        "method_changes": len(solution.segments) - 1,
        "evaluations": solution.counts.rhs,
        "steps": solution.counts.accepted,
    }
    peaks = contact_peaks_of(setting, kernels, [Member(solution, y0, memory, kernels.parameters)])[0]
    further = contact_list(kernels, solution, values, memory, peaks)
    return to_dataset(setting.model, solution.t, values, "simulate", settings, further=further)


def contact_peaks_of(setting: Setting, kernels: Kernels, runs: Sequence[Member]) -> list[Peaks | None]:
    """Largest forces and penetrations of the runs' contacts between their samples."""
    if not setting.gaps:
        return [None] * len(runs)

    def reported(t: np.ndarray, y: np.ndarray, memory: np.ndarray, parameters: np.ndarray) -> dict[str, np.ndarray]:
        return evaluated(setting, t, y, memory, parameters)[1]

    return list(peaks_between_samples(kernels, runs, reported))


def sample_times(until: float, times: Any) -> np.ndarray:
    """Instants to report; raises MechanismError for a bad end or times outside the run."""
    if not (is_number(until) and until > 0.0):
        raise MechanismError(f"until is {until!r}; give an end time above zero in seconds.")
    if times is None:
        return np.linspace(0.0, float(until), SAMPLES)
    try:
        array = np.atleast_1d(np.asarray(times, float))
    except (TypeError, ValueError):
        raise MechanismError(f"times are {times!r}; give instants in seconds.") from None
    if array.ndim != 1 or not np.isfinite(array).all() or np.any(np.diff(array) < 0.0):
        raise MechanismError("times must be finite and ascending.")
    if len(array) and (array[0] < 0.0 or array[-1] > float(until) * (1.0 + 1e-12)):
        raise MechanismError(f"times reach from {array[0]:g} s to {array[-1]:g} s; the run is from 0 to {until:g} s.")
    return np.minimum(array, float(until))


def require_run(
    formulation: Any = "loop",
    rtol: Any = 1e-8,
    atol: Any = 1e-10,
    method: Any = "auto",
    step: Any = None,
    alpha: Any = ALPHA,
    beta: Any = BETA,
) -> None:
    """Raise MechanismError for arguments of `simulate` that no run can have."""
    require_method(method, rtol, atol, step)
    if formulation not in FORMULATIONS:
        raise MechanismError(f"formulation is {formulation!r}; choose 'loop' or 'multipliers'.")
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not is_number(value) or value < 0.0:
            raise MechanismError(f"{name} is {value!r}; Baumgarte's stabilisation takes numbers from zero up, in 1/s.")


def check_loose(mechanism: Mechanism, clearance: Any) -> None:
    """Raise MechanismError for a joint named as loose that does not exist or has no play."""
    if isinstance(clearance, bool) or clearance is None:
        return
    try:
        chosen = [clearance] if isinstance(clearance, str) else list(clearance)
    except TypeError:
        raise MechanismError(f"clearance is {clearance!r}; give True, False, or names of joints.") from None
    for name in chosen:
        if name not in mechanism.joints:
            raise MechanismError(f"clearance names {name!r}; the joints are {', '.join(mechanism.joints)}.")
        if mechanism.joints[name].clearance is None:
            raise MechanismError(f"clearance names {name!r}, which has no clearance in the file; add one to the joint.")


def latches_friction(setting: Setting, rtol: float) -> bool:
    """Whether kinks of friction are worth an event each: at tight tolerances, where steps across them are rejected."""
    clearances = (setting.model.mechanism.joints[joint].clearance for joint, _ in setting.gaps)
    laws = [friction_laws[clearance.friction] for clearance in clearances if clearance is not None]
    return rtol <= LATCHED and any(law.pieces is not no_pieces for law in laws)


def loop_kernels(setting: Setting) -> Kernels:
    """What an integration of the loop formulation needs; the transition is made where there are events."""
    events = tuple(rhs_events(setting))
    transition, guard = (transition_kernel(setting), guard_kernel(setting)) if events else (None, None)
    p = setting.model.parameters.values
    kernels = rhs_kernel(setting), events, transition, projection_kernel(setting)

    def careful() -> Any:
        return rhs_kernel(replace(setting, careful=True))

    return Kernels(setting, *kernels, p, lambda: jacobian_kernel(setting), guard, careful)


def report(
    setting: Setting,
    t: np.ndarray,
    y: np.ndarray,
    memory: np.ndarray,
    parameters: np.ndarray | None = None,
    settled: bool = True,
) -> dict[str, np.ndarray]:
    """Everything at the samples, the samples as last dimension; states are projected once more.

    parameters: the parameter vector, or one column per sample; the model's otherwise. settled: with the reactions of
    least norm and their flags; without any otherwise.
    """
    X, values = evaluated(setting, t, y, memory, parameters)
    return finished(setting, X, values, settled)


def evaluated(
    setting: Setting, t: np.ndarray, y: np.ndarray, memory: np.ndarray, parameters: np.ndarray | None = None
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Projected inputs and outputs of the report's kernel at samples, which may be those of several members."""
    p = setting.model.parameters.values if parameters is None else parameters
    projection, kernel = projection_kernel(setting), report_kernel(setting)
    X = np.concatenate([t[None], y.T, memory.T])
    place = projection.outputs["y"][0]
    c = projection.constants(p)
    for _ in range(2):
        X[1 : 1 + setting.states] = projection.batch(X, c)[place]
    return X, kernel.split(kernel.batch(X, kernel.constants(p)))


def finished(
    setting: Setting, X: np.ndarray, values: dict[str, np.ndarray], settled: bool, determined: bool = False
) -> dict[str, np.ndarray]:
    """Results of one run from the outputs of the report's kernel at its samples.

    settled, determined: whether reactions are wanted, and whether statics is known to determine them.
    """
    values = dict(values)
    if "in_contact" in values:
        values["in_contact"] = values["in_contact"] > 0.5
    values |= carried_values(setting, X[1:])
    force, moment = values.pop("reaction_force", None), values.pop("reaction_moment", None)
    if settled and force is not None and moment is not None:
        q = X[1 : 1 + setting.sizes[0]]
        values |= settled_reactions(setting.model, q, force, moment, determined=determined)
    steady_turns(setting.model, values["q"])
    return values


def steady_turns(model: Model, q: np.ndarray) -> None:
    """Count the turns of opened joints along the samples, and keep the sign of their quaternions."""
    rows = {name: row for row, name in enumerate(model.coordinates)}
    names = [name for joint in model.opened for name in labels_of(model, joint)]
    for first, last, kind in opened_parts(model):
        chosen = [rows[name] for name in names[first:last]]
        if kind == "rad":
            q[chosen[0]] = np.unwrap(q[chosen[0]])
        elif kind == "quaternion":
            agree = np.sum(q[chosen][:, 1:] * q[chosen][:, :-1], axis=0)
            q[chosen] *= np.cumprod(np.concatenate([[1.0], np.where(agree < 0.0, -1.0, 1.0)]))
