"""What must hold of every mechanism, each property checked in a way of its own."""

import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from differences import angular_velocity, disagreement, quaternion_rates, stencil
from joint_forms import compose, inverse, read_transform
from mechanisms import Mechanism

import closedchain as cc
from closedchain.analyses.kinematics import time_path
from closedchain.model.motion_kernels import state_kernel

H = 4e-3
T = 0.05
# Largest relative disagreement with differences, closure, and drift of energy that pass.
DIFFERENCES, IDLE, CLOSURE, ENERGY = 1e-7, 1e-5, 1e-12, 1e-9
CODE = "quick"


class Broken(AssertionError):
    """A property that does not hold."""


def require(holds: Any, text: str) -> None:
    """Raise Broken with a text where something does not hold."""
    if not holds:
        raise Broken(text)


def check_mechanism(m: Mechanism, folder: Path, heavy: bool = True) -> Counter:
    """Load, assemble, move and compare; the properties that were checked and the named errors that came instead.

    Raises Broken where a property fails; any exception that is not the library's own passes through.
    """
    done: Counter = Counter()
    mechanism = round_trip(m, folder)
    model = cc.compile(mechanism, code=CODE)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            pose = cc.assemble(model)
            check_pose(m, mechanism, pose)
            check_points(m, mechanism, pose)
            done["assembled"] += 1
            if heavy:
                check_mobility(m, model, pose, done)
            ds = cc.kinematics(model, stencil(T, H))
        except cc.ClosedChainError as error:
            done[f"{type(error).__name__}: {kind_of(str(error))}"] += 1
            require(m.open or "leave" not in str(error), f"all freedoms are driven, yet: {error}")
            return done
    near = any("singular" in str(warning.message) for warning in caught)
    done["near singular" if near else "moved"] += 1
    check_numbers(ds)
    check_drives(mechanism, ds)
    if near:
        return done
    # an idle freedom is carried along between samples, nothing asks for exact rates of it
    check_joints(mechanism, ds, IDLE if m.open else DIFFERENCES)
    check_bodies(mechanism, ds, IDLE if m.open else DIFFERENCES)
    if heavy:
        compare_floats(model, ds, done)
        compare_trees(m, mechanism, pose, ds, done)
    return done


SORTS = (
    "cannot be closed",
    "left open",
    "leave",
    "cannot follow",
    "contradict",
    "outside its limits",
    "not finite",
    "without moving any mass",
    "only outside",
    "smaller than the spacing",
)


def kind_of(message: str) -> str:
    """The sort of a named error: its sentence without names and numbers."""
    for sort in SORTS:
        if sort in message:
            return sort
    return message[:60]


def round_trip(m: Mechanism, folder: Path) -> cc.Mechanism:
    """The mechanism, which is the same after writing and reading."""
    mechanism = cc.Mechanism.from_dict(m.data)
    path = folder / "random.toml"
    mechanism.to_toml(path)
    require(cc.load(path) == mechanism, "the written file loads to another mechanism")
    return mechanism


def check_numbers(ds: Any) -> None:
    """Everything finite, loops closed to rounding."""
    for name, array in ds.data_vars.items():
        require(np.isfinite(array.values).all(), f"{name} is not finite")
    worst = float(ds.closure.max()) if ds.closure.size else 0.0
    require(worst < CLOSURE, f"closure {worst:.1e}")


def check_pose(m: Mechanism, mechanism: cc.Mechanism, pose: cc.Pose) -> None:
    """Every joint's frames, placed by the bodies' poses, stand to each other as its coordinates say."""
    require(pose.residual < CLOSURE, f"assembly left {pose.residual:.1e}")
    evaluate = cc.compile(mechanism).parameters.evaluator()
    for joint in m.joints:
        said = mechanism.joints[joint.name]
        local = [(matrix(R), vector(p)) for R, p in said.frames(evaluate)]
        placed = [
            compose((pose.frame(at.body)[:3, :3], pose.frame(at.body)[:3, 3]), frame)
            for at, frame in zip(said.between, local, strict=True)
        ]
        R, r = compose(inverse(placed[0]), placed[1])
        values = np.atleast_1d(pose[joint.name]).astype(float)
        if joint.offset.any():
            values = values - joint.offset
        want = read_transform(joint.kind, values, m.planar, joint.lead)
        gap = max(np.abs(R - want[0]).max(), np.abs(r - want[1]).max())
        require(gap < 1e-11, f"joint {joint.name} ({joint.kind}) is {gap:.1e} away from its coordinates")


