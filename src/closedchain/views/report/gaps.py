"""Pins of loose joints in their bores: the orbit of the pin's centre for a magnified picture beside the mechanism."""

from typing import Any

import numpy as np

from closedchain.views.report.chapter import Chapter
from closedchain.views.report.curves import as_text
from closedchain.views.report.thinning import telling


def packed_gaps(chapter: Chapter) -> list[dict[str, Any]]:
    """Per loose pin its clearance [m], its orbit [m] and its contact force [N] in ground axes; planar ones only."""
    m = chapter.mechanism
    if m is None or not m.planar or not chapter.has("eccentricity", "contact_force"):
        return []
    found = []
    for joint in map(str, chapter.data["loose_joint"].values):
        clearance = m.joints[joint].clearance if joint in m.joints else None
        radial = clearance.parameters.get("radial") if clearance is not None else None
        if radial is None or not hasattr(radial, "evaluate") or m.joints[joint].type != "revolute":
            continue
        c = float(m.evaluate(radial))
        one = chapter.data.sel(loose_joint=joint)
        e, force = one["eccentricity"].values, one["contact_force"].values
        if c <= 0.0 or not np.isfinite(e).all():
            continue
        times = chapter.data["time"].values
        kept = np.flatnonzero(telling(times, np.concatenate([e, force], axis=1)).any(axis=1))
        found.append(
            {
                "joint": joint,
                "radial": c,
                "t": as_text(times[kept]),
                "x": as_text(e[kept, 0]),
                "y": as_text(e[kept, 1]),
                "fx": as_text(force[kept, 0]),
                "fy": as_text(force[kept, 1]),
                "largest": float(np.linalg.norm(force, axis=1).max()),
            }
        )
    return found
