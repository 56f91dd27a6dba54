"""A result as it is played back: places of the bodies, forces, play and numbers at every instant."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr
from closedchain.views.frames import body_places
from closedchain.views.scene import Plan

if TYPE_CHECKING:
    import xarray as xr

USUAL = 95.0


@dataclass(frozen=True, eq=False)
class Film:
    """A result over time, ready to be shown.

    times [s] (n,); unit "s", or "" where the result counts samples; places: body -> transforms (n, 4, 4); outputs:
    name -> path [m] (n, 3); arrows: "contact" or "reaction" -> joint -> (places [m], forces [N]), each (n, 3); play:
    loose joint -> (eccentricity [m] (n, 3), in contact (n,)); ds: the result itself.
    """

    ds: "xr.Dataset"
    times: np.ndarray
    unit: str
    places: Mapping[str, np.ndarray]
    outputs: Mapping[str, np.ndarray]
    arrows: Mapping[str, Mapping[str, tuple[np.ndarray, np.ndarray]]]
    play: Mapping[str, tuple[np.ndarray, np.ndarray]]

    def __len__(self) -> int:
        return len(self.times)

    def at(self, frame: int) -> dict[str, np.ndarray]:
        """Places of the bodies at an instant, (4, 4) each."""
        return {body: places[frame] for body, places in self.places.items()}

    def frame(self, time: float) -> int:
        """The instant nearest to a time."""
        return int(np.abs(self.times - time).argmin())

    @cached_property
    def usual_force(self) -> dict[str, float]:
        """Kind of arrow -> the force [N] that all but a twentieth stay below: peaks of impacts do not hide the rest."""
        found = {}
        for kind, joints in self.arrows.items():
            sizes = np.concatenate([np.linalg.norm(force, axis=1) for _, force in joints.values()] or [np.zeros(1)])
            acting = sizes[sizes > 1e-9 * max(float(sizes.max(initial=0.0)), 1e-300)]
            found[kind] = float(np.percentile(acting, USUAL)) if len(acting) else 0.0
        return found

    @cached_property
    def corners(self) -> dict[str, np.ndarray]:
        """Body -> twenty places of its origin, output -> its path [m], (n, 3): what a camera has to see."""
        every = max(1, len(self) // 20)
        return {body: places[::every, :3, 3] for body, places in self.places.items()} | dict(self.outputs)

    def numbers(self, frame: int) -> list[tuple[str, float, str]]:
        """Name, value and unit of what a reader wants at an instant: efforts, contact forces, penetrations."""
        from closedchain.results import units_of

        ds, rows = self.ds, []
        if "effort" in ds:
            for name in map(str, ds["actuator"].values):
                value = float(ds["effort"].sel(actuator=name).values[frame])
                rows.append((name, value, units_of(ds, "effort", {"actuator": name})))
        for name, (_, force) in self.arrows.get("contact", {}).items():
            rows.append((f"{tr('contact')} {name}", float(np.linalg.norm(force[frame])), "N"))
        return rows


def make_film(ds: "xr.Dataset", m: Any, plan: Plan) -> Film:
    """The film of a result over time.

    Raises ClosedChainError where the result has no motion over time, or holds several runs.
    """
    if "time" not in ds.dims or not ds.sizes["time"] or "q" not in ds:
        raise ClosedChainError(
            tr(
                "The viewer plays motions over time, and this is a result of {analysis}; give one of kinematics, "
                "inverse_dynamics or simulate.",
                analysis=ds.attrs.get("analysis") or tr("nothing known"),
            )
        )
    swept = [str(dim) for dim in ds["q"].dims if dim not in ("time", "coordinate")]
    if swept:
        raise ClosedChainError(
            tr(
                "This result holds several runs, over {names}; choose one, as in ds.isel({first}=0).",
                names=", ".join(swept), first=swept[0],
            )
        )  # fmt: skip
    ds = ds.transpose("time", ...).sortby("time")
    places = body_places(ds, m)
    seats = {joint.name: moved_all(places[joint.bodies[1]], joint.frames[1][:3, 3]) for joint in plan.joints}
    loose = set(map(str, ds["loose_joint"].values)) if "contact_force" in ds else set()
    arrows: dict[str, dict[str, tuple[np.ndarray, np.ndarray]]] = {"contact": {}, "reaction": {}}
    for name in loose:
        arrows["contact"][name] = (seats[name], spatial(ds["contact_force"].sel(loose_joint=name).values))
    if "reaction_force" in ds:
        for name in map(str, ds["joint"].values):
            if name not in loose:
                arrows["reaction"][name] = (seats[name], spatial(ds["reaction_force"].sel(joint=name).values))
    play = {}
    if "eccentricity" in ds:
        for name in map(str, ds["loose_joint"].values):
            one = ds.sel(loose_joint=name)
            touching = one["in_contact"].values.astype(bool) if "in_contact" in ds else np.zeros(ds.sizes["time"], bool)
            play[name] = (spatial(one["eccentricity"].values), touching)
    outputs = {name: moved_all(places[body], point) for name, (body, point) in plan.outputs.items()}
    return Film(
        ds=ds,
        times=ds["time"].values.astype(float),
        unit="" if ds.attrs.get("time_axis") == "sample" else "s",
        places=places,
        outputs=outputs,
        arrows={kind: joints for kind, joints in arrows.items() if joints},
        play=play,
    )


def moved_all(places: np.ndarray, point: np.ndarray) -> np.ndarray:
    """A point of a body (3,) under transforms (n, 4, 4), (n, 3)."""
    return places[:, :3, :3] @ point + places[:, :3, 3]


def spatial(values: np.ndarray) -> np.ndarray:
    """Vectors (n, 2) or (n, 3) as (n, 3)."""
    return np.concatenate([values, np.zeros((len(values), 3 - values.shape[1]))], axis=1)


def motion_of_file(m: Any) -> "xr.Dataset":
    """Kinematics of the motions that the mechanism's file gives, over the time of its first study that says one.

    Raises ClosedChainError where the motions do not determine the mechanism, or cannot be followed.
    """
    from closedchain.analyses.kinematics import kinematics

    until = next((study.arguments["until"] for study in m.studies.values() if "until" in study.arguments), 2.0)
    return kinematics(m, np.linspace(0.0, float(until), 301))


def has_motion(m: Any) -> bool:
    """Whether the file gives motions over time."""
    return bool(m.motions) or any(actuator.motion is not None for actuator in m.actuators.values())
