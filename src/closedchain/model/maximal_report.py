"""What a simulation in maximal coordinates reports at an instant, under the public names."""

from collections.abc import Sequence
from typing import Any

from closedchain.algorithms.closure_solver import Pattern
from closedchain.algorithms.kinematics import worst
from closedchain.algorithms.maximal import all_motions, energies, joint_coordinates, split
from closedchain.algorithms.motion import STANDSTILL, Motion
from closedchain.model.dynamics_kernels import contact_report
from closedchain.model.maximal_reactions import maximal_reactions
from closedchain.model.maximal_rows import IMPOSED, JOINT, turns_of
from closedchain.model.maximal_setting import MaximalSetting
from closedchain.model.maximal_state import Accelerations, Present, accelerations, present
from closedchain.model.motion_kernels import outputs
from closedchain.numbers import add, is_zero, maximum, mul, sqrt

Number = Any


def maximal_report(setting: MaximalSetting, pattern: Pattern):
    """Kernel (t, y, memory) -> everything that a simulation reports at an instant."""

    def function(t, y, memory=(), parameters=None, baumgarte=()):
        now = present(setting, t[0], y, memory, parameters)
        found = accelerations(setting, pattern, now, baumgarte)
        motions = all_motions(now.system, now.x, now.u, found.a)
        kinetic, gravity = energies(now.system, now.x, now.u)
        gap_length, gap_angle = joint_gaps(now)
        return {
            **coordinates(setting, now, motions),
            **outputs(setting.model, by_link(setting, motions), parameters),
            **bodies(setting, now, motions, found.a),
            **efforts(setting, now, found),
            "kinetic_energy": kinetic,
            "potential_energy": add(gravity, now.applied.energy),
            "input_work": y[-2],
            "dissipated_energy": y[-1],
            "gap_length": gap_length,
            "gap_angle": gap_angle,
            "residual": worst([mul(value, 1.0 / now.system.size) if length else value
                               for value, length in zip(now.rows.values, now.rows.lengths, strict=True)]),
            "conditioning": found.solver.conditioning(),
            **contact_report(setting.model, now.applied.contacts),
            **maximal_reactions(setting, now, found.multipliers),
        }  # fmt: skip

    return setting.kernel("report", function)


def coordinates(setting: MaximalSetting, now: Present, motions: tuple[Motion, ...]) -> dict[str, list[Number]]:
    """q, qd, qdd of all joints in file order."""
    found: dict[str, list[Number]] = {"q": [], "qd": [], "qdd": []}
    for connection in now.system.connections:
        turns = turns_of(setting, connection.joint, now.turns)
        parts = joint_coordinates(now.system, motions, connection, turns)
        for values, part in zip(found.values(), parts, strict=True):
            values.extend(part)
    return found


def by_link(setting: MaximalSetting, motions: tuple[Motion, ...]) -> tuple[Motion, ...]:
    """Motions of the bodies in the order of the model's links; massless ends of opened joints stand still."""
    links = setting.model.topology.links
    return tuple(motions[setting.places[link.body]] if link.body else STANDSTILL for link in links)


def bodies(setting: MaximalSetting, now: Present, motions: tuple[Motion, ...], a: Sequence[Number]) -> dict[str, list]:
    """Mass centre, rotation, velocities and accelerations of every body, in file order."""
    system = now.system
    found: dict[str, list] = {
        f"body_{name}": []
        for name in ("position", "velocity", "acceleration", "angular_velocity", "angular_acceleration")
    }
    found["body_angle" if system.planar else "body_rotation"] = []
    for index, motion in enumerate(motions):
        start = index * system.pose_size
        v, vd = split(system, now.u, index)[0], split(system, a, index)[0]
        flat = slice(0, 2 if system.planar else 3)
        found["body_position"].append(now.x[start : start + flat.stop])
        found["body_velocity"].append(list(v)[flat])
        found["body_acceleration"].append(list(vd)[flat])
        found["body_angular_velocity"].append(motion.w.z if system.planar else list(motion.w))
        found["body_angular_acceleration"].append(motion.e.z if system.planar else list(motion.e))
        if system.planar:
            found["body_angle"].append(now.x[start + 2])
        else:
            found["body_rotation"].append([list(motion.frame.R.row(i)) for i in range(3)])
    return found


def efforts(setting: MaximalSetting, now: Present, found: Accelerations) -> dict[str, list[Number]]:
    """Effort and power of every actuator, in file order; those of imposed coordinates from their multipliers."""
    actuators = setting.model.mechanism.actuators.values()
    rows = zip(now.rows.kinds, now.rows.owners, found.multipliers, strict=True)
    imposed = {owner: force for kind, owner, force in rows if kind == IMPOSED}
    made = [actuator.name for actuator in actuators if actuator.effort is not None or actuator.control is not None]
    given = dict(zip(made, now.applied.motor_efforts, strict=True))
    values: dict[str, list[Number]] = {"effort": [], "power": []}
    for actuator in actuators:
        effort = given.get(actuator.name, imposed.get(actuator.joint.text, 0.0))
        values["effort"].append(effort)
        values["power"].append(mul(effort, now.joints.speeds[actuator.joint.text]))
    return values


def joint_gaps(now: Present) -> tuple[Number, Number]:
    """Largest gap [m] and largest rotation gap [rad] over all joints."""
    sums: dict[tuple[str, bool], Number] = {}
    rows = now.rows
    for kind, owner, length, value in zip(rows.kinds, rows.owners, rows.lengths, rows.values, strict=True):
        if kind == JOINT:
            sums[owner, length] = add(sums.get((owner, length), 0.0), mul(value, value))
    largest: dict[bool, Number] = {True: 0.0, False: 0.0}
    for (_, length), total in sums.items():
        largest[length] = maximum(largest[length], 0.0 if is_zero(total) else sqrt(total))
    return largest[True], largest[False]
