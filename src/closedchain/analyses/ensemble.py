"""Ensembles: simulations from many starts or with many sets of values, side by side."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.keep import Keep, check_keep
from closedchain.analyses.members import Member, Progress, check_paths, checked_arguments, run_members
from closedchain.analyses.simulate import simulate
from closedchain.analyses.stacking import stack
from closedchain.analyses.sweep import paired
from closedchain.description import Mechanism
from closedchain.exceptions import MechanismError
from closedchain.model import Model, compile

if TYPE_CHECKING:
    import xarray as xr


def ensemble(
    mechanism: Mechanism | Model,
    until: float,
    starts: Sequence[Any] | None = None,
    values: Mapping[str, Any] | None = None,
    *,
    keep: Keep = "samples",
    progress: Progress | None = None,
    **arguments: Any,
) -> "xr.Dataset":
    """Simulations of many members, one per start or per set of values, along the dimension `member`.

    until: end time [s]. starts: one start per member, each as `simulate` takes it. values: {path: one value per
    member}, paired and not combined; with both, they pair too. keep, progress: as in `sweep`. arguments: of `simulate`.

    `status` and `reason` are as in `sweep`; the values are coordinates along `member`.

    Raises MechanismError for paths or arguments that do not exist, or lengths that differ.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -9.81]},
    ...     "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "guess": "-90 deg"}},
    ... })
    >>> ds = cc.ensemble(m, until=0.1, starts=[{"A": -1.5}, {"A": -1.6}], keep="final")
    >>> ds.q.dims, ds.status.values.tolist()
    (('member', 'coordinate'), ['done', 'done'])
    """
    check_keep(keep)
    if starts is not None and (isinstance(starts, Mapping | str) or not isinstance(starts, Sequence | np.ndarray)):
        raise MechanismError(f"starts is {starts!r}; give a list with one start per member.")
    given = {path: list(np.atleast_1d(np.asarray(each, dtype=object)).ravel()) for path, each in (values or {}).items()}
    counts = {len(each) for each in given.values()} | ({len(starts)} if starts is not None else set())
    if len(counts) != 1 or counts == {0}:
        raise MechanismError(
            "give starts, or values with one entry per member"
            + (f"; the lengths {sorted(counts)} do not agree." if counts else ".")
        )
    count = counts.pop()
    checked_arguments(simulate, {"until": until, **arguments})
    base = compile(mechanism).mechanism
    check_paths(base, list(given))
    members = [
        Member({path: each[k] for path, each in given.items()}, {"start": starts[k]} if starts is not None else {})
        for k in range(count)
    ]
    outcomes = run_members(mechanism, members, simulate, {"until": until, **arguments}, keep, progress)
    labels = {"member": (("member",), np.arange(count), {"long_name": "member"}), **paired(base, given, "member")}
    settings = {"until": float(until), "keep": keep, "interrupted": outcomes.interrupted}
    settings |= {name: value for name, value in arguments.items() if name != "start"}
    provenance = {"analysis": "ensemble", "mechanism": base.to_text(), "settings": settings}
    return stack(outcomes.results, outcomes.states, (count,), labels, provenance)
