"""Channels as they are printed: "qd.A" is q̇ of A in rad/s."""

from typing import TYPE_CHECKING

from closedchain.language import tr
from closedchain.results import VARIABLES
from closedchain.views.plots.style import plain

if TYPE_CHECKING:
    import xarray as xr

_SIGNS = {"qd": r"$\dot{q}$", "qdd": r"$\ddot{q}$"}


def quantity(variable: str) -> str:
    """A variable's name as printed; inside `styled()`, in the reader's language.

    >>> quantity("contact_force")
    'contact force'
    """
    return _SIGNS.get(variable) or plain(tr(variable.replace("_", " ")))


def channel_text(name: str) -> str:
    """A channel as printed, such as "position P x"."""
    variable = variable_of(name)
    labels = name[len(variable) + 1 :].replace(".", " ")
    return quantity(variable) + (f" {plain(labels)}" if labels else "")


def channel_unit(ds: "xr.Dataset", name: str) -> str:
    """Unit in SI of a channel such as "q.A", from the mechanism inside the result; "" where it is not known."""
    from closedchain.description import loads

    variable = variable_of(name)
    known = VARIABLES.get(variable)
    if known is None:
        return ""
    label = name[len(variable) + 1 :]
    dim = known.units.partition("{")[2].partition("}")[0]
    if not dim:
        return known.units
    m = loads(ds.attrs["mechanism"])
    if dim == "actuator":
        unit = "N*m" if label in m.actuators and m.actuators[label].joint.unit == "rad" else "N"
    else:
        joint, part = (label, "") if label in m.joints else label.rpartition(".")[::2]
        form = m.joints[joint].form if joint in m.joints else None
        unit = dict(zip(form.rates, form.units, strict=True)).get(part, "1") if form else "1"
    return known.units.replace("{" + dim + "}", unit)


def variable_of(name: str) -> str:
    """The variable of a channel's name."""
    return max(
        (each for each in VARIABLES if f"{name}.".startswith(f"{each}.")), key=len, default=name.partition(".")[0]
    )
