"""Forward dynamics in maximal coordinates with Lagrange multipliers: the independent way."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.algorithms.maximal import TURN, all_motions, joint_coordinates
from closedchain.algorithms.motion import move
from closedchain.analyses.carrying import carried_memory, carried_values
from closedchain.analyses.contact_peaks import Member, peaks_between_samples
from closedchain.analyses.integration import Kernels, contact_list, first_memory, run
from closedchain.analyses.maximal_determinacy import settled_maximal
from closedchain.analyses.to_dataset import to_dataset
from closedchain.exceptions import IntegrationError
from closedchain.model.dynamics_kernels import Setting
from closedchain.model.guard_kernels import maximal_guard
from closedchain.model.maximal_kernels import maximal_events, maximal_rhs, maximal_transition
from closedchain.model.maximal_report import maximal_report
from closedchain.model.maximal_setting import MaximalSetting, free_bodies
from closedchain.model.maximal_state import find_maximal_pattern
from closedchain.model.model import label
from closedchain.model.motion_kernels import body_angles
from closedchain.numbers import quaternion_from_matrix

if TYPE_CHECKING:
    import xarray as xr

Progress = Callable[[float], bool | None]


def simulate_multipliers(
    loop: Setting,
    y0: np.ndarray,
    begin: Any,
    until: float,
    samples: np.ndarray,
    tolerances: tuple[float, float],
    method: tuple[str, float | None],
    baumgarte: tuple[float, float],
    progress: Progress | None = None,
) -> "xr.Dataset":
    """Simulate from the start y0 of the loop formulation, with every body free and every joint a constraint.

    begin: what was asked for as start; a result carries what its contacts remember.
    tolerances: rtol, atol; method: name and fixed step of the integrator; baumgarte: alpha, beta [1/s].

    Raises IntegrationError, with the time, where the integration cannot go on.
    """
    setting = MaximalSetting(loop.model, loop.drive, loop.ideal)
    start = maximal_start(setting, loop, y0)
    pattern = find_maximal_pattern(setting, start)
    parameters = np.concatenate([loop.model.parameters.values, baumgarte])
    events = tuple(maximal_events(setting))
    transition, guard = (maximal_transition(setting), maximal_guard(setting)) if events else (None, None)
    kernels = Kernels(setting, maximal_rhs(setting, pattern), events, transition, None, parameters, None, guard)
    memory = first_memory(kernels, start, carried_memory(setting, begin))
    solution = run(kernels, start, memory, until, samples, *tolerances, *method, progress)
    if not solution.success:
        raise IntegrationError(f"the simulation ended at t = {solution.t_end:.9g} s: {solution.message}")
    kernel = maximal_report(setting, pattern)
    X = np.concatenate([solution.t[None], solution.y.T, solution.memory.T])
    values = kernel.split(kernel.batch(X, kernel.constants(parameters)))
    if "in_contact" in values:
        values["in_contact"] = values["in_contact"] > 0.5
    steady_quaternions(setting, values["q"])
    settings = {
        "until": until,
        "formulation": "multipliers",
        "alpha": baumgarte[0],
        "beta": baumgarte[1],
        "rtol": tolerances[0],
        "atol": tolerances[1],
        "method": list(dict.fromkeys(segment.method for segment in solution.segments)),
        "method_changes": len(solution.segments) - 1,
        "evaluations": solution.counts.rhs,
        "steps": solution.counts.accepted,
    }
    values |= carried_values(setting, X[1:])
    if "reaction_force" in values:
        values |= settled_maximal(setting, X, parameters, values["reaction_force"], values["reaction_moment"])
    peaks = None
    if setting.gaps:

        def reported(t: np.ndarray, y: np.ndarray, memory: np.ndarray, p: np.ndarray) -> dict[str, np.ndarray]:
            X = np.concatenate([t[None], y.T, memory.T])
            return kernel.split(kernel.batch(X, kernel.constants(p)))

        peaks = peaks_between_samples(kernels, [Member(solution, start, memory, parameters)], reported)[0]
    further = contact_list(kernels, solution, values, memory, peaks)
    return to_dataset(setting.model, solution.t, values, "simulate", settings, further=further)


def maximal_start(setting: MaximalSetting, loop: Setting, y0: np.ndarray) -> np.ndarray:
    """The state in maximal coordinates of a state of the loop formulation."""
    model = loop.model
    q, v, extra, ideal, work, lost = (np.array(part) for part in loop.split(y0.tolist()))
    system = model.system(loop.drive)
    motions = move(system.tree, q.tolist(), v.tolist(), [0.0] * len(v))
    angles = body_angles(system, q.tolist()) if system.planar else ()
    poses: list[float] = []
    rates: list[float] = []
    for name in setting.bodies:
        index = model.topology.link_of[name]
        centre = motions[index].point(system.tree.links[index].com)
        p, velocity, w = list(centre.frame.p), list(centre.v), list(centre.frame.R.transpose_times(centre.w))
        if system.planar:
            poses += [*p[:2], angles[index]]
            rates += [*velocity[:2], w[2]]
        else:
            poses += [*p, *quaternion_from_matrix(centre.frame.R)]
            rates += [*velocity, *w]
    turns = start_angles(setting, poses, loop, q)
    return np.concatenate([poses, rates, turns, extra, ideal, work, lost]).astype(float)


def start_angles(setting: MaximalSetting, poses: list[float], loop: Setting, q: np.ndarray) -> list[float]:
    """Angles of all joints from the poses of the bodies, in the turns that the loop formulation counts."""
    system = free_bodies(setting)
    motions = all_motions(system, [float(value) for value in poses])
    connections = {connection.joint: connection for connection in system.connections}
    angles = []
    for joint, place in setting.angles:
        angle = float(joint_coordinates(system, motions, connections[joint], {})[0][place])
        counted = loop.model.tree_coordinates.get(label(joint, loop.model.forms[joint].coordinates[place]))
        if counted is not None:
            angle += TURN * round((q[counted] - angle) / TURN)
        angles.append(angle)
    return angles


def steady_quaternions(setting: MaximalSetting, q: np.ndarray) -> None:
    """Keep the sign of the joints' quaternions along the samples."""
    rows = {name: row for row, name in enumerate(setting.model.coordinates)}
    for joint, form in setting.model.forms.items():
        if "qw" in form.coordinates:
            chosen = [rows[f"{joint}.{part}"] for part in ("qw", "qx", "qy", "qz")]
            agree = np.sum(q[chosen][:, 1:] * q[chosen][:, :-1], axis=0)
            q[chosen] *= np.cumprod(np.concatenate([[1.0], np.where(agree < 0.0, -1.0, 1.0)]))
