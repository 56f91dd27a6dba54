"""Bifurcation diagrams: the section of the settled motion over one number of the mechanism."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.dynamics_checks import require_count, require_time
from closedchain.analyses.members import Member, Progress, check_paths, checked_arguments, run_members
from closedchain.analyses.poincare import period_of
from closedchain.analyses.signals import signals
from closedchain.analyses.simulate import simulate
from closedchain.analyses.stacking import DONE, FAILED
from closedchain.analyses.sweep import axis
from closedchain.description import Mechanism
from closedchain.exceptions import ClosedChainError, MechanismError
from closedchain.model import Model, compile
from closedchain.results import VARIABLES, dataset

if TYPE_CHECKING:
    import xarray as xr


def bifurcation(
    mechanism: Mechanism | Model,
    path: str,
    values: Any,
    *,
    period: Any,
    transient: int = 100,
    keep: int = 50,
    channel: str | Sequence[str] = "",
    phase: float = 0.0,
    progress: Progress | None = None,
    **arguments: Any,
) -> "xr.Dataset":
    """The stroboscopic section of the settled motion for every value of one number.

    path, values: as in `sweep`. period: of the drive [s], a quantity, or an expression of the parameters
    ("2*pi/speed"), which then follows the swept value. transient: periods that are left out; keep: periods that are
    kept. channel: what is seen, such as "qd.A", or several. phase: of the stroboscope [s]. progress: as in `sweep`.
    arguments: of `simulate`.

    The members run side by side; the samples at the strobe instants come from the integrator's dense output. `section`
    (path, strobe, channel), `status` and `reason` (path) as in `sweep`.

    Raises MechanismError for paths, channels or arguments that do not exist.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -9.81]},
    ...     "parameters": {"l": 1.0},
    ...     "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": ["l", 0.0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"], "guess": "-90 deg"}},
    ... })
    >>> ds = cc.bifurcation(m, "parameters.l", [1.0, 1.1], period=0.1, transient=1, keep=2, channel="q.A")
    >>> ds.section.dims, ds.section.shape
    (('parameters.l', 'strobe', 'channel'), (2, 2, 1))
    """
    base = compile(mechanism).mechanism
    names = [channel] if isinstance(channel, str) else list(channel)
    if not names or not all(names):
        raise MechanismError('give channel = ..., such as "qd.A", or several.')
    if unknown := [name for name in names if name.split(".")[0] not in VARIABLES]:
        raise MechanismError(f'{unknown[0]!r} is no channel of a simulation; such are "qd.A" and "position.P.x".')
    require_count("transient", transient, 0)
    require_count("keep", keep, 1)
    require_time("phase", phase)
    checked_arguments(simulate, {"until": 1.0, **arguments})
    check_paths(base, [path])
    chosen = list(np.atleast_1d(np.asarray(values, dtype=object)).ravel())
    numbers, text = axis(base, path, chosen)
    if not chosen:
        raise MechanismError(f"{path} has no values; give at least one.")
    told = [member(base, path, value, (period, phase, transient, keep)) for value in chosen]
    if all(reason for _, reason in told):
        raise MechanismError(told[0][1])
    wanted = list(dict.fromkeys(each.split(".")[0] for each in names))
    outcomes = run_members(mechanism, [each for each, _ in told], simulate, arguments, wanted, progress)
    section = np.full((len(chosen), keep, len(names)), np.nan)
    for k, result in enumerate(outcomes.results):
        if told[k][1]:
            outcomes.states[k] = (FAILED, told[k][1])
        elif result is not None:
            try:
                section[k] = signals(result.dataset(), names)
            except ClosedChainError as error:
                if all(status != DONE or j == k for j, (status, _) in enumerate(outcomes.states[: k + 1])):
                    raise
                outcomes.states[k] = (FAILED, str(error))
    states = np.array(outcomes.states, dtype=object).reshape(-1, 2)
    return dataset(
        {
            "section": ((path, "strobe", "channel"), section, {"long_name": "section of the settled motion"}),
            "status": ((path,), states[:, 0].astype(str), {"long_name": "done, failed or not run"}),
            "reason": ((path,), states[:, 1].astype(str), {"long_name": "why the member failed"}),
        },
        {"strobe": np.arange(transient, transient + keep), "channel": names},
        analysis="bifurcation",
        mechanism=base.to_text(),
        settings={"path": path, "period": period, "transient": transient, "keep": keep, "phase": phase,
                  "interrupted": outcomes.interrupted},
    ).assign_coords({path: (path, numbers, text)})  # fmt: skip


def member(base: Mechanism, path: str, value: Any, strobe: tuple[Any, float, int, int]) -> tuple[Member, str]:
    """One value with the instants of its own stroboscope, and why it has none."""
    period, phase, transient, keep = strobe
    reason, seconds = "", 1e-6
    try:
        seconds = period_of(base.with_values({path: value}) if isinstance(period, str) else base, period)
    except MechanismError as error:
        reason = str(error)
    times = phase + seconds * np.arange(transient, transient + keep)
    return Member({path: value}, {"until": float(max(times[-1], 1e-3 * seconds)), "times": times}), reason
