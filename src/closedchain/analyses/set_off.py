"""Pins that start away from the middle of their bores: the mechanism assembled with that displacement."""

from collections.abc import Mapping

import numpy as np

from closedchain.algorithms.constraints import retract
from closedchain.algorithms.contact import frame_state
from closedchain.algorithms.motion import move, moved_link
from closedchain.algorithms.tree import Frame
from closedchain.analyses.pose import read_pose
from closedchain.analyses.start import goal_drift, opened_rates, start_rates
from closedchain.exceptions import AssemblyError, Finding, MechanismError
from closedchain.model import Drive, Model
from closedchain.model.loose import released, values_of
from closedchain.model.rows import row_marks, rows_kernel
from closedchain.numbers import Vec3

CLOSED = 1e-14
STEPS = 40
# Part of the eccentricity that may stick out of where the joint has play: digits that a file leaves out.
ROUNDED = 1e-4


# Eccentricity, journal less bore [m], and velocity of the journal over the bore [m/s], ground axes.
Pins = Mapping[str, tuple[Vec3, Vec3]]


def displacements(model: Model) -> dict[str, tuple[Vec3, Vec3]]:
    """Loose joint -> eccentricity at the start as the file gives it, and no velocity over the bore."""
    evaluate = model.parameters.evaluator()
    found: dict[str, tuple[Vec3, Vec3]] = {}
    for name in model.topology.loose:
        clearance = model.mechanism.joints[name].clearance
        assert clearance is not None
        initial = values_of(clearance.parameters, evaluate).get("initial")
        if initial is not None and any(initial):
            found[name] = Vec3(*(float(value) for value in (*initial, 0.0)[:3])), Vec3.zero()
    return found


