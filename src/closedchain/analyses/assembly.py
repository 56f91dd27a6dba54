"""Assembly: close the loops with given coordinates, nearest to a guess.

The order of what counts: given values are met exactly; what they leave open follows the motions of the file at t = 0;
what is still open stays nearest to the guess.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from closedchain.analyses.pose import Pose, known_joint, labels_of, literal_evaluator, read_pose
from closedchain.analyses.position import SOLVED, PositionProblem
from closedchain.description import Mechanism
from closedchain.exceptions import AssemblyError, MechanismError
from closedchain.model import Drive, Model, compile, label
from closedchain.model.rows import neutral, row_marks

Values = Mapping[str, Any]
STARTS = 96


def assemble(mechanism: Mechanism | Model, values: Values | None = None, guess: Pose | Values | None = None) -> Pose:
    """Close the loops of a mechanism and return the pose.

    mechanism: what to assemble. values: joint or "joint.coordinate" -> value [rad, m] (a list, quaternion or rotation
    vector where a joint has several), met exactly. guess: a Pose or {joint: value} to start from and stay near; the file's
    guesses otherwise.

    What the values leave open follows from the file's motions at t = 0, then stays nearest to the guess.

    Raises AssemblyError, with the gap left at every joint, when the loops cannot be closed; MechanismError for names that
    do not exist.

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
    start = starting_coordinates(model, guess)
    held = hold(model, start, given)
    q = with_motions(model, start, held, bool(given))
    near = {**guesses(model), **(guess.coordinates if isinstance(guess, Pose) else flat_values(model, guess or {}))}
    pose = read_pose(model, q, near)
    check_limits(model, pose)
    return pose


def flat_values(model: Model, values: Values) -> dict[str, float]:
    """Values by coordinate label; joints with several coordinates are spread, rotation vectors become quaternions."""
    flat: dict[str, float] = {}
    for name, value in values.items():
        if name in model.coordinates:
            flat[name] = finite(name, value[0] if isinstance(value, list | tuple) and len(value) == 1 else value)
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
            raise MechanismError(f"joint {joint!r} has {len(labels)} coordinates ({', '.join(labels)}); {len(numbers)} values "
                                 "were given.")  # fmt: skip
        if "qw" in form.coordinates:
            norm = float(np.linalg.norm(numbers[-4:]))
            if norm < 1e-12:
                raise MechanismError(f"the quaternion given for joint {joint!r} is zero; give one of length 1.")
            numbers[-4:] = [number / norm for number in numbers[-4:]]
        flat.update(zip(labels, numbers, strict=True))
    return flat


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


def starting_coordinates(model: Model, guess: Pose | Values | None) -> np.ndarray:
    """Tree coordinates to start from: the guess, the file's guesses, the middle of limits that exclude zero, zero."""
    q = np.array(neutral(model))
    known = {name: 0.5 * (low + high) for name, (low, high) in limits(model).items() if not low <= 0.0 <= high}
    known |= guesses(model)
    known |= dict(guess.coordinates) if isinstance(guess, Pose) else flat_values(model, guess or {})
    for name, index in model.tree_coordinates.items():
        if name in known:
            q[index] = known[name]
    return q


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


def with_motions(model: Model, start: np.ndarray, held: frozenset[int], some_given: bool) -> np.ndarray:
    """Closed tree coordinates that follow the file's motions at t = 0 as far as the held rates leave them open."""
    driven = {name: value for name, value in motion_goals(model, 0.0).items() if model.tree_rates[name] not in held}
    points = bool(model.mechanism.motions)
    if not driven and not points:
        return close(PositionProblem(model, Drive(), np.array([]), held), start)
    q = start.copy()
    all_held = held | hold(model, q, driven)
    drive = Drive(motions=points)
    everything = PositionProblem(model, drive, point_goals(model, 0.0) if points else np.array([]), all_held)
    if not some_given:
        return close(everything, q)
    solution = everything.solve(q)
    if solution.residual[0] < SOLVED:
        return stay_near(everything, solution.q[0], q)
    # The values leave less open than the motions ask for: motions join one by one, as long as the loops still close.
    q = close(PositionProblem(model, Drive(), np.array([]), held), start)
    for name, value in driven.items():
        trial = q.copy()
        more = held | hold(model, trial, {name: value})
        solution = PositionProblem(model, Drive(), np.array([]), more).solve(trial)
        if solution.residual[0] < SOLVED:
            q, held = solution.q[0], more
    if points:
        problem = PositionProblem(model, drive, everything.goal, held)
        solution = problem.solve(q)
        if solution.residual[0] < SOLVED:
            return stay_near(problem, solution.q[0], q)
    return q


def close(problem: PositionProblem, start: np.ndarray) -> np.ndarray:
    """Coordinates that close the loops, nearest to the start; many starts where the first one fails.

    Raises AssemblyError with the gap per joint.
    """
    solution = problem.solve(start)
    if solution.residual[0] < SOLVED and within_limits(problem.model, solution.q)[0]:
        return stay_near(problem, solution.q[0], start)
    best = solution.q[0]
    for attempt in range(3):
        starts = scattered(problem, start, STARTS, np.random.default_rng(attempt), attempt)
        found = problem.solve(starts)
        good = found.residual < SOLVED
        good &= within_limits(problem.model, found.q)
        if good.any():
            candidates = found.q[good]
            gap = np.linalg.norm(distance(problem, candidates, start), axis=1)
            return stay_near(problem, candidates[np.argmin(gap)], start)
        best = found.q[np.argmin(found.residual)] if found.residual.min() < solution.residual[0] else best
    raise AssemblyError(failure(problem, best))


