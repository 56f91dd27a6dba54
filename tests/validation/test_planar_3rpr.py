"""The six assembly modes of a planar 3-RPR robot.

Dimensions of the classical example with six real postures (J.-P. Merlet, Direct kinematics of planar parallel
manipulators, ICRA 1996). The postures are the real roots of the sextic in tan(angle/2) that remains when the
platform's position is eliminated from the three circle equations; `sextic_postures` finds them outside the library.
"""

import numpy as np
import pytest

import closedchain as cc

BASE = np.array([[0, 0], [15.91, 0], [0, 10]])
SIDES = (17.04, 16.54, 20.84)  # B1 B2, B2 B3, B1 B3
LEGS = np.array([14.98, 15.38, 12.0])
POSTURES = np.array(
    [
        (-8.7265953319, 12.1756697522, -0.9869742378),
        (-5.4956608155, -13.9354982760, -0.0473313694),
        (-14.8961281002, 1.5829616620, 0.2453095310),
        (-13.4199390140, -6.6562479567, 0.5856727833),
        (14.9201332472, -1.3379177430, 1.0020385399),
        (14.6739436557, -3.0126031249, 2.1329043651),
    ]
)
X3 = (SIDES[0] ** 2 + SIDES[2] ** 2 - SIDES[1] ** 2) / (2 * SIDES[0])
PLATFORM = np.array([[0, 0], [SIDES[0], 0], [X3, np.sqrt(SIDES[2] ** 2 - X3**2)]])


def three_rpr():
    bodies = {
        "ground": {"points": {f"A{i + 1}": [float(x) for x in BASE[i]] for i in range(3)}},
        "platform": {"mass": 1.0, "points": {f"B{i + 1}": [float(x) for x in PLATFORM[i]] for i in range(3)}},
    }
    joints = {}
    for i in (1, 2, 3):
        bodies |= {f"cylinder{i}": {}, f"rod{i}": {}}
        joints[f"A{i}"] = {"type": "revolute", "between": [f"ground.A{i}", f"cylinder{i}.origin"]}
        joints[f"L{i}"] = {"type": "prismatic", "between": [f"cylinder{i}.origin", f"rod{i}.origin"], "guess": 14}
        joints[f"B{i}"] = {"type": "revolute", "between": [f"rod{i}.origin", f"platform.B{i}"]}
    return cc.Mechanism.from_dict(
        {
            "mechanism": {"name": "3-RPR", "planar": True},
            "bodies": bodies,
            "joints": joints,
            "actuators": {f"leg{i}": {"joint": f"L{i}"} for i in (1, 2, 3)},
            "outputs": {"B1": {"point": "platform.B1"}},
        }
    )


def posture(pose):
    frame = pose.frame("platform")
    return np.array([*pose.point("platform.B1")[:2], np.arctan2(frame[1, 0], frame[0, 0])])


def sextic_postures():
    """All real postures: differences of the circle equations are linear in x, y; the first circle gives the sextic."""

    def circle(T):
        c, s = (1 - T**2) / (1 + T**2), 2 * T / (1 + T**2)
        offsets = PLATFORM @ np.array([[c, s], [-s, c]]) - BASE
        left = 2 * (offsets[1:] - offsets[0])
        right = LEGS[1:] ** 2 - LEGS[0] ** 2 - np.sum(offsets[1:] ** 2, axis=1) + np.sum(offsets[0] ** 2)
        # Cramer's rule, multiplied out so that the result is a polynomial of degree 6 in T after the factor below.
        determinant = np.linalg.det(left)
        x = right[0] * left[1, 1] - right[1] * left[0, 1]
        y = left[0, 0] * right[1] - left[1, 0] * right[0]
        xy = np.array([x, y]) / determinant
        value = np.sum((x + determinant * offsets[0, 0]) ** 2 + (y + determinant * offsets[0, 1]) ** 2)
        return (value - determinant**2 * LEGS[0] ** 2) * (1 + T**2) ** 3, xy

    samples = np.tan(np.linspace(-1.5, 1.5, 25) / 2)
    found = np.polynomial.Polynomial.fit(samples, [circle(T)[0] for T in samples], 6)
    roots = found.roots()
    real = np.sort(roots.real[np.abs(roots.imag) < 1e-6])
    return np.array([(*circle(T)[1], 2 * np.arctan(T)) for T in real])


def test_the_table_solves_the_sextic():
    np.testing.assert_allclose(sextic_postures(), POSTURES[np.argsort(np.tan(POSTURES[:, 2] / 2))], atol=1e-6)


@pytest.mark.parametrize("known", POSTURES, ids=lambda row: f"{row[2]:.2f} rad")
def test_assembles_in_the_mode_of_the_guess(known):
    m = three_rpr()
    x, y, angle = known + np.array([0.1, -0.1, 0.03])
    corners = [x, y] + PLATFORM @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    legs = corners - BASE
    directions = np.arctan2(legs[:, 1], legs[:, 0])
    guess = {f"A{i + 1}": directions[i] for i in range(3)} | {f"B{i + 1}": angle - directions[i] for i in range(3)}
    pose = cc.assemble(m, {f"L{i + 1}": LEGS[i] for i in range(3)}, guess=guess)
    np.testing.assert_allclose(posture(pose), known, atol=2e-10)
    assert pose.residual < 1e-12


def test_three_freedoms():
    assert cc.mobility(three_rpr()).dof == 3
