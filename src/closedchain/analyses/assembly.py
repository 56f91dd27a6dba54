"""Assembly: close the loops with given coordinates, nearest to a guess.

The order of what counts: given values are met exactly; what they leave open follows the motions of the file at t = 0;
what is still open stays nearest to the guess.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from closedchain.analyses.closing import Aim, close, outside_text, polish, stay_near
from closedchain.analyses.pose import Pose, known_joint, labels_of, literal_evaluator, read_pose
from closedchain.analyses.position import SOLVED, PositionProblem
from closedchain.description import Mechanism
from closedchain.exceptions import AssemblyError, MechanismError
from closedchain.model import Drive, Model, compile, label
from closedchain.model.rows import neutral

Values = Mapping[str, Any]


def assemble(mechanism: Mechanism | Model, values: Values | None = None, guess: Pose | Values | None = None) -> Pose:
    """Close the loops of a mechanism and return the pose.

    mechanism: what to assemble. values: joint or "joint.coordinate" -> value [rad, m] (a list, quaternion or rotation
    vector where a joint has several), met exactly. guess: a Pose or {joint: value} to start from and stay near; what it
    does not name starts from the file's guesses.

    What the values leave open follows from the file's motions at t = 0, then stays nearest to the guess, then to the
    file's guesses. The loops close to rounding.

    Raises AssemblyError, with the gap left at every joint, when the loops cannot be closed, or with the limit that is
    in the way; MechanismError for names that do not exist.

    >>> import closedchain as cc
    >>> crank = {"points": {"A": [0, 0], "B": [0.1, 0]}}
    >>> rod = {"points": {"B": [0, 0], "C": [0.3, 0]}}
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {}, "crank": crank, "rod": rod, "slider": {}},
    ...     "joints": {
    ...         "A": {"type": "revolute", "between": ["ground.origin", "crank.A"]},
    ...         "B": {"type": "revolute", "between": ["crank.B", "rod.B"]},
    ...         "C": {"type": "revolute", "between": ["rod.C", "slider.origin"]},
    ...         "S": {"type": "prismatic", "between": ["ground.origin", "slider.origin"], "guess": 0.4},
    ...     },
    ... })
    >>> round(cc.assemble(m, {"A": 0.0})["S"], 12)
    0.4
    """
    base = compile(mechanism)
    given = flat_values(base, values or {})
    joints = [known_joint(base.mechanism, name) for name in given]
    model = compile(base, keep=[*base.topology.slots, *joints]) if set(joints) - set(base.topology.slots) else base
    aim = aim_of(model, guess)
    held = hold(model, aim.start, given)
    try:
        q = with_motions(model, aim, held, bool(given))
    except AssemblyError as error:
        raise AssemblyError(f"{error}{too_many(model, list(given), 'given values')}") from None
    near = {**guesses(model), **(guess.coordinates if isinstance(guess, Pose) else flat_values(model, guess or {}))}
    near |= {name: min(max(near.get(name, 0.0), low), high) for name, (low, high) in aim.limits.items()}
    pose = read_pose(model, q.tolist(), near)
    check_limits(model, pose)
    return pose


def flat_values(model: Model, values: Values) -> dict[str, float]:
    """Values by coordinate label; joints with several coordinates are spread, rotation vectors become quaternions."""
    flat: dict[str, float] = {}
    if not isinstance(values, Mapping):
        raise MechanismError(f"{values!r:.80} names no joints; give values as {{joint: value}}.")
    for name, value in values.items():
        if name in model.coordinates:
            alone = value[0] if isinstance(value, list | tuple) and len(value) == 1 else value
            flat[name] = finite(name, in_si(model, name, alone))
            continue
        joint = known_joint(model.mechanism, name)
        labels = labels_of(model, joint)
        numbers = [finite(name, number) for number in np.ravel(np.asarray(value, dtype=object))]
        form = model.forms[joint]
        if joint != name:
            raise MechanismError(f"{name!r} is not a coordinate; joint {joint!r} has {', '.join(labels) or 'none'}.")
        if "qw" in form.coordinates and len(numbers) == len(form.rates):
            numbers = [*numbers[:-3], *as_quaternion(numbers[-3:])]
        if len(numbers) != len(labels):
            raise MechanismError(
                f"joint {joint!r} has {len(labels)} coordinates ({', '.join(labels)}); {len(numbers)} values were "
                "given."
            )
        if "qw" in form.coordinates:
            norm = float(np.linalg.norm(numbers[-4:]))
            if norm < 1e-12:
                raise MechanismError(f"the quaternion given for joint {joint!r} is zero; give one of length 1.")
            numbers[-4:] = [number / norm for number in numbers[-4:]]
        flat.update(zip(labels, numbers, strict=True))
    for name in flat:
        joint = known_joint(model.mechanism, name)
        parts = [label(joint, part) for part in ("qw", "qx", "qy", "qz")]
        missing = [part for part in parts if part not in flat]
        if name in parts and missing:
            raise MechanismError(
                f"{name!r} alone says no orientation; give {', '.join(missing)} too, or joint {joint!r} as a whole "
                "(quaternion or rotation vector)."
            )
    return flat


def in_si(model: Model, name: str, said: Any) -> Any:
    """A quantity or an expression of the parameters, such as "30 deg", as a number; anything else as it is."""
    if not isinstance(said, str):
        return said
    from closedchain.analyses.to_dataset import coordinate_units
    from closedchain.description.values import ValueProblem, make_value

    unit = dict(zip(model.coordinates, coordinate_units(model), strict=True)).get(name, "")
    try:
        return make_value(said, unit).evaluate(model.mechanism.parameter_numbers())
    except ValueProblem as problem:
        raise MechanismError(f"the value of {name!r}: {problem}. {problem.remedy}".rstrip()) from None
    except KeyError as missing:
        raise MechanismError(f"the value {said!r} of {name!r} is not a number: {missing} is no parameter.") from None


def finite(name: str, value: Any) -> float:
    """The value as a float; raises MechanismError where it is none."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise MechanismError(f"the value {value!r} of {name!r} is not a number.") from None
    if not np.isfinite(number):
        raise MechanismError(f"the value of {name!r} is {number}; give a finite number.")
    return number