def pin_rows(
    model: Model, drive: Drive, q: np.ndarray, wanted: Pins
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows over the tree's rates along released axes: values, derivatives (n, nv), speeds over the bore (n, nv), and
    what these speeds should be.

    Along an axis d fixed in the base side: value d.(r - e), r from bore to journal, e as wanted in ground axes; speed
    d.(v_J - v_C), C the point of the bore that the journal's centre covers.
    """
    system = model.system(drive)
    nv, evaluate = system.tree.rates, model.parameters.evaluator()
    values: list[float] = []
    columns: list[list[float]] = []
    speeds: list[list[float]] = []
    wished: list[float] = []
    for k in range(nv):
        unit = [0.0] * nv
        unit[k] = 1.0
        motions = move(system.tree, q.tolist(), unit, [0.0] * nv)
        values, column, speed, wished = [], [], [], []
        for name, (e, u) in wanted.items():
            joint = model.mechanism.joints[name]
            frames = [Frame(*frame) for frame in joint.frames(evaluate)]
            sides = zip((joint.base, joint.moving), frames, strict=True)
            links = model.topology.link_of
            base, moving = (frame_state(moved_link(motions, links[side.body]), frame) for side, frame in sides)
            assert joint.clearance is not None
            inside = joint.clearance.parameters.get("journal") == "base"
            bore, journal = (moving, base) if inside else (base, moving)
            r, swept = journal.p - bore.p, journal.v - bore.v
            for axis in released(joint, model.mechanism.planar)[0]:
                d = base.R.column(axis)
                values.append(float(d.dot(r - e)))
                column.append(float(d.dot(swept) + base.w.cross(d).dot(r - e)))
                wished.append(float(d.dot(u)))
                speed.append(float(d.dot(journal.v - bore.velocity_at(journal.p))))
        columns.append(column)
        speeds.append(speed)
    return np.array(values), np.array(columns).T, np.array(speeds).T, np.array(wished)


def require_play(model: Model, drive: Drive, q: np.ndarray, wanted: Pins) -> None:
    """Raise MechanismError for eccentricities of the file along directions in which the joint has no play."""
    system = model.system(drive)
    evaluate = model.parameters.evaluator()
    still = [0.0] * system.tree.rates
    motions = move(system.tree, q.tolist(), still, still)
    found = []
    for name, (e, _) in wanted.items():
        joint = model.mechanism.joints[name]
        if "m" in joint.form.units:
            # A slider moves along its guide; what points there is no eccentricity.
            continue
        base = moved_link(motions, model.topology.link_of[joint.base.body])
        axes = frame_state(base, Frame(*joint.frames(evaluate)[0])).R
        free = [axes.column(axis) for axis in released(joint, model.mechanism.planar)[0]]
        inside = sum((d * d.dot(e) for d in free), Vec3.zero())
        held = float((e - inside).norm())
        if held > ROUNDED * float(e.norm()):
            numbers = [
                float(x) if abs(x) > 1e-9 * held else 0.0 for x in list(inside)[: 2 if model.mechanism.planar else 3]
            ]
            shown = ", ".join(f"{x:.6g}" for x in numbers)
            found.append(
                Finding(
                    f"joints.{name}.clearance.initial",
                    f"{held:.3g} m of it point where this joint has no play at the start of the run.",
                    f"Write the part across the axis, [{shown}], or give the joint play there.",
                )
            )
    if found:
        raise MechanismError(found, model.mechanism.source)


def set_off(
    model: Model, drive: Drive, state: tuple[np.ndarray, np.ndarray], goals: tuple[np.ndarray, np.ndarray],
    given: tuple[Mapping[str, float], Mapping[str, float]], pins: Pins | None = None,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Tree coordinates and rates with every pin where the file puts it, as near as may be to the centred ones.

    state: coordinates and rates with centred pins. goals: values and rates of the drive. given: coordinates and
    rates by label that the start gives and that stay. pins: where they stand; where the file puts them otherwise.

    Raises AssemblyError where the loops do not close with these displacements.
    """
    wanted = displacements(model) if pins is None else pins
    q, v = state
    if not wanted:
        return q, v
    kernel, _ = rows_kernel(model, drive)
    c = kernel.constants(model.parameters.values)
    marks = row_marks(model, drive)
    keep = np.array([not mark[3] for mark in marks], bool)
    nv = model.topology.rates
    held = {model.tree_rates[name] for name in [*drive.coordinates, *given[0]] if name in model.tree_rates}
    free = np.array([rate for rate in range(nv) if rate not in held], int)
    reach = np.where(np.array(model.tree_units)[free] == "rad", 1.0, model.size)
    loops = np.zeros((0, nv))
    # Opened joints that have one rate for every coordinate; a quaternion is left to the nearest.
    stay = {name: value for name, value in given[0].items() if name not in model.tree_coordinates}
    stay = {name: value for name, value in stay.items() if name in model.rates}
    for _ in range(STEPS):
        parts = kernel.split(kernel(np.concatenate([q, goals[0]]), c))
        loops = parts["jacobian"].reshape(len(marks), nv)[keep]
        offsets, slopes, _, _ = pin_rows(model, drive, q, wanted)
        read = read_pose(model, q.tolist(), stay).coordinates if stay else {}
        F = np.concatenate([parts["values"][keep], offsets, [read[name] - value for name, value in stay.items()]])
        slopes = np.vstack([slopes, opened_rates(model, drive, q, stay)])
        if np.abs(F).max() < CLOSED * max(1.0, model.size):
            break
        step = np.zeros(nv)
        step[free] = -reach * np.linalg.lstsq(np.vstack([loops, slopes])[:, free] * reach, F, rcond=1e-10)[0]
        q = np.array(retract(model.system(drive).tree, q.tolist(), step.tolist()), float)
    if pins is None:
        require_play(model, drive, q, wanted)
    if np.abs(F).max() > 1e-10 * max(1.0, model.size):
        raise AssemblyError(
            f"the loops cannot be closed with the initial eccentricity of {', '.join(wanted)}; give a smaller one, or "
            "give the start fewer values."
        )
    fixed = dict(zip(drive.coordinates, goals[1].tolist(), strict=False))
    fixed |= {name: value for name, value in given[1].items() if name in model.tree_rates}
    opened = {name: value for name, value in given[1].items() if name not in model.tree_rates}
    drift = goal_drift(model, drive, q, *goals)[keep] if drive.motions else np.zeros(len(loops))
    _, _, over, speeds = pin_rows(model, drive, q, wanted)
    rows = np.vstack([loops, over, opened_rates(model, drive, q, opened)])
    left = np.concatenate([drift, -speeds, [-value for value in opened.values()]])
    wished = {name: float(v[place]) for name, place in model.tree_rates.items()}
    return q, start_rates(model, rows, left, fixed, wished)
