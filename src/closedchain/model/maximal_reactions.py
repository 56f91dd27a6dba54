"""Reactions of all joints in maximal coordinates: what a joint's own multipliers bring on its moving side."""

from collections.abc import Sequence
from typing import Any

from closedchain.algorithms.maximal import body_motion, body_rotation, joint_frames, split
from closedchain.algorithms.newton_euler import Wrench
from closedchain.algorithms.tree import GROUND
from closedchain.model.inverse_kernels import named
from closedchain.model.loads import loose_in_order
from closedchain.model.maximal_rows import COUPLING, JOINT
from closedchain.model.maximal_setting import MaximalSetting
from closedchain.model.maximal_state import Present, present
from closedchain.numbers import add, is_zero, mul

Number = Any


def joint_wrenches(setting: MaximalSetting, now: Present, multipliers: Sequence[Number]) -> dict[str, Wrench]:
    """Wrench of every joint's rows on its moving side, about the moving side's point, ground axes.

    A row's pull on a body is a force through its mass centre and a moment in body axes; the pull on the base side is
    opposite, and is taken where the moving side is ground.
    """
    system, pulls = now.system, {}
    for kind, owner, entries, force in zip(now.rows.kinds, now.rows.owners, now.rows.entries, multipliers, strict=True):
        if kind == JOINT:
            total = pulls.setdefault(owner, {})
            for column, entry in entries.items():
                total[column] = add(total.get(column, 0.0), mul(force, entry))
    found = {}
    for connection in system.connections:
        turned = connection.moving_body == GROUND
        body, sign = (connection.base_body, -1.0) if turned else (connection.moving_body, 1.0)
        columns = pulls.get(connection.joint, {})
        generalised = [columns.get(column, 0.0) for column in range(len(now.u))]
        force, moment = split(system, generalised, body)
        moment = body_rotation(system, now.x, body) @ moment
        centre = body_motion(system, now.x, body=body).frame.p + body_rotation(system, now.x, body) @ (
            system.bodies[body].com
        )
        point = joint_frames(system, now.x, connection)[1].p
        found[connection.joint] = Wrench(force * sign, (moment + (centre - point).cross(force)) * sign)
    return found


def maximal_reactions(setting: MaximalSetting, now: Present, multipliers: Sequence[Number]) -> dict[str, list]:
    """Reactions by name of the result; a loose joint's is its contact force and what stays ideal.

    Nothing where point motions are imposed without actuators, since then no joint carries what moves the point.
    """
    if setting.drive.motions and setting.model.mechanism.motions:
        return {}
    found = joint_wrenches(setting, now, multipliers)
    for name, contact in zip(loose_in_order(setting.model), now.applied.contacts, strict=True):
        found[name] = found[name] + contact.moving
    return named(setting.model, found)


def rows_of_joints(setting: MaximalSetting):
    """Kernel (t, y, memory) -> entries of the Jacobian of joints and couplings, and their (row, column), shape (n, 2).

    Rows are those of all constraints in order; which of them are lengths comes third.
    """
    key = ("joint rows", setting.key)
    if key not in setting.model.kernels:
        places: list[tuple[int, int]] = []
        lengths: list[bool] = []

        def function(t, y, memory=(), parameters=None, baumgarte=()):
            now = present(setting, t[0], y, memory, parameters)
            kept = []
            lengths.extend(now.rows.lengths)
            for row, (kind, entries) in enumerate(zip(now.rows.kinds, now.rows.entries, strict=True)):
                if kind in (JOINT, COUPLING):
                    for column, value in entries.items():
                        if not is_zero(value):
                            places.append((row, column))
                            kept.append(value)
            return {"entries": kept}

        setting.model.kernels[key] = setting.kernel("joint rows kernel", function), places, lengths
    return setting.model.kernels[key]


def carried_by_rows(setting: MaximalSetting, rows: int):
    """Kernel (t, y, memory, multipliers) -> reactions that these multipliers mean, without contact forces."""

    def function(t, y, memory=(), multipliers=(), parameters=None, baumgarte=()):
        now = present(setting, t[0], y, memory, parameters)
        return named(setting.model, joint_wrenches(setting, now, multipliers))

    return setting.kernel("carried by rows", function, {**setting.inputs, "multipliers": rows})
