"""Poincaré sections: the motion seen once per period, or where it passes a surface."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.analyses.dynamics_checks import require_time
from closedchain.analyses.signals import signal, signals, usual_channels
from closedchain.description import Mechanism, loads
from closedchain.exceptions import MechanismError
from closedchain.model import Model, compile
from closedchain.results import dataset

if TYPE_CHECKING:
    import xarray as xr

# Samples per run where a surface is looked for and no times are given.
SAMPLES = 20001
# Of the largest distance of a channel from the surface: below this it lies on it.
ROUNDED = 1e-12


def poincare(
    source: "xr.Dataset | Mechanism | Model",
    *,
    period: Any = None,
    event: Any = None,
    channels: Sequence[str] | str | None = None,
    transient: float = 0.0,
    phase: float = 0.0,
    until: float | None = None,
    **arguments: Any,
) -> "xr.Dataset":
    """The points in which a motion meets a section, along the dimension `crossing`.

    source: a result over time, or a mechanism, which is then simulated until `until` [s] with `arguments` of
    `simulate`: at the strobe instants themselves, from the integrator's dense output. period: of the stroboscope [s],
    a quantity or an expression of the parameters; it flashes at transient + phase + k period. event: {"channel":
    "q.A", "value": 0.0, "direction": 1}, where the channel passes the value rising (1), falling (-1) or both ways
    (0), or the channel's name for value 0 rising; what touches the value and turns back does not pass it; or
    "contact" for every start of contact. channels: what is kept, such as ["q.A", "qd.A"]; all coordinates and rates
    otherwise. transient: what comes earlier is left out [s].

    Between samples the channels are cubic splines (times of a surface are the splines' roots); samples that fall on an
    instant are taken as they are. `section` (crossing, channel), `crossing_time` (crossing).

    Raises MechanismError unless exactly one of period and event is given, or where channels do not exist.

    >>> import numpy as np
    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> ds = cc.kinematics(m, np.linspace(0.0, 1.0, 101))
    >>> section = cc.poincare(ds, period=0.25, channels=["position.P.x"])
    >>> section.section.shape
    (5, 1)
    """
    if (period is None) == (event is None):
        raise MechanismError("give period = ... for a stroboscope, or event = ... for a surface, and not both.")
    require_time("transient", transient)
    require_time("phase", phase, -np.inf)
    if isinstance(source, Mechanism | Model):
        source, period = simulated(source, period, transient + phase, until, arguments)
    elif arguments:
        raise MechanismError(f"a result takes no {', '.join(arguments)}; these are for a mechanism that is simulated.")
    elif isinstance(period, str):
        # as the mechanism inside the result says
        period = period_of(loads(source.attrs.get("mechanism", "")), period)
    names = [channels] if isinstance(channels, str) else list(channels or usual_channels(source))
    t = source["time"].values
    if len(t) < 2:
        raise MechanismError("the result has fewer than two instants; a section needs a motion over time.")
    if period is not None:
        instants = flashes(float(period), transient + phase, t[0], t[-1])
        settings: dict[str, Any] = {"period": float(period), "phase": phase}
    else:
        instants = crossings(source, event)
        instants = instants[instants >= transient]
        settings = {"event": event}
    return dataset(
        {
            "section": (
                ("crossing", "channel"),
                at_instants(t, signals(source, names), instants),
                {"long_name": "section"},
            ),
            "crossing_time": (("crossing",), instants, {"units": "s", "long_name": "time of the crossing"}),
        },
        {"crossing": np.arange(len(instants)), "channel": names},
        analysis="poincare",
        mechanism=source.attrs.get("mechanism", ""),
        settings={**settings, "transient": transient},
    )


def simulated(source: Any, period: Any, first: float, until: float | None, arguments: dict[str, Any]):
    """The simulation of a mechanism at what its section needs, and the period in seconds."""
    from closedchain.analyses.simulate import sample_times, simulate

    if until is None:
        raise MechanismError("give until = ..., the end of the simulation in seconds.")
    sample_times(until, None)
    if period is None:
        arguments.setdefault("times", np.linspace(0.0, until, SAMPLES))
        return simulate(source, until, **arguments), None
    seconds = period_of(compile(source).mechanism, period)
    times = np.union1d([0.0, until], flashes(seconds, first, 0.0, until))
    return simulate(source, until, **{**arguments, "times": times}), seconds


def period_of(mechanism: Mechanism, period: Any) -> float:
    """A period in seconds: a number, a quantity, or an expression of the mechanism's parameters."""
    from closedchain.description.values import ValueProblem, make_value

    try:
        seconds = float(make_value(period, "s").evaluate(mechanism.parameter_numbers()))
    except (ValueProblem, KeyError) as problem:
        raise MechanismError(f"the period cannot be {period!r}: {problem}.") from None
    if not (np.isfinite(seconds) and seconds > 0.0):
        raise MechanismError(f"the period is {seconds:g} s; it must be positive.")
    return seconds


def flashes(period: float, first: float, start: float, end: float) -> np.ndarray:
    """Instants first + k period, k >= 0, from start to end."""
    if not period > 0.0:
        raise MechanismError(f"the period is {period:g} s; it must be positive.")
    slack = 1e-9 * period
    k = np.arange(
        max(0, int(np.ceil((start - first - slack) / period))), int(np.floor((end - first + slack) / period)) + 1
    )
    return np.clip(first + k * period, start, end)


def crossings(ds: "xr.Dataset", event: Any) -> np.ndarray:
    """Instants at which a surface is passed."""
    if event == "contact":
        if "contact_time" not in ds:
            raise MechanismError("event is 'contact', but the result has no contacts; simulate with loose joints.")
        return np.asarray(ds["contact_time"].values)
    said = dict(event) if isinstance(event, Mapping) else {"channel": event}
    unknown = set(said) - {"channel", "value", "direction"}
    if unknown or "channel" not in said:
        raise MechanismError("event is {'channel': name, 'value': number, 'direction': 1, -1 or 0}, or 'contact'.")
    beyond = signal(ds, said["channel"]) - finite("value", said.get("value", 0.0))
    return passages(ds["time"].values, beyond, finite("direction", said.get("direction", 1)))


def finite(name: str, number: Any) -> float:
    """A number of the event; raises MechanismError for anything else."""
    try:
        value = float(number)
    except (TypeError, ValueError):
        value = np.nan
    if not np.isfinite(value):
        raise MechanismError(f"the event's {name} is {number!r}; give a number.")
    return value


def passages(t: np.ndarray, beyond: np.ndarray, direction: float) -> np.ndarray:
    """Instants at which a sampled channel changes its sign, rising (direction > 0), falling (< 0) or both ways (0).

    What touches zero and turns back does not pass it; what stays there for a while passes when it arrives.
    """
    from scipy.interpolate import CubicSpline
    from scipy.optimize import brentq

    apart = np.concatenate([[True], np.diff(t) > 0.0])
    t, beyond = t[apart], beyond[apart]
    side = np.where(np.abs(beyond) > ROUNDED * np.abs(beyond).max(), np.sign(beyond), 0.0)
    off = np.flatnonzero(side)
    before, after = off[:-1], off[1:]
    passing = (side[before] != side[after]) & ((direction == 0.0) | (side[after] == np.sign(direction)))
    spline = CubicSpline(t, beyond)
    return np.array(
        [
            brentq(spline, t[i], t[j], xtol=1e-15) if j == i + 1 else t[i + 1]
            for i, j in zip(before[passing], after[passing], strict=True)
        ]
    )


def at_instants(t: np.ndarray, values: np.ndarray, instants: np.ndarray) -> np.ndarray:
    """Values (n, channel) at instants: a sample where there is one, cubic splines between."""
    place = np.clip(np.searchsorted(t, instants), 1, len(t) - 1)
    place -= instants - t[place - 1] < t[place] - instants
    met = np.abs(t[place] - instants) <= 1e-9 * (t[-1] - t[0])
    found = values[place].copy()
    if not met.all():
        from scipy.interpolate import CubicSpline

        apart = np.concatenate([[True], np.diff(t) > 0.0])
        found[~met] = CubicSpline(t[apart], values[apart])(instants[~met])
    return found