def as_quaternion(rotation: Sequence[float]) -> list[float]:
    """Quaternion w, x, y, z of a rotation vector."""
    angle = float(np.linalg.norm(rotation))
    factor = 0.5 * float(np.sinc(angle / (2.0 * np.pi)))
    return [float(np.cos(0.5 * angle)), *(factor * float(value) for value in rotation)]


def guesses(model: Model) -> dict[str, float]:
    """Guesses of the file by coordinate label."""
    evaluate = literal_evaluator(model.mechanism)
    found = {
        name: [evaluate(value) for value in joint.guess]
        for name, joint in model.mechanism.joints.items()
        if joint.guess is not None
    }
    return flat_values(model, found)


def aim_of(model: Model, guess: Pose | Values | None) -> Aim:
    """Where to start and what to stay near: the guess first, then the file's guesses, then the rest.

    Coordinates that nobody guessed start at zero, or in the middle of limits that exclude it.
    """
    bounds = limits(model)
    asked = dict(guess.coordinates) if isinstance(guess, Pose) else flat_values(model, guess or {})
    said = {name: value for name, value in guesses(model).items() if name not in asked}
    q = np.array(neutral(model))
    known = {name: 0.5 * (low + high) for name, (low, high) in bounds.items() if not low <= 0.0 <= high} | said | asked
    places = model.tree_coordinates
    for name, index in places.items():
        q[index] = known.get(name, q[index])
    first = [index for name, index in places.items() if name in asked]
    second = [index for name, index in places.items() if name in said]
    rest = [index for name, index in places.items() if name not in asked and name not in said]
    levels = tuple(np.array(level, int) for level in (first, second, rest))
    # A pose is consistent with itself; of other guesses those of opened joints tell assembly modes apart.
    free = {} if isinstance(guess, Pose) else {**said, **asked}
    opened = {name: value for name, value in free.items() if name not in places and name in model.rates}
    return Aim(q, levels, opened, bounds)


def limits(model: Model) -> dict[str, tuple[float, float]]:
    """Limits of the file by coordinate label."""
    evaluate = literal_evaluator(model.mechanism)
    found = {}
    for name, joint in model.mechanism.joints.items():
        for part, pair in zip(model.forms[name].rates, joint.limits or (), strict=False):
            if pair is not None:
                found[label(name, part)] = tuple(evaluate(value) for value in pair)
    return found


def hold(model: Model, q: np.ndarray, given: Mapping[str, float]) -> frozenset[int]:
    """Set the given coordinates in q and return the tree rates that may no longer move."""
    held = set()
    for name, value in given.items():
        joint = known_joint(model.mechanism, name)
        part = name.removeprefix(joint).removeprefix(".")
        q[model.tree_coordinates[name]] = value
        slot, form = model.topology.slots[joint], model.forms[joint]
        if part.startswith("q"):
            held |= {slot.rate + k for k, rate in enumerate(form.rates) if rate.startswith("w")}
        else:
            held.add(slot.rate + form.rates.index(part))
    return frozenset(held)


