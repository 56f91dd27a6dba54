"""Bodies without mass between bodies with mass: the equations of motion stay solvable in any order of elimination."""

import numpy as np
import pytest

import closedchain as cc
from closedchain.algorithms.closure_solver import elimination_order

CRANK = {
    "mass": 1.0,
    "com": [0.2, 0.1, 0],
    "inertia": [0.1, 0.1, 0.1],
    "points": {"E": [0.4, 0.1, 0.2], "Q": [0.5, 0, 0]},
}
MASSLESS = {"points": {"P": {"at": [0.1, 0.2, 0.1], "z": [0.3, 0.5, 1.0]}, "Q": [0.3, 0, 0.1]}}
FRAME = {"at": [0.3, 0.1, 0.0], "z": [1, 0.2, 0.3]}


def pendulum(**limb):
    """A pendulum with a limb of massless bodies to ground that leaves its motion as it is."""
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"gravity": [1.0, 2.0, -9.0]},
            "bodies": {
                "ground": {"points": {"S": FRAME}}, "crank": CRANK, "slide": MASSLESS, "cross": MASSLESS,
                "b2": {"points": {"P": [0, 0, 0], "Q": [0.6, 0, 0]}},
                "b3": {"points": {"P": [0, 0, 0], "Q": [0.7, 0, 0]}},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.origin", "crank.origin"], "guess": 0.3},
                "S": {"type": "prismatic", "between": ["ground.S", "slide.P"]},
                "U": {"type": "universal", "between": ["slide.Q", "cross.P"]},
                "E": {"type": "planar", "between": ["crank.E", "cross.Q"]},
                "B": {"type": "revolute", "between": ["crank.Q", "b2.P"]},
                "C": {"type": "revolute", "between": ["b2.Q", "b3.Q"], "guess": 2.5},
                "D": {"type": "revolute", "between": ["ground.origin", "b3.P"], "guess": 1.0},
            } | limb,
        }
    )  # fmt: skip


@pytest.mark.parametrize("opened", ["A", "S", "U", "E", "D"])
def test_massless_limbs_keep_the_energy(opened):
    m = pendulum()
    table = {"type": m.joints[opened].type, "between": [at.text for at in m.joints[opened].between], "cut": True}
    ds = cc.simulate(cc.compile(pendulum(**{opened: table}), code="quick"), until=0.05, times=np.linspace(0, 0.05, 3))
    total = (ds.kinetic_energy + ds.potential_energy).values
    assert np.abs(total - total[0]).max() < 1e-9
    assert float(ds.closure.max()) < 1e-12


def test_rows_are_eliminated_before_rates_without_inertia():
    # two rates without inertia held by two rows, beside one rate with inertia: such a rate has no pivot of its own
    H = np.diag([1.0, 0.0, 0.0])[None]
    J = np.array([[[0.2, 1.0, 0.5], [0.1, -0.4, 1.0]]])
    order, _, _ = elimination_order(H, J, H[0] != 0.0, J[0] != 0.0)
    assert sorted(order) == [0, 1, 2, 3, 4]
    assert max(order.index(row) for row in (3, 4)) < min(order.index(rate) for rate in (1, 2))
