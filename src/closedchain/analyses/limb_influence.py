"""Influence coefficients of the limbs of a parallel mechanism, each cut at the platform."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from closedchain.analyses.limbs import find_limbs
from closedchain.analyses.loop_matrices import coupling_rows
from closedchain.analyses.loop_rates import singular_limit
from closedchain.analyses.paths import Chain, chain_point, make_chain
from closedchain.analyses.pose import Pose, find_point
from closedchain.description import Mechanism
from closedchain.model import Model, compile

TIED = 1e-9


@dataclass(frozen=True, eq=False)
class Limb:
    """A limb from ground to the platform as a serial chain of n rates, (w, v) the platform's twist at the point asked
    for.

    name: its first joint; joints: in path order; rates: their labels; driven: the actuated ones among them.
    G (6, n), H (6, n, n): V = G q', A = G q'' + q'^T H q', H[i, m, n] = dG[i, n]/dq_m; planar 3 rows w, x, y.
    rate_map (n, 6): q' = rate_map V; the inverse of G where it has one, else the pseudo-inverse with lengths over the
    size, exact for every twist the limb admits. Rates that couplings tie together move together. rank: of G over the
    rates that couplings leave independent; their number where the limb is not singular.
    forbidden (6 - rank, 6): rows c with c V = 0 for every twist that the limb admits.
    coupled: number of rates that depend on others of the limb by couplings.
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
    coupled: int = 0

    @property
    def independent(self) -> int:
        """Number of rates that couplings leave independent."""
        return self.G.shape[1] - self.coupled

    @property
    def singular(self) -> bool:
        """Whether the limb has lost rank at this pose (inverse singularity)."""
        return self.rank < min(self.G.shape[0], self.independent)

    @property
    def inverts(self) -> bool:
        """Whether every twist of the platform has exactly one set of rates, `rate_map` V."""
        return self.rank == self.G.shape[0] == self.independent

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
        tied = tied_rates(coupling_rows(model), chain)
        rate_map, rank, forbidden = invert(G, tied, chain, model.size, singular_limit(pose.residual))
        first = next(joint for joint in chain.joints if model.forms[joint].freedoms)
        mine = tuple(name for name in chain.rates if name in driven)
        limbs.append(Limb(first, chain.joints, chain.rates, mine, G, H, rate_map, rank, forbidden, len(tied)))
    return tuple(limbs)


def tied_rates(couplings: Mapping[str, Mapping[str, float]], chain: Chain) -> np.ndarray:
    """Relations T q' = 0 that couplings make among the rates of a limb alone, shape (t, n).

    Rates elsewhere are eliminated first: what they leave of the couplings, they are free to satisfy.
    """
    others = list(dict.fromkeys(name for terms in couplings.values() for name in terms if name not in chain.rates))
    rows = np.array([[terms.get(name, 0.0) for name in (*chain.rates, *others)] for terms in couplings.values()])
    rows = rows.reshape(len(couplings), len(chain.rates) + len(others))
    left = complement(rows[:, len(chain.rates) :])
    relations = left.T @ rows[:, : len(chain.rates)]
    _, s, Vt = np.linalg.svd(relations)
    return Vt[: int(np.sum(s > TIED * max([1.0, *s[:1]])))]


def complement(A: np.ndarray) -> np.ndarray:
    """Orthonormal columns l with l^T A = 0, shape (rows, count)."""
    U, s, _ = np.linalg.svd(np.hstack([A, np.zeros((len(A), 1))]))
    return U[:, int(np.sum(s > TIED * max([1.0, *s[:1]]))) :]


def invert(
    G: np.ndarray, tied: np.ndarray, chain: Chain, size: float, limit: float
) -> tuple[np.ndarray, int, np.ndarray]:
    """(Pseudo-)inverse of G with lengths over the size, its rank, and the forms c that vanish on its columns.

    tied: relations among the rates, T q' = 0; with q' = N y, y the independent ones, the inverse is N (G N)^+.
    """
    unit = np.array([size if kind == "m" else 1.0 for kind in chain.units])
    scale = np.array([1.0, size, size]) if chain.planar else np.array([1.0] * 3 + [size] * 3)
    N = complement((tied * unit).T)
    U, s, Vt = np.linalg.svd(G * unit / scale[:, None] @ N)
    rank = int(np.sum(s > limit * max([1.0, *s[:1]])))
    inverse = N @ (Vt[:rank].T / s[:rank]) @ U[:, :rank].T
    return unit[:, None] * inverse / scale, rank, U[:, rank:].T / scale


__all__ = ["Limb", "limb_influence"]