def check_mobility(m: Mechanism, model: Any, pose: cc.Pose, done: Counter) -> None:
    """The count agrees with ranks of body twists where the pose is the reference."""
    found = cc.mobility(model, pose)
    require(0 <= found.idle <= found.dof, f"{found.idle} idle freedoms of {found.dof}")
    require(found.redundant >= 0 and found.dof >= found.gruebler, "fewer freedoms than counting gives")
    there = max(np.abs(pose.frame(body)[:3, 3] - p).max() for body, (_, p) in m.poses.items()) < 1e-6
    if there:
        first = found.dof + found.instantaneous
        require(first == m.freedoms, f"{first} freedoms to first order; ranks of body twists give {m.freedoms}")
        done["mobility"] += 1


def check_drives(mechanism: cc.Mechanism, ds: Any) -> None:
    """Driven joints stand where their motions say, at the first sample."""
    evaluate = cc.compile(mechanism).parameters.evaluator(t=float(ds.time[0]))
    for actuator in mechanism.actuators.values():
        assert actuator.motion
        q = float(ds.q.sel(coordinate=actuator.joint.text)[0])
        gap = abs(q - float(evaluate(actuator.motion)))
        require(gap < 1e-12, f"{actuator.joint.text} misses its motion by {gap:.1e}")


def check_points(m: Mechanism, mechanism: cc.Mechanism, pose: cc.Pose) -> None:
    """Driven points stand where their motions say at t = 0."""
    evaluate = cc.compile(mechanism).parameters.evaluator(t=0.0)
    for motion in mechanism.motions.values():
        p = pose.point(motion.of.text)
        for k, axis in enumerate("xy" if m.planar else "xyz"):
            if axis in motion.components:
                gap = abs(float(p[k]) - float(evaluate(motion.components[axis])))
                require(gap < 1e-11, f"{motion.of.text}.{axis} misses its motion by {gap:.1e}")


def check_joints(mechanism: cc.Mechanism, ds: Any, allowed: float) -> None:
    """qd is the rate of q and qdd that of qd."""
    for name, joint in mechanism.joints.items():
        labels = [f"{name}.{part}" if part else name for part in joint.form.rates]
        coordinates = [f"{name}.{part}" if part else name for part in joint.form.coordinates]
        if not labels:
            continue
        q, qd, qdd = (
            ds.q.sel(coordinate=coordinates).values,
            ds.qd.sel(rate=labels).values,
            ds.qdd.sel(rate=labels).values,
        )
        rates = qd[3]
        if len(labels) != len(coordinates):
            w, doubt = quaternion_rates(q[:, -4:], H)
            off = np.max(np.abs(w - rates[-3:]) - doubt) / (1.0 + np.abs(w).max())
            require(off < allowed, f"angular velocity of {name} is off by {off:.1e}")
            q, rates = q[:, :-4], rates[:-3]
        compare(q, rates, f"qd of {name}", allowed)
        compare(qd, qdd[3], f"qdd of {name}", allowed)


def compare(values: np.ndarray, said: np.ndarray, what: str, allowed: float) -> None:
    """The derivative of values (7, ...) at the middle is what was said."""
    off = disagreement(values, said, H)
    require(off < allowed, f"{what} is off by {off:.1e}")


def check_bodies(mechanism: cc.Mechanism, ds: Any, allowed: float) -> None:
    """Velocities and accelerations of outputs and bodies, rotations included."""
    for first, second in (
        ("position", "velocity"), ("velocity", "acceleration"), ("body_position", "body_velocity"),
        ("body_velocity", "body_acceleration"), ("body_angular_velocity", "body_angular_acceleration"),
    ):  # fmt: skip
        compare(ds[first].values, ds[second].values[3], second, allowed)
    if mechanism.planar:
        compare(ds.body_angle.values, ds.body_angular_velocity.values[3], "body_angular_velocity", allowed)
        return
    R = ds.body_rotation.values
    skew = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(initial=0.0)
    require(skew < 1e-12, f"rotation matrices are {skew:.1e} from orthogonal")
    w, doubt = angular_velocity(R, H)
    off = np.max(np.abs(w - ds.body_angular_velocity.values[3]) - doubt, initial=0.0) / (
        1.0 + np.abs(w).max(initial=0.0)
    )
    require(off < allowed, f"body_angular_velocity is off by {off:.1e}")


