"""Linearisation: small motions about a pose or a steady motion in independent coordinates, and their modes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.assembly import finite
from closedchain.analyses.equilibrium import equilibrium
from closedchain.analyses.linear_point import Held, held_at_start
from closedchain.analyses.modes import Modes, find_modes
from closedchain.analyses.pose import Pose, known_joint
from closedchain.analyses.start import start_rates
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError
from closedchain.model import Model
from closedchain.model.linear_kernels import shape_kernel
from closedchain.results import dataset

if TYPE_CHECKING:
    import xarray as xr

WEIGHTLESS = 1e-12


def linearise(
    mechanism: Mechanism | Model, pose: Pose | Mapping[str, Any] | None = None, rates: Mapping[str, float] | None = None
) -> "xr.Dataset":
    """M u" + C u' + K u = 0 of small motions, their eigenfrequencies, damping ratios and shapes.

    pose: a Pose or {joint: value} to linearise about; the static equilibrium near the file's guesses otherwise.
    rates: {joint: rate} of a steady motion; at rest otherwise. Motions, efforts and forces count as at t = 0;
    integrals of controllers and bristles of friction stand still.

    The deviations are dq = B u, dv = B u' + E u, da = B u" + F u' + G u, where E, F, G keep the loops closed in
    velocity and acceleration; with R = M a + h - tau - J^T lambda,

        M_r = B^T M B,   C_r = B^T (R_v B + M F),   K_r = B^T (R_q B + R_v E + M G)

    Returns a dataset: `M`, `C`, `K` (independent, other), `eigenvalue_real`, `eigenvalue_imag` [1/s], `frequency`
    [Hz], `damping_ratio` (mode), `shape` (mode, part, rate), `body_shape`, `body_turn` (mode, part, body, axis) with
    the parts "real" and "imag", `pose` (coordinate), and `unbalance`: the largest acceleration at the pose [rad/s^2,
    fractions of the size], 0 at rest.

    Raises MechanismError where a motion moves no mass, and what `equilibrium` and `assemble` raise.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -9.81]},
    ...     "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"]}},
    ... })
    >>> round(float(cc.linearise(m).frequency[0]) * 2 * 3.141592653589793, 6)
    3.132092
    """
    if pose is None:
        pose = equilibrium(mechanism)
    held, found = held_at_start(mechanism, None, pose)
    q = found.tree(held.model)
    v = steady_rates(held, q, rates or {})
    B, names = independent_motions(held, q)
    a, x = accelerations(held, q, v)
    M, C, K = reduced(held, q, v, a, x, B, names)
    require_mass(held, M, names)
    modes = find_modes(M, C, K)
    unbalance = float(np.abs(a[held.passive] / held.unit).max(initial=0.0))
    return as_dataset(held, found, B, names, (M, C, K), modes, unbalance, {"rates": dict(rates or {})})


def steady_rates(held: Held, q: np.ndarray, rates: Mapping[str, float]) -> np.ndarray:
    """Rates of the tree: the given ones exactly, the others closed by the loops."""
    model = held.model
    if not rates:
        return np.zeros(model.topology.rates)
    for name in rates:
        known_joint(model.mechanism, name)
    given = {name: finite(f"rate of {name}", value) for name, value in rates.items()}
    fixed = dict.fromkeys(held.drive.coordinates, 0.0) | given
    J = held.about(q)["jacobian"]
    return start_rates(model, J, np.zeros(len(J)), fixed, {})


def independent_motions(held: Held, q: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """B: rates of the tree per rate of each independent coordinate, shape (nv, f), and these coordinates.

    The coordinates that command the free motions best are chosen.
    """
    import scipy.linalg

    N = held.free_directions(held.about(q)["jacobian"])
    count = N.shape[1]
    order: Any = scipy.linalg.qr(N.T, mode="r", pivoting=True) if count else ((), ())
    chosen = np.sort(np.array(order[1][:count], int))
    full = np.zeros((held.model.topology.rates, count))
    if count:
        full[held.passive] = held.unit[:, None] * (N @ np.linalg.inv(N[chosen])) / held.unit[chosen]
    return full, held.names(chosen)


def accelerations(held: Held, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of the rates and negative multipliers of the rows at a state."""
    parts, passive = held.about(q, v), held.passive
    M, J = parts["mass"][np.ix_(passive, passive)], parts["jacobian"][:, passive]
    n, m = len(passive), len(J)
    matrix = np.block([[M, J.T], [J, np.zeros((m, m))]])
    scale = np.concatenate([held.unit, np.ones(m)])
    right = -np.concatenate([parts["forces"][passive], parts["accelerations"]])
    found = scale * np.linalg.lstsq(matrix * np.outer(scale, scale), scale * right, rcond=1e-12)[0]
    a = np.zeros(held.model.topology.rates)
    a[passive] = found[:n]
    return a, found[n:]


