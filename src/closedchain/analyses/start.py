"""Where a simulation starts: assembled coordinates and rates that satisfy the loops."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.algorithms.kinematics import read_cut
from closedchain.algorithms.motion import move, moved_link
from closedchain.analyses.assembly import assemble, finite, flat_values
from closedchain.analyses.pose import Pose, known_joint
from closedchain.exceptions import AssemblyError, MechanismError
from closedchain.model import Drive, Model, compile, label
from closedchain.model.rows import rows_kernel

if TYPE_CHECKING:
    import xarray as xr

Start = "Pose | Mapping[str, Any] | xr.Dataset | None"
CONSISTENT = 1e-9
AGREED = 1e-3  # of the largest rate: digits that a file leaves out
ROUNDED = 1e-5  # of the largest rate: what a run with stabilised loops may leave open


def start_values(model: Model, start: Any) -> tuple[dict[str, float], dict[str, float], Pose | None]:
    """Given coordinates and rates by label, and a pose to take the coordinates from."""
    if start is None:
        return {}, {}, None
    if isinstance(start, Pose):
        return {}, {}, start
    if hasattr(start, "data_vars"):
        ds: Any = start
        return from_dataset(model, ds)
    if isinstance(start, Mapping):
        return from_mapping(model, start)
    raise MechanismError(
        "start is neither {joint: value or (value, rate)}, a Pose, nor a result of another run; give one of these."
    )


def from_mapping(model: Model, start: Mapping[str, Any]) -> tuple[dict[str, float], dict[str, float], None]:
    """Coordinates and rates from {joint: value or (value, rate)}."""
    values: dict[str, Any] = {}
    rates: dict[str, float] = {}
    for name, given in start.items():
        joint = known_joint(model.mechanism, name)
        single = name in model.coordinates
        if single and isinstance(given, tuple | list) and len(given) == 2:
            values[name], rates[name] = given[0], finite(f"rate of {name}", given[1])
        elif not single and isinstance(given, tuple) and len(given) == 2 and np.ndim(given[0]) == 1:
            values[name] = given[0]
            labels = [label for label in model.rates if known_joint(model.mechanism, label) == joint]
            numbers = [finite(f"rate of {name}", number) for number in np.ravel(given[1])]
            if len(numbers) != len(labels):
                raise MechanismError(f"joint {joint!r} has {len(labels)} rates; {len(numbers)} were given.")
            rates.update(zip(labels, numbers, strict=True))
        else:
            values[name] = given
    return flat_values(model, values), rates, None


def from_dataset(model: Model, ds: "xr.Dataset") -> tuple[dict[str, float], dict[str, float], None]:
    """Coordinates and rates of the last instant of another result."""
    for name in ("q", "qd"):
        if name not in ds:
            raise MechanismError(f"the result given as start has no {name}; give a result of kinematics or simulate.")
    last = ds.isel(time=-1)
    values = {str(name): float(last.q.sel(coordinate=name)) for name in ds.coordinate.values}
    rates = {str(name): float(last.qd.sel(rate=name)) for name in ds.rate.values}
    missing = (set(model.coordinates) - set(values)) | (set(model.rates) - set(rates))
    if missing:
        raise MechanismError(
            f"the result given as start lacks {', '.join(sorted(missing))}; it is of another mechanism."
        )
    return {name: values[name] for name in model.coordinates}, {name: rates[name] for name in model.rates}, None


def start_pose(model: Model, start: Any, motions: Mapping[str, float]) -> tuple[Pose, dict[str, float]]:
    """The assembled pose of the start, and the rates that were given.

    motions: driven coordinates at the start time; they hold where the start says nothing else.
    """
    values, rates, pose = start_values(model, start)
    ideal = compile(model.mechanism, code=model.code)
    if pose is not None:
        return assemble(ideal, dict(motions), guess=pose), rates
    if set(values) == set(model.coordinates):
        kept = Pose(model.mechanism, values, {}, 0.0)
        free = {name: value for name, value in motions.items() if name not in values}
        return assemble(ideal, free, guess=kept), rates
    return assemble(ideal, {**motions, **values}), rates


def check_imposed(model: Model, start: Any, motions: Mapping[str, float], speeds: Mapping[str, float]) -> None:
    """Raise AssemblyError where a start given by names contradicts an imposed motion (label -> coordinate, rate)."""
    if not isinstance(start, Mapping) or hasattr(start, "data_vars"):
        return
    values, rates, _ = from_mapping(model, start)
    for said, imposed, what in ((values, motions, "starts at"), (rates, speeds, "starts with the rate")):
        for name in said:
            if name in imposed and abs(said[name] - imposed[name]) > CONSISTENT * max(1.0, abs(imposed[name])):
                raise AssemblyError(
                    f"the start gives {name} as {said[name]:.6g}, but its imposed motion {what} {imposed[name]:.6g}. "
                    f"Leave {name} out of start, or change its motion."
                )


def start_rates(
    model: Model, J: np.ndarray, drift: np.ndarray, fixed: Mapping[str, float], wished: Mapping[str, float]
) -> np.ndarray:
    """Tree rates that satisfy J v = -drift, with the fixed ones exactly and the others nearest to what is wished.

    J, drift: rows of the loops and couplings, and their rate at standstill. Raises AssemblyError when the fixed rates
    contradict the loops.
    """
    v = np.array([wished.get(name, 0.0) for name in sorted(model.tree_rates, key=lambda name: model.tree_rates[name])])
    for name, value in fixed.items():
        if name not in model.tree_rates:
            raise AssemblyError(
                f"the start rate of {name!r} cannot be given, because its joint is opened; give another."
            )
        v[model.tree_rates[name]] = value
    held = {model.tree_rates[name] for name in fixed}
    free = np.array([rate for rate in range(len(v)) if rate not in held], int)
    if len(free) and len(J):
        units = np.array(model.tree_units)[free]
        weight = np.where(units == "rad", 1.0, model.size)
        step = np.linalg.lstsq(J[:, free] * weight, -(drift + J @ v), rcond=1e-10)[0]
        v[free] += weight * step
    left = np.abs(drift + J @ v).max(initial=0.0)
    scale = max(1.0, float(np.abs(v).max(initial=0.0)))
    if left > CONSISTENT * scale:
        raise AssemblyError(
            f"the start rates contradict the loops: {', '.join(fixed)} leave a speed of {left:.3g} open. "
            "Give the rates of as many joints as the mechanism has freedoms, and no more."
        )
    return v


def whole_rates(
    model: Model, J: np.ndarray, drift: np.ndarray, imposed: Mapping[str, float], given: Mapping[str, float],
    allowed: float = ROUNDED,
) -> np.ndarray:  # fmt: skip
    """Tree rates where the start gives all of them: as given, less what rounding of another run leaves open.

    allowed: largest change, of the largest rate.
    """
    own = {name: given[name] for name in model.tree_rates if name not in imposed}
    v = start_rates(model, J, drift, imposed, own)
    said = np.array([v[model.tree_rates[name]] - value for name, value in own.items()])
    if np.abs(said).max(initial=0.0) > allowed * max(1.0, float(np.abs(v).max(initial=0.0))):
        worst = list(own)[int(np.argmax(np.abs(said)))]
        raise AssemblyError(
            f"the start rates contradict the loops or the imposed motions: {worst} would have to move at "
            f"{v[model.tree_rates[worst]]:.6g}, not {own[worst]:.6g}. Give the rates of as many joints as the "
            "mechanism has freedoms, and no more."
        )
    return v


def check_wished(
    model: Model, drive: Drive, q: np.ndarray, v: np.ndarray, imposed: Mapping[str, float], wished: Mapping[str, float]
) -> None:
    """Raise AssemblyError where the start's tree rates v (nv,) are far from what the file says, joint by joint.

    Zeros do not count, nor do joints of several rates, of which some may only follow.
    """
    opened = [name for name in wished if name in model.mechanism.joints and name not in model.tree_rates]
    found = {name: float(v[place]) for name, place in model.tree_rates.items()} | dict(imposed)
    found |= dict(zip(opened, (opened_rates(model, drive, q, opened) @ v).tolist(), strict=True))
    allowed = AGREED * max((abs(value) for value in wished.values()), default=0.0)
    for name, value in wished.items():
        if name not in model.mechanism.joints or value == 0.0 or abs(found[name] - value) <= allowed:
            continue
        others = [other for other in wished if other != name]
        known = ", ".join([*imposed, *others])
        loops = f"the loops and the rates of {known}" if known else "the loops"
        against = "its imposed motion would" if name in imposed else loops
        raise AssemblyError(
            f"joints.{name}.rate is {value:.6g}, but {against} make it {found[name]:.6g} at the start. Give the rates "
            "of as many joints as the mechanism has freedoms, and none against an imposed motion."
        )


def opened_rates(model: Model, drive: Drive, q: np.ndarray, names: Iterable[str]) -> np.ndarray:
    """What rates of opened joints are over the tree's rates, by label, shape (names, nv)."""
    names = list(names)
    system = model.system(drive)
    nv = system.tree.rates
    rows = np.zeros((len(names), nv))
    if not names:
        return rows
    for k in range(nv):
        unit = [0.0] * nv
        unit[k] = 1.0
        motions = move(system.tree, q.tolist(), unit, [0.0] * nv)
        for cut in system.tree.cuts:
            form = model.forms[cut.joint]
            sides = moved_link(motions, cut.base_link), moved_link(motions, cut.moving_link)
            _, rates, _ = read_cut(cut, *sides, form, [0.0] * len(form.coordinates))
            for part, value in zip(form.rates, rates, strict=True):
                if label(cut.joint, part) in names:
                    rows[names.index(label(cut.joint, part)), k] = float(value)
    return rows


def goal_drift(model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Rate of every row at standstill, from the goals' rates, by a difference of the rows."""
    kernel, _ = rows_kernel(model, drive)
    c = kernel.constants(model.parameters.values)
    step = 1e-6
    place = kernel.outputs["values"][0]
    ends = [kernel(np.concatenate([q, goal + sign * step * rate]), c)[place] for sign in (1.0, -1.0)]
    return (ends[0] - ends[1]) / (2.0 * step)
