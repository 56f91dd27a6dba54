"""What motors and outputs see of the motions that a configuration admits to first order."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from closedchain.algorithms.chain import ZERO, Placed, place, placed_link
from closedchain.analyses.determinacy import idle_motions
from closedchain.analyses.tangent import RANK, Configurations, Tangent
from closedchain.analyses.twists import twist_map
from closedchain.description import Mechanism
from closedchain.model.topology import GROUND_BODY
from closedchain.numbers import Vec3


@dataclass(frozen=True)
class Watched:
    """Something whose motion is the mechanism's purpose: a point of a body (body axes) and the name it goes by."""

    name: str
    body: str
    point: Vec3


@dataclass(frozen=True, eq=False)
class Seen:
    """The motions of one configuration as motors and outputs see them.

    N: admissible motions (nv, k). inputs: scaled rates of the motors per motion (a, k). twists: name of an output ->
    scaled twist of its body at the output's point per motion (6, k). places: name -> the point [m]. idle: idle motions,
    coefficients (k, i).
    """

    N: np.ndarray
    inputs: np.ndarray
    twists: dict[str, np.ndarray]
    places: dict[str, np.ndarray]
    idle: np.ndarray

    def uncontrolled(self) -> np.ndarray:
        """Motions in which no motor moves, idle ones included: coefficients (k, u)."""
        return kernel(self.inputs)

    def unseen(self, output: np.ndarray) -> int:
        """Independent motor rates that leave an output (rows, k) where it is."""
        return rank_of(self.inputs @ kernel(output))

    def transmission(self, output: np.ndarray) -> np.ndarray:
        """Output per motor rate, singular values, over the motions that the motors control."""
        _, s, Vt = np.linalg.svd(self.inputs, full_matrices=False)
        driven = s > RANK
        if not driven.any():
            return np.array([])
        return np.linalg.svd(output @ Vt[driven].T / s[driven], compute_uv=False)


def kernel(M: np.ndarray) -> np.ndarray:
    """Orthonormal basis of what M (rows, k) maps to zero, (k, n)."""
    if M.shape[1] == 0:
        return np.zeros((0, 0))
    _, s, Vt = np.linalg.svd(np.vstack([M, np.zeros((1, M.shape[1]))]))
    return Vt[int(np.sum(s > RANK)) :].T


def rank_of(M: np.ndarray) -> int:
    """Singular values that are not zero."""
    return int(np.sum(np.linalg.svd(M, compute_uv=False) > RANK)) if M.size else 0


def motors(configurations: Configurations) -> list[int]:
    """Tree rates with a motor, in the tree's order; all rates of an open mechanism without motors."""
    model = configurations.model
    found = {model.tree_rates[actuator.joint.text] for actuator in model.mechanism.actuators.values()}
    if not found and model.topology.loops == 0 and not model.mechanism.couplings:
        return list(range(model.topology.rates))
    return sorted(found)


def watched(configurations: Configurations) -> list[Watched]:
    """The file's outputs and moved points; where it has none, the bodies that are output by their place.

    These are the last bodies of open chains, else the platform (the body with most joints, three at least), else the
    bodies that joints without a motor carry from ground.
    """
    model = configurations.model
    evaluate = model.parameters.evaluator()
    named = [(name, output.point) for name, output in model.mechanism.outputs.items()]
    named += [(f"motions.{name}", motion.of) for name, motion in model.mechanism.motions.items()]
    found = [Watched(name, at.body, at.point.position(evaluate)) for name, at in named if at.body != GROUND_BODY]
    return found or [Watched(body, body, ZERO) for body in output_bodies(model.mechanism)]


def output_bodies(mechanism: Mechanism) -> list[str]:
    """Bodies that are output by their place; see `watched`."""
    joints: dict[str, list[str]] = {body: [] for body in mechanism.bodies if body != GROUND_BODY}
    for name, joint in mechanism.joints.items():
        for end in (joint.base.body, joint.moving.body):
            if end in joints:
                joints[end].append(name)
    last = [body for body, around in joints.items() if len(around) == 1]
    if last:
        return last
    most = max((len(around) for around in joints.values()), default=0)
    if most >= 3:
        return [body for body, around in joints.items() if len(around) == most]
    driven = {actuator.joint.joint for actuator in mechanism.actuators.values()}
    passive = [joint for name, joint in mechanism.joints.items() if name not in driven]
    ends = [{joint.base.body, joint.moving.body} for joint in passive]
    return [body for body in joints if {body, GROUND_BODY} in ends]


def look(configurations: Configurations, here: Tangent, outputs: Sequence[Watched], inputs: Sequence[int]) -> Seen:
    """What motors and outputs see at a configuration."""
    model = configurations.model
    unit = configurations.unit
    placed = place(model.tree(), here.q.tolist())
    twists, places = {}, {}
    for item in outputs:
        link: Placed = placed_link(placed, model.topology.link_of[item.body])
        P = link.frame.p + link.frame.R @ item.point
        twists[item.name] = twist_map(link, P, len(unit)) * unit @ here.N
        twists[item.name][3:] /= model.size
        places[item.name] = np.array([float(value) for value in P])
    driven = frozenset(model.tree_rates[actuator.joint.text] for actuator in model.mechanism.actuators.values())
    idle = idle_motions(model, here.q, np.arange(len(unit)), unit[:, None] * here.N, driven)
    return Seen(here.N, here.N[list(inputs)], twists, places, idle)
