"""Forward dynamics: how a mechanism moves under forces, motors and imposed motions."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.continuation import opened_parts
from closedchain.analyses.dynamics_checks import require_inertia, require_method
from closedchain.analyses.integration import Kernels, contact_list, ended, run
from closedchain.analyses.kinematics import along, time_path
from closedchain.analyses.pose import labels_of
from closedchain.analyses.reaction_determinacy import settled_reactions
from closedchain.analyses.set_off import pins_of, set_off
from closedchain.analyses.start import (
    ROUNDED,
    goal_drift,
    opened_rates,
    start_pose,
    start_rates,
    start_values,
    whole_rates,
)
from closedchain.analyses.tilts import tilts
from closedchain.analyses.to_dataset import to_dataset
from closedchain.description import Mechanism
from closedchain.exceptions import AssemblyError, IntegrationError, MechanismError
from closedchain.model import Drive, Model, compile
from closedchain.model.derivative_kernels import jacobian_kernel
from closedchain.model.dynamics_kernels import (
    IdealMotion,
    Setting,
    projection_kernel,
    report_kernel,
    rhs_events,
    rhs_kernel,
    transition_kernel,
)
from closedchain.model.dynamics_patterns import find_patterns
from closedchain.model.guard_kernels import guard_kernel
from closedchain.model.loose import loose_joints
from closedchain.model.motion_kernels import goals_kernel
from closedchain.model.rows import find_pattern, row_marks, rows_kernel

if TYPE_CHECKING:
    import xarray as xr

SAMPLES = 1001
# Baumgarte's coefficients [1/s]: at the default tolerances they kept loops closed to 4e-10 of the size over seconds of
# free fall where 50 left 2e-9 and none 2e-8; twice as large costs twice the evaluations.
ALPHA = BETA = 100.0
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
    loose = loose_joints(model.mechanism, clearance)
    check_loose(model.mechanism, clearance)
    samples = sample_times(until, times)
    require_method(method, rtol, atol)
    if formulation not in ("loop", "multipliers"):
        raise MechanismError(f"formulation is {formulation!r}; choose 'loop' or 'multipliers'.")
    if callbacks and formulation != "loop":
        raise MechanismError("callbacks work in the loop formulation; leave formulation out.")
    if formulation == "multipliers":
        from closedchain.analyses.multipliers import simulate_multipliers

        return simulate_multipliers(
            *prepare(model, start, loose), float(until), samples, (rtol, atol), (method, step), (alpha, beta), progress
        )
    if callbacks:
        from closedchain.analyses.callbacks import simulate_with_callbacks

        return simulate_with_callbacks(
            model.mechanism, callbacks, sampling, float(until), start, samples, loose, (rtol, atol), method, progress
        )
    setting, y0 = prepare(model, start, loose)
    kernels = loop_kernels(setting)
    solution = run(kernels, y0, float(until), samples, rtol, atol, method, step, progress)
    if not solution.success:
        raise IntegrationError(ended(solution, setting.drive.coordinates))
    values = report(setting, solution.t, solution.y, solution.memory)
    settings = {
        "until": float(until),
        "formulation": formulation,
        "rtol": rtol,
        "atol": atol,
        "method": [segment.method for segment in solution.segments],
        "evaluations": solution.counts.rhs,
        "steps": solution.counts.accepted,
    }
    return to_dataset(
        setting.model, solution.t, values, "simulate", settings, further=contact_list(kernels, solution, values)
    )


def sample_times(until: float, times: Any) -> np.ndarray:
    """Instants to report; raises MechanismError for a bad end or times outside the run."""
    number = isinstance(until, int | float | np.integer | np.floating) or (
        hasattr(until, "dtype") and np.ndim(until) == 0
    )
    if not (number and np.isfinite(until) and until > 0.0):
        raise MechanismError(f"until is {until!r}; give an end time above zero in seconds.")
    if times is None:
        return np.linspace(0.0, float(until), SAMPLES)
    array = np.atleast_1d(np.asarray(times, float))
    if array.ndim != 1 or not np.isfinite(array).all() or np.any(np.diff(array) < 0.0):
        raise MechanismError("times must be finite and ascending.")
    if len(array) and (array[0] < 0.0 or array[-1] > float(until) * (1.0 + 1e-12)):
        raise MechanismError(f"times reach from {array[0]:g} s to {array[-1]:g} s; the run is from 0 to {until:g} s.")
    return np.minimum(array, float(until))


def check_loose(mechanism: Mechanism, clearance: Any) -> None:
    """Raise MechanismError for a joint named as loose that does not exist or has no play."""
    if isinstance(clearance, bool) or clearance is None:
        return
    for name in [clearance] if isinstance(clearance, str) else clearance:
        if name not in mechanism.joints:
            raise MechanismError(f"clearance names {name!r}; the joints are {', '.join(mechanism.joints)}.")
        if mechanism.joints[name].clearance is None:
            raise MechanismError(f"clearance names {name!r}, which has no clearance in the file; add one to the joint.")


def prepare(model: Model, start: Any, loose: tuple[str, ...] = ()) -> tuple[Setting, np.ndarray]:
    """The setting of a simulation and its first state: the ideal mechanism starts, then loose pins are let go."""
    if loose:
        return let_go(*prepare(model, start), loose, start)
    mechanism = model.mechanism
    own = [a.joint.text for a in mechanism.actuators.values() if a.motion is not None]
    taken = [a.joint.text for a in mechanism.actuators.values() if takes_ideal_motion(mechanism, a)]
    follows = any(a.control is not None and a.control.target == "motion" for a in mechanism.actuators.values())
    ideal, ideal_q, ideal_motion = None, np.zeros(0), {}
    if mechanism.motions and (taken or follows):
        ideal, ideal_q, ideal_motion = ideal_start(model)
    elif follows:
        raise MechanismError('a controller follows "motion", but the file has no [motions]; add one or give a target.')
    drive = Drive(tuple(own) + tuple(taken), bool(mechanism.motions) and not mechanism.actuators)
    goal, rate = first_goals(model, drive, ideal_motion)
    motions = {name: float(goal[place]) for place, name in enumerate(drive.coordinates)}
    pose, given = start_pose(model, start, motions)
    q = pose.tree(model)
    closure = find_pattern(model, drive, q, goal)
    patterns = find_patterns(model, drive, closure, q, goal)
    setting = Setting(model, drive, patterns, ideal)
    played = hasattr(start, "data_vars") and "eccentricity" in start
    v = first_rates(model, drive, q, goal, rate, given, nearest=played)
    require_inertia(setting, q, goal)
    extra = np.zeros(setting.sizes[2])
    return setting, np.concatenate([q, v, extra, ideal_q, np.zeros(2)])


def let_go(ideal: Setting, y: np.ndarray, loose: tuple[str, ...], start: Any = None) -> tuple[Setting, np.ndarray]:
    """The setting with loose joints, started where the ideal one stands: pins move as the bore they cover."""
    model = compile(ideal.model, loose=loose)
    _, _, extra0, followed = (np.array(part) for part in ideal.split(y.tolist())[:4])
    values, rates = ideal_labels(ideal, y)
    turned, spinning = tilts(ideal, y, model)
    values, rates = values | turned, rates | spinning
    q, v = np.zeros(model.topology.coordinates), np.zeros(model.topology.rates)
    for name, place in model.tree_coordinates.items():
        q[place] = values.get(name, 0.0)
    for name, place in model.tree_rates.items():
        v[place] = rates.get(name, 0.0)
    drive = ideal.drive
    goals = first_goals(model, drive, {name: (values[name], rates[name]) for name in drive.coordinates})
    goal = goals[0]
    said = start_values(ideal.model, start)[:2] if isinstance(start, Mapping) else ({}, {})
    pins = pins_of(model, start) if hasattr(start, "data_vars") else {}
    if pins and not turned:
        ends, speeds, _ = start_values(ideal.model, start)
        for name, place in model.tree_coordinates.items():
            q[place] = ends.get(name, q[place])
        for name, place in model.tree_rates.items():
            v[place] = speeds.get(name, v[place])
    q, v = set_off(model, drive, (q, v), goals, said, pins if pins and not turned else None)
    closure = find_pattern(model, drive, q, goal)
    setting = Setting(model, drive, find_patterns(model, drive, closure, q, goal), ideal.ideal)
    extra = np.zeros(setting.sizes[2])
    extra[: len(extra0)] = extra0
    return setting, np.concatenate([q, v, extra, followed, np.zeros(2)])


def ideal_labels(setting: Setting, y: np.ndarray) -> tuple[dict[str, float], dict[str, float]]:
    """Coordinates and rates of a setting at a state, by label."""
    kernel = report_kernel(setting)
    x = np.concatenate([[0.0], y, np.zeros(setting.memory)])
    parts = kernel.split(kernel(x, kernel.constants(setting.model.parameters.values)))
    model = setting.model
    return (
        {name: float(value) for name, value in zip(model.coordinates, parts["q"], strict=True)},
        {name: float(value) for name, value in zip(model.rates, parts["qd"], strict=True)},
    )


def takes_ideal_motion(mechanism: Mechanism, actuator: Any) -> bool:
    """Whether the actuator's coordinate is imposed as it moves in the ideal mechanism."""
    given = actuator.motion is not None or actuator.effort is not None or actuator.control is not None
    return bool(mechanism.motions) and not given


