"""Coefficients of serial chains against derivatives of the poses alone, and the four mixed formulas one by one."""

import numpy as np
import pytest

from closedchain.algorithms.chain import place
from closedchain.compile import compile_kernel, directional_derivative, trace
from closedchain.elements.joints import Ball, Rotation, Screw, Translation

ROTATION, TRANSLATION = Rotation(2), Translation(2)
RP = [
    [(ROTATION, TRANSLATION)[int(k)] for k in kinds]
    for kinds in ("010010", "101101", "000000", "111000", "011010", "110101", "001011", "100100")
]
SCREWS = [Rotation(0), Screw(1, 0.35), Translation(1), Screw(2, -0.2), Rotation(2)]
MIXED = [
    [Rotation(0), Screw(1, 0.35), Ball(), Translation(1), Rotation(2)],
    [Ball(), Translation(0), Ball(), Screw(2, -0.6)],
    [Translation(2), Rotation(1), Screw(0, 1.2), Ball(), Rotation(0), Translation(1)],
]


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("steps", RP + MIXED, ids=range(len(RP + MIXED)))
def test_first_order_is_the_derivative_of_the_pose(chains, steps, backwards):
    tree = chains.random_chain(steps, 1, backwards)
    q = chains.random_coordinates(tree, 2)
    G, _ = chains.coefficients(tree, q)
    R = np.array(chains.end(tree, q)[0])
    for rate in range(tree.rates):
        dR, dp = (
            np.imag(part) / 1e-30
            for part in chains.end(tree, chains.moved(tree, [complex(x) for x in q], rate, 1e-30j))
        )
        assert chains.vee(dR @ R.T) == pytest.approx(G[:3, rate], abs=1e-12)
        assert dp == pytest.approx(G[3:, rate], abs=1e-12)
        h = 1e-5
        difference = np.subtract(
            chains.end(tree, chains.moved(tree, q, rate, h))[1], chains.end(tree, chains.moved(tree, q, rate, -h))[1]
        ) / (2 * h)
        assert difference == pytest.approx(G[3:, rate], abs=1e-8)


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("steps", RP + MIXED, ids=range(len(RP + MIXED)))
def test_second_order_is_the_derivative_of_the_first(chains, steps, backwards):
    tree = chains.random_chain(steps, 3, backwards)
    q = chains.random_coordinates(tree, 4)
    _, H = chains.coefficients(tree, q)
    for rate in range(tree.rates):
        exact = chains.coefficients(tree, chains.moved(tree, [complex(x) for x in q], rate, 1e-30j))[0].imag / 1e-30
        assert H[:, rate] == pytest.approx(exact, abs=1e-12)
        h = 1e-5
        ahead, behind = (chains.coefficients(tree, chains.moved(tree, q, rate, sign * h))[0] for sign in (1, -1))
        assert H[:, rate] == pytest.approx((ahead - behind) / (2 * h), abs=1e-8)


@pytest.mark.parametrize("steps", [*RP, SCREWS])
def test_second_order_is_the_second_derivative_of_the_traced_pose(chains, steps):
    """Columns are not asked: second derivatives of the graph of rotation and position."""
    tree = chains.random_chain(steps, 5, backwards=True)
    q = chains.random_coordinates(tree, 6)
    n = tree.rates

    def pose(q):
        R, p = chains.end(tree, q)
        return {"R": R, "p": p}

    traced = trace(pose, {"q": n})
    first = [directional_derivative(traced.expressions, {x: 1.0}) for x in traced.input_symbols]
    second = [[directional_derivative(row, {x: 1.0}) for row in first] for x in traced.input_symbols]
    kernel = compile_kernel(traced.with_outputs({"first": first, "second": second}))
    values = kernel.split(kernel(np.array(q), kernel.constants(np.array([]))))
    R, dR = values["R"], values["first"][:, :9].reshape(n, 3, 3)
    ddR = values["second"][:, :, :9].reshape(n, n, 3, 3)
    _, H = chains.coefficients(tree, q)
    for m in range(n):
        for k in range(n):
            assert values["second"][m, k, 9:] == pytest.approx(H[3:, m, k], abs=1e-12)
            # w_k = chains.vee(R_k R^T), so its derivative is chains.vee(R_mk R^T + R_k R_m^T).
            assert chains.vee(ddR[m, k] @ R.T + dR[k] @ dR[m].T) == pytest.approx(H[:3, m, k], abs=1e-12)


def test_formulas_of_revolute_and_prismatic_pairs_one_by_one(chains):
    """All four cases, and two misprints that are in circulation."""
    tree = chains.random_chain([ROTATION, TRANSLATION, ROTATION, ROTATION, TRANSLATION, ROTATION], 7)
    q = chains.random_coordinates(tree, 8)
    _, H = chains.coefficients(tree, q)
    body = place(tree, q)[-1]
    P = np.array(list(body.frame.p + body.frame.R @ chains.POINT))
    revolute = [isinstance(link.steps[0], Rotation) for link in tree.links]
    S = [np.array(list(c.s if turns else c.v)) for c, turns in zip(body.columns, revolute, strict=True)]
    X = [np.array(list(c.at(body.frame.p + body.frame.R @ chains.POINT))) for c in body.columns]
    R = [np.array(list(c.R)) for c in body.columns]
    misprint_mixed = misprint_point = 0.0
    for m in range(6):
        for n in range(6):
            both = revolute[m] and revolute[n]
            w = np.cross(S[m], S[n]) if m < n and both else np.zeros(3)
            if both:
                v = np.cross(S[m], X[n]) if m <= n else np.cross(S[n], np.cross(S[m], P - R[m]))
                if n < m:
                    misprint_point = max(misprint_point, np.abs(np.cross(S[n], np.cross(S[m], P - R[n])) - v).max())
            elif m < n and revolute[m] and not revolute[n]:
                v = np.cross(S[m], S[n])
            elif n < m and revolute[n] and not revolute[m]:
                v = np.cross(S[n], S[m])
            else:
                v = np.zeros(3)
            if m < n and revolute[n] and not revolute[m]:
                misprint_mixed = max(misprint_mixed, np.abs(np.cross(S[n], S[m]) - H[3:, m, n]).max())
            assert H[:3, m, n] == pytest.approx(w, abs=1e-13)
            assert H[3:, m, n] == pytest.approx(v, abs=1e-13)
    assert misprint_mixed > 0.1, "prismatic m before revolute n gives nothing"
    assert misprint_point > 0.1, "the point is on the axis of the later joint"
    assert H[3:] == pytest.approx(np.swapaxes(H[3:], 1, 2), abs=1e-13)
    assert np.abs(H[:3] - np.swapaxes(H[:3], 1, 2)).max() > 0.1
