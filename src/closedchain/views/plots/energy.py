"""Energy balance of a motion: where the work of the drives goes, and how exactly the sum is kept."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.palette import GREY
from closedchain.views.plots.contract import FigureOfResult, holds
from closedchain.views.plots.panels import Curve, Panel, draw_panels, is_sampled, windowed
from closedchain.views.plots.style import COLOURS, styled

if TYPE_CHECKING:
    import xarray as xr

STORED = ("kinetic_energy", "potential_energy")
CARRIED = ("dissipated_energy", "input_work")


def energy(
    ds: "xr.Dataset",
    *,
    window: Sequence[float] | None = None,
    title: str | None = None,
    width: str | float = "two-column",
) -> Figure:
    """Draws kinetic, potential and dissipated energy and the input work, and below the error of their balance.

    ds: result of a simulation; of inverse dynamics the stored energies alone. Potential energy counts from the start.
    window: (from, to) [s]. title: above the figure. width: "one-column", "two-column" or inches.
    Returns a matplotlib Figure. The balance is kinetic + potential + dissipated - input, zero at the start.

    Raises ClosedChainError where the result has no energies.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True, "gravity": [0, -9.81]},
    ...     "bodies": {"ground": {}, "bob": {"mass": 1.0, "com": [1.0, 0.0]}},
    ...     "joints": {"A": {"type": "revolute", "between": ["ground.origin", "bob.origin"]}},
    ... })
    >>> [ax.get_ylabel() for ax in cc.plot.energy(cc.simulate(m, until=0.1)).axes][0]
    'energy [J]'
    """
    if not holds(ds, *STORED):
        raise ClosedChainError(tr("This result has no energies; simulate gives them."))
    whole = holds(ds, *CARRIED)
    first = float(ds["potential_energy"].values[0])
    start = (
        sum(float(ds[name].values[0]) for name in (*STORED, "dissipated_energy")) - float(ds["input_work"].values[0])
        if whole
        else 0.0
    )
    ds = windowed(ds, window)
    potential = ds["potential_energy"].values - first
    kinetic = ds["kinetic_energy"].values
    with styled():
        curves = [
            Curve(tr("kinetic"), kinetic, {"color": COLOURS[0]}),
            Curve(tr("potential, from the start"), potential, {"color": COLOURS[2]}),
        ]
        panels = []
        if whole:
            dissipated, work = (ds[name].values for name in CARRIED)
            curves.append(Curve(tr("dissipated"), dissipated, {"color": COLOURS[1]}))
            curves.append(Curve(tr("input work"), work, {"color": "black", "linestyle": (0, (5, 2))}))
            error = kinetic + potential + first + dissipated - work - start
            panels.append(Panel(tr("balance"), "J", [Curve("", error, {"color": GREY, "linewidth": 0.8})], height=0.8))
        panels.insert(0, Panel(tr("energy"), "J", curves, height=1.9))
    return draw_panels(panels, ds["time"].values, title, width, is_sampled(ds))


def of_result(ds: "xr.Dataset", names: Sequence[str], **look: Any) -> Figure:
    """The energies over the whole time."""
    return energy(ds, **look)


FIGURE = FigureOfResult(
    "kinetic, potential and dissipated energy, input work and their balance", energy, of_result,
    lambda ds: holds(ds, *STORED),
)  # fmt: skip
