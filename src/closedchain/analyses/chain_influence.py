"""Influence coefficients of the serial chain that leads from ground to a point, loops ignored."""

import numpy as np

from closedchain.analyses.paths import chain_point, make_chain, shortest_path
from closedchain.analyses.pose import Pose, find_point
from closedchain.description import Mechanism
from closedchain.model import Model, compile


def chain_influence(
    mechanism: Mechanism | Model, pose: Pose, of: str
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Coefficients of a point with respect to the joints on its path from ground, as if loops were open.

        (w, v) = G q'          (e, a) = G q'' + q'^T H q'

    mechanism, pose: the assembled mechanism. of: "body.point" or the name of an output. The path is the one of fewest
    joints, of equal ones the first in file order.

    Returns G, shape (6, n), H, shape (6, n, n) with H[i, m, n] = dG[i, n]/dq_m, and the rates' names in path order;
    angular rows first, ground axes, SI. Planar mechanisms have three rows: w, x, y.

    For a revolute or prismatic joint n with axis s through R: G[:, n] = (s, s x (P - R)) or (0, s); H follows from what
    each joint carries (Thomas and Tesar 1982; Freeman and Tesar 1988).

    Raises MechanismError for a point that does not exist.

    >>> import closedchain as cc
    >>> m = cc.Mechanism.from_dict({
    ...     "bodies": {"ground": {}, "mast": {}, "boom": {"points": {"tip": [2.0, 0.0, 0.0]}}},
    ...     "joints": {
    ...         "turn": {"type": "revolute", "between": ["ground.origin", "mast.origin"]},
    ...         "lift": {"type": "prismatic", "between": ["mast.origin", "boom.origin"]},
    ...     },
    ... })
    >>> G, H, names = cc.chain_influence(m, cc.assemble(m), of="boom.tip")
    >>> names, G[:, 0].tolist(), H[3:, 0, 0].tolist()
    (('turn', 'lift'), [0.0, 0.0, 1.0, 0.0, 2.0, 0.0], [-2.0, 0.0, 0.0])
    """
    model = compile(mechanism)
    at = find_point(model.mechanism, of)
    chain = make_chain(model, pose, shortest_path(model.mechanism, "ground", at.body))
    G, H = chain.influence(chain_point(model, chain, at))
    return G, H, chain.rates
