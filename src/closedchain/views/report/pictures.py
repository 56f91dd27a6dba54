"""The moving pictures of a report: what is drawn is found at a few instants, the places of the bodies at many."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from closedchain.exceptions import ClosedChainError
from closedchain.views.frames import Frames, body_places, make_frames, nearest
from closedchain.views.report.chapter import Chapter
from closedchain.views.report.gaps import packed_gaps
from closedchain.views.scene import make_plan, moved

FEW, MANY = 25, 240


def packed_motions(moving: Sequence[Chapter]) -> list[dict[str, Any]]:
    """The moving pictures and the pins of loose joints, as far as they can be drawn."""
    found = []
    for chapter in moving:
        try:
            frames = frames_of(chapter)
        except (ClosedChainError, ValueError, KeyError):
            continue
        if not np.isfinite(frames.places).all() or not np.isfinite(frames.largest_force):
            continue
        found.append({"study": chapter.name, "frames": frames.as_json(), "pins": packed_gaps(chapter)})
    return found


def frames_of(chapter: Chapter) -> Frames:
    """The motion of a study as pictures."""
    ds, m = chapter.data, chapter.mechanism
    few = make_frames(ds, FEW)
    if m is None or ds.sizes["time"] <= FEW:
        return few
    if any(part.points.ndim == 3 for part in few.parts) or set(few.bodies) - set(m.bodies):
        # Something changes its form from frame to frame, such as a telescope.
        return make_frames(ds, MANY)
    chosen = ds.isel(time=nearest(ds["time"].values, MANY, None)).transpose("time", ...)
    at, plan = body_places(chosen, m), make_plan(m)
    outputs = {name: carried(at[body], point) for name, (body, point) in plan.outputs.items()}
    forces = {}
    for joint in plan.joints:
        if joint.name in few.forces:
            values = chosen["contact_force"].sel(loose_joint=joint.name).values
            force = np.zeros((len(values), 3))
            force[:, : values.shape[1]] = values
            forces[joint.name] = (carried(at[joint.bodies[1]], joint.frames[1][:3, 3]), force)
    places = np.stack([at[body] for body in few.bodies], axis=1)
    return replace(few, times=chosen["time"].values.astype(float), places=places, outputs=outputs, forces=forces)


def carried(places: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Where a point of a body is in every frame, (frames, 3)."""
    return np.stack([moved(place, point[None])[0] for place in places])
