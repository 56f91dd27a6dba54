"""A result as a moving picture: what a body carries is kept once in its axes, the bodies' places once per frame.

Every view that moves (animation, report, viewer) draws these frames; none of them computes mechanics.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from closedchain.exceptions import ClosedChainError
from closedchain.views.parts import Part, make_parts, seat_of, seat_places
from closedchain.views.scene import GROUND, Plan, Scene, make_plan, moved, scene_at

if TYPE_CHECKING:
    import xarray as xr

COUNT = 240
FEW = 25  # frames that show how far things reach


@dataclass(frozen=True)
class Frames:
    """A motion as pictures.

    times (frames,): of the samples that are shown; unit: "s", or "" where the result counts samples. bodies: names,
    the ground first, then what else carries parts; places (frames, bodies, 4, 4): from their axes to ground axes.
    outputs: name -> positions (frames, 3). forces: loose joint -> place and contact force on the journal, each
    (frames, 3). parts: what is drawn, in order.
    """

    name: str
    planar: bool
    size: float
    times: np.ndarray
    unit: str
    bodies: tuple[str, ...]
    places: np.ndarray
    parts: tuple[Part, ...]
    outputs: Mapping[str, np.ndarray]
    forces: Mapping[str, tuple[np.ndarray, np.ndarray]]

    def __len__(self) -> int:
        return len(self.times)

    def drawn(self, frame: int) -> Iterator[tuple[Part, np.ndarray]]:
        """The parts of a frame with their points in ground axes [m], (n, 3)."""
        for part in self.parts:
            if part.points.ndim == 3:
                yield part, part.points[frame]
            else:
                yield part, moved(self.places[frame, self.bodies.index(part.body)], part.points)

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper corner of everything that is drawn in any frame [m], each (3,)."""
        clouds = [part.points.reshape(-1, 3) for part in self.parts if part.points.ndim == 3]
        for k, body in enumerate(self.bodies):
            own = [part.points for part in self.parts if part.body == body and part.points.ndim == 2]
            if own:
                points = np.concatenate(own)
                clouds.append(
                    (points @ self.places[:, k, :3, :3].swapaxes(1, 2) + self.places[:, k, None, :3, 3]).reshape(-1, 3)
                )
        clouds += list(self.outputs.values())
        cloud = np.concatenate(clouds) if clouds else np.zeros((1, 3))
        return cloud.min(axis=0), cloud.max(axis=0)

    @property
    def largest_force(self) -> float:
        """Largest contact force of any frame [N]."""
        return max(
            (float(np.linalg.norm(force, axis=1).max(initial=0.0)) for _, force in self.forces.values()), default=0.0
        )

    def as_json(self) -> dict[str, Any]:
        """The frames as plain numbers for a page, lengths rounded to 1e-5 of the size.

        `places`: per frame and body [x, y, angle] in the plane, [x, y, z, w, i, j, k] (quaternion) in space. A part
        has `points` in the axes of body number `body`, or `frames`: points in ground axes per frame.
        """
        digits = max(0, 5 - int(np.floor(np.log10(self.size))))
        axes = 2 if self.planar else 3

        def lengths(points: np.ndarray) -> Any:
            return np.round(points[..., :axes], digits).tolist()

        parts = []
        for part in self.parts:
            entry: dict[str, Any] = {
                "role": part.role, "name": part.name, "kind": part.kind, "colour": part.colour, "fill": part.fill,
                "thin": part.thin, "level": part.level,
            }  # fmt: skip
            if part.points.ndim == 3:
                entry["frames"] = lengths(part.points)
            else:
                entry |= {"body": self.bodies.index(part.body), "points": lengths(part.points)}
            parts.append(entry)
        low, high = self.bounds
        return {
            "name": self.name, "planar": self.planar, "size": self.size, "unit": self.unit,
            "bounds": [lengths(low), lengths(high)], "times": np.round(self.times, 9).tolist(),
            "bodies": list(self.bodies), "places": self._turned(digits), "parts": parts,
            "outputs": {name: lengths(path) for name, path in self.outputs.items()},
            "forces": {
                name: {"at": lengths(at), "force": rounded(force[:, :axes], 1e-3 * self.largest_force)}
                for name, (at, force) in self.forces.items()
            },
            "largest_force": self.largest_force,
        }  # fmt: skip

    def _turned(self, digits: int) -> list[Any]:
        """Places of the bodies as numbers per frame and body."""
        origin = self.places[..., :3, 3]
        if self.planar:
            angle = np.arctan2(self.places[..., 1, 0], self.places[..., 0, 0])
            found = np.concatenate([np.round(origin[..., :2], digits), np.round(angle, 4)[..., None]], axis=-1)
        else:
            found = np.concatenate([np.round(origin, digits), np.round(quaternions(self.places), 5)], axis=-1)
        return found.tolist()


