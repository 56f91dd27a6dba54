"""Where play lets a point stand: the static envelope of its displacement, and what each loose joint costs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.error_kernels import find_sensitivities
from closedchain.analyses.errors import axes_of, make_deviation, read_widths, require_consistent
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError
from closedchain.model import Model, compile
from closedchain.results import dataset

if TYPE_CHECKING:
    import xarray as xr

DIRECTIONS = 180


def envelope(
    mechanism: Mechanism | Model,
    at: Any,
    of: str,
    clearances: Mapping[str, Any] | None = None,
    *,
    driven: Sequence[str] | None = None,
    directions: int = DIRECTIONS,
) -> "xr.Dataset":
    """How far play lets a point stand from its ideal place while the motors hold theirs.

    at: a Pose, or instants [s] of the file's motion. of: "body.point" or an output. clearances: {joint: radial
    clearance}, by default those of the file. driven: as in `errors`. directions: how many are looked at.

    Every pin stands anywhere in its bore, |e| <= c, and moves the point by S e to first order, S exact. The reach in a
    direction d is the support function sum c |S^T d|; the outline is where it is attained. `reach` (time, direction),
    `outline` (time, direction, axis), `largest` (time), `extent` (time, axis), and of every loose joint alone
    `joint_largest` (time, loose_joint), `joint_extent` (time, loose_joint, axis).

    Raises MechanismError where no joint has play.

    >>> import closedchain as cc
    >>> arm = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {}, "arm": {"points": {"P": [0.5, 0]}}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "arm.origin"]}},
    ...     "actuators": {"motor": {"joint": "A", "motion": "2*t"}},
    ... })
    >>> ds = cc.envelope(arm, cc.assemble(arm, {"A": 0.0}), "arm.P", {"A": "0.1 mm"})
    >>> round(1000 * float(ds.largest[0]), 9)
    0.1
    """
    base = compile(mechanism)
    c = clearances_of(base.mechanism, clearances)
    deviation = make_deviation(base, of, [f"joints.{joint}.clearance.radial" for joint in c], at, driven)
    found = find_sensitivities(deviation)
    require_consistent(deviation, found)
    held = deviation.held
    S = found.derivatives["position"]
    d = spread(directions, S.shape[1])
    own = {joint: [k for k, each in enumerate(deviation.sources) if each.name == joint] for joint in c}
    reach, outline = np.zeros((len(S), len(d))), np.zeros((len(S), *d.shape))
    largest, extent = np.zeros((len(S), len(c))), np.zeros((len(S), len(c), S.shape[1]))
    for place, (joint, radius) in enumerate(c.items()):
        part = S[..., own[joint]]
        along = np.einsum("da,tas->tds", d, part)
        length = np.linalg.norm(along, axis=2)
        reach += radius * length
        # The pin stands where it moves the point furthest along d: e = c S^T d / |S^T d|.
        e = radius * along / np.where(length > 0.0, length, 1.0)[..., None]
        outline += np.einsum("tas,tds->tda", part, e)
        largest[:, place] = radius * np.linalg.norm(part, ord=2, axis=(1, 2))
        extent[:, place] = radius * np.linalg.norm(part, axis=2)

    def metres(meaning: str) -> dict[str, str]:
        return {"units": "m", "long_name": meaning}

    return dataset(
        {
            "direction_vector": (("direction", "axis"), d, {"units": "1", "long_name": "unit vector of the direction"}),
            "reach": (("time", "direction"), reach, metres("largest displacement along the direction")),
            "outline": (("time", "direction", "axis"), outline, metres("displacement that reaches furthest along it")),
            "largest": (("time",), np.linalg.norm(outline, axis=2).max(axis=1), metres("largest displacement")),
            "extent": (("time", "axis"), extent.sum(axis=1), metres("largest displacement along the axis")),
            "joint_largest": (("time", "loose_joint"), largest, metres("largest displacement by this joint alone")),
            "joint_extent": (("time", "loose_joint", "axis"), extent, metres("displacement by this joint alone")),
            "nominal_position": (("time", "axis"), found.motion["position"], metres("ideal place")),
            "clearance": (("loose_joint",), np.array(list(c.values())), metres("radial clearance")),
        },
        {"time": held.times, "axis": axes_of(held.model), "loose_joint": list(c), "direction": np.arange(len(d))},
        analysis="envelope",
        mechanism=held.model.mechanism.to_text(),
        settings={"of": of, "driven": list(held.drive.coordinates)},
    )


def clearances_of(mechanism: Mechanism, given: Mapping[str, Any] | None) -> dict[str, float]:
    """Radial clearance by joint [m], as given or as in the file."""
    if given is None:
        loose = [name for name, joint in mechanism.joints.items() if joint.clearance is not None]
        found = {name: mechanism.evaluate(f"joints.{name}.clearance.radial") for name in loose}
    else:
        unknown = [name for name in given if name not in mechanism.joints]
        if unknown:
            raise MechanismError(f"{unknown[0]!r} is not a joint; the joints are {', '.join(mechanism.joints)}.")
        found = read_widths(mechanism, given) if given else {}
    if not found:
        raise MechanismError("no joint has play; give clearances = {joint: radial clearance}.")
    return found


def spread(count: int, axes: int) -> np.ndarray:
    """Unit vectors spread evenly on the circle, or on the sphere by golden angles, shape (count, axes)."""
    k = np.arange(count)
    if axes == 2:
        angle = 2.0 * np.pi * k / count
        return np.array([np.cos(angle), np.sin(angle)]).T
    z = 1.0 - (2.0 * k + 1.0) / count
    angle = np.pi * (3.0 - 5.0**0.5) * k
    r = np.sqrt(1.0 - z**2)
    return np.array([r * np.cos(angle), r * np.sin(angle), z]).T
