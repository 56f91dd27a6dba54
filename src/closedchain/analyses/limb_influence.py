"""Influence coefficients of the limbs of a parallel mechanism, each cut at the platform."""

from dataclasses import dataclass

import numpy as np

from closedchain.analyses.limbs import find_limbs
from closedchain.analyses.loop_rates import singular_limit
from closedchain.analyses.paths import Chain, chain_point, make_chain
from closedchain.analyses.pose import Pose, find_point
from closedchain.description import Mechanism
from closedchain.model import Model, compile


@dataclass(frozen=True, eq=False)
class Limb:
    """A limb from ground to the platform as a serial chain of n rates, (w, v) the platform's twist at the point asked
    for.

    name: its first joint; joints: in path order; rates: their labels; driven: the actuated ones among them.
    G (6, n), H (6, n, n): V = G q', A = G q'' + q'^T H q', H[i, m, n] = dG[i, n]/dq_m; planar 3 rows w, x, y.
    rate_map (n, 6): q' = rate_map V; the inverse of G where it has one, else the pseudo-inverse with lengths over the
    size, exact for every twist the limb admits. rank: of G; n where the limb is not singular.
    forbidden (6 - rank, 6): rows c with c V = 0 for every twist that the limb admits.
    """

    name: str
    joints: tuple[str, ...]
    rates: tuple[str, ...]
    driven: tuple[str, ...]
    G: np.ndarray
    H: np.ndarray
    rate_map: np.ndarray
    rank: int
    forbidden: np.ndarray

    @property
    def singular(self) -> bool:
        """Whether the limb has lost rank at this pose (inverse singularity)."""
        return self.rank < min(self.G.shape)

    @property
    def inverts(self) -> bool:
        """Whether `rate_map` is the inverse of G: every twist has exactly one set of rates."""
        return self.rank == self.G.shape[0] == self.G.shape[1]

    def __str__(self) -> str:
        rows, count = self.G.shape
        kind = "singular" if self.singular else "inverse" if self.inverts else "pseudo-inverse"
        return (
            f"limb {self.name}: joints {', '.join(self.joints)}; {count} rates, rank {self.rank} of {rows}, "
            f"rate map: {kind}; driven: {', '.join(self.driven) or 'none'}"
        )


def limb_influence(mechanism: Mechanism | Model, pose: Pose, of: str) -> tuple[Limb, ...]:
    """Coefficients of every limb of a parallel mechanism at a point of its platform, limbs in file order.

    mechanism, pose: the assembled mechanism. of: "platform.point" or the name of an output. Limbs are the disjoint
    chains of joints between ground and the platform body.

    The limb's own G and H follow from the formulas of serial chains; its rate map gives rows of G_qV and the limb
    joints' rates (Huang, Li and Ding 2013, ch. 4; Thomas and Tesar 1982).

    Raises MechanismError where a limb branches, naming the body.

    >>> import closedchain as cc
    >>> link = {"points": {"end": [0.5, 0]}}
    >>> m = cc.Mechanism.from_dict({
    ...     "mechanism": {"planar": True},
    ...     "bodies": {"ground": {"points": {"B": [0.6, 0]}}, "arm": link, "leg": link,
    ...                "table": {"points": {"end": [0.6, 0]}}},
    ...     "joints": {
    ...         "A": {"type": "revolute", "between": ["ground.origin", "arm.origin"], "guess": "90 deg"},
    ...         "C": {"type": "revolute", "between": ["arm.end", "table.origin"], "guess": "-90 deg"},
    ...         "B": {"type": "revolute", "between": ["ground.B", "leg.origin"], "guess": "90 deg"},
    ...         "D": {"type": "revolute", "between": ["leg.end", "table.end"], "guess": "-90 deg"},
    ...     },
    ... })
    >>> for limb in cc.limb_influence(m, cc.assemble(m), of="table.origin"):
    ...     print(limb.name, limb.rates, limb.G.shape, limb.rank)
    A ('A', 'C') (3, 2) 2
    B ('B', 'D') (3, 2) 2
    """
    model = compile(mechanism)
    at = find_point(model.mechanism, of)
    driven = {actuator.joint.text for actuator in model.mechanism.actuators.values()}
    limbs = []
    for path in find_limbs(model.mechanism, at.body):
        chain = make_chain(model, pose, path)
        G, H = chain.influence(chain_point(model, chain, at))
        rate_map, rank, forbidden = invert(G, chain, model.size, singular_limit(pose.residual))
        first = next(joint for joint in chain.joints if model.forms[joint].freedoms)
        mine = tuple(name for name in chain.rates if name in driven)
        limbs.append(Limb(first, chain.joints, chain.rates, mine, G, H, rate_map, rank, forbidden))
    return tuple(limbs)


def invert(G: np.ndarray, chain: Chain, size: float, limit: float) -> tuple[np.ndarray, int, np.ndarray]:
    """(Pseudo-)inverse of G with lengths over the size, its rank, and the forms c that vanish on its columns."""
    unit = np.array([size if kind == "m" else 1.0 for kind in chain.units])
    scale = np.array([1.0, size, size]) if chain.planar else np.array([1.0] * 3 + [size] * 3)
    U, s, Vt = np.linalg.svd(G * unit / scale[:, None])
    rank = int(np.sum(s > limit * max(1.0, s[0])))
    inverse = (Vt[:rank].T / s[:rank]) @ U[:, :rank].T
    return unit[:, None] * inverse / scale, rank, U[:, rank:].T / scale


__all__ = ["Limb", "limb_influence"]
