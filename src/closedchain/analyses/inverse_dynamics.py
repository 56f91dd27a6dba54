"""Inverse dynamics: the efforts that a given motion asks of the actuators, and what every joint carries."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.actuator_efforts import Sharing, read_sharing
from closedchain.analyses.dense_inverse import dense_inverse
from closedchain.analyses.idle_motion import free_values, integrated, steady
from closedchain.analyses.idle_symmetry import spin_matters
from closedchain.analyses.independent_drive import check_left_out, independent_drive, without_redundant
from closedchain.analyses.kinematics import Path, along, array_path, as_times, time_path
from closedchain.analyses.reaction_determinacy import settled_reactions
from closedchain.analyses.to_dataset import to_dataset
from closedchain.description import Force, Mechanism, Value
from closedchain.exceptions import MechanismError
from closedchain.model import Drive, Model, compile
from closedchain.model.inverse_kernels import TURNING, force_kernel
from closedchain.model.inverse_patterns import is_idle
from closedchain.model.rows import find_pattern

if TYPE_CHECKING:
    import xarray as xr

WEAK = 1e-6
PROBES = 3
IRREGULAR = 1e-8
# How idle freedoms are taken.
FOLLOWED, UNSPUN = "integrated from t = 0", "without momentum at every sample"
PLAIN = ("effort", "power", "kinetic_energy", "potential_energy", "dissipated_power", "load_power")


def inverse_dynamics(
    mechanism: Mechanism | Model,
    times: Any,
    redundancy: str = "minimum-norm",
    weights: Mapping[str, float] | None = None,
    preload: Mapping[str, float] | None = None,
    at: Any = None,
) -> "xr.Dataset":
    """Efforts and powers of the actuators, reactions of all joints and energies along given motions.

    mechanism: with actuators; the motion comes from actuators' `motion` or from point `[motions]`. Efforts and
    controllers of
    the file do not count: the efforts that bring the motion are what is asked. Springs, dampers, friction and applied
    forces do; friction with a state (LuGre) is taken as settled. Loose joints are ideal. Idle freedoms
    (a rod spinning between two ball joints) move as nothing drives them: from t = 0, where assembly puts them and they
    have no momentum of their own, they follow their own equations of motion, as in `simulate`. Where bodies are
    symmetric about the axis and nothing acts on the spin the momentum stays zero and no angle matters; of given arrays,
    which have no order in time, it is taken as zero at every sample. `settings` of the result says which.
    times: instants [s], shape (n,); or {actuator: (q, qd, qdd)} with arrays of shape (n,), and then `at`, the
    instants (n,) at which time-dependent forces act.
    redundancy: how efforts are chosen where there are more actuators than freedoms: "minimum-norm", the least sum of
    squares of all efforts. weights: {actuator: w}, then of w tau^2, larger for actuators to be spared, infinite for
    one that is off. preload: {actuator: tau} [N or N m], then the efforts nearest to these.

    The generalised forces that the motion needs, r = M a + h, come from the recursive Newton-Euler algorithm with the
    true accelerations; J^T lam + S^T tau = r gives efforts tau and multipliers lam, which is Kane's equations with
    total partial velocities (Kane and Levinson 1985, ch. 6).

    Raises MechanismError where a freedom has no actuator but needs a force, SingularConfigurationError where
    actuators lose a freedom along the way, and what `kinematics` raises.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -10]},
    ...     "bodies": {"ground": {}, "arm": {"mass": 2.0, "com": [0.5, 0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]}},
    ...     "actuators": {"motor": {"joint": "A", "motion": "pi/2*t"}},
    ... })
    >>> cc.inverse_dynamics(m, [0.0, 1.0]).effort.sel(actuator="motor").values.round(12).tolist()
    [10.0, 0.0]
    """
    base = compile(mechanism)
    sharing = read_sharing(base, redundancy, weights, preload)
    arrays = isinstance(times, Mapping)
    if arrays:
        given = array_path(base, times)
        path = without_redundant(given)
        labels = np.arange(path.count, dtype=float)
        instants = force_instants(base, path.count, at)
    else:
        labels = as_times(times)
        given = path = time_path(base, labels)
        instants = labels
        check_force_tables(base, instants)
    values = along(path, labels, spinning=path.timed)
    if given is not path:
        check_left_out(given, labels, values)
    found, idle = along_forces(path, labels, instants, values, sharing)
    settings: dict[str, Any] = {
        "redundancy": redundancy,
        "weights": dict(weights or {}),
        "preload": dict(preload or {}),
    }
    settings |= {"motions": "arrays of " + ", ".join(times)} if arrays else {"times": len(labels)}
    settings |= {"idle_freedoms": idle} if idle else {}
    attrs = {"time_axis": "sample"} if arrays else None
    joints = {"joint": list(base.mechanism.joints)}
    return to_dataset(path.model, labels, found, "inverse_dynamics", settings, attrs, joints)


def along_forces(
    path: Path, samples: np.ndarray, instants: np.ndarray, values: Mapping[str, np.ndarray], sharing: Sharing
) -> tuple[dict[str, np.ndarray], str]:
    """The motion with its efforts, reactions and energies, the samples as last dimension, and how idle freedoms were
    taken, empty where there are none.

    values: what kinematics gives at the samples; idle freedoms turn otherwise.
    """
    model = path.model
    goals = path.goals(samples)
    q = tree_values(path, values["q"], goals[0], model.tree_coordinates, model.coordinates)
    drive, kept = independent(path, q, goals[0])
    chosen = [part[kept] for part in goals]
    v, moved, idle = np.zeros((0, len(samples))), dict(values), ""
    if is_idle(model, drive):
        idle = FOLLOWED if path.timed and turns_matter(model, drive, q, chosen[0]) else UNSPUN
    rated = idle == FOLLOWED
    if rated:
        q, v = integrated(path, drive, start_of(path), samples, sharing.preload)
        moved = free_values(model, drive, [q, *chosen, instants[None], v], sharing.preload)
        moved["q"] = steady(model, samples, moved["q"], values["q"])
    kernel = force_kernel(model, drive, sharing.choice, rated)
    c = kernel.constants(model.parameters.values)
    shared = np.repeat(sharing.inputs()[:, None], len(samples), axis=1)
    found = kernel.split(kernel.batch(np.concatenate([q, *chosen, instants[None], shared, v]), c))
    moved |= {name: found[name] for name in TURNING if name in found and not rated}
    regular = found["regularity"] > IRREGULAR
    weak = np.flatnonzero(~(regular & (found["authority"] > WEAK) & np.isfinite(found["kinetic_energy"])))
    if len(weak):
        v = tree_values(path, moved["qd"], goals[1], model.tree_rates, model.rates)
        a = tree_values(path, moved["qdd"], goals[2], model.tree_rates, model.rates)
        for k in weak:
            where = f"{path.name} = {samples[k]:.6g}"
            for name, value in dense_inverse(model, q[:, k], v[:, k], a[:, k], instants[k], sharing, where).items():
                found[name][..., k] = value
    named = {name: found[name] for name in PLAIN}
    named |= settled_reactions(model, q, found["reaction_force"], found["reaction_moment"], ~regular)
    return moved | named, idle


def turns_matter(model: Model, drive: Drive, q: np.ndarray, goal: np.ndarray) -> bool:
    """Whether angles and rates of idle freedoms matter at some of the closed coordinates q (nq, n)."""
    probes = np.unique(np.linspace(0, q.shape[1] - 1, PROBES).astype(int)) if q.shape[1] else ()
    return any(spin_matters(model, drive, q[:, k], goal[:, k]) for k in probes)


def start_of(path: Path) -> np.ndarray:
    """Closed tree coordinates at the origin of a path (nq,)."""
    origin = np.array([path.origin])
    found, goal = along(path, origin, spinning=True)["q"], path.goals(origin)[0]
    return tree_values(path, found, goal, path.model.tree_coordinates, path.model.coordinates)[:, 0]


def independent(path: Path, q: np.ndarray, goal: np.ndarray) -> tuple[Drive, list[int]]:
    """The drive with redundant motions left out, its pattern ready, and which goals it keeps."""
    everything = list(range(len(goal)))
    best = None
    probes = np.unique(np.linspace(0, q.shape[1] - 1, PROBES).astype(int)) if q.shape[1] and len(goal) > 1 else ()
    for k in probes:
        found = independent_drive(path, q[:, k], goal[:, k])
        if found is not None and (best is None or len(found[1]) < len(best[1])):
            best = (*found, k)
    if best is None or best[0] == path.drive:
        return path.drive, everything
    drive, kept, k = best
    find_pattern(path.model, drive, q[:, k], goal[kept, k])
    return drive, kept


def tree_values(
    path: Path, values: np.ndarray, goal: np.ndarray, places: Mapping[str, int], labels: Sequence[str]
) -> np.ndarray:
    """Numbers of the tree's coordinates or rates by their places, from those of all labels; driven ones from the
    goals."""
    rows = {name: row for row, name in enumerate(labels)}
    found = np.empty((len(places), values.shape[1]))
    for name, place in places.items():
        if name in rows:
            found[place] = values[rows[name]]
    for row, name in enumerate(path.drive.coordinates):
        found[places[name]] = goal[row]
    return found


def force_instants(model: Model, count: int, at: Any) -> np.ndarray:
    """Instants of the samples of given arrays; raises MechanismError where time-dependent forces need them."""
    if at is None:
        timed = timed_forces(model)
        if timed:
            raise MechanismError(f"force {timed[0]!r} depends on t, and arrays have no times; give them with at=[...].")
        return np.zeros(count)
    instants = as_times(at)
    if len(instants) != count:
        raise MechanismError(f"at has {len(instants)} instants for {count} samples; give one for each.")
    check_force_tables(model, instants)
    return instants


def timed_forces(model: Model) -> list[str]:
    """Names of the forces that depend on time."""
    return [
        name for name, force in model.mechanism.forces.items() if any(value.uses_time for value in numbers_of(force))
    ]


def numbers_of(force: Force) -> list[Value]:
    """The values of a force's parameters."""
    found: list[Value] = []
    for entry in force.parameters.values():
        found += [value for value in (entry if isinstance(entry, tuple) else (entry,)) if isinstance(value, Value)]
    return found


def check_force_tables(model: Model, instants: np.ndarray) -> None:
    """Raise MechanismError where an instant lies outside a table of a force."""
    if len(instants) == 0:
        return
    evaluate = model.parameters.evaluator()
    names = {name: evaluate(value) for name, value in model.mechanism.parameters.items()}
    for name, force in model.mechanism.forces.items():
        for value in numbers_of(force):
            first, last = value.time_range(names) if value.uses_time else (-np.inf, np.inf)
            for t in (instants.min(), instants.max()):
                if not first - 1e-12 <= t <= last + 1e-12:
                    raise MechanismError(
                        f"the table of force {name!r} reaches from {first:.6g} s to {last:.6g} s; t = {t:.6g} s lies "
                        "outside. Shorten the run or extend the table."
                    )
