"""Kinematics: positions, velocities and accelerations of everything along given motions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.assembly import assemble
from closedchain.analyses.continuation import Follower, Knots, follow
from closedchain.analyses.determinacy import require_determined
from closedchain.analyses.independent_drive import check_left_out, without_redundant
from closedchain.analyses.kinematics_samples import solve_samples
from closedchain.analyses.motion_checks import check_motion
from closedchain.analyses.pose import Pose, labels_of
from closedchain.analyses.to_dataset import to_dataset
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError
from closedchain.model import Drive, Model, compile
from closedchain.model.motion_kernels import goals_kernel
from closedchain.model.prescribed import MARK, carrier, fully_prescribed
from closedchain.model.rows import find_pattern

if TYPE_CHECKING:
    import xarray as xr

# Starts of motions that a model remembers.
REMEMBERED = 16
Arrays = Mapping[str, tuple[Any, Any, Any]]


def kinematics(mechanism: Mechanism | Model, times: Any) -> "xr.Dataset":
    """Positions, velocities and accelerations of every coordinate, body and output along the given motions.

    mechanism: with actuators that have a `motion`, or point `[motions]`. times: instants [s], shape (n,); or {actuator:
    (q, qd, qdd)} with arrays of shape (n,), which stand for the motions of the file.

    Newton's method closes the loops at every instant from a predicted position on the same branch; velocities and
    accelerations follow from the loop equations J v = -phi_t and J a = -gamma (Nikravesh 1988, ch. 3), exact.

    Raises AssemblyError where the mechanism cannot follow, with the time and the joint in the way; MechanismError when
    the motions leave freedoms undetermined. Warns where the motion passes near a singular configuration.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {}, "wheel": {"points": {"P": [0.1, 0]}}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "wheel.origin"]}},
    ...     "actuators": {"motor": {"joint": "A", "motion": "2*t"}},
    ...     "outputs": {"P": {"point": "wheel.P"}},
    ... })
    >>> ds = cc.kinematics(m, [0.0, 0.5])
    >>> ds.velocity.sel(point="P").values.round(6).tolist()[1]
    [-0.168294, 0.10806]
    """
    base = compile(mechanism)
    if isinstance(times, Mapping):
        given = array_path(base, times)
        path = without_redundant(given)
        model, samples, labels = path.model, np.arange(path.count, dtype=float), np.arange(path.count, dtype=float)
        settings: dict[str, Any] = {"motions": "arrays of " + ", ".join(times)}
    else:
        labels = as_times(times)
        given = path = time_path(base, labels)
        model, samples = path.model, labels
        settings = {"times": len(labels)}
    values = along(path, samples)
    if given is not path:
        check_left_out(given, samples, values)
    attrs = {"time_axis": "sample"} if isinstance(times, Mapping) else None
    return to_dataset(model, labels, values, "kinematics", settings, attrs)


def as_times(times: Any) -> np.ndarray:
    """Instants as an array; raises MechanismError for anything that is not a list of finite numbers."""
    try:
        array = np.atleast_1d(np.asarray(times, dtype=float))
    except (TypeError, ValueError):
        raise MechanismError("times must be numbers in seconds.") from None
    if array.ndim != 1 or not np.all(np.isfinite(array)):
        raise MechanismError("times must be a list of finite numbers in seconds.")
    return array


@dataclass(frozen=True)
class Path:
    """Given motions over a parameter s (time, or the index of a sample).

    goals: s (n,) -> values, rates and accelerations of all goals, each (ng, n). origin: s where the branch is chosen.
    pose_values: coordinates given at the origin. name: how messages call s. longest: largest step of the continuation.
    """

    model: Model
    drive: Drive
    goals: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
    origin: float
    values: Mapping[str, float]
    name: str
    longest: float
    count: int = 0

    @property
    def timed(self) -> bool:
        """Whether s is time."""
        return self.name == "t"


def driven_labels(model: Model) -> tuple[str, ...]:
    """Coordinates of the actuators whose motion is given, in file order."""
    return tuple(actuator.joint.text for actuator in model.mechanism.actuators.values() if actuator.motion is not None)


def time_path(model: Model, times: np.ndarray) -> Path:
    """The motions of the file over time."""
    whole = fully_prescribed(model.mechanism)
    model = compile(model, prescribed=whole)
    poses = tuple(f"{MARK}{name}.{part}" for name in whole for part in carrier(model.mechanism.planar).coordinates)
    drive = Drive(driven_labels(model) + poses, bool(model.followed))
    check_tables(model, drive, times)
    kernel = goals_kernel(model, drive)
    c = kernel.constants(model.parameters.values)

    def goals(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        Y = kernel.batch(np.ascontiguousarray(t[None]), c)
        parts = kernel.split(Y)
        found = parts["goal"], parts["goal_rate"], parts["goal_acceleration"]
        if not np.isfinite(np.add.reduce(Y, axis=None)) and not np.isfinite(Y).all():
            bad = t[~np.isfinite(np.concatenate(found)).all(axis=0)][0]
            raise MechanismError(f"a given motion is not finite at t = {bad:.6g} s; check its expression there.")
        return found

    span = float(np.ptp(times)) if len(times) else 0.0
    # A lone instant, or a short run long after t = 0, is reached in steps of the way there.
    reach = float(np.abs(times).max(initial=0.0))
    return Path(model, drive, goals, 0.0, {}, "t", max(span / 8.0, reach / 128.0, 1e-12), len(times))


def check_tables(model: Model, drive: Drive, times: np.ndarray) -> None:
    """Raise MechanismError where a time lies outside a table of a given motion."""
    if len(times) == 0:
        return
    names = {name: model.parameters.evaluator()(value) for name, value in model.mechanism.parameters.items()}
    for name, value in model.goals(drive):
        if value is None:
            continue
        first, last = value.time_range(names)
        for t in (times.min(), times.max()):
            if not first - 1e-12 <= t <= last + 1e-12:
                raise MechanismError(f"the table of motion {name!r} reaches from {first:.6g} s to {last:.6g} s; "
                                     f"t = {t:.6g} s "
                                     "lies outside. Shorten the run or extend the table.")  # fmt: skip


def array_path(base: Model, arrays: Arrays) -> Path:
    """Given arrays of actuator coordinates over the index of a sample, straight between samples."""
    names, columns = [], []
    for name, given in arrays.items():
        if name not in base.mechanism.actuators:
            known = ", ".join(base.mechanism.actuators) or "none"
            raise MechanismError(f"{name!r} is not an actuator; the actuators are {known}.")
        actuator = base.mechanism.actuators[name]
        names.append(actuator.joint.text)
        try:
            parts = [np.atleast_1d(np.asarray(part, dtype=float)) for part in given]
        except (TypeError, ValueError):
            raise MechanismError(f"the arrays of actuator {name!r} are not numbers.") from None
        if len(parts) != 3 or any(part.shape != parts[0].shape or part.ndim != 1 for part in parts):
            raise MechanismError(f"actuator {name!r} needs three arrays of one length: coordinate, rate, acceleration.")
        if not all(np.isfinite(part).all() for part in parts):
            raise MechanismError(f"the arrays of actuator {name!r} hold numbers that are not finite.")
        columns.append(parts)
    lengths = {len(parts[0]) for parts in columns}
    if len(lengths) > 1:
        raise MechanismError(f"the arrays of the actuators differ in length: {sorted(lengths)}.")
    table = np.array(columns).reshape(len(names), 3, -1) if columns else np.zeros((0, 3, 0))
    count = table.shape[2]
    index = np.arange(count, dtype=float)

    def goals(s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        start = int(s[0]) if len(s) else 0
        run = slice(start, start + len(s))
        neighbours = np.array_equal(s, index[run])
        if neighbours or np.array_equal(s, np.round(s)):
            chosen = table[:, :, run if neighbours else s.astype(int)]
            return chosen[:, 0], chosen[:, 1], chosen[:, 2]
        values = np.array([np.interp(s, index, row) for row in table[:, 0]]).reshape(len(names), len(s))
        return values, np.zeros_like(values), np.zeros_like(values)

    first = {name: float(table[k, 0, 0]) for k, name in enumerate(names)} if count else {}
    return Path(base, Drive(tuple(names)), goals, 0.0, first, "sample", np.inf, count)


def along(path: Path, samples: np.ndarray, spinning: bool = False) -> dict[str, np.ndarray]:
    """All results at the samples of s, in their order; arrays with the samples as last dimension.

    spinning: rods whose mass centres swing about the line through their ball joints turn as little as may be.
    """
    model = path.model
    begin = start(compile(model.mechanism, code=model.code), path.values)
    q = begin.tree(model)
    opened = np.array([begin.coordinates[name] for joint in model.opened for name in labels_of(model, joint)])
    goal = path.goals(np.array([path.origin]))[0][:, 0]
    q[[model.tree_coordinates[name] for name in path.drive.coordinates]] = goal[: len(path.drive.coordinates)]
    pattern = find_pattern(model, path.drive, q, goal)
    require_determined(model, path.drive, q, goal, spinning)
    rising = bool(np.all(samples[1:] >= samples[:-1]))
    order = np.arange(0) if rising else np.argsort(samples, kind="stable")
    ordered = samples if rising else samples[order]
    follower = Follower(model, path.drive, pattern, len(ordered))
    knots = find_knots(follower, path, q, ordered, opened)
    values = solve_samples(follower, path, pattern, knots, ordered)
    check_motion(model, path.drive, pattern, path.name, ordered, values, path.goals)
    if not rising:
        back = np.argsort(order, kind="stable")
        values = {name: array[..., back] for name, array in values.items()}
    return values


def start(model: Model, values: Mapping[str, float]) -> Pose:
    """The assembled pose with the given values, remembered with the model."""
    key = tuple(values.items())
    if key not in model.poses:
        while len(model.poses) >= REMEMBERED:
            model.poses.pop(next(iter(model.poses)), None)
        model.poses[key] = assemble(model, values)
    return model.poses[key]


def find_knots(
    follower: Follower, path: Path, q: np.ndarray, samples: np.ndarray, opened: np.ndarray | None = None
) -> Knots:
    """Closed positions along the path over all samples, continued from the origin where the branch was chosen.

    q: tree coordinates at the origin. opened: coordinates of opened joints there, which tell the turn of angles.
    """
    first = float(samples[0]) if len(samples) else path.origin
    last = float(samples[-1]) if len(samples) else path.origin

    def goal_at(s: float) -> np.ndarray:
        return path.goals(np.array([s]))[0][:, 0]

    def on(q: np.ndarray, opened: np.ndarray | None, begin: float, end: float) -> Knots:
        return follow(follower, goal_at, q, begin, end, path.name, path.longest, opened)

    if first < path.origin < last:
        backward, forward = (on(q, opened, path.origin, end) for end in (first, last))
        pairs = zip(astuple(backward), astuple(forward), strict=True)
        joined = [np.concatenate([back[:0:-1], ahead]) for back, ahead in pairs]
        return Knots(*joined)
    if first != path.origin:
        near, far = (first, last) if first > path.origin else (last, first)
        lead = on(q, opened, path.origin, near)
        knots = on(lead.q[-1], lead.opened[-1], near, far)
        return knots if first > path.origin else Knots(*(column[::-1] for column in astuple(knots)))
    return on(q, opened, first, last)


def astuple(knots: Knots) -> tuple[np.ndarray, ...]:
    """The arrays of the knots."""
    return knots.s, knots.q, knots.goal, knots.opened
