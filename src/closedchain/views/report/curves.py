"""Curves of a report: every variable over time in readable units, packed small with its extremes kept."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.language import tr
from closedchain.results import units_of
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.readable import unit_for
from closedchain.views.report.thinning import telling

if TYPE_CHECKING:
    import xarray as xr

# Vectors whose size is what people look at; their parts can be switched on.
SIZES = ("reaction_force", "reaction_moment", "contact_force", "eccentricity")
ENERGIES = ("kinetic_energy", "potential_energy", "dissipated_energy", "input_work")


def quantities() -> dict[str, tuple[str, tuple[str, ...]]]:
    """What is drawn together: identifier -> title, variables; in the order of the page."""
    return {
        "position": (tr("Output position"), ("position",)),
        "velocity": (tr("Output velocity"), ("velocity",)),
        "acceleration": (tr("Output acceleration"), ("acceleration",)),
        "q": (tr("Joint coordinates"), ("q",)),
        "qd": (tr("Joint rates"), ("qd",)),
        "qdd": (tr("Joint accelerations"), ("qdd",)),
        "effort": (tr("Actuator effort"), ("effort",)),
        "power": (tr("Actuator power"), ("power",)),
        "reaction_force": (tr("Reaction forces"), ("reaction_force",)),
        "reaction_moment": (tr("Reaction moments"), ("reaction_moment",)),
        "contact_force": (tr("Contact force"), ("contact_force",)),
        "penetration": (tr("Penetration of the pin"), ("penetration",)),
        "eccentricity": (tr("Pin centre in the bore"), ("eccentricity",)),
        "energy": (tr("Energies"), ENERGIES),
        "closure": (tr("Loop closure"), ("closure",)),
    }


def variable_words() -> dict[str, str]:
    """Names of variables that share a drawing."""
    words = (tr("kinetic"), tr("potential"), tr("dissipated"), tr("input work"))
    return dict(zip(ENERGIES, words, strict=True))


@dataclass(frozen=True)
class Channel:
    """A curve: its variable, the labels that name it, SI unit, values over time (n,), whether it is seen at first."""

    variable: str
    name: str
    unit: str
    values: np.ndarray
    shown: bool = True


def packed_curves(chapters: Sequence[Chapter]) -> list[dict[str, Any]]:
    """Per study its times and groups of channels; a group has one unit in all studies, so that they can be compared."""
    found = {
        chapter.name: {name: list(channels(chapter.data, names)) for name, (_, names) in quantities().items()}
        for chapter in chapters
    }
    sizes: dict[tuple[str, str], float] = {}
    for groups in found.values():
        for name, each in groups.items():
            for channel in each:
                size = float(np.nanmax(np.abs(channel.values), initial=0.0))
                sizes[name, channel.unit] = max(sizes.get((name, channel.unit), 0.0), size)
    result = []
    for chapter in chapters:
        time = chapter.data["time"].values.astype(float)
        every = [channel for each in found[chapter.name].values() for channel in each]
        kept = iter(telling(time, np.stack([channel.values for channel in every], axis=1)).T if every else [])
        marks = {id(channel): mask for channel, mask in zip(every, kept, strict=True)}
        groups = []
        for name, each in found[chapter.name].items():
            title = quantities()[name][0]
            for unit in dict.fromkeys(channel.unit for channel in each):
                shown = unit_for(unit, sizes[name, unit])
                some = [channel for channel in each if channel.unit == unit]
                groups.append(
                    {
                        "id": f"{name} {shown.name}",
                        "title": title,
                        "unit": shown.name,
                        "channels": [
                            {"name": one.name, "on": one.shown, **packed(one.values * shown.factor, marks[id(one)])}
                            for one in some
                        ],
                    }
                )
        result.append({"study": chapter.name, "t": as_text(time), "groups": groups})
    return result


def channels(ds: "xr.Dataset", names: Sequence[str]) -> Iterator[Channel]:
    """Every curve of some variables of a result."""
    for variable in names:
        if variable not in ds or "time" not in ds[variable].dims or not ds[variable].size:
            continue
        array = ds[variable].transpose("time", ...)
        dims = [str(dim) for dim in array.dims if dim != "time"]
        texts = {dim: [str(label) for label in array[dim].values] for dim in dims}
        values = np.asarray(array.values, dtype=float)
        sized = variable in SIZES and dims[-1] == "axis" and values.shape[-1] > 1
        if sized:
            sizes = np.linalg.norm(values, axis=-1)
            for place in np.ndindex(*sizes.shape[1:]):
                chosen = {dim: texts[dim][number] for dim, number in zip(dims[:-1], place, strict=True)}
                name = f"{' '.join(chosen.values())} {tr('size')}"
                yield Channel(variable, name, units_of(ds, variable, chosen), sizes[(slice(None), *place)])
        for place in np.ndindex(*values.shape[1:]):
            label = {dim: texts[dim][number] for dim, number in zip(dims, place, strict=True)}
            name = " ".join(label.values()) or variable_words().get(variable, variable)
            yield Channel(variable, name, units_of(ds, variable, label), values[(slice(None), *place)], not sized)


def packed(values: np.ndarray, kept: np.ndarray) -> dict[str, str]:
    """A curve as text: all samples, or those that are kept (a mask) with their numbers, where that is shorter."""
    if kept.sum() > 0.6 * len(values):
        return {"y": as_text(values)}
    places = np.flatnonzero(kept)
    return {"y": as_text(values[places]), "i": numbers_as_text(places, len(values))}


def as_text(values: np.ndarray) -> str:
    """Numbers as base64 of little-endian float32."""
    return base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode("ascii")


def numbers_as_text(places: np.ndarray, count: int) -> str:
    """Numbers of samples as base64, of 2 bytes where they fit."""
    return base64.b64encode(places.astype("<u2" if count < 65536 else "<u4").tobytes()).decode("ascii")


def usual(packed: Sequence[dict[str, Any]]) -> list[str]:
    """The drawings that are open at first: where it goes, what drives it, what strikes it."""
    there = list(dict.fromkeys(group["id"] for study in packed for group in study["groups"]))
    chosen = []
    for wanted in ("position", "effort", "contact_force", "q", "velocity", "energy"):
        chosen += [name for name in there if name.split(" ")[0] == wanted][:1]
    return chosen[:3]