def compare_floats(model: Any, ds: Any, done: Counter) -> None:
    """The state kernel and the same mechanics as plain Python on floats give the same at the last sample."""
    t = ds.time.values[-1:]
    path = time_path(model, t)
    q = np.zeros(path.model.topology.coordinates)
    for name, index in path.model.tree_coordinates.items():
        if name in ds.coordinate.values:
            q[index] = float(ds.q.sel(coordinate=name)[-1])
    x = np.concatenate([q, *(part[:, 0] for part in path.goals(t))])
    pattern = path.model.kernels["pattern", path.drive]
    found = []
    floats = cc.compile(path.model, prescribed=path.model.prescribed, code="none")
    for each in (path.model, floats):
        kernel = state_kernel(each, path.drive, pattern, refined=True)
        found.append(kernel.split(kernel(x, kernel.constants(each.parameters.values))))
    for name, values in found[0].items():
        if name not in ("residual", "rate_residual", "conditioning", "gap_length", "gap_angle"):
            off = apart(values, found[1][name])
            require(off < tolerance(ds, name), f"{name} of machine code and of floats are {off:.1e} apart")
    for name in COMPARED:
        off = apart(ds[name].values[-1].ravel(), np.ravel(found[1][name]))
        require(off < tolerance(ds, name), f"{name} as told and of floats are {off:.1e} apart")
    done["floats agree"] += 1


COMPARED = ("position", "velocity", "acceleration")


def tolerance(ds: Any, name: str) -> float:
    """Rounding of this mechanism: magnified for each derivative where rates are large for the motions given."""
    gain = 1.0 + float(np.abs(ds.qd.values).max(initial=0.0))
    order = 2 if name.endswith(("acceleration", "qdd")) else 1 if name.endswith(("velocity", "qd")) else 0
    return 1e-12 * gain ** (2 * order + 1)


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """Largest difference over one plus the largest value."""
    return float(np.abs(a - b).max(initial=0.0)) / (1.0 + float(np.abs(a).max(initial=0.0)))


def compare_trees(m: Mechanism, mechanism: cc.Mechanism, pose: cc.Pose, ds: Any, done: Counter) -> None:
    """The same mechanism opened at other joints moves its outputs the same way."""
    before = cc.compile(mechanism).topology
    if not before.cuts:
        return
    tree = [link.joint for link in before.links if link.body and link.joint in m.data["joints"]]
    data = {**m.data, "joints": {}}
    for name, table in m.data["joints"].items():
        labels = [key for key in pose.coordinates if key == name or key.rpartition(".")[0] == name]
        guess = [pose.coordinates[key] for key in labels]
        near = {"guess": guess if len(guess) > 1 else guess[0]} if guess else {}
        data["joints"][name] = {**table, **near, "cut": name == tree[len(tree) // 2]}
    other = cc.Mechanism.from_dict(data)
    ds2 = cc.kinematics(cc.compile(other, code=CODE), ds.time.values[[3]])
    moved = apart(ds.position.values[[3]], ds2.position.values)
    if moved > 1e-3:
        done["other mode"] += 1
        return
    for name in COMPARED:
        off = apart(ds[name].values[[3]], ds2[name].values)
        require(off < 100.0 * tolerance(ds, name), f"{name} of two trees are {off:.1e} apart")
    done["trees agree" if cc.compile(other).topology.cuts != before.cuts else "same tree"] += 1


def check_energy(m: Mechanism) -> Counter:
    """Left to itself for a short while, the mechanism keeps its energy and its loops closed."""
    done: Counter = Counter()
    mechanism = cc.Mechanism.from_dict({**m.data, "actuators": {}, "motions": {}})
    times = np.linspace(0.0, T, 4)
    try:
        ds = cc.simulate(cc.compile(mechanism, code=CODE), until=T, times=times, rtol=1e-10, atol=1e-12)
    except cc.ClosedChainError as error:
        done[f"simulate: {type(error).__name__}: {kind_of(str(error))}"] += 1
        return done
    check_numbers(ds)
    total = (ds.kinetic_energy + ds.potential_energy + ds.dissipated_energy - ds.input_work).values
    scale = 1.0 + float(np.abs(ds.kinetic_energy).max()) + float(np.abs(ds.potential_energy).max())
    drift = float(np.abs(total - total[0]).max()) / scale
    require(drift < ENERGY, f"energy drifts by {drift:.1e}")
    done["energy kept"] += 1
    return done


def matrix(R: Any) -> np.ndarray:
    """A Mat3 as an array."""
    return np.array([[float(value) for value in R.row(i)] for i in range(3)])


def vector(p: Any) -> np.ndarray:
    """A Vec3 as an array."""
    return np.array([float(value) for value in p])
