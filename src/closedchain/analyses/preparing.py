"""What a simulation starts from: the setting, and a first state that satisfies loops, motions and what was asked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from closedchain.analyses.carrying import carried_states
from closedchain.analyses.dynamics_checks import require_inertia
from closedchain.analyses.idle_rates import momentum_free
from closedchain.analyses.idle_symmetry import spin_matters
from closedchain.analyses.kinematics import along, time_path
from closedchain.analyses.left_off import pins_of, released_state
from closedchain.analyses.pose import Pose
from closedchain.analyses.set_off import set_off
from closedchain.analyses.start import (
    ROUNDED,
    check_imposed,
    check_wished,
    goal_drift,
    opened_rates,
    start_pose,
    start_rates,
    start_values,
    whole_rates,
)
from closedchain.analyses.start_branch import followed_rates
from closedchain.analyses.tilts import tilting, tilts
from closedchain.description import Mechanism
from closedchain.exceptions import AssemblyError, MechanismError
from closedchain.model import Drive, Model, compile
from closedchain.model.dynamics_kernels import IdealMotion, Setting, feeds_forward, report_kernel
from closedchain.model.dynamics_patterns import find_patterns
from closedchain.model.inverse_patterns import is_idle
from closedchain.model.motion_kernels import goals_kernel
from closedchain.model.rows import find_pattern, row_marks, rows_kernel

# Starts that are remembered per structure.
REMEMBERED = 64
# Keys of a joint whose numbers do not shape a start.
LAWS = frozenset({"clearance", "friction", "stiffness", "damping", "stop"})


def prepare(model: Model, start: Any, loose: tuple[str, ...] = ()) -> tuple[Setting, np.ndarray]:
    """The setting of a simulation and its first state: the ideal mechanism starts, then loose pins are let go.

    Remembered by the numbers that matter, so members of a sweep that differ in others start at once.
    """
    key = start_key(model, start, loose)
    if key is None:
        return prepare_anew(model, start, loose)
    starts = model.kernels.setdefault("starts", {})
    if key not in starts:
        made = prepare_anew(model, start, loose)
        # an ideal mechanism carries numbers of its own
        if made[0].ideal is not None:
            return made
        starts[key] = made
        while len(starts) > REMEMBERED:
            starts.pop(next(iter(starts)))
    setting, y0 = starts[key]
    return replace(setting, model=compile(model, loose=loose)), y0.copy()


def start_key(model: Model, start: Any, loose: tuple[str, ...]) -> tuple | None:
    """What the first state depends on; None where `start` is a pose or a result."""
    if start is not None and not isinstance(start, dict):
        return None
    chosen = model.kernels.get("start numbers")
    if chosen is None:
        chosen = model.kernels["start numbers"] = model.parameters.places_behind(shapes_start)
    return repr(start), loose, model.parameters.values[chosen].tobytes()


def shapes_start(address: tuple[str | int, ...]) -> bool:
    """Whether a number at that place of the file can matter to the first state."""
    table, key = address[0], address[2] if len(address) > 2 else ""
    if table == "joints":
        return key not in LAWS or "initial" in address
    if table == "actuators":
        return key not in ("control", "effort")
    return table != "forces" and address[:2] != ("mechanism", "gravity")


def prepare_anew(model: Model, start: Any, loose: tuple[str, ...] = ()) -> tuple[Setting, np.ndarray]:
    """`prepare` without memory."""
    if loose:
        return let_go(*prepare(model, start), loose, start)
    mechanism = model.mechanism
    own = [a.joint.text for a in mechanism.actuators.values() if a.motion is not None]
    taken = [a.joint.text for a in mechanism.actuators.values() if takes_ideal_motion(mechanism, a)]
    follows = any(a.control is not None and a.control.target == "motion" for a in mechanism.actuators.values())
    ideal, ideal_q, ideal_motion, ideal_rates = None, np.zeros(0), {}, {}
    begins = start
    if mechanism.motions and (taken or follows):
        ideal, ideal_q, ideal_motion, ideal_rates, ideal_pose = ideal_start(model)
        # in the assembly mode of the ideal mechanism, whatever the guesses of single joints would lead to
        begins = ideal_pose if start is None else start
    elif follows:
        raise MechanismError('a controller follows "motion", but the file has no [motions]; add one or give a target.')
    drive = Drive(tuple(own) + tuple(taken), bool(mechanism.motions) and not mechanism.actuators)
    goal, rate = first_goals(model, drive, ideal_motion)
    motions, speeds = ({name: float(of[k]) for k, name in enumerate(drive.coordinates)} for of in (goal, rate))
    check_imposed(model, start, motions, speeds)
    pose, given = start_pose(model, begins, motions)
    played = start is not None and hasattr(start, "data_vars") and "eccentricity" in start
    # a motion that controllers follow is met with its rates as well, where nobody says how to start
    meets = follows and start is None and all(joint.rate is None for joint in mechanism.joints.values())
    if meets:
        given = {name: ideal_rates[name] for name in model.rates if name in ideal_rates}
    q = pose.tree(model)
    closure = find_pattern(model, drive, q, goal)
    patterns = find_patterns(model, drive, closure, q, goal)
    setting = Setting(model, drive, patterns, ideal)
    v = first_rates(model, drive, q, goal, rate, given, played, meets, start is None)
    require_inertia(setting, q, goal)
    return setting, np.concatenate([q, v, carried_states(setting, start), ideal_q, np.zeros(2)])


def let_go(ideal: Setting, y: np.ndarray, loose: tuple[str, ...], start: Any = None) -> tuple[Setting, np.ndarray]:
    """The setting with loose joints, started where the ideal one stands: pins move as the bore they cover."""
    model = compile(ideal.model, loose=loose)
    followed = np.array(ideal.split(y.tolist())[3])
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
    if pins:
        ends, speeds = (one | other for one, other in zip(start_values(ideal.model, start)[:2],
                                                          released_state(model, start), strict=True))  # fmt: skip
        for name, place in model.tree_coordinates.items():
            q[place] = ends.get(name, q[place])
        for name, place in model.tree_rates.items():
            v[place] = speeds.get(name, v[place])
    # a joint that tilts stands as it was left; its pin is not moved again
    if not pins or not tilting(model):
        q, v = set_off(model, drive, (q, v), goals, said, pins or None)
    closure = find_pattern(model, drive, q, goal)
    setting = Setting(model, drive, find_patterns(model, drive, closure, q, goal), ideal.ideal)
    # a body that the ideal joint carried may turn without moving any mass once its pin is loose
    require_inertia(setting, q, goal)
    return setting, np.concatenate([q, v, carried_states(setting, start), followed, np.zeros(2)])


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


def ideal_start(
    model: Model,
) -> tuple[IdealMotion, np.ndarray, dict[str, tuple[float, float]], dict[str, float], Pose]:
    """The ideal motion of the file, its states at t = 0, label -> (coordinate, rate) there, all rates, and the pose."""
    path = time_path(model, np.array([0.0]))
    values = along(path, np.array([0.0]), spinning=True)
    ideal = path.model
    q = np.zeros(ideal.topology.coordinates)
    labels = dict(zip(ideal.coordinates, values["q"][:, 0], strict=True))
    goal = path.goals(np.array([0.0]))[0][:, 0]
    driven = dict(zip(path.drive.coordinates, goal, strict=False))
    for name, place in ideal.tree_coordinates.items():
        q[place] = labels[name] if name in labels else driven[name]
    rates = {name: float(rate) for name, rate in zip(ideal.rates, values["qd"][:, 0], strict=True)}
    motion = {name: (float(labels[name]), rates[name]) for name in rates if name in labels}
    pattern = ideal.kernels[("pattern", path.drive)]
    turning = feeds_forward(model.mechanism) and is_idle(ideal, path.drive)
    rated = turning and spin_matters(ideal, path.drive, q, goal)
    if rated:
        v = first_rates(ideal, path.drive, q, *first_goals(ideal, path.drive, {}), {})
        q = np.concatenate([q, v])
    pose = Pose(model.mechanism, {name: float(labels[name]) for name in model.coordinates}, {}, 0.0)
    return IdealMotion(ideal, path.drive, pattern, rated), q, motion, rates, pose


def first_goals(model: Model, drive: Drive, ideal: Mapping[str, tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Goals and their rates at t = 0; raises MechanismError where they have none."""
    kernel = goals_kernel(model, drive)
    parts = kernel.split(kernel(np.array([0.0]), kernel.constants(model.parameters.values)))
    for name, *numbers in zip((n for n, _ in model.goals(drive)), *parts.values(), strict=True):
        if not np.isfinite(numbers).all():
            raise MechanismError(
                f"the imposed motion of {name} has no finite value, rate or acceleration at t = 0 s; check its "
                "expression there."
            )
    goal, rate = parts["goal"].copy(), parts["goal_rate"].copy()
    for place, (name, function) in enumerate(model.goals(drive)):
        if function is None and name in ideal:
            goal[place], rate[place] = ideal[name]
    return goal, rate


