"""Traced functions of motion: goals over time, the Newton step, and the full state."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from closedchain.algorithms.closure_solver import Pattern
from closedchain.algorithms.constraints import System
from closedchain.algorithms.kinematics import State, closure_gaps, full_state, newton_step, read_cut, scaled, worst
from closedchain.algorithms.motion import Motion, moved_link
from closedchain.algorithms.tree import GROUND, Cut, Frame
from closedchain.elements.joints import Closure, Rotation
from closedchain.model.build import offsets
from closedchain.model.model import Drive, Model, label
from closedchain.numbers import add, atan2, mul

Number = Any
Function = Callable[..., Mapping[str, Any]]


def goals_function(model: Model, drive: Drive) -> Function:
    """Function(t, parameters) -> the values of all given motions."""

    def goals(t: Sequence[Number], parameters: Sequence[Number] | None = None):
        evaluate = model.parameters.evaluator(parameters, t=t[0])
        return {"goal": [0.0 if value is None else evaluate(value) for _, value in model.goals(drive)]}

    return goals


def goals_kernel(model: Model, drive: Drive):
    """Kernel t -> goal, goal_rate, goal_acceleration, derivatives exact."""
    key = ("goals", drive)
    if key not in model.kernels:
        from closedchain.compile import directional_derivative

        traced = model.traced(goals_function(model, drive), {"t": 1})
        direction = {traced.input_symbols[0]: 1.0}
        first = directional_derivative(traced.expressions, direction)
        second = directional_derivative(first, direction)
        traced = traced.with_outputs({"goal_rate": first, "goal_acceleration": second})
        model.kernels[key] = model.make_kernel(traced)
    return model.kernels[key]


def newton_kernel(model: Model, drive: Drive, pattern: Pattern):
    """Kernel (q, goal) -> q after one Newton step, residual before it, largest passive step."""

    def function(q, goal=(), parameters=None):
        return newton_step(model.system(drive, parameters), pattern, q, goal)

    return model.kernel(("newton", drive), function, {"q": model.topology.coordinates, "goal": len(model.goals(drive))})


def motion_inputs(model: Model, drive: Drive) -> dict[str, int]:
    """Inputs of the state kernel."""
    count = len(model.goals(drive))
    return {"q": model.topology.coordinates, "goal": count, "goal_rate": count, "goal_acceleration": count}


def state_kernel(model: Model, drive: Drive, pattern: Pattern, refined: bool = False):
    """Kernel (q, goal, goal_rate, goal_acceleration) -> everything that kinematics reports.

    Where no pivot was small near the assembled pose the rates are found without refinement; the rows' rates, which are
    watched, tell where this no longer holds. refined: with it in any case.
    """
    steady = model.kernels.get(("steady", drive), False) and not refined
    chosen = replace(pattern, steady=steady)

    def function(q, goal=(), goal_rate=(), goal_acceleration=(), parameters=None):
        system = model.system(drive, parameters)
        state = full_state(system, chosen, q, goal, goal_rate, goal_acceleration)
        return state_report(model, system, state, parameters)

    return model.kernel(("state", drive, steady), function, motion_inputs(model, drive), stream=True)


def state_report(model: Model, system: System, state: State, parameters) -> dict[str, Any]:
    """The report with the sum of all coordinates and their derivatives, which is finite where everything is."""
    found = report(model, system, state, parameters)
    total: Number = 0.0
    for value in (*found["q"], *found["qd"], *found["qdd"]):
        total = add(total, value)
    return {**found, "total": total}


def report(model: Model, system: System, state: State, parameters) -> dict[str, Any]:
    """Names and values of everything about a state, in the order of the file."""
    read = read_opened(model, system, state.motions, parameters)
    gap_length, gap_angle = closure_gaps(system, state.rows)
    return {
        **coordinates(model, state, read),
        **outputs(model, state.motions, parameters),
        **bodies(model, system, state, parameters),
        "gap_length": gap_length,
        "gap_angle": gap_angle,
        "residual": worst(scaled(system, state.rows)),
        "rate_residual": rate_residual(system, state),
        "conditioning": state.solver.conditioning(),
    }


def rate_residual(system: System, state: State) -> Number:
    """Largest rate of a row that should stand still, over the largest rate; lengths over the size."""
    rows = [mul(row.rate, 1.0 / system.tree.size) if row.length else row.rate for row in state.rows]
    return worst(rows) / (1e-3 + worst(state.v))


def read_opened(model: Model, system: System, motions: tuple[Motion, ...], parameters) -> dict[str, tuple]:
    """Coordinates, rates and their derivatives of every opened joint, and of loose ones that tilt."""
    cuts = [cut for cut in system.tree.cuts if cut.joint in model.opened]
    evaluate = model.parameters.evaluator(parameters)
    for name in model.topology.loose & set(model.topology.slots):
        parts = (label(name, part) for part in model.forms[name].coordinates)
        if not all(part in model.tree_coordinates for part in parts):
            joint = model.mechanism.joints[name]
            base, moving = (Frame(*frame) for frame in joint.frames(evaluate))
            link_of = model.topology.link_of
            cuts.append(Cut(name, link_of[joint.base.body], link_of[joint.moving.body], base, moving, Closure()))
    found = {}
    for cut in cuts:
        base, moving = moved_link(motions, cut.base_link), moved_link(motions, cut.moving_link)
        added = offsets(model.mechanism, model.mechanism.joints[cut.joint], evaluate)
        found[cut.joint] = read_cut(cut, base, moving, model.forms[cut.joint], added)
    return found


def coordinates(model: Model, state: State, read: Mapping[str, tuple]) -> dict[str, list[Number]]:
    """q, qd, qdd of all joints in file order."""
    q, qd, qdd = [], [], []
    for name, form in model.forms.items():
        if name in read:
            values, rates, accelerations = read[name]
        else:
            # By name: a loose joint of the tree has its gap before its own coordinates.
            values = [state.q[model.tree_coordinates[label(name, part)]] for part in form.coordinates]
            places = [model.tree_rates[label(name, part)] for part in form.rates]
            rates, accelerations = [state.v[place] for place in places], [state.a[place] for place in places]
        q, qd, qdd = [*q, *values], [*qd, *rates], [*qdd, *accelerations]
    return {"q": q, "qd": qd, "qdd": qdd}


def outputs(model: Model, motions: tuple[Motion, ...], parameters) -> dict[str, list]:
    """Position, velocity and acceleration of the file's outputs."""
    evaluate = model.parameters.evaluator(parameters)
    axes = 2 if model.mechanism.planar else 3
    found: dict[str, list] = {"position": [], "velocity": [], "acceleration": []}
    for output in model.mechanism.outputs.values():
        index = model.topology.link_of[output.point.body]
        motion = moved_link(motions, index).point(output.point.point.position(evaluate))
        for name, vector in (("position", motion.frame.p), ("velocity", motion.v), ("acceleration", motion.a)):
            found[name].append(list(vector)[:axes])
    return found