def ideal_start(model: Model) -> tuple[IdealMotion, np.ndarray, dict[str, tuple[float, float]]]:
    """The ideal motion of the file, its coordinates at t = 0, and label -> (coordinate, rate) there."""
    path = time_path(model, np.array([0.0]))
    values = along(path, np.array([0.0]))
    ideal = path.model
    q = np.zeros(ideal.topology.coordinates)
    labels = dict(zip(ideal.coordinates, values["q"][:, 0], strict=True))
    goal = path.goals(np.array([0.0]))[0][:, 0]
    driven = dict(zip(path.drive.coordinates, goal, strict=False))
    for name, place in ideal.tree_coordinates.items():
        q[place] = labels[name] if name in labels else driven[name]
    rates = dict(zip(ideal.rates, values["qd"][:, 0], strict=True))
    motion = {name: (float(labels[name]), float(rates[name])) for name in rates if name in labels}
    pattern = ideal.kernels[("pattern", path.drive)]
    return IdealMotion(ideal, path.drive, pattern), q, motion


def first_goals(model: Model, drive: Drive, ideal: Mapping[str, tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Goals and their rates at t = 0."""
    kernel = goals_kernel(model, drive)
    parts = kernel.split(kernel(np.array([0.0]), kernel.constants(model.parameters.values)))
    goal, rate = parts["goal"].copy(), parts["goal_rate"].copy()
    for place, (name, function) in enumerate(model.goals(drive)):
        if function is None and name in ideal:
            goal[place], rate[place] = ideal[name]
    return goal, rate


def first_rates(
    model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray, rate: np.ndarray, given: Mapping[str, float],
    nearest: bool = False,
) -> np.ndarray:  # fmt: skip
    """Tree rates at the start: imposed and given ones exactly, the others nearest to the file's rates.

    nearest: rates given of all joints are those of a run with play, so they hold but nearly.
    """
    evaluate = model.parameters.evaluator()
    wished: dict[str, float] = {}
    for name, joint in model.mechanism.joints.items():
        labels = [label for label in model.rates if label == name or label.rpartition(".")[0] == name]
        if joint.rate is not None:
            wished.update(zip(labels, (float(evaluate(value)) for value in joint.rate), strict=True))
    fixed = {name: float(rate[place]) for place, name in enumerate(drive.coordinates)}
    said = {name: value for name, value in wished.items() if name not in fixed}
    imposed = dict(fixed)
    whole = len(given) == len(model.rates)
    if not whole:
        fixed |= given
    kernel, _ = rows_kernel(model, drive)
    marks = row_marks(model, drive)
    parts = kernel.split(kernel(np.concatenate([q, goal]), kernel.constants(model.parameters.values)))
    keep = np.array([not mark[3] for mark in marks], bool)
    J = parts["jacobian"].reshape(len(marks), model.topology.rates)[keep]
    drift = goal_drift(model, drive, q, goal, rate)[keep] if drive.motions else np.zeros(len(J))
    if len(imposed) > 1:
        try:
            start_rates(model, J, drift, imposed, {})
        except AssemblyError as error:
            raise AssemblyError(
                f"the imposed motions of {', '.join(imposed)} contradict each other at the start: the loops cannot "
                "follow their rates together. Impose as many motions as the mechanism has freedoms, and give the other "
                "actuators an effort or a controller."
            ) from error
    if whole:
        return whole_rates(model, J, drift, imposed, given, np.inf if nearest else ROUNDED)
    if said:
        # Rates of the file are meant exactly as long as the loops allow it.
        try:
            return exact_rates(model, drive, q, (J, drift), {**said, **fixed}, wished)
        except AssemblyError:
            pass
    return exact_rates(model, drive, q, (J, drift), fixed, wished)


def exact_rates(
    model: Model, drive: Drive, q: np.ndarray, loops: tuple[np.ndarray, np.ndarray], fixed: Mapping[str, float],
    wished: Mapping[str, float],
) -> np.ndarray:  # fmt: skip
    """`start_rates` where rates of opened joints may be fixed too."""
    opened = {name: value for name, value in fixed.items() if name not in model.tree_rates}
    J = np.vstack([loops[0], opened_rates(model, drive, q, opened)])
    drift = np.concatenate([loops[1], [-value for value in opened.values()]])
    own = {name: value for name, value in fixed.items() if name in model.tree_rates}
    return start_rates(model, J, drift, own, wished)


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
    p = setting.model.parameters.values if parameters is None else parameters
    projection, kernel = projection_kernel(setting), report_kernel(setting)
    X = np.concatenate([t[None], y.T, memory.T])
    place = projection.outputs["y"][0]
    c = projection.constants(p)
    for _ in range(2):
        X[1 : 1 + setting.states] = projection.batch(X, c)[place]
    values = kernel.split(kernel.batch(X, kernel.constants(p)))
    if "in_contact" in values:
        values["in_contact"] = values["in_contact"] > 0.5
    reactions = [values.pop(name, None) for name in ("reaction_force", "reaction_moment")]
    if settled and reactions[0] is not None:
        values |= settled_reactions(setting.model, X[1 : 1 + setting.sizes[0]], *reactions)
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
