"""Errors of a point from errors of dimensions, joints and motors: exact sensitivities, worst case, statistics."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.dynamics_checks import require_count
from closedchain.analyses.error_kernels import Deviated, Sensitivities, find_sensitivities
from closedchain.analyses.error_samples import draw_samples
from closedchain.analyses.error_sources import Source, find_sources
from closedchain.analyses.held import hold
from closedchain.analyses.pose import find_point
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError
from closedchain.model import Model, compile
from closedchain.results import dataset

if TYPE_CHECKING:
    import xarray as xr

STATISTICS = ("worst", "rss", "monte-carlo")
DISTRIBUTIONS = ("normal", "uniform")
UNITS = {"position": "m", "velocity": "m/s", "acceleration": "m/s^2", "rotation": "rad"}
# A deviation that leaves a row open by more than this part of itself contradicts the loops.
CONTRADICTION = 1e-6


def errors(
    mechanism: Mechanism | Model,
    of: str,
    tolerances: Mapping[str, Any],
    times: Any = None,
    statistics: str = "worst",
    samples: int = 2000,
    *,
    driven: Sequence[str] | None = None,
    distribution: str = "normal",
    seed: int = 0,
) -> "xr.Dataset":
    """Sensitivity of a point's motion to errors of the mechanism, and bounds of its errors.

    of: "body.point" or an output. tolerances: {path: half width}; paths are those of the file (lengths, pivots
    "bodies.B.points.P.0", zero errors "joints.J.offset", axes "joints.J.axis.0"), play "joints.J.clearance.radial" (the
    pin displaced by up to that much, in any direction its clearance allows), and errors of a motor's motion
    "actuators.M.position", ".velocity", ".acceleration". times: instants [s], a Pose, or t = 0. statistics: "worst"
    (sum of |s| w), "rss" (root of the sum of (s w)^2), or "monte-carlo": `samples` mechanisms with drawn deviations,
    assembled again, their standard deviation scaled to the width as in "rss". driven: coordinates that keep their
    nominal motion; by default the independent ones of the actuators, in order. distribution: "normal" (a width
    is three standard deviations) or "uniform"; seed: of the draws.

    `sensitivity_position` (time, axis, path) and likewise velocity, acceleration, rotation are exact: the closure
    phi(q, p) = 0 is differentiated implicitly, J dq = -dphi/dp dp, and so are the loop equations of rates and
    accelerations. For play the entry is the largest over the directions of the pin. `bound_position` (time, axis) and
    likewise are the errors that `statistics` gives. `contribution_position` (path) and likewise: the largest error by
    one path alone, over time and axes.

    Raises MechanismError for paths that do not exist, and for errors that contradict the loops (overconstrained).

    >>> import closedchain as cc
    >>> arm = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {}, "arm": {"points": {"P": [0.5, 0]}}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]}},
    ...     "actuators": {"motor": {"joint": "A", "motion": "2*t"}},
    ... })
    >>> ds = cc.errors(arm, "arm.P", {"bodies.arm.points.P.0": 1e-3}, times=[0.0])
    >>> round(float(ds.sensitivity_velocity[0, 1, 0]), 12), float(ds.bound_position[0, 0])
    (2.0, 0.001)
    """
    if statistics not in STATISTICS:
        raise MechanismError(f"statistics is {statistics!r}; choose one of {', '.join(STATISTICS)}.")
    if distribution not in DISTRIBUTIONS:
        raise MechanismError(f"distribution is {distribution!r}; choose 'normal' or 'uniform'.")
    require_count("samples", samples, 2)
    widths = read_widths(compile(mechanism).mechanism, tolerances)
    deviation = make_deviation(mechanism, of, list(widths), times, driven)
    found = find_sensitivities(deviation)
    require_consistent(deviation, found)
    width = np.array([widths[source.path] for source in deviation.sources])
    variables: dict[str, Any] = {}
    by_path = {name: per_path(array, deviation.sources) for name, array in found.derivatives.items()}
    w = np.array(list(widths.values()))
    for name, array in by_path.items():
        dims = ("time", "axis", "path") if array.shape[1] > 1 or name != "rotation" else ("time", "path")
        text = {"units": f"{UNITS[name]} per unit of the path", "long_name": f"sensitivity of the {name}"}
        variables[f"sensitivity_{name}"] = (dims, array if len(dims) == 3 else array[:, 0], text)
    variables["sensitivity"] = variables["sensitivity_position"]
    if statistics == "monte-carlo":
        bounds = draw_samples(deviation, width, int(samples), distribution, seed)
        variables |= bounds.variables()
        shown = bounds.bounds
    else:
        shown = {name: combine(array, w, statistics) for name, array in by_path.items()}
    for name, array in shown.items():
        dims = ("time", "axis") if array.shape[1] > 1 or name != "rotation" else ("time",)
        text = {"units": UNITS[name], "long_name": f"error of the {name}, {statistics}"}
        variables[f"bound_{name}"] = (dims, array if len(dims) == 2 else array[:, 0], text)
    for name, array in found.motion.items():
        variables[f"nominal_{name}"] = (("time", "axis"), array, {"units": UNITS[name], "long_name": f"nominal {name}"})
    variables["tolerance"] = (("path",), w, {"long_name": "half width of the tolerance"})
    for name in ("position", "velocity", "acceleration"):
        text = {
            "units": UNITS[name],
            "long_name": f"largest error of the {name} by this path alone, over time and axes",
        }
        variables[f"contribution_{name}"] = (("path",), np.abs(by_path[name]).max(axis=(0, 1)) * w, text)
    held = deviation.held
    return dataset(
        variables,
        {"time": held.times, "axis": axes_of(held.model), "path": list(widths)},
        analysis="errors",
        mechanism=held.model.mechanism.to_text(),
        settings={"of": of, "statistics": statistics, "driven": list(held.drive.coordinates), "samples": samples,
                  "distribution": distribution, "seed": seed},
    )  # fmt: skip


def axes_of(model: Model) -> list[str]:
    """Names of the ground axes."""
    return ["x", "y"] if model.mechanism.planar else ["x", "y", "z"]


def read_widths(mechanism: Mechanism, tolerances: Mapping[str, Any]) -> dict[str, float]:
    """Half widths in SI by path; raises MechanismError where one is no positive number."""
    from closedchain.description.values import ValueProblem, make_value

    if not tolerances:
        raise MechanismError("there are no tolerances; give {path: half width}.")
    known, names, found = mechanism.values(), mechanism.parameter_numbers(), {}
    for path, width in tolerances.items():
        unit = known[path].unit if path in known else ""
        try:
            number = float(make_value(width, unit).evaluate(names))
        except ValueProblem as problem:
            raise MechanismError(f"the tolerance of {path} cannot be {width!r}: {problem}.") from None
        except KeyError as missing:
            raise MechanismError(
                f"the tolerance of {path} cannot be {width!r}: {missing} is not in [parameters]."
            ) from None
        if not (np.isfinite(number) and number >= 0.0):
            raise MechanismError(f"the tolerance of {path} is {number:g}; a half width is not negative.")
        found[path] = number
    return found


def make_deviation(
    mechanism: Mechanism | Model, of: str, paths: Sequence[str], at: Any, driven: Sequence[str] | None
) -> Deviated:
    """The mechanism held to its nominal motion, with the named numbers free to deviate."""
    base = compile(mechanism)
    sources = find_sources(base.mechanism, paths)
    said = base.mechanism.values()
    own = [each.path for each in sources if each.kind == "value"]
    # An expression deviates as a number of its own, beside the parameters it names.
    fixed = {path: base.mechanism.evaluate(path) for path in own if not said[path].is_literal}
    if fixed:
        base = compile(base.mechanism.with_values(fixed), code=base.code)
    held = hold(base, at, driven, own)
    return Deviated(held, find_point(held.model.mechanism, of), tuple(sources))


def require_consistent(deviation: Deviated, found: Sensitivities) -> None:
    """Raise MechanismError where a deviation alone cannot be assembled: it contradicts the loops."""
    for k, source in enumerate(deviation.sources):
        largest = float(found.left[:, k].max(initial=0.0))
        if not largest <= CONTRADICTION / min(1.0, deviation.held.model.size):
            raise MechanismError(
                f"{source.path} contradicts the loops: the mechanism is overconstrained and cannot be assembled with "
                "this error alone. Free the redundant rows (see cc.mobility) by a joint with more freedoms or play."
            )


def per_path(array: np.ndarray, sources: Sequence[Source]) -> np.ndarray:
    """Derivatives (time, axis, path): the directions of one path together as their largest over all directions."""
    paths = list(dict.fromkeys(source.path for source in sources))
    columns = []
    for path in paths:
        own = [k for k, source in enumerate(sources) if source.path == path]
        part = array[..., own]
        columns.append(part[..., 0] if len(own) == 1 else np.sqrt(np.sum(part**2, axis=-1)))
    return np.stack(columns, axis=-1)


def combine(array: np.ndarray, width: np.ndarray, statistics: str) -> np.ndarray:
    """Errors (time, axis) of sensitivities (time, axis, path)."""
    terms = np.abs(array) * width
    return terms.sum(axis=-1) if statistics == "worst" else np.sqrt(np.sum(terms**2, axis=-1))