def scattered(problem: PositionProblem, start: np.ndarray, count: int, draw, attempt: int) -> np.ndarray:
    """Starts around a start: angles up to half a turn and lengths up to the mechanism's size, growing with the attempt."""
    spread = np.linspace(0.1, 1.0 + attempt, count)[:, None]
    size = problem.model.size
    reach = np.array([np.pi if problem.model.tree_units[rate] == "rad" else size for rate in problem.free])
    steps = spread * reach * draw.uniform(-1.0, 1.0, (count, len(problem.free)))
    return problem.retract(np.repeat(start[None], count, axis=0), steps)


def distance(problem: PositionProblem, q: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Scaled differences of the coordinates, lengths over the size, shape (N, nq)."""
    units = problem.model.coordinate_units
    scale = np.array([1.0 if unit == "rad" else 1.0 / problem.model.size for unit in units])
    return (q - start) * scale


def stay_near(problem: PositionProblem, q: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Slide along the freedoms left open until the coordinates are as near to the start as they get."""
    for _ in range(20):
        N = problem.null_space(q)
        if N.shape[1] == 0:
            return q
        basis = N / np.sqrt(problem.metric)[:, None]
        eps = 1e-6
        # Derivative of the distance along every open freedom, by differences of the coordinates themselves.
        here = distance(problem, q[None], start)[0]
        there = distance(problem, problem.retract(np.repeat(q[None], N.shape[1], axis=0), eps * basis.T), start)
        slope = (there - here) / eps
        step = np.linalg.lstsq(slope.T, -here, rcond=1e-9)[0]
        if np.linalg.norm(step) < 1e-9:
            return q
        step *= min(1.0, 0.5 / np.linalg.norm(step))
        solution = problem.solve(problem.retract(q[None], (basis @ step)[None]))
        nearer = np.linalg.norm(distance(problem, solution.q, start)) < np.linalg.norm(here)
        if solution.residual[0] >= SOLVED or not nearer or not within_limits(problem.model, solution.q)[0]:
            return q
        q = solution.q[0]
    return q


def within_limits(model: Model, q: np.ndarray) -> np.ndarray:
    """Whether the tree coordinates respect the limits, shape (N,)."""
    good = np.ones(len(q), bool)
    for name, (low, high) in limits(model).items():
        if name in model.tree_coordinates:
            values = q[:, model.tree_coordinates[name]]
            good &= (values >= low - 1e-9) & (values <= high + 1e-9)
    return good


def check_limits(model: Model, pose: Pose) -> None:
    """Raise AssemblyError where a coordinate lies outside its limits."""
    for name, (low, high) in limits(model).items():
        value = pose.coordinates[name]
        if not low - 1e-9 <= value <= high + 1e-9:
            raise AssemblyError(f"joint {name!r} would have to stand at {value:.6g}, outside its limits {low:.6g} to "
                                f"{high:.6g}; widen them or give other values.")  # fmt: skip


def failure(problem: PositionProblem, q: np.ndarray) -> str:
    """What is left open, joint by joint, largest gap first."""
    marks = row_marks(problem.model, problem.drive)
    F, _ = problem.rows(q[None])
    gaps: dict[str, list[float]] = {}
    for value, (owner, _, length, _) in zip(F[0], marks, strict=True):
        gap = gaps.setdefault(owner, [0.0, 0.0])
        gap[0 if length else 1] = float(np.hypot(gap[0 if length else 1], value))
    parts = []
    for owner, (length, angle) in sorted(gaps.items(), key=lambda item: -max(item[1])):
        if max(length, angle) > 1e-9:
            metres = f"{length * problem.model.size:.4g} m" if length > 1e-9 else ""
            turns = f"{np.degrees(min(angle, np.pi)):.4g} deg" if angle > 1e-9 else ""
            parts.append(f"{owner} {' and '.join(text for text in (metres, turns) if text)}")
    held = "the given values" if problem.held else "these dimensions"
    return (
        f"the loops cannot be closed with {held}; the nearest attempt leaves open: {', '.join(parts) or 'nothing'}. "
        "Give other values or a guess nearer to the wanted pose, or check the dimensions."
    )


def check_limits_along(model: Model, samples: np.ndarray, q: np.ndarray, name: str) -> None:
    """Raise AssemblyError where a coordinate leaves its limits; q has all labels as rows, shape (labels, n)."""
    rows = {label: row for row, label in enumerate(model.coordinates)}
    for label, (low, high) in limits(model).items():
        values = q[rows[label]]
        outside = np.flatnonzero((values < low - 1e-9) | (values > high + 1e-9))
        if len(outside):
            first = outside[0]
            raise AssemblyError(f"joint {label!r} reaches {values[first]:.6g} at {name} = {samples[first]:.6g}, outside its limits "
                                f"{low:.6g} to {high:.6g}. Shorten the motion or widen the limits.")  # fmt: skip