def reduced(held: Held, q, v, a, x, B: np.ndarray, names: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C and K of the independent coordinates."""
    chosen = [held.model.tree_rates[name] for name in names]
    parts = held.about(q, v, a, x)

    def closing(right: np.ndarray) -> np.ndarray:
        """Passive rates that close J z = -right, with the independent coordinates still."""
        full = np.zeros(B.shape)
        J = parts["jacobian"][:, held.passive] * held.unit
        if len(J):
            z = np.zeros(B.shape)
            z[held.passive] = held.unit[:, None] * np.linalg.lstsq(J, -right, rcond=1e-10)[0]
            # the independent coordinates themselves stand still
            full = z - B @ z[chosen]
        return full

    E = closing(parts["rate_s"] @ B)
    F = closing(parts["acceleration_v"] @ B)
    G = closing(parts["acceleration_s"] @ B + parts["acceleration_v"] @ E)
    M = B.T @ parts["mass"] @ B
    C = B.T @ (parts["damping"] @ B + parts["mass"] @ F)
    K = B.T @ (parts["stiffness"] @ B + parts["damping"] @ E + parts["mass"] @ G)
    return 0.5 * (M + M.T), C, K


def require_mass(held: Held, M: np.ndarray, names: list[str]) -> None:
    """Raise MechanismError where an independent motion moves no mass."""
    if not len(M):
        return
    units = [held.model.tree_units[held.model.tree_rates[name]] for name in names]
    size = np.array([1.0 if unit == "rad" else held.model.size for unit in units])
    values, vectors = np.linalg.eigh(M * np.outer(size, size))
    if values[-1] > 0.0 and values[0] > WEIGHTLESS * values[-1]:
        return
    move = np.abs(vectors[:, 0])
    moving = ", ".join(name for name, part in zip(names, move, strict=True) if part > 0.1 * move.max())
    raise MechanismError(
        f"{moving} can move without moving any mass, so there is no eigenfrequency. Give the bodies mass or inertia, "
        "or impose the motion."
    )


def as_dataset(held: Held, pose: Pose, B, names, matrices, modes: Modes, unbalance: float, settings) -> "xr.Dataset":
    """The result under its names."""
    model, planar = held.model, held.model.mechanism.planar
    kernel, q = shape_kernel(model), pose.tree(model)
    c = kernel.constants(model.parameters.values)
    count = len(modes.eigenvalues)
    parts: dict[str, list] = {"qd": [], "body_velocity": [], "body_angular_velocity": []}
    for shape in modes.shapes:
        for number in (np.real(shape), np.imag(shape)):
            values = kernel.split(kernel(np.concatenate([q, B @ number]), c))
            for name, each in parts.items():
                each.append(values[name])
    labels = {
        "independent": names, "other": names, "mode": np.arange(1, count + 1), "part": ["real", "imag"],
        "rate": list(model.rates), "body": [name for name in model.mechanism.bodies if name != "ground"],
        "axis": ["x", "y"] if planar else ["x", "y", "z"], "coordinate": list(pose.coordinates),
    }  # fmt: skip

    def stacked(name: str, *shape: int) -> np.ndarray:
        return np.array(parts[name]).reshape(count, 2, *shape)

    bodies, axes = len(labels["body"]), len(labels["axis"])
    turn_dims = ("mode", "part", "body") if planar else ("mode", "part", "body", "axis")
    pair = ("independent", "other")
    meanings = ("mass", "damping", "stiffness")
    variables: dict[str, Any] = {
        letter: (pair, matrix, {"long_name": f"{meaning} in the independent coordinates", "units": "SI"})
        for letter, matrix, meaning in zip("MCK", matrices, meanings, strict=True)
    }
    variables |= {
        "eigenvalue_real": (("mode",), np.real(modes.eigenvalues), {"long_name": "growth", "units": "1/s"}),
        "eigenvalue_imag": (("mode",), np.imag(modes.eigenvalues), {"long_name": "angular frequency", "units": "1/s"}),
        "frequency": (("mode",), modes.frequency, {"long_name": "undamped eigenfrequency", "units": "Hz"}),
        "damping_ratio": (("mode",), modes.damping_ratio, {"long_name": "damping ratio", "units": "1"}),
        "shape": (("mode", "part", "rate"), stacked("qd", len(labels["rate"])), {"long_name": "shape in the joints"}),
        "body_shape": (
            ("mode", "part", "body", "axis"),
            stacked("body_velocity", bodies, axes),
            {"long_name": "shape of the mass centres"},
        ),
        "body_turn": (
            turn_dims,
            stacked("body_angular_velocity", *((bodies,) if planar else (bodies, axes))),
            {"long_name": "shape of the turns of the bodies"},
        ),
        "pose": (("coordinate",), np.array(list(pose.coordinates.values())), {"long_name": "pose linearised about"}),
        "unbalance": ((), np.array(unbalance), {"long_name": "largest acceleration at the pose", "units": "1/s^2"}),
    }
    units = [unit for form in model.forms.values() for unit in form.units]
    return dataset(
        variables, labels, analysis="linearise", mechanism=model.mechanism.to_text(), settings=settings,
        label_units={"rate": units},
    )  # fmt: skip
