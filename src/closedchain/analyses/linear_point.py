"""The equations of motion about one state, in numbers: forces that are left over, derivatives, free directions."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from closedchain.analyses.assembly import assemble, flat_values
from closedchain.analyses.pose import Pose, known_joint
from closedchain.analyses.preparing import first_goals, ideal_start, takes_ideal_motion
from closedchain.description import Mechanism
from closedchain.model import Drive, Model, compile
from closedchain.model.linear_kernels import GOALS, followers, linear_kernel

RANK = 1e-9
MATRICES = ("jacobian", "mass", "stiffness", "damping", "rate_s", "acceleration_s", "acceleration_v")


@dataclass(frozen=True, eq=False)
class Held:
    """What stands still at t = 0: the model, the coordinates that are imposed, the goals, what controllers follow."""

    model: Model
    drive: Drive
    goal: np.ndarray
    target: np.ndarray

    @cached_property
    def passive(self) -> list[int]:
        """Rates that are free to follow."""
        driven = {self.model.tree_rates[name] for name in self.drive.coordinates}
        return [rate for rate in range(self.model.topology.rates) if rate not in driven]

    @cached_property
    def unit(self) -> np.ndarray:
        """Scale of every passive rate: an angle counts in rad, a length as a fraction of the size."""
        return np.array([1.0 if self.model.tree_units[rate] == "rad" else self.model.size for rate in self.passive])

    def about(self, q: np.ndarray, v: np.ndarray | None = None, a=None, x=None) -> dict[str, np.ndarray]:
        """Outputs of the linear kernel at a state (at rest unless rates are given)."""
        kernel = linear_kernel(self.model, self.drive)
        nv, rows = self.model.topology.rates, kernel.inputs["x"].stop - kernel.inputs["x"].start
        still = np.zeros(nv)
        goals = [self.goal, *[np.zeros(len(self.goal))] * (len(GOALS) - 1)]
        parts = [np.zeros(1), q, still if v is None else v, still if a is None else a]
        state = np.concatenate([*parts, np.zeros(rows) if x is None else x, *goals, self.target])
        parts = kernel.split(kernel(state, kernel.constants(self.model.parameters.values)))
        for name in MATRICES:
            parts[name] = parts[name].reshape(-1, nv)
        return parts

    def free_directions(self, J: np.ndarray) -> np.ndarray:
        """Orthonormal directions of the scaled passive rates that keep the loops closed, shape (passive, k)."""
        J = J[:, self.passive] * self.unit
        if not len(J):
            return np.eye(len(self.passive))
        _, s, Vt = np.linalg.svd(J)
        return Vt[int(np.sum(s > RANK * max(s[0], 1e-300))) :].T

    def names(self, rates: Any) -> list[str]:
        """Labels of passive rates by their place among these."""
        labels = {rate: name for name, rate in self.model.tree_rates.items()}
        return [labels[self.passive[int(k)]] for k in rates]


def held_at_start(mechanism: Mechanism | Model, values: Mapping[str, Any] | None, guess: Any) -> tuple[Held, Pose]:
    """What stands still, with motions at t = 0 and the values imposed, and the pose assembled there."""
    model = compile(mechanism)
    given = flat_values(model, values or {})
    joints = [known_joint(model.mechanism, name) for name in given]
    model = compile(model, keep=[*model.topology.slots, *joints]) if set(joints) - set(model.topology.slots) else model
    m = model.mechanism
    names = [a.joint.text for a in m.actuators.values() if a.motion is not None or takes_ideal_motion(m, a)]
    following = followers(model)
    ideal = ideal_start(model)[2] if m.motions and (following or len(names) > len(own_motions(m))) else {}
    names += [name for name in given if name not in names and name in model.tree_rates]
    drive = Drive(tuple(names), bool(m.motions) and not m.actuators)
    goal, _ = first_goals(model, drive, ideal)
    place = {name: k for k, name in enumerate(drive.coordinates)}
    imposed = {name: float(goal[k]) for name, k in place.items() if name not in given}
    pose = assemble(model, {**imposed, **given}, guess=guess)
    for name, k in place.items():
        goal[k] = pose.coordinates[name]
    target = np.array([ideal.get(name, (0.0, 0.0))[0] * (part == 0) for name in following for part in range(2)])
    return Held(model, drive, goal, target), pose


def own_motions(mechanism: Mechanism) -> list[str]:
    """Actuators with a motion of their own."""
    return [name for name, actuator in mechanism.actuators.items() if actuator.motion is not None]