def make_frames(ds: "xr.Dataset", count: int = COUNT, times: Any = None) -> Frames:
    """The frames of a result over time: its samples nearest to `count` equal times, or to `times` [s].

    Raises ClosedChainError where the result has no motion over time or holds several runs.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> frames = make_frames(cc.kinematics(m, [0.0, 0.25, 0.5]))
    >>> len(frames), frames.bodies
    (3, ('ground', 'crank', 'coupler', 'rocker'))
    """
    from closedchain.description import loads

    if "time" not in ds.dims or not ds.sizes["time"] or "q" not in ds or not ds.attrs.get("mechanism"):
        have = ds.attrs.get("analysis") or "nothing known"
        raise ClosedChainError(
            f"A moving picture needs a motion over time, and this is a result of {have}; "
            "give one of kinematics, inverse_dynamics or simulate."
        )
    swept = [str(dim) for dim in ds["q"].dims if dim not in ("time", "coordinate")]
    if swept:
        raise ClosedChainError(
            f"This result holds several runs, over {', '.join(swept)}; choose one, as in ds.isel({{{swept[0]!r}: 0}})."
        )
    ds = ds.isel(time=nearest(ds["time"].values, count, times)).transpose("time", ...)
    m = loads(ds.attrs["mechanism"])
    plan = make_plan(m)
    at = body_places(ds, m)
    n = ds.sizes["time"]
    few = np.unique(np.linspace(0, n - 1, min(n, FEW)).round().astype(int))
    scenes, parts = drawn_at(plan, at, few)
    if len(few) < n and any(part.points.ndim == 3 or part.body not in at for part in parts):
        # Something changes its form or moves as no body does, such as a telescope: every frame is looked at.
        scenes, parts = drawn_at(plan, at, np.arange(n))
    seats = {seat_of(joint.name): seat_places(scenes, k) for k, joint in enumerate(plan.joints)}
    at |= {seat: places for seat, places in seats.items() if any(part.body == seat for part in parts)}
    bodies = (GROUND, *(body for body in at if body != GROUND))
    return Frames(
        name=plan.name,
        planar=plan.planar,
        size=max(scene.size for scene in scenes),
        times=ds["time"].values.astype(float),
        unit="" if ds.attrs.get("time_axis") == "sample" else "s",
        bodies=bodies,
        places=np.stack([at[body] for body in bodies], axis=1),
        parts=parts,
        outputs={name: carried(at[body], point) for name, (body, point) in plan.outputs.items()},
        forces=contact_forces(ds, plan, at),
    )


def drawn_at(plan: Plan, at: Mapping[str, np.ndarray], chosen: np.ndarray) -> tuple[list[Scene], tuple[Part, ...]]:
    """The scenes of the chosen frames, and the parts they are drawn with, lowest first."""
    places = {body: each[chosen] for body, each in at.items()}
    scenes = [scene_at(plan, {body: each[k] for body, each in places.items()}) for k in range(len(chosen))]
    return scenes, tuple(sorted(make_parts(plan, places, scenes), key=lambda part: part.level))


