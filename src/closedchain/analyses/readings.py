"""What many configurations look like: frames of all bodies and coordinates of opened joints, in one batch."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from closedchain.algorithms.constraints import zeros
from closedchain.algorithms.motion import move
from closedchain.model import Drive, Model
from closedchain.model.motion_kernels import read_opened
from closedchain.model.topology import GROUND_BODY

Number = Any


def readings_kernel(model: Model):
    """Kernel q -> rotations (bodies, 3, 3) and origins (bodies, 3) of all moving bodies, opened coordinates."""

    def function(q: Sequence[Number], parameters: Sequence[Number] | None = None):
        system = model.system(Drive(), parameters)
        still = zeros(system.tree.rates)
        motions = move(system.tree, q, still, still)
        places = [motions[index].frame for body, index in model.topology.link_of.items() if body != GROUND_BODY]
        read = read_opened(model, system, motions, parameters)
        return {
            "R": [[list(frame.R.row(i)) for i in range(3)] for frame in places],
            "p": [list(frame.p) for frame in places],
            "opened": [value for values, _, _ in read.values() for value in values],
        }

    return model.kernel(("readings",), function, {"q": model.topology.coordinates})


def frames(model: Model, q: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Rotation (N, 3, 3) and origin (N, 3) of every body at configurations q (N, nq), the ground included."""
    count = len(q)
    found = {GROUND_BODY: (np.repeat(np.eye(3)[None], count, axis=0), np.zeros((count, 3)))}
    bodies = [body for body in model.topology.link_of if body != GROUND_BODY]
    if bodies:
        R = batch(model, q, "R").reshape(count, len(bodies), 3, 3)
        p = batch(model, q, "p").reshape(count, len(bodies), 3)
        found |= {body: (R[:, k], p[:, k]) for k, body in enumerate(bodies)}
    return found


def opened_coordinates(model: Model, q: np.ndarray) -> dict[str, np.ndarray]:
    """Coordinates (N,) of opened joints by label at configurations q (N, nq), angles within a turn."""
    labels = [f"{joint}.{part}" if part else joint for joint in model.opened for part in model.forms[joint].coordinates]
    if not labels:
        return {}
    values = batch(model, q, "opened")
    return {name: values[:, k] for k, name in enumerate(labels)}


def batch(model: Model, q: np.ndarray, part: str) -> np.ndarray:
    """One output of the kernel at configurations q (N, nq), shape (N, size)."""
    kernel = readings_kernel(model)
    place, _ = kernel.outputs[part]
    if not len(q):
        return np.zeros((0, place.stop - place.start))
    constants = kernel.constants(model.parameters.values)
    return kernel.batch(np.ascontiguousarray(q.T), constants)[place].T


__all__ = ["frames", "opened_coordinates"]