def bodies(model: Model, system: System, state: State, parameters) -> dict[str, list]:
    """Mass centre, rotation, velocities and accelerations of every body, in file order."""
    planar = model.mechanism.planar
    names = (
        "body_position",
        "body_velocity",
        "body_acceleration",
        "body_angular_velocity",
        "body_angular_acceleration",
    )
    found: dict[str, list] = {name: [] for name in names}
    found["body_angle" if planar else "body_rotation"] = []
    angles = body_angles(system, state.q) if planar else ()
    for body in model.mechanism.bodies:
        if body == "ground":
            continue
        index = model.topology.link_of[body]
        motion = state.motions[index]
        centre = motion.point(system.tree.links[index].com)
        vectors = (centre.frame.p, centre.v, centre.a, centre.w, centre.e)
        for name, vector in zip(names, vectors, strict=True):
            values = list(vector)
            found[name].append(values if not planar else values[2] if "angular" in name else values[:2])
        if planar:
            found["body_angle"].append(angles[index])
        else:
            found["body_rotation"].append([list(motion.frame.R.row(i)) for i in range(3)])
    return found


def body_angles(system: System, q: Sequence[Number]) -> list[Number]:
    """Angle of every body of a planar mechanism from ground x, counted through whole turns."""
    angles: list[Number] = []
    for link in system.tree.links:
        angle = 0.0 if link.parent == GROUND else angles[link.parent]
        angle = add(angle, frame_angle(link.inboard))
        for position, step in enumerate(link.steps):
            if isinstance(step, Rotation):
                turn = q[link.coordinates + position] - link.offsets[position]
                angle = add(angle, -turn if link.reversed else turn)
        angles.append(add(angle, -frame_angle(link.outboard)))
    return angles


def frame_angle(frame: Frame) -> Number:
    """Angle of a frame's x axis in the plane."""
    x = frame.R.column(0)
    return atan2(x[1], x[0])


__all__ = ["goals_kernel", "newton_kernel", "state_kernel"]