def nearest(t: np.ndarray, count: int, times: Any) -> np.ndarray:
    """Numbers of the samples nearest to equal times, or to the given ones; each once where times are not given."""
    if times is None:
        if len(t) <= count:
            return np.arange(len(t))
        order = np.argsort(t, kind="stable")
        wanted = np.linspace(t[order[0]], t[order[-1]], count)
        return np.unique(order[closest(t[order], wanted)])
    order = np.argsort(t, kind="stable")
    return order[closest(t[order], np.asarray(times, dtype=float))]


def closest(t: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Place of the nearest of ascending numbers t for every wanted number."""
    right = np.clip(np.searchsorted(t, wanted), 1, max(1, len(t) - 1))
    left = right - 1
    right = np.minimum(right, len(t) - 1)
    return np.where(np.abs(wanted - t[left]) <= np.abs(t[right] - wanted), left, right)


def body_places(ds: "xr.Dataset", m: Any) -> dict[str, np.ndarray]:
    """Transforms (frames, 4, 4) from the axes of every body to ground axes."""
    n = ds.sizes["time"]
    still = np.repeat(np.eye(4)[None], n, axis=0)
    found = {GROUND: still}
    if "body_position" not in ds:
        values = ds["q"].transpose("coordinate", "time").values
        return found | places_of_coordinates(m, dict(zip(map(str, ds["coordinate"].values), values, strict=True)))
    evaluate = m.evaluator()
    for body in map(str, ds["body"].values):
        com = np.array([float(entry) for entry in m.bodies[body].mass_properties(evaluate)[1]])
        one = ds.sel(body=body)
        places = still.copy()
        if m.planar:
            c, s = np.cos(one["body_angle"].values), np.sin(one["body_angle"].values)
            places[:, 0, 0], places[:, 0, 1], places[:, 1, 0], places[:, 1, 1] = c, -s, s, c
        else:
            places[:, :3, :3] = one["body_rotation"].transpose("time", "axis", "body_axis").values
        axes = 2 if m.planar else 3
        places[:, :axes, 3] = one["body_position"].values
        places[:, :3, 3] -= places[:, :3, :3] @ com
        found[body] = places
    return found


def places_of_coordinates(m: Any, coordinates: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The same from the joints' coordinates alone, label -> values (frames,)."""
    from closedchain.analyses.readings import frames
    from closedchain.model import compile

    model = compile(m)
    count = len(next(iter(coordinates.values()), ()))
    q = np.zeros((count, model.topology.coordinates))
    for label, place in model.tree_coordinates.items():
        q[:, place] = coordinates[label]
    known, found = frames(model, q), {}
    for body in m.bodies:
        if body != GROUND:
            found[body] = np.repeat(np.eye(4)[None], count, axis=0)
            found[body][:, :3, :3], found[body][:, :3, 3] = known[body]
    return found


def contact_forces(
    ds: "xr.Dataset", plan: Plan, at: Mapping[str, np.ndarray]
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Loose joint -> place and contact force on its journal, each (frames, 3)."""
    found = {}
    loose = set(map(str, ds["loose_joint"].values)) if "contact_force" in ds else set()
    for joint in plan.joints:
        if joint.name in loose:
            values = ds["contact_force"].sel(loose_joint=joint.name).values
            force = np.pad(values, ((0, 0), (0, 3 - values.shape[1])))
            found[joint.name] = (carried(at[joint.bodies[1]], joint.frames[1][:3, 3]), force)
    return found


def carried(places: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Where a point (3,) of a body is in every frame, (frames, 3)."""
    return places[:, :3, :3] @ point + places[:, :3, 3]


def quaternions(places: np.ndarray) -> np.ndarray:
    """Rotations of transforms (..., 4, 4) as quaternions w, x, y, z with w not negative, (..., 4)."""
    from scipy.spatial.transform import Rotation

    flat = Rotation.from_matrix(places[..., :3, :3].reshape(-1, 3, 3)).as_quat(canonical=True)
    return np.roll(flat, 1, axis=-1).reshape(*places.shape[:-2], 4)


def rounded(values: np.ndarray, step: float) -> list[Any]:
    """Numbers as lists, to about the given step."""
    digits = 0 if step <= 0.0 else max(0, -int(np.floor(np.log10(step))))
    return np.round(values, digits).tolist()