def first_rates(
    model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray, rate: np.ndarray, given: Mapping[str, float],
    nearest: bool = False, unsaid: bool = False, alone: bool = False,
) -> np.ndarray:  # fmt: skip
    """Tree rates at the start: imposed and given ones exactly, the others nearest to the file's rates.

    nearest: rates given of all joints are those of a run with play, so they hold but nearly. unsaid: they are those of
    kinematics, which says nothing of idle freedoms: these start without momentum of their own here too. alone: nothing
    else is said about the start, so rates of the file that contradict each other are a mistake.
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
        v = whole_rates(model, J, drift, imposed, given, np.inf if nearest else ROUNDED)
        return momentum_free(model, q, J, v, imposed) if unsaid else v
    if said:
        # Rates of the file are meant exactly as long as the loops allow it.
        try:
            return exact_rates(model, drive, q, (goal, rate), (J, drift), {**said, **fixed}, wished)
        except AssemblyError:
            pass
    v = exact_rates(model, drive, q, (goal, rate), (J, drift), fixed, wished)
    if alone:
        check_wished(model, drive, q, v, imposed, wished)
    return v


def exact_rates(
    model: Model, drive: Drive, q: np.ndarray, goals: tuple[np.ndarray, np.ndarray],
    loops: tuple[np.ndarray, np.ndarray], fixed: Mapping[str, float], wished: Mapping[str, float],
) -> np.ndarray:  # fmt: skip
    """`start_rates` where rates of opened joints may be fixed too, on a branch of motion where several meet."""
    opened = {name: value for name, value in fixed.items() if name not in model.tree_rates}
    J = np.vstack([loops[0], opened_rates(model, drive, q, opened)])
    drift = np.concatenate([loops[1], [-value for value in opened.values()]])
    own = {name: value for name, value in fixed.items() if name in model.tree_rates}
    v = momentum_free(model, q, J, start_rates(model, J, drift, own, wished), {**own, **wished})
    return followed_rates(model, drive, q, goals, v, fixed)
