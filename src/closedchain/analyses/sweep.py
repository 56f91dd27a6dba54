"""Sweeps: one analysis for every combination of values."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.keep import Keep, Variables, check_keep
from closedchain.analyses.members import Member, Progress, check_paths, checked_arguments, named_analysis, run_members
from closedchain.analyses.stacking import stack
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError
from closedchain.model import Model, compile

if TYPE_CHECKING:
    import xarray as xr


def sweep(
    mechanism: Mechanism | Model,
    values: Mapping[str, Any],
    analysis: Callable[..., Any] | str,
    *,
    keep: Keep = "samples",
    progress: Progress | None = None,
    **arguments: Any,
) -> "xr.Dataset":
    """An analysis for every combination of values, one dimension per path.

    mechanism: what is varied. values: {path: values}, paths as in the file ("joints.B.clearance.radial"), values in SI,
    quantities or expressions. analysis: a function of the mechanism such as `cc.simulate`, or its name; arguments:
    passed on.
    keep: what is kept of each member: "samples" (everything), "final" (the last instant), "events" (the contacts),
    "statistics" (minimum, maximum, mean and rms over time), or a list of variables. progress: called with the part
    done; returning False stops.

    The dimensions are named by the full paths. `status` is "done", "failed" or "not run" (after Ctrl-C); a failed
    member is NaN, and `reason` tells why. Every member of a simulation has its own start, steps and contacts, as if it
    ran alone; in lanes sums are rounded in another order, so chaotic motions part from a single run after a while.

    Raises MechanismError for a path or an argument that does not exist.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {}, "wheel": {"points": {"P": [0.1, 0]}}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "wheel.origin"]}},
    ...     "actuators": {"motor": {"joint": "A", "motion": "2*t"}},
    ...     "outputs": {"P": {"point": "wheel.P"}},
    ... })
    >>> ds = cc.sweep(m, {"bodies.wheel.points.P.0": [0.1, 0.2]}, cc.kinematics, times=[0.0, 0.5])
    >>> ds.velocity.dims[0], ds.velocity[:, 0, 0, 1].values.tolist()
    ('bodies.wheel.points.P.0', [0.2, 0.4])
    """
    check_keep(keep)
    if not values:
        raise MechanismError("there is nothing to sweep; give {path: values}.")
    analysis = named_analysis(analysis)
    checked_arguments(analysis, arguments)
    base = compile(mechanism).mechanism
    check_paths(base, list(values))
    axes = {path: list(np.atleast_1d(np.asarray(each, dtype=object)).ravel()) for path, each in values.items()}
    empty = [path for path, each in axes.items() if not each]
    if empty:
        raise MechanismError(f"{empty[0]} has no values to sweep; give at least one.")
    members = [Member(dict(zip(axes, chosen, strict=True))) for chosen in itertools.product(*axes.values())]
    outcomes = run_members(mechanism, members, analysis, arguments, keep, progress)
    labels = {path: ((path,), *axis(base, path, each)) for path, each in axes.items()}
    name = getattr(analysis, "__name__", str(analysis))
    settings = {"analysis": name, "keep": keep, "interrupted": outcomes.interrupted, **arguments}
    provenance = {"analysis": "sweep", "mechanism": base.to_text(), "settings": settings}
    shape = tuple(len(each) for each in axes.values())
    assert math.prod(shape) == len(members)
    return stack(outcomes.results, outcomes.states, shape, labels, provenance)


def axis(mechanism: Mechanism, path: str, values: Sequence[Any]) -> tuple[np.ndarray, dict[str, Any]]:
    """Numbers in SI of the values of a path, and the attributes of their dimension."""
    from closedchain.description.values import ValueProblem, make_value

    unit = mechanism.values()[path].unit
    names = mechanism.parameter_numbers()
    numbers = []
    for value in values:
        try:
            numbers.append(float(make_value(value, unit).evaluate(names)))
        except ValueProblem as problem:
            raise MechanismError(f"{path} cannot be {value!r}: {problem}.") from None
        except KeyError as missing:
            raise MechanismError(f"{path} cannot be {value!r}: {missing} is not in [parameters].") from None
    return np.array(numbers), {"units": unit, "long_name": path}


def paired(mechanism: Mechanism, values: Mapping[str, Any], dim: str) -> Variables:
    """Numbers of several paths along one dimension, as labels."""
    return {path: ((dim,), *axis(mechanism, path, list(each))) for path, each in values.items()}