def motion_goals(model: Model, t: float) -> dict[str, float]:
    """Driven coordinates of the file's actuators at a time, by label."""
    evaluate = model.parameters.evaluator(t=t)
    return {
        actuator.joint.text: float(evaluate(actuator.motion))
        for actuator in model.mechanism.actuators.values()
        if actuator.motion is not None
    }


def point_goals(model: Model, t: float) -> np.ndarray:
    """Goals of the file's point motions at a time, in the order of the kernels."""
    evaluate = model.parameters.evaluator(t=t)
    return np.array([float(evaluate(value)) for _, value in model.goals(Drive(motions=True)) if value is not None])


def with_motions(model: Model, aim: Aim, held: frozenset[int], some_given: bool) -> np.ndarray:
    """Closed tree coordinates that follow the file's motions at t = 0 as far as the held rates leave them open."""
    driven = {name: value for name, value in motion_goals(model, 0.0).items() if model.tree_rates[name] not in held}
    points = bool(model.mechanism.motions)
    if not driven and not points:
        return close(PositionProblem(model, Drive(), np.array([]), held), aim)
    q = aim.start.copy()
    all_held = held | hold(model, q, driven)
    drive = Drive(motions=points)
    everything = PositionProblem(model, drive, point_goals(model, 0.0) if points else np.array([]), all_held)
    if not some_given:
        try:
            return close(everything, aim.at(q))
        except AssemblyError as error:
            raise AssemblyError(f"{error}{too_many(model, [*driven, *prescribed(model)])}") from None
    solution = everything.solve(q)
    if solution.residual[0] < SOLVED:
        return polish(everything, stay_near(everything, solution.q[0], aim.at(q)))
    # The values leave less open than the motions ask for: motions join one by one, as long as the loops still close.
    q = close(PositionProblem(model, Drive(), np.array([]), held), aim)
    for name, value in driven.items():
        trial = q.copy()
        more = held | hold(model, trial, {name: value})
        problem = PositionProblem(model, Drive(), np.array([]), more)
        solution = problem.solve(trial)
        if solution.residual[0] < SOLVED:
            q, held = polish(problem, solution.q[0]), more
    if points:
        problem = PositionProblem(model, drive, everything.goal, held)
        solution = problem.solve(q)
        if solution.residual[0] < SOLVED:
            return polish(problem, stay_near(problem, solution.q[0], aim.at(q)))
    return q


def prescribed(model: Model) -> list[str]:
    """Components of the file's point motions, by name."""
    return [f"{motion.name}.{part}" for motion in model.mechanism.motions.values() for part in motion.components]


def too_many(model: Model, motions: Sequence[str], what: str = "prescribed motions") -> str:
    """A sentence where more is prescribed than counting gives freedoms; empty where not."""
    coordinates, rows = model.counted
    counted = coordinates - rows
    if not 0 <= counted < len(motions):
        return ""
    return (
        f" There are {len(motions)} {what} ({', '.join(motions)}) and, by counting, {counted} "
        f"{'freedom' if counted == 1 else 'freedoms'}: they may contradict each other; "
        + ("leave one out." if what == "given values" else "take one out or give it an effort.")
    )


def check_limits(model: Model, pose: Pose) -> None:
    """Raise AssemblyError where a coordinate lies outside its limits."""
    for name, (low, high) in limits(model).items():
        value = pose.coordinates[name]
        if not low - 1e-9 <= value <= high + 1e-9:
            raise AssemblyError(outside_text(name, value, low, high))


def check_limits_along(model: Model, samples: np.ndarray, q: np.ndarray, name: str) -> None:
    """Raise AssemblyError where a coordinate leaves its limits; q has all labels as rows, shape (labels, n)."""
    rows = {name: row for row, name in enumerate(model.coordinates)}
    for joint, (low, high) in limits(model).items():
        values = q[rows[joint]]
        outside = np.flatnonzero((values < low - 1e-9) | (values > high + 1e-9))
        if len(outside):
            first = outside[0]
            raise AssemblyError(
                f"joint {joint!r} reaches {values[first]:.6g} at {name} = {samples[first]:.6g}, outside its limits "
                f"{low:.6g} to {high:.6g}. Shorten the motion or widen the limits."
            )
