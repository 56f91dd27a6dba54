"""Second-order freedom: can a first-order motion v of closed loops go on, or do the loops bend against it?

A motion q(s) with velocity v in the null space of J keeps the loops closed to second order if and only if some
acceleration a solves J a = -v' K v, K the second derivatives of the rows. That is: every dependency l of the rows
(l' J = 0) has

    Q_l(v) = l' (v' K v) = 0                 (Connelly and Whiteley 1996, second-order rigidity; Kuznetsov 1991)

If some combination of the forms Q_l is positive definite, no motion passes and the mechanism is rigid at this pose. If
all vanish, every motion passes this test. Else the motions that pass form a cone, and moving decides.
"""

from collections.abc import Sequence

import numpy as np

from closedchain.algorithms.constraints import all_constraints, zeros
from closedchain.analyses.tangent import Configurations, Tangent

FLAT = 1e-5


def quadratic_forms(configurations: Configurations, here: Tangent) -> np.ndarray:
    """Q_l over the first-order freedoms: symmetric matrices, shape (dependencies, k, k)."""
    model = configurations.model
    system = model.system()
    scale = configurations.problem.row_scales[configurations.true_rows]
    numbers = here.q.tolist()
    still = zeros(system.tree.rates)

    def bend(v: np.ndarray) -> np.ndarray:
        rows = all_constraints(system, numbers, (v * configurations.unit).tolist(), still, ((), (), ()))
        return here.left.T @ (np.array([float(row.acceleration) for row in rows]) * scale)

    k = here.freedoms
    alone = [bend(here.N[:, i]) for i in range(k)]
    forms = np.zeros((here.left.shape[1], k, k))
    for i in range(k):
        forms[:, i, i] = alone[i]
        for j in range(i):
            forms[:, i, j] = forms[:, j, i] = 0.5 * (bend(here.N[:, i] + here.N[:, j]) - alone[i] - alone[j])
    return forms


def verdict(forms: np.ndarray) -> str:
    """ "free": every motion passes; "blocked": none does; "cone": some do."""
    if forms.size == 0 or np.abs(forms).max() < FLAT:
        return "free"
    return "blocked" if definite_combination(forms) is not None else "cone"


def definite_combination(forms: np.ndarray, rounds: int = 300) -> np.ndarray | None:
    """Factors c that make sum c_l Q_l positive definite, None where none were found.

    Perceptron: add the form values of the most negative direction until none is left.
    """
    traces = np.trace(forms, axis1=1, axis2=2)
    c = traces if np.linalg.norm(traces) > FLAT else np.ones(len(forms))
    c = c / np.linalg.norm(c)
    for _ in range(rounds):
        values, vectors = np.linalg.eigh(np.tensordot(c / max(np.linalg.norm(c), 1e-300), forms, 1))
        if values[0] > FLAT:
            return c
        u = vectors[:, 0]
        along = u @ forms @ u
        if np.linalg.norm(along) < FLAT:
            return None
        c = c + along / np.linalg.norm(along)
    return None


__all__: Sequence[str] = ["definite_combination", "quadratic_forms", "verdict"]
